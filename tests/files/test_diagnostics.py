"""Lines about calls: whose they are, and how long they stay."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from stockade.files import diagnostics
from stockade.files.diagnostics import Diagnostics
from stockade.policy.principal import Principal, Role
from stockade.workspace import Workspace

ALICE = Principal("alice")
DAY = 86400


def made(place: Path, now: float = 1_000_000_000.0, days: int = 2) -> Diagnostics:
    return Diagnostics(lambda: Workspace.open(place), place, days=days, clock=lambda: now)


def line(owner: Principal = ALICE, **facts: object) -> dict[str, object]:
    return {"tenant": owner.tenant, "key": owner.id, **facts}


def test_lines_are_found_by_whose_they_are(tmp_path: Path) -> None:
    place = tmp_path / "workspace"
    kept = made(place)
    kept.sweep()
    assert list(kept.records(ALICE)) == []
    assert not place.exists()
    bob = replace(ALICE, id="bob")
    foreign = replace(ALICE, tenant="other")
    kept.write("ses_1", line(n=1))
    kept.write("ses_1", line(n=2))
    kept.write("ses_2", line(bob, n=3))
    kept.write("ses_3", line(foreign, n=4))
    (path,) = place.glob("diagnostics/ses_1/*")
    assert path.name == "2001-09-09T01-46-40Z.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [each["n"] for each in kept.records(ALICE)] == [2, 1]
    assert [each["n"] for each in kept.records(replace(ALICE, client="later"))] == [2, 1]
    assert list(kept.records(ALICE, "ses_2")) == []
    assert [each["n"] for each in kept.records(bob)] == [3]
    operator = replace(ALICE, id="boss", role=Role.OPERATOR)
    assert {each["n"] for each in kept.records(operator)} == {1, 2, 3}
    assert [each["n"] for each in kept.records(operator, "ses_2")] == [3]


def test_what_is_no_line_of_ours_is_passed_over(tmp_path: Path) -> None:
    place = tmp_path / "workspace"
    kept = made(place)
    kept.write("ses_1", line(n=1))
    (path,) = place.glob("diagnostics/ses_1/*")
    with path.open("ab") as file:
        file.write(b'{"broken\n[1]\n')
    (path.parent / "1999-01-01T00-00-00Z.jsonl").symlink_to("/etc/passwd")
    (path.parent / "other.txt").write_text("x")
    os.mkfifo(path.parent / "1999-01-01T00-00-01Z.jsonl")
    (place / "diagnostics" / "ses_9").symlink_to("/etc")
    assert [each["n"] for each in kept.records(ALICE)] == [1]


def test_a_full_file_takes_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics, "_LARGEST_FILE", 100)
    kept = made(tmp_path / "workspace")
    written = [kept.write("ses_1", line(n=n)) for n in range(5)]
    assert written == [True, True, False, False, False]
    assert len(list(kept.records(ALICE))) == 2


def test_sessions_go_when_their_last_line_is_old(tmp_path: Path) -> None:
    place = tmp_path / "workspace"
    now = 1_000_000_000.0
    kept = made(place, now)
    for name, age in (("ses_old", 3 * DAY), ("ses_new", DAY)):
        kept.write(name, line())
        (path,) = place.glob(f"diagnostics/{name}/*")
        os.utime(path, (now - age, now - age))
    kept.sweep()
    assert [each.name for each in (place / "diagnostics").iterdir()] == ["ses_new"]
    kept.tidy()
    made(place, now, days=0).tidy()
    assert list((place / "diagnostics").iterdir()) == []
