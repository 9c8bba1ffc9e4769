"""What pages are told about the device: place, language, looks, window."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.events import PageClosed
from stockade.engines.values import Emulation, Geolocation, UserAgent
from stockade.errors import DeadlineExceeded, InvalidArgument
from stockade.kernel.action_result import ActionResult, Done
from stockade.kernel.arguments import LONGEST_TIMEOUT, ActionOptions, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.observation import Act, observe
from stockade.kernel.results import Result, compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.page.settle import Window
from stockade.policy.capabilities import Capability
from stockade.sessions.device import change
from stockade.sessions.granted import Granted
from stockade.sessions.tab import Tab

__all__ = [
    "set_color_scheme",
    "set_geolocation",
    "set_locale",
    "set_reduced_motion",
    "set_timezone",
    "set_user_agent",
    "set_viewport",
    "tab_visibility",
]

_PATIENCE = 5.0


class Place(TypedDict):
    """A position."""

    latitude: float
    longitude: float
    accuracy: float


class Size(TypedDict):
    """The page area."""

    width: int
    height: int


class DeviceState(TypedDict):
    """What pages are told; null is the browser's own."""

    locale: str | None
    timezoneId: str | None
    userAgent: str | None
    geolocation: Place | None
    colorScheme: str | None
    reducedMotion: bool | None
    viewport: Size
    permissions: dict[str, list[str]]


class Applied(TypedDict):
    """What holds from now on, in every tab of the session."""

    ok: bool
    session: str
    applied: dict[str, Any]
    state: DeviceState
    warnings: list[str]
    tokensEstimate: int


class SetLocale(InSession):
    """Which language."""

    locale: Annotated[str | None, Field(max_length=100, description="de-DE; null clears")]


class SetTimezone(InSession):
    """Which zone."""

    timezone_id: Annotated[
        str | None, Field(max_length=100, description="Europe/Berlin; null clears")
    ]


class SetUserAgent(InSession):
    """Which browser to say it is."""

    user_agent: Annotated[str | None, Field(max_length=1000, description="null clears")]


class SetGeolocation(InSession):
    """Where."""

    latitude: Annotated[float | None, Field(ge=-90, le=90, description="null clears")]
    longitude: Annotated[float | None, Field(ge=-180, le=180)] = None
    accuracy: Annotated[float, Field(ge=0, le=1e7, description="metres")] = 10


class SetColorScheme(InSession):
    """Light or dark."""

    scheme: Literal["light", "dark", "no-preference"] | None


class SetReducedMotion(InSession):
    """Whether movement is unwelcome."""

    on: bool | None


class SetViewport(ActionOptions, InTab):
    """How large."""

    width: int = Field(ge=1, le=16_384)
    height: int = Field(ge=1, le=16_384)


class TabVisibility(InTab):
    """Where the tab is to be."""

    state: Literal["background", "foreground"]
    hold_ms: Annotated[
        int | None, Field(ge=0, le=120_000, description="then the other way again")
    ] = None
    timeout_ms: int | None = Field(None, ge=1, le=LONGEST_TIMEOUT)

    @property
    def lasts(self) -> float:
        """As long as it is held."""
        return (self.hold_ms or 0) / 1000


class VisibilityChanged(TypedDict):
    """Where the tab is now."""

    ok: bool
    state: str
    heldMs: NotRequired[int]
    realBackgrounding: bool
    note: str


def device_state(call: Call, told: Emulation) -> dict[str, Any]:
    """What pages of the session are told."""
    place, agent, view = told.geolocation, told.user_agent, told.viewport
    granted = call.session.parts.get(Granted)
    return {
        "locale": told.locale,
        "timezoneId": told.timezone,
        "userAgent": agent.value if agent is not None else None,
        "geolocation": None
        if place is None
        else {
            "latitude": place.latitude,
            "longitude": place.longitude,
            "accuracy": place.accuracy,
        },
        "colorScheme": told.color_scheme,
        "reducedMotion": told.reduced_motion,
        "viewport": {"width": view.width, "height": view.height},
        "permissions": granted.listed() if granted is not None else {},
    }


async def apply(
    call: Call, applied: dict[str, Any], *, warnings: list[str] | None = None, **fields: Any
) -> dict[str, Any]:
    """Change the session's device and say what holds now."""
    try:
        told = await change(call.session, timeout=call.left, **fields)
    except InvalidArgument as error:
        raise InvalidArgument(
            f"{call.tool.name}: {_plainly(error)}",
            hint="Nothing was changed.",
            field=next(iter(applied)),
        ) from None
    data = {
        "ok": True,
        "session": call.session.name,
        "applied": applied,
        "state": device_state(call, told),
        "warnings": warnings or [],
    }
    data["tokensEstimate"] = estimate(compact(data))
    return data


def _plainly(error: InvalidArgument) -> str:
    """What the browser or the limits said, without the value."""
    return error.message.partition(": '")[0]


@tool(Capability.ACTION, gives=Applied, reach="session", toolset="test", idempotent=True)
async def set_locale(call: Call, args: SetLocale) -> dict[str, Any]:
    """Set the language of pages: Accept-Language, navigator and Intl; null clears."""
    return await apply(call, {"locale": args.locale}, locale=args.locale)


@tool(Capability.ACTION, gives=Applied, reach="session", toolset="test", idempotent=True)
async def set_timezone(call: Call, args: SetTimezone) -> dict[str, Any]:
    """Set the time zone of pages; null clears."""
    return await apply(call, {"timezoneId": args.timezone_id}, timezone=args.timezone_id)


@tool(Capability.ACTION, gives=Applied, reach="session", toolset="test", idempotent=True)
async def set_user_agent(call: Call, args: SetUserAgent) -> dict[str, Any]:
    """Set what the browser says it is, in headers, scripts and client hints; null clears."""
    chosen = UserAgent(args.user_agent) if args.user_agent is not None else None
    return await apply(
        call,
        {"userAgent": args.user_agent},
        warnings=["scripts of pages that are open already have read the old one"],
        user_agent=chosen,
    )


@tool(Capability.ACTION, gives=Applied, reach="session", toolset="test", idempotent=True)
async def set_geolocation(call: Call, args: SetGeolocation) -> dict[str, Any]:
    """Set where pages are told they are; needs grant_permissions(["geolocation"])."""
    if args.latitude is None:
        return await apply(call, {"geolocation": None}, geolocation=None)
    if args.longitude is None:
        raise InvalidArgument("set_geolocation: longitude is missing")
    place = Geolocation(args.latitude, args.longitude, args.accuracy)
    granted = call.session.parts.get(Granted)
    warnings = []
    if granted is None or not granted.has("geolocation"):
        warnings.append('pages learn it only after grant_permissions(["geolocation"])')
    applied = {"latitude": args.latitude, "longitude": args.longitude, "accuracy": args.accuracy}
    return await apply(call, applied, warnings=warnings, geolocation=place)


@tool(Capability.ACTION, gives=Applied, reach="session", toolset="test", idempotent=True)
async def set_color_scheme(call: Call, args: SetColorScheme) -> dict[str, Any]:
    """Tell pages that light or dark is preferred."""
    scheme = None if args.scheme == "no-preference" else args.scheme
    return await apply(call, {"scheme": args.scheme}, color_scheme=scheme)


@tool(Capability.ACTION, gives=Applied, reach="session", toolset="test", idempotent=True)
async def set_reduced_motion(call: Call, args: SetReducedMotion) -> dict[str, Any]:
    """Tell pages whether less movement is preferred."""
    return await apply(call, {"on": args.on}, reduced_motion=args.on)


@tool(Capability.NAVIGATION, gives=ActionResult, toolset="web", idempotent=True)
async def set_viewport(call: Call, args: SetViewport) -> Result:
    """Set the size of the page area in all tabs. Returns what changed; page text is untrusted."""
    before = call.tab.url
    with Window(call.tab.agent) as window:
        wanted = replace(call.session.emulation.viewport, width=args.width, height=args.height)
        await change(call.session, timeout=call.left, viewport=wanted)
        settled = await window.settle(timeout=call.left)
    act = Act(
        done=Done(type="set_viewport", target=f"{args.width} by {args.height}"),
        settled=settled,
        url_before=before,
        beside={"viewport": {"width": args.width, "height": args.height}},
    )
    return await observe(call, act, args)


@tool(Capability.NAVIGATION, gives=VisibilityChanged, reach="session", toolset="test")
async def tab_visibility(call: Call, args: TabVisibility) -> dict[str, Any]:
    """Put the tab in the background or back, so that the page notices."""
    tab = await call.session.tab(args.tab)
    was, wanted = tab.page.hidden, args.state == "background"
    await _put(tab, hidden=wanted, timeout=call.left)
    data: dict[str, Any] = {"ok": True, "state": "", "realBackgrounding": wanted}
    if args.hold_ms is not None:
        try:
            await _hold(tab, args.hold_ms / 1000)
        finally:
            await _put(tab, hidden=was, timeout=_PATIENCE)
        data["heldMs"] = args.hold_ms
    data["state"] = "background" if tab.page.hidden else "foreground"
    if tab.page.hidden:
        data["note"] = "the page does not paint until tab_visibility brings it back"
    elif wanted:
        data["note"] = "the page was hidden that long and is in the foreground again"
    else:
        data["note"] = "the page is in the foreground"
    return data


async def _put(tab: Tab, *, hidden: bool, timeout: float) -> None:
    if hidden and not tab.page.hidden:
        await tab.page.hide(timeout=timeout)
    elif not hidden:
        await tab.page.show(timeout=timeout)


async def _hold(tab: Tab, seconds: float) -> None:
    """Wait; a tab that goes away meanwhile is not waited for."""
    with suppress(DeadlineExceeded):
        await tab.page.events.wait(PageClosed, timeout=seconds)
        tab.ensure_open()
