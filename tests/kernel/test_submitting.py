"""Which calls could send a form."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.kernel.call import Call
from stockade.kernel.submitting import hows, needs_focus, sender_of
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
        ("touch_end", {"identifier": 1}, ["script"]),
        ("poll_eval", {"expr": "1"}, ["script"]),
        ("snapshot", {}, []),
    ],
)
async def test_how_a_call_could_send_a_form(
    caller: Caller, tool: str, given: dict[str, Any], how: list[str]
) -> None:
    assert hows(made(caller, tool, **given)) == how


async def test_where_its_keys_go(caller: Caller) -> None:
    assert needs_focus(made(caller, "press", key="Enter"))
    assert not needs_focus(made(caller, "click", ref="e1"))
    assert await sender_of(made(caller, "click", ref="e1")) is None
