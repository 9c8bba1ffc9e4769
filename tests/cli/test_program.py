"""A program written against known names and fields runs as it is, over stdio."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import TextContent

from stockade.tools import defined
from tests.cli.commands import COMMAND, Home
from tests.cli.program import STEPS, Step
from tests.support.shop import open_shop
from tests.support.site import Site

NAMES = json.loads((Path(__file__).parent.parent / "tools" / "names.json").read_text("utf-8"))


def filled(value: Any, kept: dict[str, Any], shop: str) -> Any:
    """The arguments of a step, with what stands for something replaced by it."""
    if isinstance(value, str):
        return value.replace("$shop", shop)
    if isinstance(value, list):
        return [filled(each, kept, shop) for each in value]
    if isinstance(value, dict):
        if list(value) == ["$"]:
            found: Any = kept
            for part in value["$"].split("."):
                found = found[int(part)] if isinstance(found, list) else found[part]
            return found
        return {key: filled(each, kept, shop) for key, each in value.items()}
    return value


def missing(data: Any, path: str) -> str | None:
    """What of a path is not there."""
    head, _, rest = path.partition(".")
    many = head.endswith("[]")
    name = head.removesuffix("[]")
    if name:
        if not isinstance(data, dict) or name not in data:
            return name
        data = data[name]
    if many:
        if not isinstance(data, list) or not data:
            return f"{name}[]"
        return next((lost for each in data if rest and (lost := missing(each, rest))), None)
    return missing(data, rest) if rest else None


ELSEWHERE = (
    *("human", "configuration", "secrets", "credentials", "captcha", "extensions"),
    *("devices", "canvas", "plugins", "diagnostics", "pickers"),
)
"""Families that need a person, an operator or a service: `tests/tools` tries each with its own."""


def test_the_program_knows_every_name_there_is() -> None:
    known = {name for names in NAMES["names"].values() for name in names}
    called = {step.tool for step in STEPS}
    elsewhere = {name for module in ELSEWHERE for name in defined(module)} & known
    left = known - called - elsewhere - NAMES["waiting"].keys()
    assert sorted(left) == [
        "get_video",
        "set_notification_policy",
        "set_permission_policy",
        "stop_video",
    ]


async def test_it_runs(home: Home, site: Site) -> None:
    shop = open_shop(site).rstrip("/")
    arguments = ["mcp", "--toolsets", "all", "--capabilities", "all"]
    parameters = StdioServerParameters(
        command=str(COMMAND), args=arguments, env=home.environment(), cwd=home.path
    )
    problems: list[str] = []
    kept: dict[str, Any] = {}
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        await session.initialize()
        for number, step in enumerate(STEPS):
            problem = await run(session, step, kept, shop)
            if problem:
                problems.append(f"{number} {step.tool}: {problem}")
    if problems:
        pytest.fail("\n".join(problems))


async def run(session: ClientSession, step: Step, kept: dict[str, Any], shop: str) -> str | None:
    """Make one call; what is wrong with its result."""
    try:
        given = {"session": "s", **filled(step.arguments, kept, shop)}
    except (KeyError, IndexError) as error:
        return f"needs {error}, which an earlier step did not give"
    if step.tool in {"list_sessions", "close_sessions", "cross_session_sample", "get_config"}:
        del given["session"]
    result = await session.call_tool(step.tool, given)
    texts = [each.text for each in result.content if isinstance(each, TextContent)]
    if result.is_error:
        return texts[0][:400]
    if not step.fields:
        return None
    try:
        data = json.loads(texts[0])
    except ValueError:
        return f"not JSON: {texts[0][:200]}"
    if step.keep:
        kept[step.keep] = data
    if isinstance(data, dict) and data.get("ok", True) == step.fails:
        return f"ok should be {str(not step.fails).lower()}: {texts[0][:300]}"
    lost = [found for path in step.fields.split() if (found := missing(data, path))]
    return f"lacks {', '.join(lost)}: {texts[0][:500]}" if lost else None
