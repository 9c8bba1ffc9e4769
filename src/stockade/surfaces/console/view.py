"""What the console shows: the state of the server, in words."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stockade.config import Settings
from stockade.errors import InvalidArgument
from stockade.kernel.dispatch import Kernel
from stockade.policy.capabilities import DANGEROUS, Capability
from stockade.policy.policy import Policy
from stockade.sessions.session import Session
from stockade.surfaces.console.markup import Markup, joined, render
from stockade.surfaces.health import Health
from stockade.urls import parse

__all__ = ["View"]

_ISOLATION = {
    "shared": "One browser for all sessions; each has its own cookies, storage and cache.",
    "process": "A browser process for each session.",
    "bwrap": "A browser for each session, in a jail of its own.",
}
_NOTHING = Markup()
_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True)
class View:
    """Turns what the server knows into the parts of a page."""

    kernel: Kernel
    settings: Settings
    policy: Policy
    health: Health
    no_auth: bool

    async def console(
        self, url: str, sessions: Sequence[Session], waiting: Markup = _NOTHING
    ) -> Markup:
        """The page of an operator who is shown `sessions`."""
        pulse = await self.health.pulse()
        command = str(Path(sys.executable).parent / "stockade")
        place = self._other_workspace()
        return render(
            "console",
            waiting=waiting,
            confirmations=self._confirmations(),
            mood="well" if pulse.ok else "bad",
            verdict=pulse.trouble or "Everything answers",
            engine=pulse.engine if pulse.browsers else "No browser runs yet",
            sessions=len(sessions),
            tabs=sum(len(each.tabs) for each in sessions),
            browsers=pulse.browsers,
            uptime=_span(pulse.uptime),
            isolation=self.settings.isolation,
            isolation_meaning=_ISOLATION.get(self.settings.isolation, ""),
            capabilities=joined(map(_chip, sorted(self.policy.capabilities))),
            dangers=joined(
                render("danger", name=name, meaning=f"is on: {meaning}")
                for name, meaning in DANGEROUS.items()
                if name in self.policy.capabilities
            ),
            origins=self._origins(),
            callers=self._callers(),
            listing=self._listing(sessions),
            snippet=_snippet(command, place),
            environment=f"--env STOCKADE_WORKSPACE={shlex.quote(place)} " if place else "",
            command=shlex.quote(command),
            url=url,
        )

    def _confirmations(self) -> Markup:
        rules = sorted(each.text for each in self.policy.confirmed)
        chips = joined(render("chip", name=each, kind="usual") for each in rules)
        return render("chips", chips=chips) if chips else render("quiet", text="nothing")

    def _other_workspace(self) -> str:
        """The workspace, where a client would not find it by itself."""
        usual = Path("~/.stockade").expanduser()
        return "" if self.settings.workspace == usual else str(self.settings.workspace)

    def _origins(self) -> str:
        allowed = [rule.text for rules in self.policy.allowed for rule in rules]
        said = f"Only {', '.join(allowed)}" if allowed else "Any http or https page"
        if self.policy.blocked:
            said += f", except {', '.join(rule.text for rule in self.policy.blocked)}"
        return f"{said}."

    def _callers(self) -> str:
        if self.no_auth:
            return "Anyone on this machine is an agent; operators and admins need a token."
        return "Everyone needs a token."

    def _listing(self, sessions: Sequence[Session]) -> Markup:
        if not sessions:
            return render(
                "quiet", text="None is open. A browser starts with the first call that needs one."
            )
        return render("sessions", rows=joined(map(_row, sessions)))


def _chip(capability: Capability) -> Markup:
    return render("chip", name=capability, kind="danger" if capability in DANGEROUS else "usual")


def _row(session: Session) -> Markup:
    tabs = joined(
        render("tab", id=each.id, origin=_origin(each.url)) for each in session.tabs
    ) or render("quiet", text="none")
    return render(
        "session",
        name=session.name,
        id=session.id,
        owner=session.owner.name or session.owner.id,
        age=_span(time.time() - session.opened_at),
        calls=session.calls,
        tabs=tabs,
    )


def _origin(url: str) -> str:
    """Where a tab is and no more: the rest of an address is the session's own affair."""
    try:
        origin = parse(url).origin
    except InvalidArgument:
        return "an address of its own"
    return "blank" if origin == "null" else origin


def _span(seconds: float) -> str:
    """A time in its two largest units."""
    left = max(0, int(seconds))
    parts: list[str] = []
    for size, unit in _UNITS:
        count, left = divmod(left, size)
        if count or parts:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"


def _snippet(command: str, place: str) -> str:
    entry: dict[str, Any] = {"command": command, "args": ["mcp"]}
    if place:
        entry["env"] = {"STOCKADE_WORKSPACE": place}
    return json.dumps({"mcpServers": {"stockade": entry}}, indent=2, ensure_ascii=False)
