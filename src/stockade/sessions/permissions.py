"""The permissions of a session's pages: what the policy says, as the browser's own state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from stockade.engines.port import Context
from stockade.errors import InvalidArgument
from stockade.sessions.granted import Granted
from stockade.sessions.options import AskingMode, Rule
from stockade.sessions.session import Session
from stockade.urls import origin_of

__all__ = ["KNOWN", "POLICED", "Permissions"]

POLICED: Final = (
    "accelerometer",
    "ambient-light-sensor",
    "camera",
    "clipboard-read",
    "clipboard-write",
    "display-capture",
    "geolocation",
    "gyroscope",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "midi-sysex",
    "notifications",
    "persistent-storage",
    "screen-wake-lock",
    "speaker-selection",
    "storage-access",
    "top-level-storage-access",
    "window-management",
)
"""What pages are seen to ask for."""
KNOWN: Final = (
    *POLICED,
    "background-fetch",
    "background-sync",
    "nfc",
    "payment-handler",
    "periodic-background-sync",
    "push",
)
"""What a rule may name; the last have no prompt that could be seen."""
_PATIENCE = 5.0


class Permissions:
    """Sets what the browser gives to pages, and says what the policy makes of a request."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._decided: dict[tuple[str, str], Literal["granted", "denied"]] = {}
        """What was set when a page asked, by name and origin."""
        self._notify = True
        self.rule = Rule()

    async def set(
        self, rule: Rule | None = None, *, notify: bool | None = None, timeout: float
    ) -> None:
        """Go by another rule from now on; what was decided before is forgotten."""
        self.rule = rule if rule is not None else self.rule
        self._notify = notify if notify is not None else self._notify
        context = self._session.context
        if context is not None:
            await context.reset_permissions(timeout=timeout)
            await self.begin(context, timeout=timeout)

    async def begin(self, context: Context, *, timeout: float) -> None:
        """Tell a browser state what the rule says; what pages have to ask for is left open."""
        self._decided.clear()
        allowed = [name for name in self._names() if self.rule.of(name) == "allow"]
        denied = [name for name in self._names() if self.rule.of(name) == "deny"]
        if not self._notify:
            allowed = [name for name in allowed if name != "notifications"]
            denied.append("notifications")
        if allowed:
            await context.grant_permissions(allowed, timeout=timeout)
        for name in denied:
            await context.set_permission(name, "denied", timeout=timeout)
        granted = self._session.parts.of(Granted, Granted)
        for place, names in granted.origins.items():
            if names:
                origin = None if place == "*" else place
                await context.grant_permissions(sorted(names), origin=origin, timeout=timeout)

    def _names(self) -> Iterable[str]:
        return dict.fromkeys((*POLICED, *self.rule.per))

    def mode_of(self, names: list[str], *origins: str) -> AskingMode:
        """What becomes of a request; what was granted before is allowed."""
        granted = self._session.parts.of(Granted, Granted)
        open_ones = [
            name for name in names if not any(granted.has(name, origin) for origin in origins)
        ]
        open_ones = [
            name
            for name in open_ones
            if not all(self._decided.get((name, each)) == "granted" for each in origins)
        ]
        if not open_ones:
            return "allow"
        if "notifications" in open_ones and not self._notify:
            return "deny"
        return self.rule.strictest(*open_ones)

    async def grant(self, names: Iterable[str], origin: str | None, *, timeout: float) -> None:
        """Give permissions to pages of an origin, or of all, those included that were refused."""
        context = await self._session.started()
        wanted = tuple(names)
        await context.grant_permissions(wanted, origin=origin, timeout=timeout)
        self._session.parts.of(Granted, Granted).add(wanted, origin)
        given_to = origin_of(origin) if origin is not None else None
        for name, place in [each for each in self._decided if each[0] in wanted]:
            # What is set for one origin holds against what is set for all.
            if given_to in (None, place):
                await context.set_permission(name, "granted", origin=place, timeout=timeout)
                self._decided[name, place] = "granted"

    async def decide(
        self, names: Iterable[str], state: Literal["granted", "denied"], origins: Iterable[str]
    ) -> None:
        """Set what a page that asked has from now on."""
        context = self._session.context
        for name in names:
            for origin in dict.fromkeys(origins):
                if context is None or self._decided.get((name, origin)) == state:
                    continue
                try:
                    await context.set_permission(name, state, origin=origin, timeout=_PATIENCE)
                except InvalidArgument:
                    # A place without an origin of its own: the browser gives it nothing.
                    continue
                self._decided[name, origin] = state
