"""How a worked example is tried.

In its arguments `https://shop.example` stands for the shop's address, `https://other.example` for
that of its neighbour, and `{"$from": [0, "candidates", 0, "ref"]}` for a part of what the first of
the calls before it gave. Any part of what a call gives can be named so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stockade.kernel.results import Reply
from stockade.kernel.shapes import check
from stockade.policy.principal import Role
from stockade.tools.examples import SHOP, Example
from tests.support.callers import Caller
from tests.support.extension import write_extension
from tests.support.providers import operator_of
from tests.support.shop import open_shop
from tests.support.site import Site

OTHER = "https://other.example"
OPERATORS = {"approve_actions", "list_approvals", "set_config", "reset_config"}
"""Tools that are for operators alone."""
LONGEST_TEXT, LONGEST_LIST = 240, 3


async def tried(
    caller: Caller,
    example: Example,
    *,
    opens: Callable[[Site], object] = open_shop,
    hear: Callable[[str, Reply], None] = lambda _tool, _reply: None,
) -> tuple[dict[str, Any], Reply]:
    """Open the shop in a new session, make the calls, and give the arguments and the reply."""
    opens(caller.site)
    opens(caller.site.other)
    if example.tool in OPERATORS:
        caller = caller.another(role=Role.OPERATOR, tenant="examples")
    if example.tool.startswith("extensions_"):
        write_extension(caller.kernel.settings.workspace / "extensions" / "tint")
    await caller.ok("navigate", url=caller.site.url("/"), mode="none")
    given: list[Any] = []
    for tool, arguments in example.before:
        reply = await caller.reply(tool, **_filled(arguments, caller, given))
        hear(tool, reply)
        assert reply.error is None, (tool, reply.text)
        given.append(reply.data if reply.data is not None else reply.text)
    arguments = _filled(example.arguments, caller, given)
    with operator_of(example.tool, caller.kernel, caller.site):
        reply = await caller.reply(example.tool, **arguments)
    hear(example.tool, reply)
    assert reply.error is None, reply.text
    if reply.data is not None:
        check(caller.kernel.registry.find(example.tool).gives, reply.data)
    return arguments, reply


def recorded(caller: Caller, arguments: dict[str, Any], reply: Reply) -> dict[str, Any]:
    """What the documents show of a call."""
    result = reply.data if reply.data is not None else reply.text
    shown = {"arguments": arguments, "result": _short(result)}
    return _renamed(shown, caller)  # type: ignore[no-any-return]


def _filled(value: Any, caller: Caller, given: list[Any]) -> Any:
    if isinstance(value, str):
        return value.replace(SHOP, caller.site.url("")).replace(OTHER, caller.site.other.url(""))
    if isinstance(value, list):
        return [_filled(each, caller, given) for each in value]
    if isinstance(value, dict):
        if list(value) == ["$from"]:
            found: Any = given
            for step in value["$from"]:
                found = found[step]
            return found
        return {key: _filled(each, caller, given) for key, each in value.items()}
    return value


def _renamed(value: Any, caller: Caller) -> Any:
    """With the addresses that stand for the real ones, which differ from run to run."""
    if isinstance(value, str):
        for site, name in ((caller.site, SHOP), (caller.site.other, OTHER)):
            value = value.replace(site.url(""), name)
            value = value.replace(f"127.0.0.1:{site.port}", name.removeprefix("https://"))
        return value
    if isinstance(value, list):
        return [_renamed(each, caller) for each in value]
    if isinstance(value, dict):
        return {_renamed(key, caller): _renamed(each, caller) for key, each in value.items()}
    return value


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + "…"
    if isinstance(value, list):
        return [_short(each) for each in value[:LONGEST_LIST]]
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    return value
