"""Dedicated, shared and service workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from stockade.engines.cdp.connection import Session
from stockade.engines.cdp.targets import AUTO_ATTACH, TargetInfo
from stockade.engines.events import WorkerEnded, WorkerStarted
from stockade.engines.port import DEADLINE

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumWorker"]


class ChromiumWorker:
    """One worker."""

    def __init__(
        self,
        context: ChromiumContext,
        page: ChromiumPage | None,
        session: Session,
        info: TargetInfo,
    ) -> None:
        self.id = info.targetId
        self.kind = cast(Literal["worker", "shared_worker", "service_worker"], info.type)
        self.url = info.url
        self._context = context
        self._page = page
        self._session = session

    def begin(self) -> None:
        """Let the worker run."""
        self._session.post(
            ("Runtime.enable", {}),
            ("Target.setAutoAttach", AUTO_ATTACH),
            ("Runtime.runIfWaitingForDebugger", {}),
        )
        self._context.worker_list.append(self)
        self._context.events.emit(WorkerStarted(self))

    def ended(self, session: Session) -> None:
        """The worker is gone."""
        del session
        if self in self._context.worker_list:
            self._context.worker_list.remove(self)
            self._context.events.emit(WorkerEnded(self))

    async def call(self, function: str, *arguments: Any, timeout: float = DEADLINE) -> Any:
        """Call a function in the worker."""
        raise NotImplementedError
