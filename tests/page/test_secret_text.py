from __future__ import annotations

import pytest

from stockade.page.secret_text import SecretText, is_leaving, is_pasting, plain_text


def test_it_shows_its_name_and_not_its_value() -> None:
    text = SecretText("hunter2-hunter2", "PASSWORD", kept=True)
    assert "hunter2" not in repr(text)
    assert text.told == {
        "name": "PASSWORD",
        "kept": True,
        "named": [],
        "agreed": False,
        "code": False,
    }
    assert plain_text(text) == "hunter2-hunter2"
    assert plain_text("as it is") == "as it is"


@pytest.mark.parametrize("chord", ["Tab", "Shift+Tab", "Enter", "Escape"])
def test_keys_that_leave_a_field(chord: str) -> None:
    assert is_leaving(chord)


@pytest.mark.parametrize(
    "chord", ["Backspace", "Control+a", "Control+Enter", "a", "ArrowLeft", "Control+z", "Delete"]
)
def test_keys_that_do_something_to_it(chord: str) -> None:
    assert not is_leaving(chord)


def test_keys_that_paste() -> None:
    assert all(map(is_pasting, ["Control+v", "Control+V", "Meta+v", "Control+Shift+v"]))
    assert is_pasting("Shift+Insert")
    assert not any(map(is_pasting, ["v", "Shift+v", "Insert", "Control+c", "Alt+v"]))
