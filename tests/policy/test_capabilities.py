"""Capabilities by name."""

from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument
from stockade.policy.capabilities import DANGEROUS, DEFAULT, Capability, parse_capabilities


def test_the_default_is_what_cannot_do_much_harm() -> None:
    assert {str(each) for each in DEFAULT} == {"read", "navigation", "action", "human"}
    assert not DEFAULT & DANGEROUS.keys()


def test_every_switch_that_is_off_is_known_by_its_name() -> None:
    off = {str(each) for each in Capability} - {str(each) for each in DEFAULT}
    assert off == {
        *("eval", "byob-attach", "network-body", "secrets", "credentials", "extensions"),
        *("stealth", "device-emulation", "captcha", "file-io", "canvas", "diagnostics"),
        "clipboard",
    }


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([], frozenset()),
        (["default"], DEFAULT),
        (["all"], frozenset(Capability)),
        (["read"], {Capability.READ}),
        (["default", "eval"], DEFAULT | {Capability.EVAL}),
        (["eval", "eval", "read"], {Capability.EVAL, Capability.READ}),
    ],
)
def test_names_and_the_words_for_many(names: list[str], found: frozenset[Capability]) -> None:
    assert parse_capabilities(names) == found


@pytest.mark.parametrize("name", ["", "evaal", "Read", "read ", "*", "READ,eval", "x" * 5000])
def test_a_name_that_is_none_is_refused_without_an_echo(name: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse_capabilities(["read", name])
    shown = str(caught.value.as_dict())
    assert "network-body" in caught.value.hint
    assert len(shown) < 500
    assert not name or name not in shown


def test_a_slip_of_the_pen_is_understood() -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse_capabilities(["Network_Body"])
    assert caught.value.hint.startswith("Did you mean network-body?")
