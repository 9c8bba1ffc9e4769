"""Names for files, whoever suggested them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import InvalidArgument
from stockade.files.names import relative_name, tidy_name


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("résumé 2.pdf", "résumé 2.pdf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("/etc/passwd", "_etc_passwd"),
        ("C:\\temp\\a.txt", "C_temp_a.txt"),
        ("a\x00b\r\nc\td", "a_b_c_d"),
        ("invoice\u202efdp.exe", "invoice_fdp.exe"),
        ("a\u200bb\u061cc\U000e0041d", "a_b_c_d"),
        ("\ud800.txt", "_.txt"),
        ("", "file"),
        ("...", "file"),
        (" . ", "file"),
        (".bashrc", "bashrc"),
        ("x" * 300 + ".tar", "x" * 196 + ".tar"),
    ],
)
def test_a_name_is_made_fit(suggested: str, name: str) -> None:
    assert tidy_name(suggested) == name


@given(st.text(st.characters()))
def test_any_name_is_one_short_line_in_its_directory(suggested: str) -> None:
    name = tidy_name(suggested)
    assert Path("/directory", name).parent == Path("/directory")
    assert name.isprintable()
    assert name not in {".", ".."}
    assert 0 < len(name.encode()) <= 200
    assert tidy_name(name) == name


FOLDER = Path("/workspace/files/default.1234")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("a.txt", "a.txt"),
        ("reports/2024/a b.pdf", "reports/2024/a b.pdf"),
        ("./a.txt", "a.txt"),
        ("a//b", "a/b"),
        (f"{FOLDER}/a/b.txt", "a/b.txt"),
    ],
)
def test_a_path_inside(given: str, name: str) -> None:
    assert relative_name(given, FOLDER) == name


@pytest.mark.parametrize(
    "given",
    [
        "",
        ".",
        "..",
        "../a",
        "a/../b",
        "a/..",
        "/etc/passwd",
        f"{FOLDER}/../other/a",
        f"{FOLDER}x/a",
        str(FOLDER),
        ".hidden",
        "a/.hidden/b",
        "a\x00b",
        "a\nb",
        "a\\b",
        "c:a",
        "a\u202eb",
        "~/a*",
        "/".join("abcdefghi"),
        "x" * 300,
    ],
)
def test_a_path_that_leads_out_or_is_none(given: str) -> None:
    with pytest.raises(InvalidArgument):
        relative_name(given, FOLDER)


@given(st.text(st.characters(), max_size=60))
def test_any_path_stays_inside(given: str) -> None:
    try:
        name = relative_name(given, FOLDER)
    except InvalidArgument:
        return
    place = Path(os.path.normpath(FOLDER / name))
    assert place.is_relative_to(FOLDER)
    assert place != FOLDER
