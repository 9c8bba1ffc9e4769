"""The posture: how much the settings let agents do, in one line, and loudly where it is much."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stockade.config import Settings, environment, unknown_variables
from stockade.policy.capabilities import (
    DANGEROUS,
    EXPOSED,
    INSECURE,
    Capability,
    parse_capabilities,
)
from stockade.policy.confirming import ConfirmRule
from stockade.policy.policy import Policy

__all__ = ["line", "posture", "unused", "warnings"]

_MOST_SHOWN = 6
_ELICITED = "whatever an MCP client answers is taken for the operator's word"
_TABS_OPEN = (
    "the tab API's routes are open, and every program on this machine can use any user's tabs; "
    "cookies, traces and storage still need a key or a token. Programs are not told apart, nor is "
    "a proxy or tunnel that adds no header: set access_key before there is a second"
)
_OPEN = "every program on this machine is an agent"


def posture(settings: Settings) -> dict[str, Any]:
    """What an operator should know at a glance."""
    return {
        "isolation": settings.isolation,
        "capabilities": sorted(parse_capabilities(settings.capabilities)),
        "allowed_origins": list(settings.allowed_origins),
        "blocked_origins": list(settings.blocked_origins),
        "confirmations": sorted(each.text for each in _confirmed(settings)),
        **({"egress_allow": list(settings.egress_allow)} if settings.egress_allow else {}),
        **({"egress_ports": list(settings.egress_ports)} if settings.egress_ports else {}),
        **({"proxies": [each.label for each in settings.proxies]} if settings.proxies else {}),
    }


def line(settings: Settings) -> str:
    """The posture in one line."""
    shown = posture(settings)
    origins = ", ".join(shown["allowed_origins"]) or "any"
    if shown["blocked_origins"]:
        origins += f" but {', '.join(shown['blocked_origins'])}"
    confirmed = ", ".join(shown["confirmations"]) or "none"
    switches = ", ".join(shown["capabilities"]) or "none"
    return (
        f"isolation {shown['isolation']} · capabilities {switches}"
        f" · origins {origins} · confirmations {confirmed}{_way_out(settings)}"
    )


def _confirmed(settings: Settings) -> frozenset[ConfirmRule]:
    return Policy.stated(
        capabilities=settings.capabilities,
        allowed=settings.allowed_origins,
        blocked=settings.blocked_origins,
        confirm=settings.confirm_required,
    ).confirmed


def _way_out(settings: Settings) -> str:
    opened = [*settings.egress_allow, *(f"port {each}" for each in settings.egress_ports)]
    more = len(opened) - _MOST_SHOWN
    rest = f" and {more} more" if more > 0 else ""
    said = f" · pages also reach {', '.join(opened[:_MOST_SHOWN])}{rest}" if opened else ""
    count = len(settings.proxies)
    if count:
        through = settings.proxies[0].label if count == 1 else f"{count} proxies"
        said += f" · through {through}, {settings.proxy_strategy}"
    return said


def unused(settings: Settings) -> list[str]:
    """A sentence for each thing that looks like a setting and does nothing."""
    return unknown_variables(environment(), compat=settings.compat, folder=Path.cwd())


def warnings(settings: Settings, *, no_auth: bool = False) -> list[str]:
    """One sentence for each dangerous capability or setting that is on."""
    on = parse_capabilities(settings.capabilities)
    said = [f"{name} is on: {meaning}" for name, meaning in DANGEROUS.items() if name in on]
    if settings.attach_cdp and Capability.BYOB_ATTACH in on:
        said.append(f"attach_cdp is set: {EXPOSED}")
    if settings.disable_web_security:
        said.append(f"disable_web_security is on: {INSECURE}")
    if settings.approval_elicitation:
        said.append(f"approval_elicitation is on: {_ELICITED}")
    if settings.compat and not settings.access_key and _is_loopback(settings.host):
        said.append(f"compat is on: {_TABS_OPEN}")
    if no_auth:
        said.append(f"no token is asked for: {_OPEN}")
    return said


def _is_loopback(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")
