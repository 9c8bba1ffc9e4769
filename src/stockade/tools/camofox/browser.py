"""The browsers of the tab API: started before they are wanted, and stopped for everybody."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from stockade.kernel.arguments import Arguments
from stockade.kernel.call import Call
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Role

__all__ = ["camofox_start", "camofox_stop"]

_ENGINE = "chromium"


class Nothing(Arguments):
    """It is all said."""


class Started(TypedDict):
    """A browser runs."""

    ok: bool
    profile: str


class Stopped(TypedDict):
    """No browser runs."""

    ok: bool
    stopped: bool
    profile: str


@tool(
    Capability.NAVIGATION,
    gives=Started,
    toolset="camofox",
    reach="server",
    idempotent=True,
    inner=False,
)
async def camofox_start(call: Call, args: Nothing) -> dict[str, Any]:
    """Start a browser for whoever comes next, unless one is there."""
    del args
    await call.kernel.sessions.browsers.warm()
    return {"ok": True, "profile": _ENGINE}


@tool(None, gives=Stopped, toolset="camofox", reach="server", destructive=True, inner=False)
async def camofox_stop(call: Call, args: Nothing) -> dict[str, Any]:
    """End every session and browser of the server. For admins alone."""
    del args
    call.principal.require(Role.ADMIN, call.tool.name)
    await call.kernel.sessions.stop_browsers()
    return {"ok": True, "stopped": True, "profile": _ENGINE}
