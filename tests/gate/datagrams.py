"""What a browser sends that is no connection: `python -m tests.gate.datagrams WHO BINARY FOLDER`.

Runs in a network namespace of its own, where every address is this machine's. `WHO` is `session`, or
`plain` for the same browser without us. The packets, by where they were sent, go to `report.json`.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import subprocess
import sys
from collections import Counter
from contextlib import AsyncExitStack, suppress
from ipaddress import ip_address
from pathlib import Path

from stockade.config import Settings
from stockade.engines.cdp import ChromiumEngine, launch
from stockade.engines.port import Page
from stockade.engines.values import ContextOptions, LaunchOptions
from stockade.policy.principal import Principal
from stockade.server import base_policy, running_kernel
from tests.gate.web import Web
from tests.support.waiting import until

_WAYS = (
    ("link", "set", "lo", "up"),
    # Browsers ask no server for their address if they have none but loopback's.
    ("link", "add", "out", "type", "veth", "peer", "name", "nowhere"),
    ("addr", "add", "198.51.100.7/24", "dev", "out"),
    ("addr", "add", "2001:db8:1::7/64", "dev", "out", "nodad"),
    ("link", "set", "out", "up"),
    ("link", "set", "nowhere", "up"),
    ("route", "add", "default", "via", "198.51.100.1"),
    ("neigh", "add", "198.51.100.1", "lladdr", "02:00:00:00:00:01", "dev", "out"),
    ("-6", "route", "add", "default", "dev", "out"),
)
_EVERY_PROTOCOL = 0x0003
_IP4, _IP6, _UDP = 0x0800, 0x86DD, 17
_OURS = ("--webrtc-", "--force-webrtc-", "--host-resolver-")
_PAGE = "datagrams.html"


class Packets:
    """Every UDP packet on any wire of this namespace."""

    def __init__(self, but_for: int) -> None:
        self.sent: Counter[str] = Counter()
        self._but_for = but_for
        self._socket = socket.socket(
            socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_EVERY_PROTOCOL)
        )
        self._socket.setblocking(False)
        asyncio.get_running_loop().add_reader(self._socket, self.catch_up)

    def catch_up(self) -> None:
        """Count what has been sent until now."""
        with suppress(BlockingIOError):
            while True:
                data, (_, protocol, *_rest) = self._socket.recvfrom(65536)
                found = _address_and_ports(protocol, data)
                if found is not None and self._but_for not in found:
                    self.sent[f"{found[0]} {found[2]}"] += 1

    def close(self) -> None:
        """Count no more."""
        self.catch_up()
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()


def _address_and_ports(protocol: int, data: bytes) -> tuple[str, int, int] | None:
    """Where a packet goes to, from which port to which, if it is one of UDP."""
    if protocol == _IP4 and data[9] == _UDP:
        to, ports = data[16:20], struct.unpack_from("!HH", data, (data[0] & 15) * 4)
    elif protocol == _IP6 and data[6] == _UDP:
        to, ports = data[24:40], struct.unpack_from("!HH", data, 40)
    else:
        return None
    return str(ip_address(to)), ports[0], ports[1]


async def _plain(binary: str, folder: Path, web: Web) -> None:
    """The browser without a proxy, and as its makers would have it send."""
    del folder
    launch._FLAGS = tuple(each for each in launch._FLAGS if not each.startswith(_OURS))
    browser = await ChromiumEngine().launch(LaunchOptions(binary=Path(binary)))
    try:
        page = await (await browser.new_context(ContextOptions())).new_page()
        await page.navigate(web.at(_PAGE))
        await until(lambda: _done(page))
    finally:
        await browser.close()


async def _done(page: Page) -> bool:
    return bool(await page.main_frame.call("() => document.title == 'done'"))


async def _session(binary: str, folder: Path, web: Web) -> None:
    settings = Settings(
        workspace=folder / "workspace",
        isolation="shared",
        chromium=Path(binary),
        egress_allow=("*.localhost:*", "evil.test:*", "*.evil.test:*"),
        egress_resolver=web.values["resolver"],
        log_level="error",
    )
    async with running_kernel(settings) as kernel:
        agent = Principal("agent", policy=base_policy(settings))
        reply = await kernel.call(agent, "navigate", {"url": web.at(_PAGE)})
        assert reply.ok, reply.text
        tab = kernel.sessions.find(agent, "default").current
        assert tab is not None
        await until(lambda: _done(tab.page))


async def _main(who: str, binary: str, folder: Path) -> None:
    async with AsyncExitStack() as stack:
        web = await stack.enter_async_context(Web.open({}))
        # Our own resolver asks the name server of this web.
        packets = Packets(but_for=int(web.values["resolver"].rpartition(":")[2]))
        stack.callback(packets.close)
        await {"plain": _plain, "session": _session}[who](binary, folder, web)
    (folder / "report.json").write_text(json.dumps(packets.sent), encoding="utf-8")


def main() -> None:
    """Be alone on the network, then run."""
    routes = Path("/proc/self/net/route").read_text(encoding="ascii").splitlines()[1:]
    assert not routes, "this is no namespace of its own"
    for way in _WAYS:
        subprocess.run(["ip", *way], check=True)
    asyncio.run(_main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))


if __name__ == "__main__":
    main()
