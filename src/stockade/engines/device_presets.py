"""Well-known devices, by the names people know them by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from stockade.engines.values import UserAgent, Viewport
from stockade.errors import InvalidArgument

__all__ = ["NAMES", "Preset", "preset"]


@dataclass(frozen=True)
class Preset:
    """What pages are told by a device as it comes out of its box."""

    name: str
    viewport: Viewport
    user_agent: UserAgent | None = None
    """The browser's own, when the device has none of its own."""


def _iphone(version: str, safari: str) -> UserAgent:
    return UserAgent(
        f"Mozilla/5.0 (iPhone; CPU iPhone OS {version} like Mac OS X) AppleWebKit/605.1.15 "
        f"(KHTML, like Gecko) Version/{safari} Mobile/15E148 Safari/604.1"
    )


def _ipad(safari: str) -> UserAgent:
    return UserAgent(
        "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
        f"(KHTML, like Gecko) Version/{safari} Mobile/15E148 Safari/604.1"
    )


def _android(version: str, *, mobile: bool = True) -> UserAgent:
    # Chrome has long told every site the same model.
    kind = " Mobile" if mobile else ""
    return UserAgent(
        f"Mozilla/5.0 (Linux; Android {version}; K) AppleWebKit/537.36 "
        f"(KHTML, like Gecko) Chrome/{_CHROME}.0.0.0{kind} Safari/537.36"
    )


_CHROME = "140"


def _hand(width: int, height: int, scale: float) -> Viewport:
    return Viewport(width, height, scale, mobile=True, touch=True)


_PRESETS = (
    Preset("iPhone SE", _hand(375, 667, 2), _iphone("17_5", "17.5")),
    Preset("iPhone 12", _hand(390, 664, 3), _iphone("17_5", "17.5")),
    Preset("iPhone 13", _hand(390, 664, 3), _iphone("17_5", "17.5")),
    Preset("iPhone 14", _hand(390, 664, 3), _iphone("17_5", "17.5")),
    Preset("iPhone 14 Pro Max", _hand(430, 740, 3), _iphone("17_5", "17.5")),
    Preset("iPhone 15", _hand(393, 659, 3), _iphone("17_5", "17.5")),
    Preset("iPhone 15 Pro", _hand(393, 659, 3), _iphone("17_5", "17.5")),
    Preset("iPhone 15 Pro Max", _hand(430, 739, 3), _iphone("17_5", "17.5")),
    Preset("iPhone 16", _hand(393, 659, 3), _iphone("18_5", "18.5")),
    Preset("iPhone 16 Pro", _hand(402, 681, 3), _iphone("18_5", "18.5")),
    Preset("iPad Mini", _hand(768, 1024, 2), _ipad("17.5")),
    Preset("iPad Air", _hand(820, 1180, 2), _ipad("17.5")),
    Preset("iPad Pro 11", _hand(834, 1194, 2), _ipad("17.5")),
    Preset("Pixel 5", _hand(393, 727, 2.75), _android("14")),
    Preset("Pixel 7", _hand(412, 839, 2.625), _android("14")),
    Preset("Pixel 8", _hand(412, 839, 2.625), _android("15")),
    Preset("Pixel 9", _hand(412, 847, 2.625), _android("16")),
    Preset("Galaxy S9+", _hand(320, 658, 4.5), _android("10")),
    Preset("Galaxy S24", _hand(360, 780, 3), _android("14")),
    Preset("Galaxy Tab S9", _hand(800, 1280, 2), _android("14", mobile=False)),
    Preset("Desktop", Viewport(1280, 720)),
    Preset("Desktop HiDPI", Viewport(1280, 720, 2)),
    Preset("Desktop Full HD", Viewport(1920, 1080)),
    Preset("Laptop", Viewport(1366, 768)),
)

_TURNED = " landscape"
NAMES = tuple(each.name for each in _PRESETS)
"""The devices there are; a handheld one can be turned with ` landscape` after its name."""


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9+]+", "", name.lower())


_KNOWN = {_folded(each.name): each for each in _PRESETS}
_KNOWN |= {
    _folded(each.name + _TURNED): Preset(
        each.name + _TURNED,
        Viewport(
            each.viewport.height,
            each.viewport.width,
            each.viewport.scale,
            each.viewport.mobile,
            each.viewport.touch,
        ),
        each.user_agent,
    )
    for each in _PRESETS
    if each.viewport.mobile
}


def preset(name: str) -> Preset:
    """The device of that name, however it is spelt; else an error with those that are close."""
    found = _KNOWN.get(_folded(name))
    if found is not None:
        return found
    close = get_close_matches(_folded(name[:60]), _KNOWN, n=3, cutoff=0.5)
    near = [_KNOWN[each].name for each in close]
    raise InvalidArgument(
        "there is no such device",
        hint=f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(NAMES)}.",
        field="device",
    )
