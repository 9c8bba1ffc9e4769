"""Which addresses are this machine's, and which ports are ours."""

from __future__ import annotations

from stockade.egress.machine import Own, is_local
from tests.egress.world import OWN, PUBLIC, World


def test_the_kernel_knows_its_own(world: World) -> None:
    local = world.near.do(lambda: [is_local(a) for a in (OWN, "127.0.0.1", "::1", "fd99::1")])
    assert local == [True] * 4
    assert world.near.do(lambda: [is_local(a) for a in (PUBLIC, "2600::1")]) == [False] * 2


def test_where_anything_can_be_bound_the_route_tells(world: World) -> None:
    # On the far side every address can be bound, and each is its own.
    assert world.far.do(lambda: is_local("172.31.255.2"))
    assert not world.far.do(lambda: is_local("172.31.255.1"))


def test_ours_by_whatever_address() -> None:
    own = Own(["127.0.0.1:9377", "[::]:3001", "192.0.2.9:80"])
    for address in ("127.0.0.1", "127.0.0.2", "::1", "0.0.0.0", "::ffff:127.0.0.1"):
        assert own.holds(address, 9377)
        assert own.holds(address, 3001)
    assert own.holds("192.0.2.9", 80)
    assert not own.holds("192.0.2.9", 81)
    assert not own.holds("192.0.2.8", 9377)
    own.add("127.0.0.1", 9377)
    own.remove("127.0.0.1", 9377)
    assert own.holds("127.0.0.1", 9377)
    own.remove("127.0.0.1", 9377)
    assert not own.holds("127.0.0.1", 9377)
