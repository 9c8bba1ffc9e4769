"""Names for files, whoever suggested them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.files.names import tidy_name


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
