"""`stockade doctor`: does everything that a server needs work here?"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from stockade.cli import options, output
from stockade.errors import StockadeError

if TYPE_CHECKING:
    from stockade.cli.checks.finding import Finding

__all__ = ["doctor"]

_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}
_WIDTH = 14


def doctor(workspace: options.WorkspacePath = None, json: output.Json = False) -> None:
    """Check the machine, the browser and the workspace.

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
    from stockade.cli.checks import machine, setup
    from stockade.cli.checks.browser import browser
    from stockade.cli.checks.finding import Finding
    from stockade.cli.checks.plugins import plugins
    from stockade.cli.checks.providers import providers

    yield machine.python()
    try:
        settings = options.settings(workspace=workspace)
    except StockadeError as error:
        yield Finding("settings", "problem", error.message, error.hint)
        return
    uid = settings.browser_uid
    yield setup.variables(settings)
    for each in (*setup.policy(settings), *plugins(settings)):
        yield each
    async for each in providers(settings):
        yield each
    yield await machine.unprivileged_user(uid)
    yield await machine.user_namespaces(uid)
    yield await machine.bubblewrap(uid)
    yield machine.control_groups()
    yield await machine.fonts()
    yield machine.shared_memory()
    yield machine.temporary_space()
    async for each in browser(settings):
        yield each
    yield setup.workspace(settings)
    yield await setup.database(settings)
    yield await setup.address(settings)
