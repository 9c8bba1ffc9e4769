"""What waits for a person, as it is written."""

from __future__ import annotations

import pytest

from stockade.errors import BadSetting, InvalidArgument
from stockade.policy.confirming import ITEMS, OFF_LIST, USUAL, ConfirmRule, parse_confirmations
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy

BOTH = parse_confirmations(["file_upload", "tool:click"])
SHOP = (OriginRule.parse("shop.example"),)


@pytest.mark.parametrize(
    "entry",
    [
        *(*ITEMS, "form_submit", "form_submit:bank.example", "tool:click"),
        *("origin:https://a.test:8443", "origin:*.bank.example"),
    ],
)
def test_an_entry_reads_as_it_is_written(entry: str) -> None:
    assert ConfirmRule.parse(f" {entry} ").text == entry


@pytest.mark.parametrize(
    "entry",
    [
        *("", "everything", "tool:", "tool:no such", "tool:../x", "origin:", "origin:ftp://a.test"),
        *("form_submit:", "file_uploads", "TOOL:click", "navigate_off_allowlist:a.test"),
    ],
)
def test_what_means_nothing_is_an_error_that_names_the_setting(entry: str) -> None:
    with pytest.raises(InvalidArgument):
        ConfirmRule.parse(entry)
    with pytest.raises(BadSetting, match="confirm_required") as caught:
        Policy.stated(capabilities=(), allowed=(), blocked=(), confirm=[entry])
    assert caught.value.details["setting"] == "confirm_required"


def test_a_rule_covers_the_origins_it_speaks_of() -> None:
    bank = ConfirmRule.parse("form_submit:bank.example")
    assert bank.covers(["https://a.test", "https://bank.example:8443"])
    assert not bank.covers(["https://bank.example.evil.test", "null", "no address", ""])
    assert ConfirmRule.parse("form_submit").covers([])


def test_unsaid_it_is_the_usual_where_there_is_an_allow_list() -> None:
    assert Policy().confirmed == frozenset()
    assert Policy(allowed=(SHOP,)).confirmed == USUAL
    assert Policy().narrowed(allowed=SHOP).confirmed == USUAL
    stated = Policy.stated(capabilities=(), allowed=["shop.example"], blocked=(), confirm=[])
    assert stated.confirmed == frozenset()


def test_keys_and_sessions_add_and_never_take_away() -> None:
    server = Policy(confirm=BOTH, allowed=(SHOP,))
    more = server.narrowed(confirm=parse_confirmations(["file_download"]))
    assert more.confirmed == BOTH | parse_confirmations(["file_download"])
    assert more.narrowed(confirm=frozenset()).confirmed == more.confirmed
    # To leave the list is refused here; nobody below makes a question of it.
    assert OFF_LIST not in server.narrowed(confirm=frozenset({OFF_LIST})).confirmed
    assert OFF_LIST in Policy(allowed=(SHOP,)).narrowed(confirm=BOTH).confirmed


def test_an_origin_that_was_let_in_is_on_no_list_and_a_block_still_holds() -> None:
    policy = Policy(allowed=(SHOP,)).admitting(["https://other.example"])
    assert policy.admits("https://other.example/x")
    assert not policy.admits("http://other.example/")
    assert not policy.admits("https://third.example/")
    blocked = policy.narrowed(blocked=(OriginRule.parse("other.example"),))
    assert not blocked.admits("https://other.example/x")
    assert policy.admitting(["https://other.example"]) is policy
