"""Calls of the tools in `emulation`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import ActionResult


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


class Applied(Beside):
    """What holds from now on, in every tab of the session."""

    ok: bool
    session: str
    applied: dict[str, Any]
    state: DeviceState
    warnings: list[str]
    tokensEstimate: int


class VisibilityChanged(Beside):
    """Where the tab is now."""

    ok: bool
    state: str
    heldMs: NotRequired[int]
    realBackgrounding: bool
    note: str


class EmulationCalls(Calls):
    """Methods that call tools."""

    async def set_locale(
        self,
        *,
        locale: str | None,
    ) -> Applied:
        """Set the language of pages: Accept-Language, navigator and Intl; null clears."""
        answer = await self._call("set_locale", {"locale": locale}, {}, in_tab=False)
        return cast("Applied", answer)

    async def set_timezone(
        self,
        *,
        timezone_id: str | None,
    ) -> Applied:
        """Set the time zone of pages; null clears."""
        answer = await self._call("set_timezone", {"timezoneId": timezone_id}, {}, in_tab=False)
        return cast("Applied", answer)

    async def set_user_agent(
        self,
        *,
        user_agent: str | None,
    ) -> Applied:
        """Set what the browser says it is, in headers, scripts and client hints; null clears."""
        answer = await self._call("set_user_agent", {"userAgent": user_agent}, {}, in_tab=False)
        return cast("Applied", answer)

    async def set_geolocation(
        self,
        *,
        latitude: float | None,
        longitude: float | None = None,
        accuracy: float | None = None,
    ) -> Applied:
        """Set where pages are told they are; needs grant_permissions(["geolocation"])."""
        answer = await self._call("set_geolocation", {"latitude": latitude}, {"longitude": longitude, "accuracy": accuracy}, in_tab=False)
        return cast("Applied", answer)

    async def set_color_scheme(
        self,
        *,
        scheme: Literal['light', 'dark', 'no-preference'] | None,
    ) -> Applied:
        """Tell pages that light or dark is preferred."""
        answer = await self._call("set_color_scheme", {"scheme": scheme}, {}, in_tab=False)
        return cast("Applied", answer)

    async def set_reduced_motion(
        self,
        *,
        on: bool | None,
    ) -> Applied:
        """Tell pages whether less movement is preferred."""
        answer = await self._call("set_reduced_motion", {"on": on}, {}, in_tab=False)
        return cast("Applied", answer)

    async def set_viewport(
        self,
        *,
        width: int,
        height: int,
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> ActionResult:
        """Set the size of the page area in all tabs. Returns what changed; page text is untrusted."""
        answer = await self._call("set_viewport", {"width": width, "height": height}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("ActionResult", answer)

    async def tab_visibility(
        self,
        *,
        state: Literal['background', 'foreground'],
        hold_ms: int | None = None,
        timeout_ms: int | None = None,
    ) -> VisibilityChanged:
        """Put the tab in the background or back, so that the page notices."""
        answer = await self._call("tab_visibility", {"state": state}, {"holdMs": hold_ms, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("VisibilityChanged", answer)
