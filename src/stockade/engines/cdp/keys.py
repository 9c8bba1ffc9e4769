"""The keys of a US keyboard, and what each of them gives."""

from __future__ import annotations

from dataclasses import dataclass

from stockade.errors import InvalidArgument

__all__ = ["MODIFIERS", "Key", "chord", "key_for_character", "key_named"]

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
"""The bit of each modifier in an input event."""

_ALIASES = {
    "ctrl": "Control",
    "control": "Control",
    "controlormeta": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "win": "Meta",
    "super": "Meta",
    "meta": "Meta",
    "option": "Alt",
    "opt": "Alt",
    "alt": "Alt",
    "shift": "Shift",
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "ins": "Insert",
    "space": " ",
    "spacebar": " ",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "pagedn": "PageDown",
    "plus": "+",
}


@dataclass(frozen=True)
class Key:
    """A key as an input event describes it."""

    key: str
    code: str
    windows: int
    text: str = ""
    shift: bool = False
    location: int = 0
    keypad: bool = False


def _named() -> dict[str, Key]:
    codes = {
        "Backspace": 8,
        "Tab": 9,
        "Pause": 19,
        "CapsLock": 20,
        "Escape": 27,
        "PageUp": 33,
        "PageDown": 34,
        "End": 35,
        "Home": 36,
        "ArrowLeft": 37,
        "ArrowUp": 38,
        "ArrowRight": 39,
        "ArrowDown": 40,
        "PrintScreen": 44,
        "Insert": 45,
        "Delete": 46,
        "ContextMenu": 93,
        "NumLock": 144,
        "ScrollLock": 145,
    }
    keys = {name: Key(name, name, number) for name, number in codes.items()}
    keys["Enter"] = Key("Enter", "Enter", 13, "\r")
    keys["NumpadEnter"] = Key("Enter", "NumpadEnter", 13, "\r", location=3, keypad=True)
    for number in range(1, 25):
        keys[f"F{number}"] = Key(f"F{number}", f"F{number}", 111 + number)
    for name, number in (("Shift", 16), ("Control", 17), ("Alt", 18), ("Meta", 91)):
        keys[name] = Key(name, f"{name}Left", number, location=1)
        keys[f"{name}Left"] = keys[name]
        keys[f"{name}Right"] = Key(
            name, f"{name}Right", 92 if name == "Meta" else number, location=2
        )
    for digit in range(10):
        text = str(digit)
        keys[f"Numpad{digit}"] = Key(
            text, f"Numpad{digit}", 96 + digit, text, location=3, keypad=True
        )
    for name, text, number in (
        ("NumpadMultiply", "*", 106),
        ("NumpadAdd", "+", 107),
        ("NumpadSubtract", "-", 109),
        ("NumpadDecimal", ".", 110),
        ("NumpadDivide", "/", 111),
    ):
        keys[name] = Key(text, name, number, text, location=3, keypad=True)
    return keys


def _characters() -> dict[str, Key]:
    keys = {" ": Key(" ", "Space", 32, " ")}
    for number in range(26):
        lower, upper = chr(97 + number), chr(65 + number)
        keys[lower] = Key(lower, f"Key{upper}", 65 + number, lower)
        keys[upper] = Key(upper, f"Key{upper}", 65 + number, upper, shift=True)
    for number, shifted in enumerate(")!@#$%^&*("):
        keys[str(number)] = Key(str(number), f"Digit{number}", 48 + number, str(number))
        keys[shifted] = Key(shifted, f"Digit{number}", 48 + number, shifted, shift=True)
    for plain, shifted, code, windows in (
        (";", ":", "Semicolon", 186),
        ("=", "+", "Equal", 187),
        (",", "<", "Comma", 188),
        ("-", "_", "Minus", 189),
        (".", ">", "Period", 190),
        ("/", "?", "Slash", 191),
        ("`", "~", "Backquote", 192),
        ("[", "{", "BracketLeft", 219),
        ("\\", "|", "Backslash", 220),
        ("]", "}", "BracketRight", 221),
        ("'", '"', "Quote", 222),
    ):
        keys[plain] = Key(plain, code, windows, plain)
        keys[shifted] = Key(shifted, code, windows, shifted, shift=True)
    return keys


_NAMED = _named()
_CHARACTERS = _characters()
_BY_CODE = {key.code: key for key in _CHARACTERS.values() if not key.shift}
_FOLDED = {name.lower(): name for name in _NAMED}


def key_for_character(character: str) -> Key | None:
    """The key that types `character`, if one does."""
    if character in "\n\r":
        return _NAMED["Enter"]
    if character == "\t":
        return _NAMED["Tab"]
    return _CHARACTERS.get(character)


def key_named(name: str) -> Key:
    """The key of that name, character or code."""
    if name in _NAMED:
        return _NAMED[name]
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    if name in _BY_CODE:
        return _BY_CODE[name]
    alias = _ALIASES.get(name.lower(), _FOLDED.get(name.lower(), ""))
    if alias in _NAMED:
        return _NAMED[alias]
    if alias in _CHARACTERS:
        return _CHARACTERS[alias]
    if len(name) == 1:
        return Key(name, "", 0, name)
    raise InvalidArgument(
        f"unknown key {name!r}",
        hint="Use a character, or a name such as Enter, Tab, ArrowDown, F5, Control+a.",
    )


def chord(text: str) -> tuple[list[Key], Key]:
    """Take `Control+Shift+k` apart: the modifiers that are held, and the key that is pressed."""
    if not text:
        raise InvalidArgument("no key given")
    parts = text[:-1].split("+") if text.endswith("++") or text == "+" else text.split("+")
    parts = [part for part in parts if part] + (["+"] if text.endswith("++") or text == "+" else [])
    held = [key_named(part) for part in parts[:-1]]
    for key in held:
        if key.key not in MODIFIERS:
            raise InvalidArgument(f"{key.key!r} is not a modifier")
    pressed = key_named(parts[-1])
    if any(key.key == "Shift" for key in held) and len(pressed.key) == 1:
        pressed = next(
            (k for k in _CHARACTERS.values() if k.code == pressed.code and k.shift), pressed
        )
    return held, pressed
