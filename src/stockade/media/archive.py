"""Archives: a page as it looks now, in one file or in a folder, that opens without a network."""

from __future__ import annotations

import base64
import html
import re
import secrets
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from stockade.engines.port import Frame
from stockade.errors import EngineError, QuotaExceeded
from stockade.media.resources import Resource, Resources
from stockade.media.stylesheets import addresses, replaced
from stockade.page.agent import PageAgent
from stockade.page.reach import look

__all__ = ["Archive", "Archiver", "Left"]

_MOST_FRAMES = 50
_MOST_PARTS = 2000
_DEEPEST_IMPORT = 8
_STYLES = frozenset({"text/css"})
_SAFE = re.compile(r"[^A-Za-z0-9._-]+")
_ENDINGS = {
    "text/css": ".css",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/avif": ".avif",
    "image/svg+xml": ".svg",
    "font/woff2": ".woff2",
    "font/woff": ".woff",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
}
_ALONE = (
    "default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; font-src data:;"
    " media-src data:; frame-src data:"
)
_IN_FOLDER = "script-src 'none'; connect-src 'none'; object-src 'none'; form-action 'none'"


@dataclass(frozen=True)
class Left:
    """Something the archive is without."""

    url: str
    reason: str


@dataclass
class Archive:
    """What was made: files by their names, the first of them the page itself."""

    files: dict[str, bytes] = field(default_factory=dict)
    frames: int = 0
    resources: int = 0
    nodes: int = 0
    omitted: list[Left] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes in all."""
        return sum(map(len, self.files.values()))


class Archiver:
    """Makes an archive of one tab."""

    def __init__(self, agent: PageAgent, *, alone: bool, most: int, timeout: float) -> None:
        self._agent = agent
        self._alone = alone
        self._most = most
        self._timeout = timeout
        self._token = f"stockade{secrets.token_hex(12)}"
        self._marks = re.compile(rf"{self._token}-([racsfh])(\d+)-")
        self._resources = Resources(agent.page, timeout=timeout)
        self._taken = 0
        self._asked: set[str] = set()
        self._made: dict[str, str] = {}
        self._done = Archive()

    async def page(self) -> Archive:
        """The whole tab, frames in frames."""
        top = self._agent.page.main_frame
        said = await self._look(top)
        whole = await self._filled(top, said, "index.html")
        self._add("index.html", whole.encode("utf-8", "replace"), needed=True)
        files = {"index.html": self._done.files.pop("index.html"), **self._done.files}
        self._done.files = files
        return self._done

    async def element(self, ref: str, *, caller: str) -> Archive:
        """One element, with its styles on it."""
        frame, number = self._agent.locate(ref)
        names = "styled.js markup.js saved_parts.js initial_styles.js"
        said = await self._look(frame, names, caller=caller, ref=number)
        await self._gather(said)
        inner = self._fill(said, {})
        head = f"<title>{html.escape(said['title'])}</title>{self._head(said['url'])}"
        # Nothing but what is written on each element decides how it looks.
        plain = "<style>body, body * { all: unset } body { display: block }</style>"
        whole = f"<!DOCTYPE html><html><head>{head}{plain}</head><body>{inner}</body></html>"
        self._add("index.html", whole.encode("utf-8", "replace"), needed=True)
        self._done.nodes = said["nodes"]
        return self._done

    # --- frames -----------------------------------------------------------------------------------

    async def _look(
        self, frame: Frame, names: str = "archive.js markup.js saved_parts.js", **asked: Any
    ) -> dict[str, Any]:
        said = await look(
            self._agent,
            frame,
            names,
            timeout=self._timeout,
            token=self._token,
            known=self._resources.urls,
            **asked,
        )
        self._done.nodes += said["nodes"]
        if said["limited"]:
            self._done.warnings.append(f"a document is larger than an archive may be: {frame.url}")
        return said

    async def _filled(self, frame: Frame, said: dict[str, Any], name: str) -> str:
        """A document with everything in its place, and its frames before it."""
        self._done.frames += 1
        await self._gather(said)
        inner: dict[int, str] = {}
        children = {
            await self._agent.owner_number(child, timeout=self._timeout): child
            for child in frame.children
        }
        for at, number in enumerate(said["frames"]):
            if number in children and self._done.frames < _MOST_FRAMES:
                inner[at] = await self._frame(children[number], name)
        return self._fill(said, inner)

    def _fill(self, said: dict[str, Any], inner: dict[int, str]) -> str:
        """The document with its parts; one that shows a large picture often may grow too large."""
        text: str = said["html"]
        pieces: list[str] = []
        size, at = 0, 0
        for mark in self._marks.finditer(text):
            pieces += (text[at : mark.start()], self._mark(mark, said, inner))
            size += len(pieces[-1])
            at = mark.end()
            if size > self._most:
                raise self._over()
        return "".join((*pieces, text[at:]))

    def _over(self) -> QuotaExceeded:
        return QuotaExceeded(
            f"the archive would take more than {self._most} bytes",
            hint="Allow more with maxSizeMb, or save a directory.",
            limit=self._most,
        )

    async def _frame(self, frame: Frame, around: str) -> str:
        """How the document around refers to a frame."""
        try:
            said = await self._look(frame)
        except EngineError as error:
            self._done.warnings.append(f"a frame could not be read: {error.message}")
            return ""
        said["deep"] = True
        name = f"frames/{self._done.frames}.html"
        whole = await self._filled(frame, said, name)
        if self._alone:
            return f'sandbox="" srcdoc="{html.escape(whole)}"'
        if not self._add(name, whole.encode("utf-8", "replace")):
            return ""
        here = name if "/" not in around else PurePosixPath(name).name
        return f'sandbox="" src="{here}"'

    def _head(self, url: str) -> str:
        policy = _ALONE if self._alone else _IN_FOLDER
        return (
            '<meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">'
            f'<meta name="saved-from" content="{html.escape(url)}">'
        )

    def _mark(self, mark: re.Match[str], said: dict[str, Any], inner: dict[int, str]) -> str:
        kind, at = mark[1], int(mark[2])
        if kind == "h":
            return self._head(said["url"])
        if kind == "f":
            return inner.get(at, "")
        # Frames lie one folder deeper than the page.
        up = "../" if not self._alone and said.get("deep") else ""
        if kind == "r":
            made = self._made.get(said["resources"][at].partition("#")[0], "")
            return html.escape(_placed(made, up))
        entry = said["styles"][at]
        if kind == "s":
            return self._sheet(entry, up)
        text = replaced(
            entry["text"], entry["base"], lambda url: _placed(self._made.get(url, ""), up)
        )
        return html.escape(text) if kind == "a" else text.replace("</style", "<\\/style")

    def _sheet(self, entry: dict[str, str], up: str) -> str:
        made = self._made.get(entry["href"].partition("#")[0])
        if made is None:
            return ""
        media = f' media="{html.escape(entry["media"])}"' if entry["media"] else ""
        return f'<link rel="stylesheet"{media} href="{html.escape(_placed(made, up))}">'

    # --- what is loaded ---------------------------------------------------------------------------

    async def _gather(self, said: dict[str, Any]) -> None:
        """Fetch everything a document refers to, and give each its new address."""
        for url in dict.fromkeys(said["resources"]):
            await self._resource(url.partition("#")[0], 0)
        for entry in said["styles"]:
            if "href" in entry:
                await self._resource(entry["href"].partition("#")[0], 0)
                continue
            for url in addresses(entry["text"], entry["base"]):
                await self._resource(url, 0)

    async def _resource(self, url: str, depth: int) -> None:
        if url in self._asked or len(self._asked) > _MOST_PARTS:
            return
        self._asked.add(url)
        if depth > _DEEPEST_IMPORT or len(self._asked) > _MOST_PARTS:
            self._done.omitted.append(Left(url, "too many"))
            return
        found = await self._resources.get(url)
        if found is None:
            self._done.omitted.append(Left(url, "the browser does not have it"))
            return
        content = found.content
        if found.mime_type in _STYLES:
            # Named before it is read, so that a circle of imports ends.
            self._made[url] = ""
            text = content.decode("utf-8", "replace")
            for inner in addresses(text, url):
                await self._resource(inner, depth + 1)
            content = replaced(text, url, self._beside).encode("utf-8", "replace")
        self._put(url, Resource(url, found.mime_type, content))

    def _beside(self, url: str) -> str:
        """An address as a stylesheet in the same folder knows it."""
        made = self._made.get(url, "")
        return made if self._alone else PurePosixPath(made).name

    def _put(self, url: str, found: Resource) -> None:
        if self._alone:
            # In four letters of text there are three bytes.
            size = len(found.content) * 4 // 3
            if self._taken + size > self._most:
                self._made.pop(url, None)
                self._done.omitted.append(Left(url, "too large"))
                return
            self._taken += size
            packed = base64.b64encode(found.content).decode()
            kind = found.mime_type or "application/octet-stream"
            charset = ";charset=utf-8" if kind.startswith("text/") else ""
            self._made[url] = f"data:{kind}{charset};base64,{packed}"
        else:
            name = f"assets/{len(self._made) + 1}-{_file_name(found)}"
            if not self._add(name, found.content):
                self._made.pop(url, None)
                self._done.omitted.append(Left(url, "too large"))
                return
            self._made[url] = name
        self._done.resources += 1

    def _add(self, name: str, content: bytes, *, needed: bool = False) -> bool:
        over = sum(map(len, self._done.files.values())) + len(content) > self._most
        if over and needed:
            raise self._over()
        if not over:
            self._done.files[name] = content
        return not over


def _placed(made: str, up: str) -> str:
    return f"{up}{made}" if made and not made.startswith("data:") else made


def _file_name(found: Resource) -> str:
    last = unquote(found.url.partition("?")[0].rpartition("/")[2])
    name = _SAFE.sub("_", last).strip("._-")[-60:] or "file"
    ending = _ENDINGS.get(found.mime_type, "")
    return name if PurePosixPath(name).suffix or not ending else name + ending
