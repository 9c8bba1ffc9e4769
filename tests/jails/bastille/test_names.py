"""All that belongs to a clone follows from its number; nothing else is taken for one."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest

from stockade.errors import InvalidArgument
from stockade.jails.bastille.names import Clone, Ground, snapshot_named


def test_names_follow_from_the_number() -> None:
    clone = Clone(7)
    assert (clone.name, clone.host_end, clone.jail_end) == (
        "browsertask007",
        "e0a_bt007",
        "e0b_bt007",
    )
    assert Clone.named("browsertask007") == clone


@pytest.mark.parametrize(
    "name",
    [
        "",
        "browser",
        "browsertask",
        "browsertask7",
        "browsertask000",
        "browsertask0001",
        "browsertask001 ",
        "browsertask001\n",
        "browsertask٠٠١",
        "browsertask001/root",
        "browsertask001@x",
        "../browsertask001",
        "-r",
        "browsertask001;reboot",
        "BROWSERTASK001",
    ],
)
def test_what_is_no_clone_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument):
        Clone.named(name)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("browsertask012", 12),
        ("e0a_bt012", 12),
        ("e0b_bt012", 12),
        ("epair1012a", 12),
        ("epair1012", None),
        ("epair12a", None),
        ("e0a_bastille0", None),
        ("e0a_bt000", None),
        ("browser", None),
        ("", None),
    ],
)
def test_whose_a_thing_is_is_told_by_its_name(name: str, number: int | None) -> None:
    assert Clone.owning(name) == (None if number is None else Clone(number))


def test_every_interface_has_a_name_that_fits() -> None:
    assert all(len(Clone(each).jail_end) < 16 for each in (1, 999))


def test_no_two_clones_share_an_address() -> None:
    ground = Ground()
    addresses = [ground.address(Clone(each)) for each in range(1, ground.most + 1)]
    assert len(set(addresses)) == ground.most == 154
    assert str(addresses[0]) == "192.168.72.101"
    assert ground.network.broadcast_address not in addresses
    assert ground.gateway not in addresses
    assert all(ground.at(str(each)) == Clone(at) for at, each in enumerate(addresses, 1))


@pytest.mark.parametrize("address", ["192.168.72.100", "192.168.72.255", "10.0.0.1", "::1", "x"])
def test_an_address_of_nobody_belongs_to_nobody(address: str) -> None:
    assert Ground().at(address) is None


def test_a_number_beyond_the_network_has_no_address() -> None:
    with pytest.raises(InvalidArgument):
        Ground().address(Clone(155))


@pytest.mark.parametrize("number", [0, -1, 1000])
def test_numbers_have_bounds(number: int) -> None:
    with pytest.raises(InvalidArgument):
        Clone(number)


@pytest.mark.parametrize("name", ["", "-r", "a b", "a@b", "a/b", "a;b", "x" * 65, "browsertask001"])
def test_what_is_no_snapshot_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument):
        snapshot_named(name)


@pytest.mark.parametrize("name", ["good", "2026-05-11", "v1.2_b"])
def test_a_snapshot_has_a_plain_name(name: str) -> None:
    assert snapshot_named(name) == name


@pytest.mark.parametrize(
    "ground",
    [
        {"pool": "zroot/b c"},
        {"pool": "-r"},
        {"directory": "jails"},
        {"directory": "/usr/$(reboot)"},
        {"template": "browsertask001"},
        {"template": "a-b"},
        {"bridge": "bridge0; reboot"},
        {"table": "*"},
        {"user": "-u"},
    ],
)
def test_a_ground_that_would_not_be_plain_is_refused(ground: dict[str, str]) -> None:
    with pytest.raises(InvalidArgument):
        Ground(**ground)  # type: ignore[arg-type]


def test_a_network_without_room_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        Ground(network=IPv4Network("192.168.72.0/26"))
