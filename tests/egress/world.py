"""A little Internet for the egress process: two network namespaces with a cable between them.

On the near side the process runs, on the far side every address there is belongs to one machine, so
that whatever is dialled arrives and is noted. Nothing of it can leave the two namespaces.
"""

from __future__ import annotations

import asyncio
import ctypes
import datetime as dt
import ipaddress
import os
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar, cast

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat
from cryptography.x509.oid import NameOID

from stockade.egress.datagrams import receive, send
from stockade.egress.protocol import (
    Admit,
    Close,
    Count,
    Counters,
    Failed,
    FromProcess,
    Open,
    Ready,
    Rules,
    Start,
    ToProcess,
    Verdict,
    decode_from_process,
    encode,
)
from stockade.processes import Process, spawn
from tests.support.waiting import until

_NEW_NETWORK = 0x40000000
_Made = TypeVar("_Made")

RESOLVER = "172.31.255.2"
PUBLIC = "93.184.216.34"
PUBLIC_6 = "2606:2800:220:1:248:1893:25c8:1946"
OWN = "93.184.216.200"
"""A public address that the near machine has itself."""
TLS_PORTS = (443, 8443)
PORTS = (*TLS_PORTS, 80, 8080, 22, 3000)
_DAY = dt.timedelta(days=1)

Records = dict[tuple[str, str], list[str]]


async def _answer(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if "upgrade: websocket" in head.lower():
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n")
        writer.write(b"Connection: Upgrade\r\n\r\n")
        while data := await reader.read(65536):
            writer.write(data)
        raise ConnectionAbortedError
    address, port = writer.get_extra_info("sockname")[:2]
    body = f"{address.removeprefix('::ffff:')}:{port}".encode()
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
    await writer.drain()


def _identity() -> ssl.SSLContext:
    """A certificate that nobody checks."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "everyone")])
    now = dt.datetime.now(dt.UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + _DAY)
    signed = made.sign(key, hashes.SHA256())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as file:
        file.write(signed.public_bytes(Encoding.PEM))
        file.write(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        file.flush()
        context.load_cert_chain(file.name)
    return context


def trusting() -> ssl.SSLContext:
    """A client that takes any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class Side:
    """One namespace, and the thread that lives in it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self.thread_id = self.do(self._enter)

    def _enter(self) -> int:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(_NEW_NETWORK) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        return threading.get_native_id()

    @property
    def path(self) -> str:
        return f"/proc/{os.getpid()}/task/{self.thread_id}/ns/net"

    def do(self, what: Callable[[], _Made]) -> _Made:
        """Do something within it: sockets stay where they were made."""
        done: Future[_Made] = self._thread.submit(what)
        return done.result(30)

    def ip(self, *commands: str) -> None:
        text = "\n".join(commands)
        self.do(lambda: subprocess.run(["ip", "-batch", "-"], input=text, text=True, check=True))

    def close(self) -> None:
        self._thread.shutdown()


@dataclass
class World:
    """What the process can reach, and everything that was reached."""

    near: Side
    far: Side
    records: Records = field(default_factory=dict)
    """Addresses by name and kind; `CNAME` is a kind too. A list is answered as it stands."""
    behave: dict[str, Callable[[bytes, bytes], list[bytes]]] = field(default_factory=dict)
    """Names whose answers a test makes itself: of the question and of what would be answered."""
    asked: list[tuple[str, int]] = field(default_factory=list)
    reached: list[tuple[str, int]] = field(default_factory=list)
    """Address and port of every connection that arrived, on either side."""
    heads: list[str] = field(default_factory=list)
    """The heads of plain requests, as the far side got them."""
    answer: Callable[[str, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]] | None = (
        None
    )
    """What a test answers requests with itself."""
    identity: ssl.SSLContext = field(default_factory=_identity)

    def dialled(self) -> list[tuple[str, int]]:
        """Where connections arrived since the last time."""
        found, self.reached[:] = list(self.reached), []
        return found

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A web server that notes where it was reached, and says so."""
        address, port = writer.get_extra_info("sockname")[:2]
        self.reached.append((address.removeprefix("::ffff:"), port))
        try:
            if port in TLS_PORTS:
                await writer.start_tls(self.identity)
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                self.heads.append(head)
                await (self.answer or _answer)(head, reader, writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass
        finally:
            writer.close()


@contextmanager
def sides() -> Iterator[tuple[Side, Side]]:
    with ExitStack() as stack:
        near, far = Side(), Side()
        stack.callback(near.close)
        stack.callback(far.close)
        near.ip(
            f"link add inner type veth peer name outer netns {far.thread_id}",
            "link set lo up",
            "link set inner up",
            "addr add 172.31.255.1/24 dev inner",
            "addr add fd99::1/64 dev inner nodad",
            f"addr add {OWN}/32 dev lo",
        )
        far.ip(
            "link set lo up",
            "link set outer up",
            f"addr add {RESOLVER}/24 dev outer",
            "addr add fd99::2/64 dev outer nodad",
            # Everything else that arrives here is for here.
            "route add local 0.0.0.0/0 dev lo table main",
            "route add local ::/0 dev lo table main",
        )
        near.ip(
            f"route add default via {RESOLVER}",
            "route add default via fd99::2",
        )
        yield near, far


def _listen(kind: socket.SocketKind, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET6, kind)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    made.bind(("::", port))
    if kind == socket.SOCK_STREAM:
        made.listen(1024)
    made.settimeout(0)
    return made


@asynccontextmanager
async def little_internet() -> AsyncIterator[World]:
    """Both sides, with something that listens on every address of each."""
    loop = asyncio.get_running_loop()
    with sides() as (near, far):
        world = World(near, far)
        servers = []
        for side in (near, far):
            for port in PORTS:
                listener = side.do(lambda port=port: _listen(socket.SOCK_STREAM, port))  # type: ignore[misc]
                servers.append(await asyncio.start_server(world.serve, sock=listener))
        questions = far.do(lambda: _bound(socket.SOCK_DGRAM))
        transport, _ = await loop.create_datagram_endpoint(lambda: _Names(world), sock=questions)
        streams = far.do(lambda: _bound(socket.SOCK_STREAM))
        servers.append(
            await asyncio.start_server(lambda r, w: _name_stream(world, r, w), sock=streams)
        )
        try:
            yield world
        finally:
            transport.close()
            for server in servers:
                server.close()
            await asyncio.sleep(0)


def _bound(kind: socket.SocketKind) -> socket.socket:
    made = socket.socket(socket.AF_INET, kind)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((RESOLVER, 53))
    if kind == socket.SOCK_STREAM:
        made.listen(64)
    made.settimeout(0)
    return made


# --- names ------------------------------------------------------------------------------------------


class _Names(asyncio.DatagramProtocol):
    def __init__(self, world: World) -> None:
        self._world = world

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, sender: tuple[str, int]) -> None:
        for answer in _answers(self._world, data):
            self._transport.sendto(answer, sender)


async def _name_stream(
    world: World, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        (length,) = struct.unpack("!H", await reader.readexactly(2))
        data = await reader.readexactly(length)
        answer = _plain_answer(world, data)
        writer.write(struct.pack("!H", len(answer)) + answer)
        await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


def question_of(data: bytes) -> tuple[str, int, bytes]:
    """Name, kind and the question as it was sent."""
    at, labels = 12, []
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode())
        at += length + 1
    (kind,) = struct.unpack_from("!H", data, at + 1)
    return ".".join(labels), kind, data[12 : at + 5]


def name_of(text: str) -> bytes:
    return b"".join(bytes([len(each)]) + each.encode() for each in text.split(".")) + b"\0"


def record(owner: str, kind: int, content: bytes, seconds: int = 0) -> bytes:
    return name_of(owner) + struct.pack("!HHIH", kind, 1, seconds, len(content)) + content


def message(number: bytes, question: bytes, records: list[bytes], flags: int = 0x8180) -> bytes:
    return (
        number + struct.pack("!HHHHH", flags, 1, len(records), 0, 0) + question + b"".join(records)
    )


def _plain_answer(world: World, data: bytes) -> bytes:
    name, kind, question = question_of(data)
    records, current = [], name
    for _ in range(20):
        alias = world.records.get((current, "CNAME"))
        if not alias:
            break
        records.append(record(current, 5, name_of(alias[0])))
        current = alias[0]
    kinds = {1: "A", 28: "AAAA"}
    records += [
        record(current, kind, ipaddress.ip_address(address).packed)
        for address in world.records.get((current, kinds.get(kind, "")), [])
    ]
    known = any(current == each for each, _ in world.records)
    return message(data[:2], question, records, 0x8180 if known else 0x8183)


def _answers(world: World, data: bytes) -> list[bytes]:
    name, kind, _ = question_of(data)
    world.asked.append((name, kind))
    plain = _plain_answer(world, data)
    behave = world.behave.get(name)
    return [plain] if behave is None else behave(data, plain)


# --- the process ------------------------------------------------------------------------------------


class Running:
    """The real process on the near side, and what it says."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.heard: list[FromProcess] = []
        self.listeners: dict[str, tuple[str, int]] = {}
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(0)
        self._loop = asyncio.get_running_loop()
        with theirs:
            self.process: Process = spawn(
                [
                    *("/usr/bin/nsenter", f"--net={world.near.path}"),
                    *(sys.executable, "-I", "-m", "stockade.egress", "61002"),
                ],
                environment={},
                descriptors={3: theirs.fileno()},
            )
        self._loop.add_reader(self._control, self._hear)

    def _hear(self) -> None:
        while True:
            try:
                data = receive(self._control).data
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._loop.remove_reader(self._control)
                return
            self.heard.append(decode_from_process(data))

    def say(self, message: ToProcess, *sockets: socket.socket) -> None:
        send(self._control, encode(message), *(each.fileno() for each in sockets))

    def say_raw(self, data: bytes) -> None:
        self._control.send(data)

    async def start(self, *, own: tuple[str, ...] = ()) -> None:
        self.say(Start(f"{RESOLVER}:53", own))
        await self.ready("start")

    async def ready(self, what: str, session: str = "") -> None:
        await until(lambda: Ready(what, session) in self.heard)
        self.heard.remove(Ready(what, session))

    async def open(self, session: str, rules: Rules | None = None) -> None:
        listener = self.world.near.do(lambda: socket.create_server(("127.0.0.1", 0), backlog=1024))
        self.listeners[session] = listener.getsockname()
        self.say(Open(session, rules or Rules()), listener)
        listener.close()
        await self.ready("open", session)

    async def admit(self, session: str, *origins: str) -> None:
        self.say(Admit(session, origins))
        await self.ready("admit", session)

    async def close_session(self, session: str) -> None:
        self.say(Close(session))
        await self.ready("close", session)

    async def counters(self, session: str) -> Counters:
        self.say(Count(session))
        await until(lambda: any(isinstance(each, Counters) for each in self.heard))
        found = next(each for each in self.heard if isinstance(each, Counters))
        self.heard.remove(found)
        return found

    def verdicts(self) -> list[Verdict]:
        """Those since the last time, in order."""
        self._hear()
        found = [each for each in self.heard if isinstance(each, Verdict)]
        self.heard = [each for each in self.heard if not isinstance(each, Verdict)]
        return found

    def failures(self) -> list[Failed]:
        self._hear()
        found = [each for each in self.heard if isinstance(each, Failed)]
        self.heard = [each for each in self.heard if not isinstance(each, Failed)]
        return found

    async def connect(
        self, session: str = "s"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to a session's listener, from where a browser would be."""
        place = self.listeners[session]
        made = self.world.near.do(lambda: socket.create_connection(place, 5))
        made.settimeout(0)
        return await asyncio.open_connection(sock=made)

    async def ask(self, data: bytes, session: str = "s", *, until_seen: bytes = b"") -> bytes:
        """Send bytes and take what comes back, until the end or something is seen."""
        reader, writer = await self.connect(session)
        found = b""
        try:
            async with asyncio.timeout(15):
                writer.write(data)
                while piece := await reader.read(65536):
                    found += piece
                    if until_seen and until_seen in found:
                        break
        except ConnectionError:
            pass
        finally:
            writer.close()
        return found

    async def end(self) -> int:
        self._loop.remove_reader(self._control)
        self._control.close()
        return await self.process.end(5)


@asynccontextmanager
async def running(world: World, *, own: tuple[str, ...] = ()) -> AsyncIterator[Running]:
    process = Running(world)
    try:
        await process.start(own=own)
        yield process
    finally:
        await process.end()


def get(url: str, *, close: bool = True) -> bytes:
    """A plain request as a browser sends it to a proxy."""
    host = url.split("/")[2].rpartition("@")[2]
    last = "Connection: close\r\n" if close else ""
    return f"GET {url} HTTP/1.1\r\nHost: {host}\r\n{last}\r\n".encode()


def connect(place: str) -> bytes:
    return f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n".encode()


def client_hello(name: str | None, *, alpn: bytes = b"http/1.1") -> bytes:
    """A ClientHello as OpenSSL makes it."""
    context = trusting()
    context.set_alpn_protocols([alpn.decode()])
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    talking = context.wrap_bio(incoming, outgoing, server_hostname=name)
    with suppress(ssl.SSLWantReadError):
        talking.do_handshake()
    return outgoing.read()
