"""The resolver: asks name servers itself, so that what is judged is what is dialled."""

from __future__ import annotations

import asyncio
import secrets
import socket
import struct
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from stockade.egress.dns import AAAA, A, Answer, Nonsense, Question, Unrelated
from stockade.egress.failures import Failure
from stockade.egress.hosts import hosts_of, servers_of
from stockade.urls import parse

__all__ = ["Found", "Memory", "Resolver"]

_PORT: Final = 53
_PATIENCE: Final = (1.5, 3.0)
"""Seconds for each round of asking every server."""
_AFTER_THE_OTHER: Final = 1.0
"""Seconds that one kind of address is waited for when the other is known."""
_LONGEST_KEPT: Final = 600.0
_MISSING_KEPT: Final = 2.0
_MOST_KEPT: Final = 1024
_MOST_STEPS: Final = 8
_NO_ERROR, _BAD_FORMAT, _NO_SUCH_NAME = 0, 1, 3
_LARGEST_STREAM: Final = 65535


@dataclass(frozen=True)
class Found:
    """What a name leads to, and through which other names."""

    addresses: tuple[str, ...]
    names: tuple[str, ...] = ()


class Memory:
    """What one session has looked up; no session learns what another asked."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, Found]] = OrderedDict()
        self.asking: dict[str, asyncio.Future[Found]] = {}

    def recall(self, name: str, now: float) -> Found | None:
        """What is known and still holds."""
        until, found = self._kept.get(name, (0.0, None))
        return found if until > now else None

    def keep(self, name: str, found: Found, until: float) -> None:
        """Remember it for as long as it may be."""
        self._kept[name] = (until, found)
        self._kept.move_to_end(name)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)


class Resolver:
    """A client of name servers, over datagrams and, where these are too small, streams."""

    def __init__(self, server: str = "", *, hosts: str = "", conf: str = "") -> None:
        self._server = _place(server) if server else None
        self.learn(hosts, conf)

    def learn(self, hosts: str, conf: str) -> None:
        """What the machine's own files say now."""
        self._hosts = hosts_of(hosts)
        self._named = servers_of(conf)

    @property
    def _servers(self) -> list[tuple[str, int]]:
        if self._server is not None:
            return [self._server]
        return [(address, _PORT) for address in self._named]

    async def look_up(self, name: str, memory: Memory) -> Found:
        """Every address of a name; `Failure` where it has none or nobody answers."""
        own = self._hosts.get(name)
        if own is not None:
            return Found(own, (name,))
        loop = asyncio.get_running_loop()
        known = memory.recall(name, loop.time())
        if known is None:
            known = await self._ask_once(name, memory)
        if not known.addresses:
            raise Failure("name", f"there is no {name}")
        return known

    async def _ask_once(self, name: str, memory: Memory) -> Found:
        """Who asks for what is being asked for waits for that answer."""
        while (pending := memory.asking.get(name)) is not None:
            try:
                return await asyncio.shield(pending)
            except asyncio.CancelledError:
                # Whoever asked went away, or we do: only the former is asked again.
                if not pending.cancelled():
                    raise
        loop = asyncio.get_running_loop()
        answer = memory.asking[name] = loop.create_future()
        try:
            found, seconds = await self._ask_both(name)
            if seconds > 0:
                memory.keep(name, found, loop.time() + min(seconds, _LONGEST_KEPT))
            answer.set_result(found)
        except Failure as failure:
            answer.set_exception(failure)
            answer.exception()  # nobody else may have asked
            raise
        finally:
            del memory.asking[name]
            answer.cancel()
        return found

    async def _ask_both(self, name: str) -> tuple[Found, float]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_caught(self._follow(name, kind))) for kind in (AAAA, A)]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            done = [task.result() for task in tasks if task.done()]
            if any(isinstance(each, Answer) and each.addresses for each in done):
                await asyncio.wait(tasks, timeout=_AFTER_THE_OTHER)
            else:
                await asyncio.wait(tasks)
            for task in tasks:
                task.cancel()
        results = [task.result() for task in tasks if not task.cancelled()]
        answers = [each for each in results if isinstance(each, Answer)]
        if not answers or not any(each.addresses for each in answers):
            failures = [each for each in results if isinstance(each, Failure)]
            if failures:
                raise failures[0]
            return Found(()), _MISSING_KEPT
        addresses = tuple(dict.fromkeys(a for each in answers for a in each.addresses))
        names = tuple(dict.fromkeys(n for each in answers for n in each.names))
        seconds = min(each.seconds for each in answers if each.addresses)
        return Found(addresses, names), float(seconds)

    async def _follow(self, name: str, kind: int) -> Answer:
        """Ask on where a server names an alias and leaves it at that."""
        names: tuple[str, ...] = ()
        seconds = 1 << 31
        current = name
        for _ in range(_MOST_STEPS):
            answer = await self._ask(current, kind)
            if answer.names[:-1]:
                seconds = min(seconds, answer.seconds)
            names += answer.names[:-1]
            if answer.addresses or len(answer.names) < 2:  # noqa: PLR2004 - a name and its alias
                seconds = min(seconds, answer.seconds)
                return Answer(
                    0,
                    names=(*names, *answer.names[-1:]),
                    addresses=answer.addresses,
                    seconds=seconds,
                )
            current = answer.names[-1]
            if current in names:
                break
        raise Failure("resolver", f"the aliases of {name} do not end")

    async def _ask(self, name: str, kind: int) -> Answer:
        """Every server in turn, until one says yes or no."""
        trouble = "no name server answers"
        for patience in _PATIENCE:
            for server in self._servers:
                try:
                    async with asyncio.timeout(patience):
                        answer = await _exchange(server, name, kind)
                except TimeoutError:
                    continue
                except (OSError, Nonsense, asyncio.IncompleteReadError):
                    trouble = "the name server's answers make no sense"
                    continue
                if answer.code == _NO_SUCH_NAME:
                    return Answer(0, names=(name,))
                if answer.code == _NO_ERROR:
                    return answer
                trouble = f"the name server answers with code {answer.code}"
        raise Failure("resolver", f"{name} could not be looked up: {trouble}")


async def _caught(asked: Coroutine[Any, Any, Answer]) -> Answer | Failure:
    """The answer, or why there is none: one kind of address may be had without the other."""
    try:
        return await asked
    except Failure as failure:
        return failure


async def _exchange(server: tuple[str, int], name: str, kind: int) -> Answer:
    question = Question(name, kind, secrets.randbits(16))
    answer = await _by_datagram(server, question, question.encoded())
    if answer.code == _BAD_FORMAT:
        answer = await _by_datagram(server, question, question.encoded(extended=False))
    if answer.cut_off:
        answer = await _by_stream(server, question)
    return answer


class _Listening(asyncio.DatagramProtocol):
    """Waits for the one datagram that answers; others are as if they had not come."""

    def __init__(self, read: Callable[[bytes], Answer]) -> None:
        self._read = read
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def datagram_received(self, data: bytes, _: object) -> None:
        if not self.answer.done():
            try:
                self.answer.set_result(self._read(data))
            except Unrelated:
                return
            except Nonsense as nonsense:
                self.answer.set_exception(nonsense)

    def error_received(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


async def _by_datagram(server: tuple[str, int], question: Question, data: bytes) -> Answer:
    """Each question has a socket and so a port of its own, which hears its server alone."""
    loop = asyncio.get_running_loop()
    asking = socket.socket(_family(server[0]), socket.SOCK_DGRAM)
    try:
        # Connected here: the loop would look the address up, in a thread that may not be started.
        asking.settimeout(0)
        asking.connect(server)
        transport, listening = await loop.create_datagram_endpoint(
            lambda: _Listening(question.read), sock=asking
        )
    except BaseException:
        asking.close()
        raise
    try:
        transport.sendto(data)
        return await listening.answer
    finally:
        listening.answer.cancel()
        transport.close()


async def _by_stream(server: tuple[str, int], question: Question) -> Answer:
    reader, writer = await asyncio.open_connection(*server)
    try:
        data = question.encoded()
        writer.write(struct.pack("!H", len(data)) + data)
        (length,) = struct.unpack("!H", await reader.readexactly(2))
        answer = question.read(await reader.readexactly(min(length, _LARGEST_STREAM)))
        if answer.cut_off:
            raise Nonsense("an answer without limit is cut off")
        return answer
    finally:
        writer.close()


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _place(text: str) -> tuple[str, int]:
    """`ip`, `ip:port` or `[ip]:port`."""
    bare = text.count(":") > 1 and not text.startswith("[")
    found = parse(f"ftp://[{text}]/" if bare else f"ftp://{text}/")
    socket.inet_pton(_family(found.host), found.host)
    return found.host, _PORT if found.port in {21, None} else int(found.port or _PORT)
