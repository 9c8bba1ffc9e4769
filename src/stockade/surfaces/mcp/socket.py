"""MCP for programs that join a running server, over a unix socket in its workspace."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import stat
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from stockade.errors import InvalidArgument, SetupError, StockadeError
from stockade.kernel.codes import error_body
from stockade.kernel.dispatch import Kernel
from stockade.kernel.results import compact
from stockade.policy.capabilities import parse_capabilities
from stockade.policy.origins import OriginRule
from stockade.policy.principal import Principal
from stockade.surfaces.mcp.address import short
from stockade.surfaces.mcp.caller import Caller
from stockade.surfaces.mcp.wire import Wire
from stockade.telemetry.logs import get_logger

__all__ = ["listening"]

_log = get_logger("stockade.mcp")

_VERSION: Final = 1
_BACKLOG: Final = 64
_HELLO_SECONDS: Final = 10.0
_LONGEST_HELLO: Final = 65536
_BREATH: Final = 1.0
_CREDENTIALS: Final = struct.Struct("3i")

Serve = Callable[[Kernel, Caller, Wire], Awaitable[None]]
PrincipalFor = Callable[[str], Principal]


@asynccontextmanager
async def listening(kernel: Kernel, path: Path, principal_for: PrincipalFor) -> AsyncIterator[None]:
    """Serve whoever connects at `path`; `principal_for` is given each client's random name."""
    with _bound(path) as listener:
        # No task group: what goes wrong in the body is to come out of it as it is.
        accepting = asyncio.get_running_loop().create_task(_accept(listener, kernel, principal_for))
        try:
            yield
        finally:
            accepting.cancel()
            await asyncio.wait([accepting])


# --- the socket ---------------------------------------------------------------------------------


@contextmanager
def _bound(path: Path) -> Iterator[socket.socket]:
    """A listening socket at `path` that only we may connect to; an old one is replaced."""
    there = _looked_at(path)
    if there is not None and not stat.S_ISSOCK(there.st_mode):
        raise SetupError(f"{path} is in the way", hint="Move it, it is no socket of ours.")
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            with short(draft) as address:
                listener.bind(address)
            draft.chmod(0o600)
            listener.listen(_BACKLOG)
            draft.replace(path)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise SetupError(f"{path} cannot be listened on: {error.strerror or error}") from error
        listener.setblocking(False)  # noqa: FBT003
        ours = path.lstat()
        try:
            yield listener
        finally:
            there = _looked_at(path)
            if there is not None and os.path.samestat(there, ours):
                path.unlink()


def _looked_at(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


async def _accept(listener: socket.socket, kernel: Kernel, principal_for: PrincipalFor) -> None:
    loop = asyncio.get_running_loop()
    async with asyncio.TaskGroup() as clients:
        while True:
            try:
                connection, _ = await loop.sock_accept(listener)
            except OSError as error:
                # Out of descriptors, most likely: they come back as clients leave.
                _log.warning("a client could not be accepted", error=error.strerror)
                await asyncio.sleep(_BREATH)
                continue
            clients.create_task(_client(connection, kernel, principal_for))


def _peer_is_us(connection: socket.socket) -> bool:
    """Whether the same user is at the other end; elsewhere than on Linux, the mode alone says."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return True
    raw = connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    _, uid, _ = _CREDENTIALS.unpack(raw)
    return bool(uid == os.geteuid())


# --- one client ---------------------------------------------------------------------------------


async def _client(connection: socket.socket, kernel: Kernel, principal_for: PrincipalFor) -> None:
    with connection:
        if not _peer_is_us(connection):
            _log.warning("another user's program wanted to join")
            return
        wire = Wire(connection.fileno(), connection.fileno())
        try:
            caller = await _greeted(wire, kernel, principal_for(secrets.token_hex(8)))
            if caller is not None:
                await _served(kernel, caller, wire)
        except Exception:  # noqa: BLE001
            # One client's misfortune is not that of the others.
            _log.exception("a client was dropped")


async def _served(kernel: Kernel, caller: Caller, wire: Wire) -> None:
    try:
        serve = await asyncio.to_thread(_load)
        await serve(kernel, caller, wire)
    finally:
        await kernel.sessions.close_client(caller.principal)


def _load() -> Serve:
    """The rest takes half a second to import, which a server without clients need not spend."""
    from stockade.surfaces.mcp.connection import serve  # noqa: PLC0415

    return serve


async def _greeted(wire: Wire, kernel: Kernel, principal: Principal) -> Caller | None:
    """The client, as it asks to be in its first line, which is answered here."""
    caller: Caller | None = None
    try:
        async with asyncio.timeout(_HELLO_SECONDS):
            line = await wire.read_line(_LONGEST_HELLO)
        caller, notes = _caller(kernel, principal, line)
        answer = compact({"ok": True, "notes": notes} if notes else {"ok": True})
    except TimeoutError:
        return None
    except StockadeError as error:
        answer = compact(error_body(error))
    try:
        await wire.write(answer.encode() + b"\n")
    except OSError:
        return None
    return caller


def _caller(kernel: Kernel, principal: Principal, line: bytes | None) -> tuple[Caller, list[str]]:
    """Who joins: never with more than the server allows, and told where it wanted more."""
    try:
        hello = json.loads(line or b"")
        spoken = hello["stockade"]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise InvalidArgument("the first line is not a hello") from None
    if spoken != _VERSION:
        raise InvalidArgument(
            f"this server speaks version {_VERSION} to its clients",
            hint="Use the `stockade` command that the server was started with.",
        )
    toolsets = _names(hello, "toolsets")
    wanted = _names(hello, "capabilities")
    capabilities = None if wanted is None else parse_capabilities(wanted)
    policy = principal.policy.narrowed(
        capabilities=capabilities,
        allowed=tuple(map(OriginRule.parse, _names(hello, "allowed_origins") or ())),
        blocked=tuple(map(OriginRule.parse, _names(hello, "blocked_origins") or ())),
    )
    missing = sorted((capabilities or frozenset()) - policy.capabilities)
    notes = [f"the running server keeps these off: {', '.join(missing)}"] if missing else []
    shown = kernel.registry.chosen(kernel.settings.toolsets if toolsets is None else toolsets)
    return Caller(replace(principal, policy=policy), shown), notes


def _names(hello: dict[str, object], field: str) -> list[str] | None:
    names = hello.get(field)
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise InvalidArgument(f"{field} is a list of names")
    return names
