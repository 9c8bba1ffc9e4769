"""Nothing gets out of a jail but by the way out, whatever a page or a taken-over browser tries."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.egress.world import OWN, PUBLIC, PUBLIC_6
from tests.jails.wild import BODIES
from tests.support.alone import report_of
from tests.support.browsers import BINARIES, writable_by_browser

_BENIGN = ("fetch", "https", "websocket", "secure websocket", "six")
_MARKS = {
    "127.0.0.1", "::1", "10.1.1.1", "192.168.255.255", "169.254.169.254", "100.100.100.200",
    "fd00:ec2::254", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "172.31.255.1", OWN,
}  # fmt: skip

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make such a network")


async def attacked(who: str, binary: str, folder: Path) -> dict[str, Any]:
    """What arrived where, on a network where nobody else is."""
    writable_by_browser(folder)
    told = (who, str(BINARIES[binary]), str(folder))
    found: dict[str, Any] = await report_of(
        "tests.jails.wild", *told, report=folder / "report.json", namespaces=("--net", "--mount")
    )
    return found


@pytest.mark.parametrize("binary", ["shell", "full"])
async def test_no_attack_gets_out_of_a_jail(binary: str, tmp_path: Path) -> None:
    found = await attacked("jail", binary, tmp_path / "run")
    assert found["benign"] == {**dict.fromkeys(_BENIGN, "ok"), "late": 0}
    assert {address for address, _ in found["reached"]} == {PUBLIC, PUBLIC_6}
    assert (found["packets"], found["packets in the jail"]) == ({}, {})
    assert found["asked"] == []
    assert {each["name"] for each in found["raw"] if each["got"] is not None} <= {BODIES}
    assert [each for each in found["raw"] if each["why"] == "no answer"] == []


async def test_a_plain_browser_is_led_anywhere(tmp_path: Path) -> None:
    found = await attacked("plain", "shell", tmp_path / "run")
    assert {address for address, _ in found["reached"]} >= _MARKS
    assert len(found["reached"]) >= 100
    # For names, to servers that tell one's address, and to a peer.
    ports = {int(each.partition(" ")[2]) for each in found["packets"]}
    assert ports >= {53, 3478, 40_000}
    assert {"meta.test", "lvh.test", "metadata.google.internal", "intranet"} <= set(found["asked"])
