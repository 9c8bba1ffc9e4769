"""Keys, chords and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stockade.engines.cdp.clipboard import Editing
from stockade.engines.cdp.connection import Command
from stockade.engines.cdp.keys import MODIFIERS, Key, chord, key_for_character, key_named
from stockade.engines.port import DEADLINE

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["ChromiumKeyboard"]

_TEXT_BATCH = 64

_CONTROL = MODIFIERS["Control"]
_META = MODIFIERS["Meta"]
_SHIFT = MODIFIERS["Shift"]
_EDITING = {
    (_CONTROL, "a"): "selectAll",
    (_CONTROL, "c"): "copy",
    (_CONTROL, "x"): "cut",
    (_CONTROL, "v"): "paste",
    (_CONTROL | _SHIFT, "v"): "pasteAndMatchStyle",
    (_CONTROL, "z"): "undo",
    (_CONTROL, "y"): "redo",
    (_CONTROL | _SHIFT, "z"): "redo",
    (_CONTROL, "insert"): "copy",
    (_SHIFT, "delete"): "cut",
    (_SHIFT, "insert"): "paste",
}
"""Without a window system nothing turns these chords into editing commands; we do."""
_CLIPBOARD: dict[str, Editing] = {
    "copy": "copy",
    "cut": "cut",
    "paste": "paste",
    "pasteAndMatchStyle": "paste",
}


def _editing(key: Key, modifiers: int) -> str | None:
    if modifiers & _META:
        modifiers = modifiers & ~_META | _CONTROL
    return _EDITING.get((modifiers, key.key.lower()))


class ChromiumKeyboard:
    """A keyboard of US layout."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self._held: dict[str, Key] = {}

    @property
    def modifiers(self) -> int:
        """The modifiers that are held, as bits."""
        return sum({MODIFIERS[key.key] for key in self._held.values() if key.key in MODIFIERS})

    async def press(self, chord_text: str, *, timeout: float = DEADLINE) -> None:
        """Press and release a key or chord, written in one go."""
        held, key = chord(chord_text)
        commands = [self._down(modifier) for modifier in held]
        editing = _CLIPBOARD.get(_editing(key, self.modifiers) or "")
        commands += [self._down(key), self._up(key)]
        commands += [self._up(modifier) for modifier in reversed(held)]
        if editing is None:
            await self._send(commands, timeout)
        else:
            await self._page.context.clipboard.during(
                editing, lambda: self._send(commands, timeout), timeout
            )

    async def down(self, key: str, *, timeout: float = DEADLINE) -> None:
        """Press a key and hold it."""
        await self._send([self._down(key_named(key))], timeout)

    async def up(self, key: str, *, timeout: float = DEADLINE) -> None:
        """Release a key."""
        await self._send([self._up(key_named(key))], timeout)

    async def type(self, text: str, *, timeout: float = DEADLINE) -> None:
        """Type `text` key by key; what no key gives is inserted."""
        commands: list[Command] = []
        for character in text:
            key = key_for_character(character)
            if key is None:
                commands.append(("Input.insertText", {"text": character}))
            else:
                commands += [self._down(key), self._up(key)]
            if len(commands) >= _TEXT_BATCH:
                await self._send(commands, timeout)
                commands = []
        if commands:
            await self._send(commands, timeout)

    async def insert(self, text: str, *, timeout: float = DEADLINE) -> None:
        """Insert `text` at once."""
        await self._send([("Input.insertText", {"text": text})], timeout)

    async def _send(self, commands: list[Command], timeout: float) -> None:
        await self._page.ready(timeout=timeout)
        await self._page.session.send_all(commands, timeout=timeout)

    def _with_shift(self, key: Key) -> int:
        return self.modifiers | (_SHIFT if key.shift else 0)

    def _down(self, key: Key) -> Command:
        repeat = key.code in self._held
        self._held[key.code] = key
        modifiers = self._with_shift(key)
        commanding = modifiers & (MODIFIERS["Control"] | MODIFIERS["Meta"])
        text = "" if commanding or modifiers & MODIFIERS["Alt"] else key.text
        params: dict[str, Any] = {
            "type": "keyDown" if text else "rawKeyDown",
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.windows,
            "modifiers": modifiers,
            "location": key.location,
            "isKeypad": key.keypad,
            "autoRepeat": repeat,
        }
        if text:
            params |= {"text": text, "unmodifiedText": text}
        if (command := _editing(key, self.modifiers)) is not None:
            params["commands"] = [command]
        return "Input.dispatchKeyEvent", params

    def _up(self, key: Key) -> Command:
        self._held.pop(key.code, None)
        return "Input.dispatchKeyEvent", {
            "type": "keyUp",
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.windows,
            "modifiers": self.modifiers | (MODIFIERS["Shift"] if key.shift else 0),
            "location": key.location,
            "isKeypad": key.keypad,
        }
