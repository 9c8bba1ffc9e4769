"""The table of addresses, against the registries as they are published."""

from __future__ import annotations

import ipaddress
import random

import pytest

from stockade.egress.addresses import embedded, is_loopback, packed, text_of, why_not_public
from tests.egress.corpus import registry

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
NOT_PUBLIC = [ipaddress.ip_network(each) for each in (*registry.NOT_GLOBAL, *registry.SPECIAL)]
INTERNET = ipaddress.ip_network("2000::/3")
ISATAP = (0x00005EFE, 0x02005EFE)


def published(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is public by the registries alone."""
    if address.version == 6 and (
        address not in INTERNET or (int(address) >> 32) & 0xFFFFFFFF in ISATAP
    ):
        return False
    return not any(
        address in network
        for network in NOT_PUBLIC
        if network.version == address.version and network != ipaddress.ip_network("192.0.0.0/24")
    ) and (address.version == 6 or address not in ipaddress.ip_network("192.0.0.0/24"))


def _around(network: _Network) -> list[int]:
    first, last = int(network.network_address), int(network.broadcast_address)
    most = (1 << network.max_prefixlen) - 1
    return [n for n in (first - 1, first, first + 1, last - 1, last, last + 1) if 0 <= n <= most]


def test_thousands_of_addresses_are_judged_as_the_registries_say() -> None:
    chance = random.Random(6)
    v4 = [n for net in NOT_PUBLIC if net.version == 4 for n in _around(net)]
    v6 = [n for net in NOT_PUBLIC if net.version == 6 for n in _around(net)]
    v4 += [chance.getrandbits(32) for _ in range(2500)]
    v6 += [chance.getrandbits(128) for _ in range(500)]
    v6 += [(1 << 125) | chance.getrandbits(125) for _ in range(2000)]
    v6 += [(0x2600 << 112) | (each << 32) | chance.getrandbits(32) for each in ISATAP * 20]
    for number, kind in [(n, ipaddress.IPv4Address) for n in v4] + [
        (n, ipaddress.IPv6Address) for n in v6
    ]:
        address = kind(number)
        assert (not why_not_public(str(address))) is published(address), address


@pytest.mark.parametrize(
    ("address", "inner"),
    [
        ("::ffff:10.1.1.1", "10.1.1.1"),
        ("::10.1.1.1", "10.1.1.1"),
        ("::ffff:0:10.1.1.1", "10.1.1.1"),
        ("64:ff9b::a01:101", "10.1.1.1"),
        ("64:ff9b:1:2::a01:101", "10.1.1.1"),
        ("2002:a01:101::", "10.1.1.1"),
        ("2001:0:1::f5fe:fefe", "10.1.1.1"),
        ("2600::5efe:a01:101", "10.1.1.1"),
        ("fe80::200:5efe:a01:101", "10.1.1.1"),
        ("2600::1", ""),
        ("::1", ""),
        ("10.1.1.1", ""),
    ],
)
def test_what_an_address_stands_for(address: str, inner: str) -> None:
    assert embedded(address) == inner
    if inner:
        assert why_not_public(address) == "leads to 10.1.1.1, which is private"


def test_this_machine_in_every_form() -> None:
    for mine in (
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
    ):
        assert is_loopback(mine)
    assert not any(map(is_loopback, ("10.0.0.1", "::ffff:10.0.0.1", "2600::1", "fe80::1")))


def test_one_spelling() -> None:
    assert text_of(packed("2600:0:0::0001")) == "2600::1"
    with pytest.raises(OSError, match="illegal"):
        packed("10.1")
