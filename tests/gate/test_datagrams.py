"""What a page sends past any proxy, counted as packets: a flag that is set may do nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.alone import report_of
from tests.support.browsers import BINARIES, writable_by_browser


async def packets(who: str, binary: str, folder: Path) -> dict[str, int]:
    """What is sent by UDP, by where to, on a network where nobody else is."""
    writable_by_browser(folder)
    told = (who, str(BINARIES[binary]), str(folder))
    sent: dict[str, int] = await report_of(
        "tests.gate.datagrams", *told, report=folder / "report.json"
    )
    return sent


@pytest.mark.parametrize("binary", ["shell", "full"])
async def test_no_packet_leaves_a_session(binary: str, tmp_path: Path) -> None:
    assert await packets("session", binary, tmp_path / "run") == {}


async def test_a_plain_browser_sends_them(tmp_path: Path) -> None:
    sent = await packets("plain", "shell", tmp_path / "run")
    # To servers that tell one's address, to a peer, over QUIC, and for names.
    ports = {int(each.partition(" ")[2]) for each in sent}
    assert ports >= {3478, 40_000, 4433, 53}
