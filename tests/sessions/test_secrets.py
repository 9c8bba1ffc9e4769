from __future__ import annotations

import pytest

from stockade.errors import LimitReached
from stockade.policy.origins import OriginRule
from stockade.sessions.secrets import MOST_SECRETS, NAMED, Secret, SessionSecrets


@pytest.mark.parametrize(
    ("rule", "origin", "fits"),
    [
        ("https://shop.test", "https://shop.test", True),
        ("https://shop.test", "https://shop.test:8443", False),
        ("https://shop.test", "http://shop.test", False),
        ("https://shop.test", "https://shop.test.evil.test", False),
        ("https://shop.test", "https://evil.test/?https://shop.test", False),
        ("shop.test:8443", "https://shop.test:8443", True),
        ("*.shop.test", "https://a.shop.test", True),
        ("*.shop.test", "https://shop.test", False),
        ("https://shop.test", "null", False),
        ("https://shop.test", "", False),
        ("https://shop.test", "nonsense", False),
    ],
)
def test_a_secret_fits_where_its_rules_say(rule: str, origin: str, fits: bool) -> None:
    assert Secret("S", "x", (OriginRule.parse(rule),)).fits(origin) is fits


def test_a_secret_without_a_rule_fits_nowhere_until_it_is_bound() -> None:
    known = SessionSecrets()
    known.put(Secret("S", "hunter2hunter2"))
    secret = known.get("S")
    assert secret is not None
    assert not secret.fits("https://shop.test")
    assert not known.bind(secret, "null").fits("null")
    known.bind(secret, "https://shop.test")
    bound = known.get("S")
    assert bound is not None
    assert (bound.fits("https://shop.test"), bound.scope) == (True, "https://shop.test")
    assert "hunter2" not in repr(bound)


def test_there_is_room_for_so_many() -> None:
    known = SessionSecrets()
    for number in range(MOST_SECRETS):
        known.check_room(f"S{number}")
        known.put(Secret(f"S{number}", "x"))
    known.check_room("S0")
    with pytest.raises(LimitReached):
        known.check_room("MORE")


@pytest.mark.parametrize("text", ["<s>", "<S", "S", "<S> ", "a<S>", "<1A>", "<S-1>", "<S>\n"])
def test_only_a_name_and_nothing_else_stands_for_a_secret(text: str) -> None:
    assert NAMED.fullmatch("<S_1>")
    assert not NAMED.fullmatch(text)
