"""Which calls could send a form."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.kernel.call import Call
from stockade.kernel.submitting import hows, sender_of
from stockade.policy.principal import Principal
from tests.support.callers import Caller


def made(caller: Caller, name: str, **given: Any) -> Call:
    tool = caller.kernel.registry.find(name)
    arguments = tool.arguments.model_validate(given)
    return Call("call", caller.kernel, Principal("key"), tool, arguments, 0.0)


@pytest.mark.parametrize(
    ("tool", "given", "how"),
    [
        ("press", {"key": "Enter"}, ["enter"]),
        ("press", {"key": "Control+Enter"}, ["enter"]),
        ("press", {"key": "NumpadEnter"}, ["enter"]),
        ("press", {"key": "\n"}, ["enter"]),
        ("press", {"key": " "}, ["space"]),
        ("press", {"key": "Shift+Space"}, ["space"]),
        ("press", {"key": "e"}, []),
        ("press", {"key": "Center"}, []),
        ("shortcut", {"keys": ["Tab", "Enter"], "coords": {"x": 1, "y": 1}}, ["enter", "point"]),
        ("type", {"ref": "e1", "text": "a\nb"}, ["enter"]),
        ("type", {"ref": "e1", "text": "ab"}, []),
        ("type", {"ref": "e1", "text": "a b"}, ["space"]),
        ("click", {"ref": "e1"}, ["point"]),
        ("click", {"ref": "e1", "force": True}, ["point"]),
        ("upload_file", {"ref": "e1", "path": "a"}, ["point"]),
        ("choose_option", {"ref": "e1", "option": "a"}, ["point"]),
        ("camofox_type", {"tabId": "t1", "ref": "e1", "text": "a", "pressEnter": True}, ["enter"]),
        ("camofox_press", {"tabId": "t1", "key": "Enter"}, ["enter"]),
        ("touch_end", {"identifier": 1}, []),
        ("reload", {}, []),
        ("poll_eval", {"expr": "1"}, ["script"]),
        ("snapshot", {}, []),
    ],
)
async def test_how_a_call_could_send_a_form(
    caller: Caller, tool: str, given: dict[str, Any], how: list[str]
) -> None:
    assert hows(made(caller, tool, **given)) == how


@pytest.mark.parametrize(
    ("tool", "given", "spot"),
    [
        ("click", {"coords": {"x": 1, "y": 2}}, (1, 2)),
        ("drag", {"from": {"coords": {"x": 3, "y": 4}}, "to": {"ref": "e1"}}, (3, 4)),
        ("gesture_swipe", {"from": {"x": 5, "y": 6}, "to": {"x": 7, "y": 8}}, (5, 6)),
        ("drag", {"from": {"ref": "e1"}, "to": {"ref": "e2"}}, None),
        ("touch_end", {"identifier": 1}, None),
    ],
)
async def test_where_its_input_begins(
    caller: Caller, tool: str, given: dict[str, Any], spot: tuple[float, float] | None
) -> None:
    found = made(caller, tool, **given).arguments.starts_at
    assert (found and (found.x, found.y)) == spot


async def test_where_its_keys_go(caller: Caller) -> None:
    assert made(caller, "press", key="Enter").arguments.pressed_keys == ("Enter",)
    assert made(caller, "click", ref="e1").arguments.pressed_keys is None
    assert await sender_of(made(caller, "click", ref="e1")) is None
