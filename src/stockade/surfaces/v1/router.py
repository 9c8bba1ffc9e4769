"""Every route under `/v1`."""

from __future__ import annotations

from fastapi import APIRouter

from stockade.kernel.dispatch import Kernel
from stockade.store.keys import Keys
from stockade.surfaces.logins import Logins
from stockade.surfaces.v1 import (
    approvals,
    artifacts,
    events,
    keys,
    logins,
    secrets,
    sessions,
    tools,
    toolsets,
)

__all__ = ["routes"]


def routes(kernel: Kernel, key_store: Keys, console_logins: Logins) -> APIRouter:
    """The routes of this surface."""
    router = APIRouter()
    for each in (
        sessions.routes(kernel),
        tools.routes(kernel),
        toolsets.routes(kernel),
        artifacts.routes(kernel),
        events.routes(kernel),
        approvals.routes(kernel.approvals),
        secrets.routes(kernel.secrets, kernel.envelope),
        keys.routes(key_store, kernel.envelope),
        logins.routes(console_logins, kernel.envelope),
    ):
        router.include_router(each)
    return router
