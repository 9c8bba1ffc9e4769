from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stockade.engines.cdp.connection import Command, Session

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Network"]


class Network:
    def __init__(self, page: ChromiumPage) -> None:
        self._page = page

    def setup(self, session: Session) -> Sequence[Command]:
        del session
        return ()

    def watch(self, session: Session) -> None:
        del session

    def document_status(self, document: str) -> int | None:
        return None

    frozen = False

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)
