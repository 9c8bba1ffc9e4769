from __future__ import annotations

from stockade.masking.needles import FEWEST, Kind, needles_of
from tests.masking.spellings import SECRETS


def test_every_needle_is_long_enough_to_mean_something() -> None:
    for secret in SECRETS.values():
        found = list(needles_of(secret))
        assert all(len(each.text) >= FEWEST for each in found)
        assert {each.kind for each in found} >= {Kind.TEXT, Kind.BASE64}


def test_lines_of_a_key_are_needles_but_for_those_that_every_key_has() -> None:
    found = {each.text for each in needles_of(SECRETS["key"])}
    assert "8ckjmzefyyjiwa4r4/m2bs1gb4t7nxp98c3sc6dvmvduictgeurt8jnbvjzhtcsu" in found
    assert not any(
        each.startswith("-----begin") and each.endswith("-----") and len(each) < 40
        for each in found
    )


def test_a_secret_is_also_what_it_becomes_when_it_is_unescaped() -> None:
    assert "aabcdef&" in {each.text for each in needles_of("a%41bcdef&amp;")}
