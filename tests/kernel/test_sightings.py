"""Guesses: what stands on a page is found, what is a part of a secret is not told apart."""

from __future__ import annotations

import pytest

from tests.support.callers import Caller

SECRET = "Zq7!pass-of-mine"
PAGE = f"""<p>pass it on</p><p>it is {SECRET}</p><p>{SECRET} and {SECRET}</p>
<input aria-label=Field value="{SECRET}" data-it="{SECRET}">"""


@pytest.fixture
async def guessing(mighty: Caller) -> Caller:
    await mighty.ok("register_secret", name="S", value=SECRET)
    await mighty.show(PAGE)
    return mighty


async def test_a_guess_is_found_only_where_it_is_no_part_of_a_secret(guessing: Caller) -> None:
    for guess, count in (("pass", 1), ("Zq7", 0), (SECRET, 0), ("it is", 1), ("and", 1)):
        found = await guessing.ok("text_search", text=guess)
        assert (guess, found["count"], len(found["matches"])) == (guess, count, count)
    held = await guessing.ok("verify_count", text="pass", n=1)
    assert held["ok"]
    told = await guessing.refused("wait_for", text="Zq7", timeoutMs=200)
    assert told["code"] == "timeout"


@pytest.mark.parametrize("guess", [SECRET, "Zq7", "pass-of"])
async def test_no_check_confirms_a_guess(guessing: Caller, guess: str) -> None:
    field = {"selector": "input", "timeoutMs": 50}
    for tool, given in (
        ("verify_value", {"value": guess, **field}),
        ("verify_attribute", {"attr": "data-it", "value": guess, **field}),
        ("verify_text", {"text": guess, "selector": "p >> nth=1", "timeoutMs": 50}),
    ):
        reply = await guessing.reply(tool, **given)
        assert not reply.ok, tool
        assert "Zq7!" not in reply.text


async def test_a_secret_is_checked_by_its_name(guessing: Caller) -> None:
    await guessing.ok("verify_value", value="<S>", selector="input")
    await guessing.ok("verify_text", text="it is <S>", selector="p >> nth=1")
