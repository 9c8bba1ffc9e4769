"""Extensions are read from the operator's directory, through no link, and judged."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.files import unpacked
from stockade.files.unpacked import read_unpacked
from tests.support.extension import MANIFEST, write_extension


@pytest.fixture
def top(tmp_path: Path) -> Path:
    place = tmp_path / "extensions"
    place.mkdir()
    return place


def refused(top: Path, path: str) -> InvalidArgument:
    with pytest.raises(InvalidArgument) as caught:
        read_unpacked(lambda: top, path)
    return caught.value


def test_what_is_read(top: Path) -> None:
    folder = write_extension(top / "tools" / "tint")
    (folder / "icons").mkdir()
    (folder / "icons" / "a.svg").write_text("<svg/>", encoding="utf-8")
    found = read_unpacked(lambda: top, "tools/tint")
    assert (found.name, found.version, found.path) == ("Tint", "1.0", "tools/tint")
    assert found.commands == ("paint",)
    assert found.files["icons/a.svg"] == b"<svg/>"
    assert read_unpacked(lambda: top, str(folder)) == found
    # The id is the same wherever it is loaded from, and as Chromium makes it of a key.
    assert len(found.id) == 32
    given = {"key": "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A"}
    write_extension(top / "keyed", **given)
    keyed = read_unpacked(lambda: top, "keyed")
    assert json.loads(keyed.files["manifest.json"])["key"] == given["key"]
    assert keyed.id != found.id


@pytest.mark.parametrize(
    "path",
    [
        "../outside",
        "/etc",
        "tint/../../outside",
        ".",
        "..",
        "a\0b",
        "nothing",
        "tint/manifest.json",
    ],
)
def test_nothing_leads_out_of_the_directory(top: Path, path: str) -> None:
    write_extension(top / "tint")
    write_extension(top.parent / "outside")
    assert "extensions" in refused(top, path).hint


def _link_to_it(top: Path) -> None:
    (top / "bad").symlink_to(write_extension(top.parent / "outside"))


def _link_on_the_way(top: Path) -> None:
    write_extension(top.parent / "outside" / "x")
    (top / "bad").symlink_to(top.parent / "outside" / "x")


def _link_in_it(top: Path) -> None:
    (write_extension(top / "bad") / "key").symlink_to("/etc/passwd")


def _folder_linked_in_it(top: Path) -> None:
    (write_extension(top / "bad") / "all").symlink_to("/etc")


def _pipe_in_it(top: Path) -> None:
    os.mkfifo(write_extension(top / "bad") / "pipe")


def _large(top: Path) -> None:
    file = write_extension(top / "bad") / "large"
    with file.open("wb") as opened:
        opened.truncate(20_000_001)


def _many(top: Path) -> None:
    folder = write_extension(top / "bad")
    for number in range(41):
        (folder / str(number)).touch()


def _deep(top: Path) -> None:
    (write_extension(top / "bad") / "/".join("d" * 25)).mkdir(parents=True)


@pytest.mark.parametrize(
    "make",
    [
        _link_to_it,
        _link_on_the_way,
        _link_in_it,
        _folder_linked_in_it,
        _pipe_in_it,
        _large,
        _many,
        _deep,
    ],
)
def test_links_and_what_is_too_much(
    top: Path, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacked, "_MOST_FILES", 40)
    make(top)
    refused(top, "bad")


@pytest.mark.parametrize(
    "changes",
    [
        {"permissions": ["storage", "proxy"]},
        {"optional_permissions": ["nativeMessaging"]},
        {"permissions": [{"debugger": []}]},
        {"permissions": "privacy"},
    ],
)
def test_permissions_that_lead_around_the_wall(top: Path, changes: dict[str, Any]) -> None:
    write_extension(top / "bad", **changes)
    assert refused(top, "bad").details["permissions"]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"manifest_version": 2, "name": "x"}', b"\xff", b"[" * 100_000]
)
def test_manifests_that_are_none(top: Path, content: bytes) -> None:
    (write_extension(top / "bad") / "manifest.json").write_bytes(content)
    refused(top, "bad")


def test_the_browser_reads_what_was_judged(top: Path) -> None:
    """Of two entries of one name, both readers mean the same."""
    folder = write_extension(top / "twice")
    text = json.dumps(MANIFEST)[:-1] + ', "permissions": ["storage"], "permissions": ["tabs"]}'
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    found = read_unpacked(lambda: top, "twice")
    assert found.files["manifest.json"].count(b'"permissions"') == 1
