"""Checks of those who are asked for logins, codes and captchas, where the settings name any."""

from __future__ import annotations

from collections.abc import AsyncIterator

from stockade.cli.checks.finding import Finding
from stockade.config import Settings
from stockade.errors import NotConfigured, StockadeError
from stockade.policy.capabilities import Capability, parse_capabilities
from stockade.providers.captcha import Solver
from stockade.providers.choosing import login_provider
from stockade.providers.local import Local
from stockade.providers.programs import Program

__all__ = ["providers"]

_LONGEST = 40


async def providers(settings: Settings) -> AsyncIterator[Finding]:
    """Whether each can be asked; nothing where there is none."""
    on = parse_capabilities(settings.capabilities)
    if settings.credentials_provider != "none":
        async for finding in _credentials(settings, wanted=Capability.CREDENTIALS in on):
            yield finding
    if settings.captcha_provider or Capability.CAPTCHA in on:
        yield await _captcha(settings)


async def _credentials(settings: Settings, *, wanted: bool) -> AsyncIterator[Finding]:
    local = Local(settings.credentials_seeds)
    bad = [each for each in settings.credentials_seeds if not await _works(local, each)]
    if bad:
        said = f"{len(bad)} of the seeds make no codes; the first is that of {bad[0]}"
        yield Finding("credentials", "problem", said, "Correct STOCKADE_CREDENTIALS_SEEDS.")
    elif settings.credentials_seeds:
        count = len(settings.credentials_seeds)
        yield Finding("credentials", "ok", f"one-time codes of {count} accounts are made here")
    program = getattr(login_provider(settings), "program", None)
    if isinstance(program, Program):
        yield await _answers(program)
    elif wanted and not settings.credentials_seeds:
        yield Finding(
            "credentials",
            "warning",
            "the capability is on, and there is nobody to ask",
            "Set STOCKADE_CREDENTIALS_PROVIDER or STOCKADE_CREDENTIALS_SEEDS.",
        )


async def _works(local: Local, account: str) -> bool:
    try:
        await local.code(account)
    except StockadeError:
        return False
    return True


async def _answers(program: Program) -> Finding:
    try:
        version = (await program.say("--version")).strip()
    except NotConfigured as error:
        return Finding("credentials", "problem", error.message, error.hint)
    except StockadeError as error:
        return Finding("credentials", "warning", error.message, error.hint)
    shown = version.splitlines()[0][:_LONGEST] if version.isprintable() and version else "?"
    return Finding("credentials", "ok", f"{program.label}: {program.path} {shown}")


async def _captcha(settings: Settings) -> Finding:
    try:
        solver = Solver.of(settings)
        balance = await solver.balance()
    except StockadeError as error:
        return Finding("captcha", "warning", error.message, error.hint)
    except TimeoutError:
        return Finding("captcha", "warning", "the service does not answer")
    return Finding("captcha", "ok", f"{solver.name} at {solver.base} answers, balance {balance}")
