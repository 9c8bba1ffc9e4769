"""Results: what a model is given, and how long it took."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcp_types import CallToolResult, ImageContent, TextContent

__all__ = ["Result"]

_CONTROLS = re.compile(
    r"^\s*(?:- )?(?:uid=\S+ )?(?:link|button|textbox|searchbox|checkbox|radio|combobox)\b",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Result:
    """What one or more calls brought, and how long they took."""

    seconds: float
    text: str
    size: int
    """What a model is given: texts in UTF-8, pictures in base64."""
    wire: int
    """The whole result as JSON."""
    image: str = ""
    """The picture in base64."""
    mime: str = ""
    is_error: bool = False

    @classmethod
    def of(cls, answer: CallToolResult, seconds: float) -> Result:
        texts = [part.text for part in answer.content if isinstance(part, TextContent)]
        images = [part for part in answer.content if isinstance(part, ImageContent)]
        text = "\n".join(texts)
        return cls(
            seconds=seconds,
            text=text,
            size=len(text.encode()) + sum(len(image.data) for image in images),
            wire=len(answer.model_dump_json(by_alias=True, exclude_unset=True).encode()),
            image=images[0].data if images else "",
            mime=images[0].mime_type if images else "",
            is_error=bool(answer.is_error),
        )

    def then(self, other: Result) -> Result:
        """This and what a further call brought."""
        return Result(
            seconds=self.seconds + other.seconds,
            text=f"{self.text}\n{other.text}",
            size=self.size + other.size,
            wire=self.wire + other.wire,
            image=other.image or self.image,
            mime=other.mime or self.mime,
            is_error=other.is_error,
        )

    @property
    def controls(self) -> int:
        """How many links, buttons and fields it shows."""
        return len(_CONTROLS.findall(self.text))
