"""The US keyboard."""

from __future__ import annotations

import string

import pytest

from stockade.engines.cdp.keys import chord, key_for_character, key_named
from stockade.errors import InvalidArgument


def test_every_printable_ascii_character_has_a_key() -> None:
    for character in string.printable:
        if character in "\x0b\x0c":
            continue
        key = key_for_character(character)
        assert key is not None, character
        if character not in "\n\r\t":
            assert key.text == character


@pytest.mark.parametrize(
    ("name", "key", "code"),
    [
        ("Enter", "Enter", "Enter"),
        ("enter", "Enter", "Enter"),
        ("Return", "Enter", "Enter"),
        ("esc", "Escape", "Escape"),
        ("ArrowDown", "ArrowDown", "ArrowDown"),
        ("down", "ArrowDown", "ArrowDown"),
        ("F11", "F11", "F11"),
        ("a", "a", "KeyA"),
        ("KeyA", "a", "KeyA"),
        ("Digit1", "1", "Digit1"),
        ("Space", " ", "Space"),
        ("Ctrl", "Control", "ControlLeft"),
        ("ShiftRight", "Shift", "ShiftRight"),
        ("é", "é", ""),
    ],
)
def test_names_are_understood(name: str, key: str, code: str) -> None:
    found = key_named(name)
    assert (found.key, found.code) == (key, code)


@pytest.mark.parametrize(
    ("text", "held", "pressed"),
    [
        ("a", [], "a"),
        ("Control+a", ["Control"], "a"),
        ("ControlOrMeta+Shift+K", ["Control", "Shift"], "K"),
        ("Shift+a", ["Shift"], "A"),
        ("Shift+1", ["Shift"], "!"),
        ("Control++", ["Control"], "+"),
        ("+", [], "+"),
        ("Alt+F4", ["Alt"], "F4"),
    ],
)
def test_chords_are_taken_apart(text: str, held: list[str], pressed: str) -> None:
    modifiers, key = chord(text)
    assert [modifier.key for modifier in modifiers] == held
    assert key.key == pressed


@pytest.mark.parametrize("text", ["", "Nonsense", "a+b", "Control+Nonsense"])
def test_what_is_no_chord_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        chord(text)
