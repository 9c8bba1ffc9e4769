from __future__ import annotations

from pathlib import Path

import pytest

from stockade.errors import LimitReached
from stockade.files import secrets
from stockade.files.secrets import KeptSecrets
from stockade.policy.origins import OriginRule
from stockade.sessions.secrets import Secret
from stockade.workspace import Workspace

VALUE = "hunter2hunter2"
RULES = (OriginRule.parse("https://shop.test"), OriginRule.parse("*.shop.test"))


@pytest.fixture
def kept(tmp_path: Path) -> KeptSecrets:
    path = tmp_path / "workspace"
    return KeptSecrets(lambda: Workspace.open(path), path)


def test_what_is_kept_is_encrypted_and_comes_back(kept: KeptSecrets, tmp_path: Path) -> None:
    assert list(kept.all()) == []
    assert not (tmp_path / "workspace").exists()
    kept.save("a/../b", Secret("S", VALUE, RULES))
    kept.save("local", Secret("T", "first-value-of-it", RULES[:1]))
    kept.save("local", Secret("T", VALUE, RULES[:1]))
    found = dict(kept.all())
    assert found["a/../b"] == Secret("S", VALUE, RULES, unknown=True)
    assert found["local"].value == VALUE
    for path in (tmp_path / "workspace").rglob("*"):
        assert path.is_dir() or VALUE.encode() not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0
    kept.remove("local", "T")
    assert [tenant for tenant, _ in kept.all()] == ["a/../b"]


def test_one_cannot_be_put_in_the_place_of_another(kept: KeptSecrets, tmp_path: Path) -> None:
    kept.save("a", Secret("S", VALUE, RULES))
    kept.save("b", Secret("S", "another-value", RULES))
    mine, other = sorted((tmp_path / "workspace" / "secrets").iterdir())
    (mine / "S").write_bytes((other / "S").read_bytes())
    assert [tenant for tenant, _ in kept.all()] == ["b"]


def test_there_is_room_for_so_many(kept: KeptSecrets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "MOST_KEPT", 1)
    kept.save("a", Secret("S", VALUE, RULES))
    kept.save("a", Secret("S", "another-value", RULES))
    with pytest.raises(LimitReached):
        kept.save("a", Secret("T", VALUE, RULES))
