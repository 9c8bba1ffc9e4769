"""File choosers: a page asks for files, and nobody sees a window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.scripts import ChromiumHandle
from stockade.engines.events import FileChooserOpened
from stockade.engines.port import DEADLINE
from stockade.engines.values import World
from stockade.errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    from stockade.engines.cdp.frames import ChromiumFrame
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumFileChooser", "FileChoosers"]

_CANCEL = "function() { this.dispatchEvent(new Event('cancel', { bubbles: true })); }"


class _Opened(msgspec.Struct):
    frameId: str
    mode: Literal["selectSingle", "selectMultiple"]
    backendNodeId: int = 0


class ChromiumFileChooser:
    """One request for files."""

    def __init__(self, frame: ChromiumFrame, session: Session, event: _Opened) -> None:
        self.frame = frame
        self.multiple = event.mode == "selectMultiple"
        self._session = session
        self._node = event.backendNodeId

    async def set_files(self, paths: Sequence[str], *, timeout: float = DEADLINE) -> None:
        """Give files, named as the browser sees them; none at all cancels."""
        if not paths:
            await self.cancel(timeout=timeout)
            return
        self._check()
        if not self.multiple and len(paths) > 1:
            raise InvalidArgument(f"the page takes one file, not {len(paths)}", field="paths")
        await self._session.send(
            "DOM.setFileInputFiles",
            {"files": list(paths), "backendNodeId": self._node},
            timeout=timeout,
        )

    async def cancel(self, *, timeout: float = DEADLINE) -> None:
        """Tell the page that nothing was chosen."""
        self._check()
        world = await self.frame.world(World.AGENT, timeout=timeout)
        answer = await self._session.send(
            "DOM.resolveNode",
            {"backendNodeId": self._node, "executionContextId": world},
            timeout=timeout,
        )
        handle = ChromiumHandle(self.frame, world, answer["object"]["objectId"])
        await handle.call(_CANCEL, timeout=timeout)
        await handle.dispose()

    def _check(self) -> None:
        if not self._node:
            raise Unsupported(
                "the page asked through the file system API, which cannot be answered",
                hint="Look for a file input on the page.",
            )


class FileChoosers:
    """Tells of every request for files of one page."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page

    def setup(self, session: Session) -> Sequence[Command]:
        """Keep the browser's own window away."""
        del session
        if self._page.context.options.attended:
            # The person chooses files in a window of the browser's own.
            return []
        return [("Page.setInterceptFileChooserDialog", {"enabled": True})]

    def watch(self, session: Session) -> None:
        """Hear of choosers."""
        session.on("Page.fileChooserOpened", lambda event: self._opened(session, event), _Opened)

    def _opened(self, session: Session, event: _Opened) -> None:
        frame = self._page.frame_tree.by_id.get(event.frameId)
        if frame is not None:
            chooser = ChromiumFileChooser(frame, session, event)
            self._page.events.emit(FileChooserOpened(self._page, chooser))
