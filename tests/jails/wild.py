"""The whole egress corpus against a browser: `python -m tests.jails.wild WHO BINARY FOLDER`.

Runs in namespaces of its own for the network and mounts, where every address there is belongs to a
little Internet of ours and is a canary, and whoever answers for names is hostile. `WHO` is `jail`,
or `plain` for the same browser without us. What arrived goes to `report.json`.
"""

from __future__ import annotations

import asyncio
import base64
import ctypes
import hashlib
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from stockade.config import Settings
from stockade.engines.cdp import ChromiumEngine, launch
from stockade.engines.port import Page
from stockade.engines.values import ContextOptions, LaunchOptions
from stockade.jails.bwrap import BwrapJail
from stockade.jails.port import OWN_WAY, WAY
from stockade.policy.principal import Principal
from stockade.server import base_policy, running_kernel
from tests.egress.corpus import literals, names, raw
from tests.egress.world import (
    PUBLIC,
    PUBLIC_6,
    RESOLVER,
    World,
    _Names,
    connect,
    get,
    little_internet,
)
from tests.gate.datagrams import Packets
from tests.gate.web import PAGES
from tests.jails.probe import main_process, tried

_ATTACK = Path(__file__).with_name("attack.html")
_OURS = 5300
"""The port on which names are looked up for us, and not for a browser."""
_WEBSOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_FLAGS = ("--webrtc-", "--force-webrtc-", "--host-resolver-")
_THOROUGH = (
    "127.0.0.1", "[::1]", "10.1.1.1", "169.254.169.254", "[fd00:ec2::254]", "93.184.216.200",
    "meta.test", "lvh.test", "mixed2.test", "turning.test",
)  # fmt: skip
_NETWORK = 0x40000000
BODIES = "bodies that make no sense"
_LONG = 60.0
_ENDED = """() => new Promise((done) => {
  const look = () =>
    document.title === "done" ? done({...document.body.dataset}) : setTimeout(look, 50);
  look();
})"""


# --- the web ----------------------------------------------------------------------------------------


def hosts() -> list[str]:
    """All of the corpus that can stand in an address."""
    numbers = [each for group in literals.FORBIDDEN.values() for each in group]
    answers = [next(iter(each))[0] for each in names.HOSTILE_ANSWERS.values()]
    return [*numbers, *names.WITHOUT_LOOKUP, *answers, *raw.TUNNELS, "turning.test"]


def _records(world: World) -> None:
    for each in names.HOSTILE_ANSWERS.values():
        world.records.update(each)
    for name in names.WITHOUT_LOOKUP:
        host = name.partition(":")[0].rstrip(".").lower()
        world.records[host, "A"] = ["10.1.1.1"]
    world.records["good.test", "A"] = [PUBLIC]
    world.records["six.good.test", "AAAA"] = [PUBLIC_6]
    world.records["turning.test", "A"] = [PUBLIC]

    def turning(_question: bytes, _answer: bytes) -> list[bytes]:
        address = world.records["turning.test", "A"]
        world.records["turning.test", "A"] = ["10.1.1.1"] if address == [PUBLIC] else [PUBLIC]
        return [_answer]

    world.behave["turning.test"] = turning


async def _answer(head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A site, or a canary that everyone may read."""
    first, *lines = head.split("\r\n")
    headers = {name.lower(): text for name, _, text in (line.partition(": ") for line in lines)}
    if headers.get("upgrade", "").lower() == "websocket":
        made = hashlib.sha1((headers["sec-websocket-key"] + _WEBSOCKET).encode())
        accepted = base64.b64encode(made.digest()).decode()
        writer.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accepted}\r\n\r\n".encode()
        )
        writer.write(b"\x81\x02ok")
        await reader.read()
        raise ConnectionAbortedError
    target = urlsplit(first.split(" ")[1])
    status, kind, body, more = "200 OK", "text/html; charset=utf-8", b"ok", ""
    if headers.get("host") != "good.test":
        pass
    elif target.path == "/":
        body = _ATTACK.read_bytes()
    elif target.path == "/datagrams":
        body = (PAGES / "datagrams.html").read_bytes()
    elif target.path == "/hosts":
        body = json.dumps({"hosts": hosts(), "thorough": _THOROUGH}).encode()
    elif target.path == "/away":
        status, more = "302 Found", f"Location: {parse_qs(target.query)['to'][0]}\r\n"
    writer.write(
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}"
        "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Private-Network: true\r\n"
        "\r\n".encode()
    )
    writer.write(body)
    await writer.drain()


def _enter(path: str) -> None:
    """Be in another network; what was made before stays where it is."""
    with Path(path).open("rb") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), _NETWORK) != 0:
            raise OSError(ctypes.get_errno(), "setns")


@asynccontextmanager
async def _wild() -> AsyncIterator[tuple[World, list[tuple[str, int]]]]:
    """The little Internet with us in it, and the names that were looked up for us."""
    loop = asyncio.get_running_loop()
    async with little_internet() as world:
        world.answer = _answer
        _records(world)
        ours = replace(world, asked=[])

        def bound() -> socket.socket:
            made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            made.bind((RESOLVER, _OURS))
            made.settimeout(0)
            return made

        transport, _ = await loop.create_datagram_endpoint(
            lambda: _Names(ours), sock=world.far.do(bound)
        )
        _enter(world.near.path)
        try:
            yield world, ours.asked
        finally:
            transport.close()


# --- who is attacked --------------------------------------------------------------------------------


async def _attacked(page: Page) -> dict[str, Any]:
    """What the page says when it has tried everything."""
    found = await page.main_frame.call(_ENDED, timeout=_LONG)
    return {**json.loads(found["found"]), "late": int(found["late"])}


async def _plain(world: World, binary: Path, folder: Path) -> dict[str, Any]:
    """The browser without a proxy, and as its makers would have it send."""
    del folder
    launch._FLAGS = tuple(each for each in launch._FLAGS if not each.startswith(_FLAGS))
    browser = await ChromiumEngine().launch(LaunchOptions(binary=binary))
    packets = Packets(but_for=_OURS)
    try:
        page = await (await browser.new_context(ContextOptions())).new_page()
        # A browser asks a person before it shows a page what it has fetched from a private address.
        await page.navigate("http://good.test/?3")
        return {"benign": await _attacked(page), "packets": packets.sent}
    finally:
        packets.close()
        await browser.close()


async def _jail(world: World, binary: Path, folder: Path) -> dict[str, Any]:
    settings = Settings(
        workspace=folder / "workspace",
        isolation="bwrap",
        chromium=binary,
        egress_resolver=f"{RESOLVER}:{_OURS}",
        jail_cpu=0,
        log_level="error",
    )
    async with running_kernel(settings) as kernel:
        agent = Principal("agent", policy=base_policy(settings))
        packets = [Packets(but_for=_OURS)]
        try:
            reply = await kernel.call(agent, "navigate", {"url": "http://good.test/ok"})
            assert reply.ok, reply.text
            session = kernel.sessions.find(agent, "default")
            tab, jail = session.current, session.jail
            assert tab is not None
            assert isinstance(jail, BwrapJail)
            assert jail.group is not None
            browser = main_process(session)
            _enter(f"/proc/{browser}/ns/net")
            packets.append(Packets(but_for=0))
            _enter(world.near.path)
            await tab.page.navigate("http://good.test/?20")
            benign = await _attacked(tab.page)
            packets[1].catch_up()
            within = dict(packets[1].sent)
            told = {"pid": browser, "attempts": _attempts()}
            answers = (await tried(told, jail.group.add))["answers"]
            packets[0].catch_up()
        finally:
            for each in packets:
                each.close()
    return {
        "benign": benign,
        "packets": packets[0].sent,
        "packets in the jail": within,
        "raw": answers,
    }


def _attempts() -> list[dict[str, Any]]:
    """What no page can do, and somebody can who has taken over the browser."""
    head = (
        b"POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    numbers = [each for group in literals.FORBIDDEN.values() for each in group]
    refused = [
        *raw.BAD.values(),
        *(connect(each) for each in raw.TUNNELS),
        *(get(f"http://{each}/") for each in (*numbers, *names.WITHOUT_LOOKUP)),
    ]
    # The site may answer before it knows what is wrong with the rest.
    cut_off = [head + each for each in raw.BAD_CHUNKS.values()]
    return [
        _attempt("bytes to the way out", "bytes", port=WAY, said=_hex(refused)),
        _attempt("bytes to that of the browser", "bytes", port=OWN_WAY, said=_hex(refused)),
        _attempt(BODIES, "bytes", port=WAY, said=_hex(cut_off)),
        _attempt(
            "every address",
            "everywhere",
            hosts=[*numbers, PUBLIC, f"[{PUBLIC_6}]", RESOLVER],
            ports=[53, 80, 443],
        ),
    ]


def _attempt(name: str, kind: str, **given: Any) -> dict[str, Any]:
    return {"name": name, "kind": kind, "with": given}


def _hex(said: list[bytes]) -> list[str]:
    return [each.hex() for each in said]


_WHO: dict[str, Callable[[World, Path, Path], Awaitable[dict[str, Any]]]] = {
    "jail": _jail,
    "plain": _plain,
}


async def _main(who: str, binary: Path, folder: Path) -> None:
    # Nobody has to trust the certificate of a canary.
    launch._FLAGS = (*launch._FLAGS, "--ignore-certificate-errors")
    async with _wild() as (world, ours):
        found = await _WHO[who](world, binary, folder)
        found["reached"] = sorted(set(world.dialled()))
        found["asked"] = sorted({name for name, _ in world.asked})
        found["looked up for it"] = sorted({name for name, _ in ours})
    (folder / "report.json").write_text(json.dumps(found), encoding="utf-8")


def main() -> None:
    """Be alone on the network, then run."""
    routes = Path("/proc/self/net/route").read_text(encoding="ascii").splitlines()[1:]
    assert not routes, "this is no namespace of its own"
    who, binary, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    hostile = folder / "resolv.conf"
    hostile.write_text(f"nameserver {RESOLVER}\n", encoding="ascii")
    hostile.chmod(0o644)
    subprocess.run(["mount", "--bind", str(hostile), "/etc/resolv.conf"], check=True)
    asyncio.run(_main(who, binary, folder))


if __name__ == "__main__":
    main()
