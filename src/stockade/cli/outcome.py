"""The outcome of a call, whether it was made here or by a server."""

from __future__ import annotations

import base64
import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stockade.kernel.codes import CODES
from stockade.workspace import Workspace

if TYPE_CHECKING:
    from stockade.cli.remote import Answer
    from stockade.kernel.results import Reply

__all__ = ["Outcome"]

_FAILED = CODES["target_error"].exit
"""A call that went well and whose answer is no: a check of the page that failed, say."""


@dataclass(frozen=True)
class Outcome:
    """What a call gave: a JSON body, and pictures apart from it."""

    body: dict[str, Any]
    pictures: tuple[tuple[bytes, str], ...] = ()

    @classmethod
    def of(cls, reply: Reply) -> Outcome:
        """What the kernel of this process said."""
        body: dict[str, Any] = {"ok": reply.ok}
        body |= reply.data if reply.data is not None else {"text": reply.text}
        if reply.links:
            body["links"] = [{"uri": each.uri, "name": each.name} for each in reply.links]
        return cls(body, tuple((each.data, each.mime_type) for each in reply.images))

    @classmethod
    def told(cls, answer: Answer) -> Outcome:
        """What a server said."""
        body = dict(answer.body)
        pictures = body.pop("images", ())
        return cls(
            body,
            tuple((base64.b64decode(each["data"]), each["mimeType"]) for each in pictures),
        )

    @property
    def exit(self) -> int:
        """The exit code."""
        if self.body.get("ok") is not False:
            return 0
        code = CODES.get(str(self.body.get("code")))
        return code.exit if code is not None else _FAILED

    @property
    def text(self) -> str:
        """The body for people."""
        if set(self.body) <= {"ok", "text", "links"} and "text" in self.body:
            return str(self.body["text"])
        blocks: dict[str, str] = {}
        shown = json.dumps(_apart(self.body, "", blocks), ensure_ascii=False, indent=2)
        return "\n".join([shown, *(f"\n{name}:\n{text}" for name, text in blocks.items())])

    def write_pictures(self, workspace: Path, wanted: Path | None) -> list[str]:
        """Write the pictures where they are wanted, or to the workspace; the answer is where."""
        files = []
        for number, (data, kind) in enumerate(self.pictures, start=1):
            ending = f".{kind.rpartition('/')[2]}"
            if wanted is None:
                folder = Workspace.open(workspace).directory("pictures")
                file = folder / f"{secrets.token_hex(6)}{ending}"
            else:
                file = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}-{number}")
            file.write_bytes(data)
            files.append(str(file))
        return files


def _apart(value: Any, name: str, blocks: dict[str, str]) -> Any:
    """`value` with every text of several lines taken out into `blocks`, by where it stood."""
    if isinstance(value, dict):
        return {
            key: _apart(inner, f"{name}.{key}".lstrip("."), blocks) for key, inner in value.items()
        }
    if isinstance(value, str) and "\n" in value:
        blocks[name] = value
        return "(below)"
    return value
