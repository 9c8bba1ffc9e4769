"""The way out: what it adds to a page, measured beside the same page without it.

The site runs in a process of its own, so that only the way differs. Each round loads an https page
of 60 resources in a new browser state, once direct and once through a session's way, in turn.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import ssl
import statistics
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bench.figures import Cell
from bench.machine import end_when_told
from stockade.config import Settings
from stockade.egress.gateway import Gateway
from stockade.egress.protocol import Rules
from stockade.engines.cdp import ChromiumEngine
from stockade.engines.port import Browser
from stockade.engines.values import ContextOptions, LaunchOptions, Proxy, World
from tests.support.browsers import BINARIES

__all__ = ["BUDGET", "Figures", "answer", "run", "show"]

BUDGET = 0.15
"""What the way may add to a page, as a part of what it takes without."""
PAGE = "https page of 60 resources"
REQUEST = "plain http request"
_RESOURCES = 60
_BODY = b"x" * 8192
_REQUESTS = 100
_FETCHES = """async count => {
  const began = performance.now();
  for (let n = 0; n < count; n++) await (await fetch('/r' + n)).text();
  return (performance.now() - began) / count;
}"""


@dataclass
class Figures:
    """Milliseconds of every run of each row, direct and through the way."""

    product: str = ""
    direct: dict[str, Cell] = field(default_factory=lambda: {PAGE: Cell(), REQUEST: Cell()})
    through: dict[str, Cell] = field(default_factory=lambda: {PAGE: Cell(), REQUEST: Cell()})
    memory: float = 0.0
    """Millions of bytes that are the process's own share."""
    start: float = 0.0
    """Milliseconds from nothing to a way that is open."""

    @property
    def added(self) -> float:
        """The median of what a round took longer, as a part."""
        pairs = zip(self.direct[PAGE].runs, self.through[PAGE].runs, strict=True)
        return statistics.median(through / direct for direct, through in pairs) - 1

    def summary(self) -> dict[str, Any]:
        return {
            "added": self.added,
            "memory_mb": self.memory,
            "start_ms": self.start,
            "direct": {name: cell.summary() for name, cell in self.direct.items()},
            "through": {name: cell.summary() for name, cell in self.through.items()},
        }


# --- the site -------------------------------------------------------------------------------------


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    places = folder / "certificate.pem", folder / "key.pem"
    places[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    places[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return places


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Be a site with one page of many resources."""
    with suppress(asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            kind, body = b"text/plain", _BODY
            if path == b"/":
                images = "".join(f"<img src='/r{number}'>" for number in range(_RESOURCES))
                kind, body = b"text/html", f"<title>Page</title>{images}".encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\ncache-control: no-store\r\n"
                b"content-length: %d\r\n\r\n%b" % (kind, len(body), body)
            )
            await writer.drain()
    writer.close()


def _serve(sockets: tuple[socket.socket, socket.socket], folder: Path) -> None:
    async def served() -> None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*_certificate(folder))
        plain, secure = sockets
        first = await asyncio.start_server(answer, sock=plain)
        second = await asyncio.start_server(answer, sock=secure, ssl=context)
        async with first, second:
            await asyncio.gather(first.serve_forever(), second.serve_forever())

    with suppress(KeyboardInterrupt):
        asyncio.run(served())


# --- the measurement ------------------------------------------------------------------------------


async def _load(browser: Browser, proxy: Proxy | None, url: str) -> float:
    context = await browser.new_context(ContextOptions(proxy=proxy))
    try:
        page = await context.new_page()
        began = time.perf_counter()
        await page.navigate(url, until="load", timeout=60)
        return (time.perf_counter() - began) * 1000
    finally:
        await context.close()


async def _requests(browser: Browser, proxy: Proxy | None, url: str) -> float:
    context = await browser.new_context(ContextOptions(proxy=proxy))
    try:
        page = await context.new_page()
        await page.navigate(url, timeout=60)
        found = await page.main_frame.call(_FETCHES, _REQUESTS, world=World.MAIN, timeout=60)
        return float(found)
    finally:
        await context.close()


def _share(pid: int) -> float:
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    kilobytes = next(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
    return kilobytes * 1024 / 1_000_000


async def _measure(count: int, binary: str, plain: str, secure: str) -> Figures:
    end_when_told()
    figures = Figures()
    options = LaunchOptions(binary=BINARIES[binary], arguments=("--ignore-certificate-errors",))
    browser = await ChromiumEngine().launch(options)
    try:
        figures.product = browser.product
        began = time.perf_counter()
        async with Gateway(uid=Settings().egress_uid) as gateway:
            rules = Rules(exceptions=("localhost:*",))
            way = await gateway.open("bench", rules, lambda _: None)
            figures.start = (time.perf_counter() - began) * 1000
            proxy = Proxy(way.address)
            for number in range(-1, count):
                for row, act, url in ((PAGE, _load, secure), (REQUEST, _requests, plain)):
                    ways = [(figures.direct, None), (figures.through, proxy)]
                    for cells, through in ways if number % 2 else reversed(ways):
                        took = await act(browser, through, url)
                        if number >= 0:
                            cells[row].runs.append(took)
            if gateway.child is not None:
                figures.memory = _share(gateway.child.pid)
    finally:
        await browser.close()
    return figures


def run(count: int, binary: str) -> Figures:
    """Measure, with the site in a process of its own."""
    print("proxy", file=sys.stderr, flush=True)
    sockets = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
    plain, secure = (each.getsockname()[1] for each in sockets)
    with TemporaryDirectory() as folder:
        site = multiprocessing.get_context("fork").Process(
            target=_serve, args=(sockets, Path(folder))
        )
        site.start()
        try:
            addresses = f"http://localhost:{plain}/", f"https://localhost:{secure}/"
            return asyncio.run(_measure(count, binary, *addresses))
        finally:
            site.terminate()
            site.join()
            for each in sockets:
                each.close()


def show(figures: Figures) -> list[str]:
    """Print the figures; the rows that are over their budget."""
    out = sys.stdout.write
    out(f"\nThe way out, {figures.product}\n{'':40}{'direct':>9}{'through':>9}\n")
    for name in figures.direct:
        direct, through = figures.direct[name].median, figures.through[name].median
        out(f"{name:40}{direct:8.2f} {through:8.2f} ms\n")
    kept = figures.added <= BUDGET
    verdict = "ok" if kept else "OVER"
    out(f"{f'{PAGE}, added':40}{figures.added:8.1%}  ≤ {BUDGET:.0%}  {verdict}\n")
    out(f"{'its process, PSS':40}{figures.memory:8.1f} MB\n")
    out(f"{'its start':40}{figures.start:8.0f} ms\n")
    return [] if kept else ["proxy"]
