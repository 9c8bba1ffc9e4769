"""Questions and their answers, without a browser."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from stockade.audit.trail import LogTrail
from stockade.config import Settings
from stockade.errors import (
    ApprovalNotFound,
    Conflict,
    InvalidArgument,
    LimitReached,
    Refused,
    RoleRequired,
)
from stockade.kernel.approvals import Approvals
from stockade.kernel.news import News
from stockade.kernel.questions import Question
from stockade.masking.masker import Masker
from stockade.policy.principal import Principal, Role

AGENT = Principal("agent")
BOSS = Principal("boss", role=Role.OPERATOR)


class Trail(LogTrail):
    """Rows to look at; `broken` is one that cannot be written."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, dict[str, Any]]] = []
        self.broken = False

    async def intent(self, row: dict[str, Any]) -> None:
        if self.broken:
            raise OSError("the disk is full")
        await asyncio.sleep(0)
        self.rows.append(("intent", row))

    async def outcome(self, row: dict[str, Any]) -> None:
        self.rows.append(("outcome", row))


@pytest.fixture
def trail() -> Trail:
    return Trail()


@pytest.fixture
def approvals(trail: Trail) -> Approvals:
    masker = Masker()
    return Approvals(Settings(), trail, News(masker), masker)


def question(kind: Any = "action", *, seconds: float = 60, **given: Any) -> Question:
    given.setdefault("facts", {"tool": "click"})
    given.setdefault("asker", AGENT)
    due = asyncio.get_running_loop().time() + seconds
    return Question(kind=kind, owner=given["asker"], due=due, **given)


async def test_only_an_operator_of_the_tenant_answers(approvals: Approvals) -> None:
    asked = approvals.put(question())
    with pytest.raises(RoleRequired):
        await approvals.answer(AGENT, asked.id, "approve")
    with pytest.raises(RoleRequired):
        approvals.listed(AGENT)
    stranger = Principal("boss", tenant="other", role=Role.ADMIN)
    for each in (asked.id, "apr_none"):
        with pytest.raises(ApprovalNotFound):
            await approvals.answer(stranger, each, "approve")
    assert approvals.listed(stranger) == []
    assert asked.pending


async def test_the_key_that_asks_does_not_answer(approvals: Approvals) -> None:
    asked = approvals.put(question(asker=BOSS))
    with pytest.raises(Refused, match="cannot answer"):
        await approvals.answer(BOSS, asked.id, "approve")
    await approvals.answer(Principal("other", role=Role.OPERATOR), asked.id, "approve")
    assert asked.by == "other"


async def test_of_many_answers_at_once_one_wins(approvals: Approvals, trail: Trail) -> None:
    asked = approvals.put(question())
    said = ["approve", "deny"] * 20
    done = await asyncio.gather(
        *(approvals.answer(BOSS, asked.id, each) for each in said),  # type: ignore[arg-type]
        return_exceptions=True,
    )
    assert [type(each) for each in done].count(Conflict) == len(said) - 1
    assert asked.state == "approved"
    assert [kind for kind, _ in trail.rows] == ["intent", "outcome"]
    assert trail.rows[0][1]["principal"] == "boss"
    late = next(each for each in done if isinstance(each, Conflict))
    assert late.details == {"state": "approved", "answeredBy": "boss"}
    assert approvals.use(asked)
    assert not approvals.use(asked)


async def test_without_a_row_there_is_no_answer(approvals: Approvals, trail: Trail) -> None:
    asked = approvals.put(question())
    trail.broken = True
    with pytest.raises(OSError, match="full"):
        await approvals.answer(BOSS, asked.id, "approve")
    assert asked.pending


async def test_what_is_late_is_a_no(approvals: Approvals) -> None:
    asked = approvals.put(question(seconds=0.05))
    assert asked.pending
    assert await approvals.wait(asked, 5)
    assert asked.state == "expired"
    with pytest.raises(Conflict, match="expired"):
        await approvals.answer(BOSS, asked.id, "approve")
    assert not approvals.use(asked)


async def test_the_same_thing_is_asked_once_and_another_apart(approvals: Approvals) -> None:
    one = approvals.put(question(binding="a"))
    assert approvals.put(question(binding="a")) is one
    assert approvals.put(question(binding="b")) is not one
    assert approvals.put(question(binding="a", session="ses_2")) is not one
    assert approvals.put(question(binding="a", asker=Principal("agent2"))) is not one
    assert approvals.put(question()) is not approvals.put(question())
    with pytest.raises(ApprovalNotFound):
        approvals.asked_by(Principal("agent2"), one.id)


async def test_a_binding_is_of_every_word(approvals: Approvals) -> None:
    what = {"tool": "click", "arguments": {"ref": "e1"}, "origin": "https://a.test"}
    same = dict(reversed(list(what.items())))
    assert approvals.binding(what) == approvals.binding(same)
    others = [
        {**what, "tool": "fill"},
        {**what, "arguments": {"ref": "e2"}},
        {**what, "arguments": {"ref": ["e1"]}},
        {**what, "origin": "https://a.test:8443"},
        {**what, "more": ""},
    ]
    assert approvals.binding(what) not in {approvals.binding(each) for each in others}
    again = Approvals(Settings(), LogTrail(), News(Masker()), Masker())
    assert again.binding(what) != approvals.binding(what)


async def test_a_caller_cannot_bury_a_person_in_questions(approvals: Approvals) -> None:
    for number in range(50):
        approvals.put(question(binding=str(number)))
    with pytest.raises(LimitReached):
        approvals.put(question(binding="one more"))
    approvals.put(question(asker=Principal("somebody")))


@pytest.mark.parametrize(
    ("kind", "decision", "value", "state", "given"),
    [
        ("acknowledge", "approve", None, "answered", True),
        ("confirm", "answer", False, "answered", False),
        ("confirm", "deny", None, "denied", None),
        ("choose", "answer", "red", "answered", "red"),
        ("input", "answer", "a text", "answered", "a text"),
        ("choose", "answer", "blue", None, None),
        ("choose", "approve", None, None, None),
        ("input", "answer", True, None, None),
        ("input", "answer", "x" * 10_001, None, None),
        ("confirm", "answer", "yes", None, None),
        ("action", "answer", "yes", None, None),
    ],
)
async def test_each_kind_has_its_answers(
    approvals: Approvals, kind: str, decision: Any, value: Any, state: str | None, given: Any
) -> None:
    asked = approvals.put(question(kind, facts={"choices": ["red", "green"]}))
    if state is None:
        with pytest.raises(InvalidArgument):
            await approvals.answer(BOSS, asked.id, decision, value=value)
        assert asked.pending
        return
    await approvals.answer(BOSS, asked.id, decision, value=value)
    assert (asked.state, asked.value) == (state, given)


async def test_secrets_are_in_no_question() -> None:
    masker = Masker()
    masker.add("TOKEN", "correct-horse-battery")
    approvals = Approvals(Settings(), LogTrail(), News(masker), masker)
    asked = approvals.put(question(facts={"arguments": {"value": "correct-horse-battery"}}))
    await approvals.answer(BOSS, asked.id, "deny", note="not correct-horse-battery")
    assert "correct-horse" not in str(asked.description)
