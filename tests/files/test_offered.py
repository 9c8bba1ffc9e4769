"""Files that callers may name: below one directory, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.errors import InvalidArgument
from stockade.files import offered as module
from stockade.files.offered import offered


def problem(root: Path, *paths: str) -> str:
    with pytest.raises(InvalidArgument) as caught, offered(lambda: root, paths):
        pass
    assert str(root) not in caught.value.message
    return str(caught.value.details["problem"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "uploads"
    (place / "deep").mkdir(parents=True)
    (place / "deep" / "a.txt").write_text("A")
    (place / "link").symlink_to("deep/a.txt")
    (tmp_path / "secret").write_text("no")
    return place


def test_files_below_the_root_are_opened(root: Path, tmp_path: Path) -> None:
    there = root / "deep" / "a.txt"
    other = tmp_path / "other"
    other.symlink_to(root)
    for given in ("deep/a.txt", str(there), "deep/../link", "./link", str(other / "link")):
        with offered(lambda: other, [given]) as found:
            assert [(each.path, each.file.read()) for each in found] == [(there, b"A")]


def test_what_is_refused(root: Path, tmp_path: Path) -> None:
    (root / "loop").symlink_to("loop")
    (root / "away").symlink_to(tmp_path)
    assert problem(root, "deep/a.txt", "deep") == "invalid_upload_path"
    assert problem(root, "loop") == "invalid_upload_path"
    assert problem(root, "x" * 300) == "invalid_upload_path"
    assert problem(root, "deep/a.txt/b") == "invalid_upload_path"
    assert problem(root, "deep/none") == "file_not_found"
    assert problem(root, "away/secret") == "upload_path_outside_root"
    assert problem(root, "away/none") == "upload_path_outside_root"
    assert problem(root, str(tmp_path / "none")) == "upload_path_outside_root"
    assert problem(root, ".") == "upload_path_outside_root"
    assert problem(tmp_path / "none", "a") == "uploads_dir_not_found"
    assert problem(root / "deep" / "a.txt", "a") == "uploads_dir_not_found"


def test_a_link_put_in_the_way_at_the_last_moment(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module._real

    def turned(top: Path, given: str) -> Path:
        found = real(top, given)
        (root / "deep").rename(root / "was")
        (root / "deep").symlink_to(tmp_path)
        (tmp_path / "a.txt").write_text("not this")
        return found

    monkeypatch.setattr(module, "_real", turned)
    assert problem(root, "deep/a.txt") == "invalid_upload_path"
