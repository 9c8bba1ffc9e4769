"""Logins: codes that work once and sessions that end."""

from __future__ import annotations

from stockade.surfaces.logins import CODE_SECONDS, SESSION_SECONDS, Logins


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_code_works_once() -> None:
    logins = Logins()
    code = logins.issue()
    secret = logins.redeem(code)
    assert secret is not None
    assert logins.valid(secret)
    assert logins.redeem(code) is None


def test_codes_and_secrets_are_not_each_other() -> None:
    logins = Logins()
    code = logins.issue()
    assert not logins.valid(code)
    secret = logins.redeem(code)
    assert secret is not None
    assert logins.redeem(secret) is None
    assert not logins.valid(code)
    assert logins.redeem("") is None
    assert not logins.valid("")
    assert not logins.valid("\ud800")


def test_a_code_is_too_old_after_a_quarter_of_an_hour() -> None:
    clock = Clock()
    logins = Logins(clock)
    in_time, late = logins.issue(), logins.issue()
    clock.now += CODE_SECONDS - 1
    assert logins.redeem(in_time) is not None
    clock.now += 1
    assert logins.redeem(late) is None


def test_a_session_ends_by_itself_and_when_told() -> None:
    clock = Clock()
    logins = Logins(clock)
    first, second = logins.redeem(logins.issue()), logins.redeem(logins.issue())
    assert first is not None
    assert second is not None
    logins.end(first)
    assert not logins.valid(first)
    assert logins.valid(second)
    clock.now += SESSION_SECONDS
    assert not logins.valid(second)


def test_what_was_given_out_does_not_pile_up() -> None:
    logins = Logins()
    oldest = logins.issue()
    codes = [logins.issue() for _ in range(1000)]
    assert logins.redeem(oldest) is None
    assert logins.redeem(codes[0]) is not None
