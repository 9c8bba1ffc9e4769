"""The judgement of a request, without a socket."""

from __future__ import annotations

import pytest

from stockade.egress.machine import Own
from stockade.egress.protocol import Rules
from stockade.egress.rules import Judge, Target
from stockade.errors import EgressDenied, InvalidArgument


def judged(judge: Judge, *targets: str) -> list[str]:
    """The rule that refuses each: `http://…` is a plain request, anything else a tunnel."""
    found = []
    for text in targets:
        plain = text.removeprefix("http://")
        if plain != text:
            target = Target.of_page(plain)
        else:
            host, _, port = text.rpartition(":")
            target = Target.of_tunnel(host, int(port))
        try:
            judge.check(target)
            found.append("")
        except EgressDenied as denied:
            found.append(denied.details["rule"] if denied.hint else "no remedy")
    return found


def judge(own: tuple[str, ...] = (), **rules: object) -> Judge:
    return Judge(Rules(**rules), Own(own))  # type: ignore[arg-type]


def test_lists() -> None:
    rules = judge(
        allowed=(("good.test", "*.good.test", "https://only.test", "port.test:8443"),),
        blocked=("bad.good.test",),
    )
    assert (
        judged(
            rules,
            *("http://good.test", "good.test:443", "a.good.test:443", "port.test:8443"),
            *("only.test:443", "http://GOOD.test.", "good.test:80"),
        )
        == [""] * 7
    )
    off = ["http://evilgood.test", "good.test.evil.test:443", "good.test-evil.test:443"]
    off += ["http://only.test", "only.test:80", "port.test:443", "http://good.test:8443"]
    off += ["a.good.test:8443", "http://xn--gd-7ja.test"]
    assert judged(rules, *off) == ["allowed_origins"] * len(off)
    assert judged(rules, "bad.good.test:443", "http://bad.good.test:81") == ["bad.good.test"] * 2


def test_every_list_must_pass_and_none_is_overridden_by_an_exception() -> None:
    rules = judge(
        allowed=(("a.test", "b.test"), ("b.test", "c.test")),
        blocked=("localhost",),
        exceptions=("c.test:*", "localhost:3000"),
    )
    assert judged(
        rules, "http://b.test", "http://a.test", "c.test:443", "http://localhost:3000"
    ) == [
        "",
        "allowed_origins",
        "allowed_origins",
        "localhost",
    ]


def test_what_was_admitted_passes_the_allow_lists_alone() -> None:
    rules = judge(allowed=(("good.test",),), blocked=("bad.test",))
    rules.admit(
        ["https://off.test", "https://off.test:8443", "https://bad.test", "http://localhost"]
    )
    assert judged(rules, "off.test:443", "off.test:8443", "http://off.test") == [
        "",
        "",
        "allowed_origins",
    ]
    assert judged(rules, "bad.test:443", "http://localhost") == ["bad.test", "name"]
    assert rules.off_list(Target.of_tunnel("off.test", 443))
    assert not rules.off_list(Target.of_tunnel("good.test", 443))
    rules.admit([])
    assert judged(rules, "off.test:443") == ["allowed_origins"]


def test_ports() -> None:
    assert judged(judge(ports=(8443,)), "a.test:8443", "http://a.test:8443", "a.test:8444") == [
        "",
        "",
        "port",
    ]
    assert judged(judge(), "a.test:22", "http://a.test:6379", "http://a.test:443", "a.test:80") == [
        "port",
        "port",
        "",
        "",
    ]


def test_exceptions_are_for_a_host_and_a_port_as_asked_for() -> None:
    rules = judge(exceptions=("LOCALHOST.:3000", "10.0.0.7:*", "[::1]:80", "nas:80"))
    assert (
        judged(
            rules,
            *("http://localhost:3000", "localhost:3000", "http://10.0.0.7:5000", "10.0.0.7:22"),
            *("http://[::1]", "http://nas", "http://0xa000007:1"),
        )
        == [""] * 7
    )
    assert (
        judged(rules, "http://localhost:3001", "http://x.localhost:3000", "nas:443") == ["name"] * 3
    )
    rules.check_addresses(Target.of_page("10.0.0.7:5000"), ["10.0.0.7"])
    for target, address in (
        (Target.of_page("10.0.0.8"), "10.0.0.8"),
        (Target.of_page("127.0.0.1:3000"), "127.0.0.1"),
        (Target.of_page("[::ffff:a00:8]"), "10.0.0.8"),
    ):
        with pytest.raises(EgressDenied) as denied:
            rules.check_addresses(target, ["93.184.216.34", address])
        assert denied.value.details == {"rule": "address", "address": address}
        assert f"--allow {target.place}" in denied.value.hint


def test_our_own_listeners_are_never_reached() -> None:
    rules = judge(own=("127.0.0.1:9377",), exceptions=("localhost:*", "127.0.0.1:*"))
    for host in ("localhost", "127.0.0.1"):
        with pytest.raises(EgressDenied) as denied:
            rules.check_addresses(Target.of_page(f"{host}:9377"), ["::1"])
        assert denied.value.details["rule"] == "own"
        rules.check_addresses(Target.of_page(f"{host}:9378"), ["127.0.0.1"])


def test_closed_is_closed() -> None:
    rules = judge(closed=True, exceptions=("localhost:*",))
    assert judged(rules, "http://good.test", "http://localhost:80", "a.test:443") == ["closed"] * 3


def test_a_tunnel_on_an_unusual_port_is_judged_again_when_its_scheme_is_known() -> None:
    rules = judge(allowed=(("https://a.test:8443",),))
    target = Target.of_tunnel("a.test", 8443)
    rules.check(target)
    rules.check(target.known_as("https"))
    with pytest.raises(EgressDenied):
        rules.check(target.known_as("http"))
    with pytest.raises(EgressDenied):
        judge().check(Target.of_tunnel("a.test", 443).known_as("http"))


@pytest.mark.parametrize(
    "text", ["localhost", "localhost:", ":80", "localhost:x", "a b:80", "*:80"]
)
def test_an_exception_that_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(InvalidArgument):
        judge(exceptions=(text,))
