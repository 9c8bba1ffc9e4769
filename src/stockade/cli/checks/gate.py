"""Checks of the gate: which origins, who is asked, and the way out."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from stockade.cli.checks.finding import Finding
from stockade.cli.posture import posture
from stockade.config import Settings
from stockade.egress.gateway import Gateway
from stockade.egress.protocol import Rules
from stockade.engines.cdp.launch import ChromiumEngine
from stockade.errors import StockadeError
from stockade.policy.capabilities import Capability, parse_capabilities
from stockade.urls import parse

__all__ = ["attached", "confirmations", "egress", "name_server", "origins"]

_PATIENCE = 15.0
_ATTACH_PATIENCE = 5.0
_RESOLVER_FILE = Path("/etc/resolv.conf")


def origins(settings: Settings) -> Finding:
    """Whether agents are kept to some pages."""
    allowed = settings.allowed_origins
    if allowed:
        return Finding("origins", "ok", f"pages of {', '.join(allowed)} and no others")
    return Finding(
        "origins",
        "warning",
        "no allow list: agents can open, and send what they know to, every public site",
        "Set STOCKADE_ALLOWED_ORIGINS to the sites they work on.",
    )


def confirmations(settings: Settings) -> Finding:
    """What waits for a person."""
    waiting = posture(settings)["confirmations"]
    if not waiting:
        return Finding(
            "confirmations",
            "warning",
            "nothing waits for a person",
            "Set STOCKADE_CONFIRM_REQUIRED, for example to file_download,file_upload.",
        )
    how = [
        *(["a webhook is told"] if settings.approval_webhook else []),
        *(["MCP clients may answer"] if settings.approval_elicitation else []),
        f"after {settings.approval_timeout:g} s it is a no",
    ]
    return Finding("confirmations", "ok", f"{', '.join(waiting)}; {', '.join(how)}")


async def attached(settings: Settings) -> Finding | None:
    """Whether the browser that sessions may attach to is there; nothing where none is meant."""
    on = Capability.BYOB_ATTACH in parse_capabilities(settings.capabilities)
    address = settings.attach_cdp
    if not on and not address:
        return None
    if not on:
        return Finding(
            "attach",
            "warning",
            "attach_cdp is set and does nothing: byob-attach is off",
            "Unset STOCKADE_ATTACH_CDP, or turn the capability on.",
        )
    if not address:
        return Finding(
            "attach",
            "warning",
            "byob-attach is on, and no browser is named",
            "`stockade chrome start` starts one; set STOCKADE_ATTACH_CDP to its address.",
        )
    place = parse(address).origin
    try:
        browser = await ChromiumEngine().attach(address, timeout=_ATTACH_PATIENCE)
    except StockadeError as error:
        return Finding("attach", "problem", f"{place}: {error.message}", error.hint)
    await browser.close()
    return Finding("attach", "ok", f"a browser answers at {place}")


async def egress(settings: Settings) -> Finding:
    """Whether the process that everything goes out through starts and answers."""
    begun = asyncio.get_running_loop().time()
    try:
        async with (
            asyncio.timeout(_PATIENCE),
            Gateway(uid=settings.egress_uid, resolver=settings.egress_resolver) as gateway,
        ):
            way = await gateway.open("doctor", Rules(closed=True), lambda _: None)
            await way.close()
    except StockadeError as error:
        return Finding("egress", "problem", error.message, error.hint)
    except TimeoutError:
        return Finding("egress", "problem", "its process does not answer: nothing would get out")
    took = asyncio.get_running_loop().time() - begun
    return Finding("egress", "ok", f"its process starts and answers ({took:.1f} s)")


def name_server(settings: Settings) -> Finding:
    """Who is asked for addresses; not whether it answers, which would be seen outside."""
    if settings.egress_resolver:
        return Finding("resolver", "ok", f"{settings.egress_resolver}, as set; not tried")
    try:
        text = _RESOLVER_FILE.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    servers = re.findall(r"^\s*nameserver\s+(\S+)", text, re.MULTILINE)
    if servers:
        return Finding("resolver", "ok", f"{servers[0]}, as {_RESOLVER_FILE} says; not tried")
    return Finding(
        "resolver",
        "warning",
        f"{_RESOLVER_FILE} names no server: only names of /etc/hosts and addresses are found",
        "Set STOCKADE_EGRESS_RESOLVER.",
    )
