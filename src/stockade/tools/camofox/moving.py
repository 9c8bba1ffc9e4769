"""Where tabs of the tab API go: addresses, macros, history; and when they have arrived."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, NotRequired

from pydantic import Field, field_validator
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.call import Call
from stockade.kernel.tool import tool
from stockade.page.consent import dismiss_consent
from stockade.page.readiness import ready
from stockade.page.settle import Window
from stockade.policy.capabilities import Capability
from stockade.sessions.going import go
from stockade.sessions.tab import Tab
from stockade.tools.camofox.arguments import InNamedTab
from stockade.tools.camofox.looks import refs_available
from stockade.tools.camofox.macros import expand, google

__all__ = [
    "LONGEST_URL",
    "camofox_back",
    "camofox_forward",
    "camofox_navigate",
    "camofox_refresh",
    "camofox_viewport",
    "camofox_wait",
    "visit",
]

LONGEST_URL = 65536
_BLANK = "about:blank"
_BACK, _FORWARD, _REFRESH = 20.0, 10.0, 30.0
_SETTLE_PATIENCE = 2.0
_LONGEST_WAIT = 300_000


class Navigate(InNamedTab):
    """An address, or a macro and what to search for."""

    url: Annotated[str | None, Field(max_length=LONGEST_URL)] = None
    macro: Annotated[str | None, Field(max_length=100, description="@google_search, …")] = None
    query: Annotated[str | None, Field(max_length=10_000, description="for the macro")] = None

    @field_validator("url")
    @classmethod
    def _none_if_blank(cls, url: str | None) -> str | None:
        return url if url and url.strip() else None


class Viewport(InNamedTab):
    """The size of the page area in CSS pixels."""

    width: float = Field(ge=100, le=4000)
    height: float = Field(ge=100, le=4000)


class Wait(InNamedTab):
    """How long, and for what."""

    timeout: Annotated[float, Field(ge=0, le=_LONGEST_WAIT, description="ms")] = 10_000
    wait_for_network: bool = True
    dismiss_consent: bool = False

    @property
    def lasts(self) -> float:
        """As long as it may wait."""
        return self.timeout / 1000


class Navigated(TypedDict):
    """Where it led; `ok` is false where a search engine refused to answer."""

    ok: bool
    tabId: str
    url: str
    refsAvailable: bool
    googleSerp: NotRequired[bool]
    googleBlocked: NotRequired[bool]


class Moved(TypedDict):
    """Where the tab is."""

    ok: bool
    url: str


class Resized(TypedDict):
    """The size that holds now."""

    ok: bool
    width: int
    height: int


class Waited(TypedDict):
    """Whether the page stands."""

    ok: bool
    ready: bool


async def visit(call: Call, tab: Tab, url: str, sent: str) -> None:
    """Send a tab to an address, as far as the parsed document; images may come later."""
    await go(tab, lambda left: tab.page.navigate(url, timeout=left), timeout=call.left)
    tab.sent_to(sent)


@tool(Capability.NAVIGATION, gives=Navigated, toolset="camofox")
async def camofox_navigate(call: Call, args: Navigate) -> dict[str, Any]:
    """Send a tab to a URL, or to what a macro such as @google_search finds."""
    tab = call.tab
    sent = expand(args.macro, args.query, call.kernel.settings.macros) or args.url
    if sent is None:
        raise InvalidArgument("url or macro required")
    await visit(call, tab, call.policy.check_address(sent).href, sent)
    found = google(tab.url)
    return {
        "ok": "googleBlocked" not in found,
        "tabId": tab.uuid,
        "url": tab.url,
        "refsAvailable": await refs_available(call),
        **found,
    }


@tool(Capability.NAVIGATION, gives=Moved, toolset="camofox")
async def camofox_back(call: Call, args: InNamedTab) -> dict[str, Any]:
    """Go back in the tab's history; at its beginning the tab stays where it is."""
    del args
    return await _move(call, -1, _BACK)


@tool(Capability.NAVIGATION, gives=Moved, toolset="camofox")
async def camofox_forward(call: Call, args: InNamedTab) -> dict[str, Any]:
    """Go forward in the tab's history; at its end the tab stays where it is."""
    del args
    return await _move(call, 1, _FORWARD)


async def _move(call: Call, delta: int, limit: float) -> dict[str, Any]:
    tab = call.tab
    entries = await tab.page.history(timeout=call.left)
    to = next((at for at, entry in enumerate(entries) if entry.current), 0) + delta
    # A tab begins empty before it is sent anywhere; nobody has been there.
    if to > 0 or (to == 0 and entries[0].url != _BLANK):
        patience = min(call.left, limit)
        await go(tab, lambda left: tab.page.go(delta, timeout=left), timeout=patience)
    return {"ok": True, "url": tab.url}


@tool(Capability.NAVIGATION, gives=Moved, toolset="camofox")
async def camofox_refresh(call: Call, args: InNamedTab) -> dict[str, Any]:
    """Load the page again."""
    del args
    tab = call.tab
    patience = min(call.left, _REFRESH)
    await go(tab, lambda left: tab.page.reload(timeout=left), timeout=patience)
    return {"ok": True, "url": tab.url}


@tool(Capability.NAVIGATION, gives=Resized, toolset="camofox", idempotent=True)
async def camofox_viewport(call: Call, args: Viewport) -> dict[str, Any]:
    """Set the size of the page area of one tab."""
    page = call.tab.page
    width, height = round(args.width), round(args.height)
    told = page.emulation
    with Window(call.tab.agent) as window:
        viewport = replace(told.viewport, width=width, height=height)
        await page.emulate(replace(told, viewport=viewport), timeout=call.left)
        await window.settle(timeout=min(call.left, _SETTLE_PATIENCE))
    return {"ok": True, "width": width, "height": height}


@tool(Capability.NAVIGATION, gives=Waited, toolset="camofox")
async def camofox_wait(call: Call, args: Wait) -> dict[str, Any]:
    """Wait until the page is parsed, its requests are answered and it changes no more."""
    tab = call.tab
    stands = await ready(tab.agent, network=args.wait_for_network, timeout=args.timeout / 1000)
    if args.dismiss_consent:
        call.policy.require(Capability.ACTION, f"{call.tool.name} with dismissConsent")
        call.policy.check_shown(tab.url)
        await dismiss_consent(tab.agent, tab.actions, caller=call.caller, timeout=call.left)
    return {"ok": True, "ready": stands}
