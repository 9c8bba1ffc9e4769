"""`stockade doctor`: does everything that a server needs work here?"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from stockade.cli import options, output
from stockade.errors import StockadeError

if TYPE_CHECKING:
    from stockade.cli.checks.finding import Finding
    from stockade.config import Settings

__all__ = ["doctor"]

_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}
_WIDTH = 14
_PATIENCE = 60.0


def doctor(workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """Check the machine, the settings, the browser, the way out and the workspace.

    Each line says what was found, and what to do if that is not well.
    The exit code is 1 if there is a problem; warnings leave it at 0.
    """
    from stockade.cli.running import run

    findings = run(lambda: _look(workspace=workspace, silent=json))
    problems = sum(each.state == "problem" for each in findings)
    warnings = sum(each.state == "warning" for each in findings)
    if json:
        output.print_json({"ok": not problems, "checks": [asdict(each) for each in findings]})
    else:
        output.say()
        output.say(
            f"{problems} problem{'s' * (problems != 1)}, {warnings} warning{'s' * (warnings != 1)}",
            _STYLES["problem" if problems else "warning" if warnings else "ok"],
        )
    if problems:
        raise typer.Exit(1)


async def _look(*, workspace: object, silent: bool) -> list[Finding]:
    findings = []
    async for each in _findings(workspace):
        findings.append(each)
        if not silent:
            output.say(f"{each.state:<8} {each.name:<{_WIDTH}} {each.said}", _STYLES[each.state])
            if each.remedy:
                output.say(f"{'':<{_WIDTH + 9}} → {each.remedy}")
    return findings


async def _findings(workspace: object) -> AsyncIterator[Finding]:
    import asyncio

    from stockade.cli.checks import machine
    from stockade.cli.checks.finding import Finding

    for check in (machine.program, machine.python, machine.clock):
        yield check()
    try:
        settings = options.settings(workspace=workspace)
    except StockadeError as error:
        yield Finding("settings", "problem", error.message, error.hint)
        return
    shown = _masked(settings)
    for checks in (_policy, _machine, _parts):
        findings = checks(settings)
        try:
            while True:
                async with asyncio.timeout(_PATIENCE):
                    each = await anext(findings)
                yield shown(each)
        except StopAsyncIteration:
            continue
        except TimeoutError:
            said = "a check did not end, and those after it were left out"
            yield Finding("doctor", "problem", said, "The last line shows how far it came.")


async def _policy(settings: Settings) -> AsyncIterator[Finding]:
    """How much agents may do, and what that needs."""
    from stockade.cli.checks import families, gate, setup
    from stockade.cli.checks.plugins import plugins
    from stockade.cli.checks.providers import providers

    yield setup.variables(settings)
    sound = True
    for each in setup.policy(settings):
        sound = sound and each.state != "problem"
        yield each
    if not sound:
        return
    yield gate.origins(settings)
    yield gate.confirmations(settings)
    for found in (await gate.attached(settings), families.diagnostics(settings)):
        if found is not None:
            yield found
    for each in (*families.extensions(settings), *plugins(settings)):
        yield each
    async for each in providers(settings):
        yield each


async def _machine(settings: Settings) -> AsyncIterator[Finding]:
    from stockade.cli.checks import jails, machine

    yield await machine.unprivileged_user(settings.browser_uid)
    yield await jails.jails(settings)
    yield jails.control_groups()
    yield await machine.fonts()
    yield machine.shared_memory()
    yield machine.disk(settings.workspace)


async def _parts(settings: Settings) -> AsyncIterator[Finding]:
    """Everything that a server starts or opens, started and opened."""
    from stockade.cli.checks import gate, setup
    from stockade.cli.checks.browser import browser

    found = setup.workspace(settings)
    yield found
    if found.state == "ok":
        async with setup.scratch(settings) as (place, finding):
            yield finding
            async for each in browser(settings, place):
                yield each
    else:
        async for each in browser(settings):
            yield each
    yield await gate.egress(settings)
    yield gate.name_server(settings)
    yield await setup.database(settings)
    yield await setup.address(settings)


def _masked(settings: Settings) -> Callable[[Finding], Finding]:
    """What takes the secrets of the settings out of whatever a check says."""
    from dataclasses import replace

    from stockade.masking.masker import Masker

    masker = Masker()
    for name, secret in settings.secrets.items():
        with suppress(StockadeError):
            masker.add(name, secret)
    return lambda each: replace(each, said=masker.text(each.said), remedy=masker.text(each.remedy))
