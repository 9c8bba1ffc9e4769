"""What was agreed to beforehand."""

from __future__ import annotations

from stockade.kernel.standing import Standing
from stockade.policy.principal import Principal, Role

BOSS = Principal("boss", role=Role.OPERATOR)
AGENT = Principal("agent")


def test_a_grant_holds_for_its_scope_its_place_and_its_time() -> None:
    now = [100.0]
    standing = Standing(lambda: now[0])
    standing.add(BOSS, ["file_upload", "tool:click"], "ses_1", 60)
    assert standing.covers(["file_upload"], AGENT, "ses_1")
    assert standing.covers(["file_upload", "tool:click"], AGENT, "ses_1")
    assert not standing.covers(["file_upload", "form_submit"], AGENT, "ses_1")
    assert not standing.covers(["file_upload"], AGENT, "ses_2")
    assert not standing.covers([], AGENT, "ses_1")
    assert not standing.covers(["file_upload"], Principal("agent", tenant="b"), "ses_1")
    assert {each.scope: each.uses for each, _ in standing.listed(BOSS)} == {
        "file_upload": 2,
        "tool:click": 1,
    }
    now[0] = 160.0
    assert not standing.covers(["file_upload"], AGENT, "ses_1")
    assert standing.listed(BOSS) == []


def test_nobody_agrees_to_what_they_do_themselves_but_an_admin() -> None:
    standing = Standing()
    standing.add(BOSS, ["file_upload"], "", 60)
    assert standing.covers(["file_upload"], AGENT, "any")
    assert not standing.covers(["file_upload"], BOSS, "any")
    admin = Principal("root", role=Role.ADMIN)
    standing.add(admin, ["file_download"], "", 60)
    assert standing.covers(["file_download"], admin, "any")


def test_a_second_grant_replaces_the_first_and_ends_with_its_session() -> None:
    standing = Standing()
    standing.add(BOSS, ["file_upload"], "ses_1", 60)
    standing.add(BOSS, ["file_upload"], "ses_1", 120)
    [(grant, left)] = standing.listed(BOSS)
    assert grant.seconds == 120
    assert left > 100
    standing.forget("ses_1")
    assert standing.listed(BOSS) == []
    assert standing.listed(Principal("b", tenant="b")) == []
