"""States that are kept under a name, encrypted."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.errors import Conflict, InvalidArgument, Missing, QuotaExceeded, SetupError
from stockade.files import states as module
from stockade.files.states import States
from stockade.policy.principal import Principal, Role
from stockade.workspace import Workspace

ALICE = Principal("alice")
BOB = Principal("bob")
OPERATOR = Principal("olga", role=Role.OPERATOR)
STRANGER = Principal("alice", tenant="elsewhere", role=Role.ADMIN)
SECRET = b'{"cookies": [{"name": "sid", "value": "very secret indeed"}]}'


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(tmp_path / "workspace")


@pytest.fixture
def states(workspace: Workspace) -> States:
    return States(lambda: workspace)


def files(workspace: Workspace) -> list[Path]:
    return sorted(each for each in (workspace.path / "auth").rglob("*") if each.is_file())


def test_a_state_outlives_whoever_saved_it(workspace: Workspace, states: States) -> None:
    saved = states.save("slots", ALICE, "shop", SECRET)
    assert (saved.name, saved.owner) == ("shop", "alice")
    assert States(lambda: workspace).load("slots", ALICE, "shop") == SECRET
    states.save("slots", ALICE, "shop", b"{}")
    assert states.load("slots", ALICE, "shop") == b"{}"
    assert len(states.all("slots", ALICE)) == 1


def test_what_is_at_rest_tells_nothing(workspace: Workspace, states: States) -> None:
    states.save("slots", ALICE, "shop", SECRET)
    states.save("slots", ALICE, "same", SECRET)
    one, other = files(workspace)
    assert b"secret" not in one.read_bytes()
    assert one.read_bytes() != other.read_bytes()
    assert {each.stat().st_mode & 0o777 for each in (one, other)} == {0o600}


def test_no_file_can_take_the_place_of_another(workspace: Workspace, states: States) -> None:
    states.save("slots", ALICE, "one", SECRET)
    states.save("slots", ALICE, "two", b"{}")
    states.save("slots", BOB, "one", b"{}")
    states.save("snapshots", ALICE, "one", b"{}")
    stolen = next(
        each for each in files(workspace) if each.parts[-3:] == ("=local", "=alice", "one")
    )
    for path in files(workspace):
        if path != stolen:
            path.write_bytes(stolen.read_bytes())
    for principal, kind, name in ((ALICE, "slots", "two"), (BOB, "slots", "one")):
        with pytest.raises(SetupError):
            states.load(kind, principal, name)  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"\x01", b"\x01" * 40, b"{}"])
def test_a_damaged_file_is_told_of(workspace: Workspace, states: States, content: bytes) -> None:
    states.save("slots", ALICE, "shop", SECRET)
    files(workspace)[0].write_bytes(content)
    with pytest.raises(SetupError):
        states.load("slots", ALICE, "shop")


def test_each_key_has_its_own(states: States) -> None:
    states.save("slots", ALICE, "shop", SECRET)
    for other in (BOB, STRANGER):
        assert states.all("slots", other) == []
        with pytest.raises(Missing):
            states.load("slots", other, "shop")
        with pytest.raises(Missing):
            states.delete("slots", other, "shop")
    with pytest.raises(Missing):
        states.load("snapshots", ALICE, "shop")


def test_an_operator_finds_those_of_its_tenant(states: States) -> None:
    states.save("slots", ALICE, "shop", b"alice")
    assert states.load("slots", OPERATOR, "shop") == b"alice"
    states.save("slots", BOB, "shop", b"bob")
    with pytest.raises(Conflict):
        states.load("slots", OPERATOR, "shop")
    states.save("slots", OPERATOR, "shop", b"olga")
    assert states.load("slots", OPERATOR, "shop") == b"olga"
    assert [each.owner for each in states.all("slots", OPERATOR)] == ["olga", "alice", "bob"]


def test_clients_of_one_key_share(states: States) -> None:
    states.save("slots", Principal("local", client="one"), "shop", SECRET)
    assert states.load("slots", Principal("local", client="two"), "shop") == SECRET


def test_a_deleted_state_is_gone(workspace: Workspace, states: States) -> None:
    states.save("slots", ALICE, "shop", SECRET)
    states.delete("slots", ALICE, "shop")
    assert files(workspace) == []
    with pytest.raises(Missing):
        states.delete("slots", ALICE, "shop")


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", ".hidden", "a\0b", "a" * 182, "ä"])
def test_names_stay_in_their_place(states: States, name: str) -> None:
    with pytest.raises(InvalidArgument):
        states.save("slots", ALICE, name, SECRET)
    with pytest.raises(InvalidArgument):
        states.load("slots", ALICE, name)


@pytest.mark.parametrize("id", ["..", ".", "a/b", "../../x", "é\n"])
def test_ids_of_keys_stay_in_their_place(workspace: Workspace, states: States, id: str) -> None:
    odd = Principal(id, tenant=id)
    states.save("slots", odd, "shop", SECRET)
    assert states.load("slots", odd, "shop") == SECRET
    assert len(files(workspace)[0].relative_to(workspace.path).parts) == 5
    operator = Principal("olga", tenant=id, role=Role.OPERATOR)
    assert [each.owner for each in states.all("slots", operator)] == [id]


def test_number_and_size_are_bounded(states: States, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    states.save("slots", ALICE, "one", b"1")
    states.save("slots", ALICE, "two", b"2")
    states.save("slots", ALICE, "two", b"3")
    with pytest.raises(QuotaExceeded):
        states.save("slots", ALICE, "three", b"3")
    states.save("slots", BOB, "three", b"3")
    with pytest.raises(QuotaExceeded):
        states.save("slots", ALICE, "two", b"x" * 11)
    assert states.load("slots", ALICE, "two") == b"3"
