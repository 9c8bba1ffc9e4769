"""The certificates that are trusted are read once, from wherever this machine has them."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from stockade.egress import roots


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    roots.trusted_roots.cache_clear()
    yield
    roots.trusted_roots.cache_clear()


def found(monkeypatch: pytest.MonkeyPatch, *, file: Path | None, folder: Path | None) -> str:
    given = {"cafile": file and str(file), "capath": folder and str(folder)}
    named = SimpleNamespace(**given)
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: named)
    return roots.trusted_roots()


def test_in_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "all.pem").write_text("one", encoding="ascii")
    assert found(monkeypatch, file=tmp_path / "all.pem", folder=None) == "one"


def test_in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a1b2.0", "a1b2.1", "notes.txt"):
        (tmp_path / name).write_text(name, encoding="ascii")
    assert found(monkeypatch, file=None, folder=tmp_path) == "a1b2.0\na1b2.1"
    roots.trusted_roots.cache_clear()
    (tmp_path / "ca-certificates.crt").write_text("all", encoding="ascii")
    assert found(monkeypatch, file=None, folder=tmp_path) == "all"


def test_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, file=None, folder=None) == ""
    roots.trusted_roots.cache_clear()
    assert found(monkeypatch, file=tmp_path / "gone", folder=None) == ""


def test_they_can_be_used_without_a_file() -> None:
    if roots.trusted_roots():
        context = ssl.create_default_context(cadata=roots.trusted_roots())
        assert context.get_ca_certs()
