"""Programs of password managers: what they are told, how long they may take, what went wrong.

Nothing that such a program says reaches anybody but the code that asked: it may hold passwords.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from stockade.config import environment
from stockade.errors import (
    InvalidArgument,
    LaunchFailed,
    Missing,
    NotConfigured,
    ProviderFailed,
    StockadeError,
)
from stockade.processes import read_pipe, spawn

__all__ = ["Program", "decoded", "digits_of"]

TIMEOUT: Final = 5.0
_MOST_OUTPUT: Final = 1 << 20
_AT_ONCE: Final = asyncio.Semaphore(4)
_COMMON: Final = frozenset(
    {"HOME", "USER", "LOGNAME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"}
    | {"HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"}
    | {"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"}
)
_CODE: Final = re.compile(r"[0-9A-Z]{5,10}")


@dataclass(frozen=True)
class Program:
    """A program that is asked about accounts, and what its complaints mean."""

    command: str
    label: str
    """What people call it."""
    variables: tuple[str, ...]
    """What it is told of our environment; a name that ends in `_` means all that begin so."""
    sign_in: str
    """What an operator does so that it answers."""
    missing: str
    ambiguous: str
    locked: str
    codeless: str = r"(?!)"
    fixed: Mapping[str, str] = field(default_factory=dict)
    place: Path | None = None
    """Where it is, if the operator has said so."""

    @property
    def path(self) -> str:
        """The program's file."""
        if self.place is not None:
            if not os.access(self.place, os.X_OK):
                raise self._absent(f"there is no program at {self.place}")
            return str(self.place)
        found = shutil.which(self.command, path=_places())
        if found is None:
            raise self._absent(f"{self.command}, the program of {self.label}, is not installed")
        return found

    def _absent(self, message: str) -> NotConfigured:
        return NotConfigured(
            message, hint="The operator installs it, or sets STOCKADE_CREDENTIALS_PROGRAM."
        )

    @property
    def environment(self) -> dict[str, str]:
        """What it needs to find its vault, and nothing else of ours."""
        given = {"PATH": _places(), "LANG": "C.UTF-8", **self.fixed}
        for name, value in environment().items():
            if name in _COMMON or any(_covers(each, name) for each in self.variables):
                given.setdefault(name, value)
        return given

    async def say(self, *argv: str) -> str:
        """What it says when it is started like that."""
        try:
            async with _AT_ONCE, asyncio.timeout(TIMEOUT):
                code, output, errors = await _ended([self.path, *argv], self.environment)
        except TimeoutError:
            raise ProviderFailed(
                f"{self.label} did not answer within {TIMEOUT:g} s",
                hint="Try again; if it stays so, the operator looks whether it asks for something.",
            ) from None
        except LaunchFailed:
            raise ProviderFailed(f"the program of {self.label} cannot be started") from None
        if len(output) >= _MOST_OUTPUT:
            raise ProviderFailed(f"{self.label} said more than an item can be")
        said = output.decode(errors="replace")
        if code != 0:
            # It may repeat what it was asked for, which is the agent's word and not its own.
            raise self._failure(code, (errors or said).replace(f'"{argv[-1]}"', ""))
        if re.search(self.ambiguous, said[:200], re.IGNORECASE):
            raise _ambiguous()
        return said

    def _failure(self, code: int, said: str) -> StockadeError:
        """What it complains about, in our own words."""
        if re.search(self.codeless, said, re.IGNORECASE):
            return Missing("that account has no one-time code")
        if re.search(self.ambiguous, said, re.IGNORECASE):
            return _ambiguous()
        if re.search(self.locked, said, re.IGNORECASE):
            return NotConfigured(
                f"{self.label} is locked, or nobody is signed in", hint=self.sign_in
            )
        if re.search(self.missing, said, re.IGNORECASE):
            return Missing(
                f"{self.label} has no such account", hint="Ask the operator what it is called."
            )
        return ProviderFailed(
            f"the program of {self.label} ended with code {code}",
            hint="The operator tries it by hand, as the user that the server runs as.",
        )


def _ambiguous() -> InvalidArgument:
    return InvalidArgument("more than one account is called that", hint="Use its id.")


def _covers(pattern: str, name: str) -> bool:
    return name == pattern or (pattern.endswith("_") and name.startswith(pattern))


def _places() -> str:
    """Where programs are looked for: not in the directory that we happen to be in."""
    usual = "/usr/local/bin:/usr/bin:/bin"
    given = environment().get("PATH", usual).split(":")
    return ":".join(each for each in given if each.startswith("/")) or usual


async def _ended(argv: list[str], given: Mapping[str, str]) -> tuple[int, bytes, str]:
    """Run a program to its end; with this call it ends in any case, and all it has started."""
    ours, theirs = os.pipe()
    try:
        child = spawn(argv, environment=given, descriptors={1: theirs})
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    try:
        output = await read_pipe(ours, _MOST_OUTPUT)
        if len(output) >= _MOST_OUTPUT:
            child.kill()
        return await child.wait(), output, child.error_output
    finally:
        child.kill()
        await asyncio.shield(child.end(0))


def decoded(said: str, label: str) -> Iterator[dict[str, Any]]:
    """The objects of an answer in JSON: the one that it is, or those of its list."""
    try:
        value = msgspec.json.decode(said)
    except (msgspec.DecodeError, RecursionError):
        raise ProviderFailed(f"what {label} said is no item in JSON") from None
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            yield each


def digits_of(said: str, label: str) -> str:
    """A one-time code, and nothing that merely stands where one should."""
    code = said.strip()
    if not _CODE.fullmatch(code):
        raise ProviderFailed(f"what {label} said is no one-time code")
    return code
