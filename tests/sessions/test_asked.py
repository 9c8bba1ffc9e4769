"""What the next result has to tell: once, the gravest first, and the rest by its number."""

from __future__ import annotations

from stockade.sessions.asked import Asked, Event, Person, Raised


def asked(event: Event, what: str = "x") -> Asked:
    return Asked(event, what, what, "http://a", "raise")


def test_a_dialog_before_a_permission_and_both_once() -> None:
    raised = Raised()
    assert raised.take() is None
    for event in ("fs-picker", "notification", "permission", "dialog"):
        raised.add(asked(event))
    found = raised.take()
    assert found is not None
    assert (found[0].event, found[0].kind, found[1]) == ("dialog", "x", 4)
    assert not raised
    assert raised.take() is None


def test_of_many_the_first_are_kept_and_all_are_counted() -> None:
    raised = Raised()
    for number in range(10_000):
        raised.add(asked("permission", str(number)))
    found = raised.take()
    assert found is not None
    assert (found[0].what, found[0].kind, found[1]) == ("0", "permission", 10_000)


def test_what_was_told_otherwise_is_not_told_again() -> None:
    raised = Raised()
    raised.add(asked("dialog", "a"))
    raised.add(asked("dialog", "b"))
    raised.heard("a", "a")
    raised.heard("c", "c")
    found = raised.take()
    assert found is not None
    assert (found[0].what, found[1]) == ("b", 1)


async def test_where_nobody_can_be_asked_the_answer_is_no() -> None:
    assert not await Person().ask("confirm", "Sure?", "http://a")
