"""Profiles at rest."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from stockade.errors import Conflict, InvalidArgument
from stockade.files.profiles import Profile, Profiles
from stockade.policy.principal import Principal
from stockade.workspace import Workspace

ALICE = Principal("alice")
BOB = Principal("bob")


@pytest.fixture
def profiles(tmp_path: Path) -> Profiles:
    return Profiles(lambda: Workspace.open(tmp_path / "workspace"))


def kept(profiles: Profiles, principal: Principal = ALICE, name: str = "work") -> dict[str, bytes]:
    profile = profiles.open(principal, name)
    try:
        return profile.read()
    finally:
        profile.close()


def files(tmp_path: Path) -> dict[str, Path]:
    found = (tmp_path / "workspace" / "profiles").rglob("*")
    return {each.name: each for each in found if each.is_file()}


def fill(profile: Profile, **parts: bytes) -> None:
    for name, content in parts.items():
        profile.write(name, content)
    profile.close()


def test_parts_are_kept_apart_and_private(profiles: Profiles, tmp_path: Path) -> None:
    fill(profiles.open(ALICE, "work"), cookies=b"old")
    fill(profiles.open(ALICE, "work"), cookies=b"who=ada", local=b"milk")
    assert kept(profiles) == {"cookies": b"who=ada", "local": b"milk"}
    assert kept(profiles, BOB) == kept(profiles, ALICE, "other") == {}
    assert kept(profiles, Principal("alice", tenant="elsewhere")) == {}
    for path in files(tmp_path).values():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b"ada" not in path.read_bytes()
    assert profiles.remove(ALICE, "work") is True
    assert profiles.remove(ALICE, "work") is False
    assert kept(profiles) == {}


def test_what_is_damaged_is_set_aside(profiles: Profiles, tmp_path: Path) -> None:
    fill(profiles.open(ALICE, "work"), cookies=b"a", local=b"b", data=b"c", linked=b"d")
    found = files(tmp_path)
    found["cookies"].write_bytes(b"")
    # One in the place of another is no better than one that is broken.
    found["local"].write_bytes(found["data"].read_bytes())
    found["linked"].unlink()
    found["linked"].symlink_to(found["data"])
    (found["data"].parent / ".data.1234").write_bytes(b"half written")
    assert kept(profiles) == {"data": b"c"}
    assert {*files(tmp_path)} >= {"cookies.damaged", "local.damaged", "data"}
    assert ".data.1234" not in files(tmp_path)
    assert kept(profiles) == {"data": b"c"}


def test_one_at_a_time_has_it(profiles: Profiles) -> None:
    profile = profiles.open(ALICE, "work")
    for attempt in (profiles.open, profiles.remove):
        with pytest.raises(Conflict, match="in use"):
            attempt(ALICE, "work")
    profiles.open(BOB, "work").close()
    profile.close()
    with pytest.raises(Conflict):
        profile.write("cookies", b"too late")
    assert kept(profiles) == {}


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "\0", "-a", "x" * 101])
def test_names_stay_where_they_belong(profiles: Profiles, name: str) -> None:
    with pytest.raises(InvalidArgument):
        profiles.open(ALICE, name)
