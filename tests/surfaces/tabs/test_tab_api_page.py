"""docs/tab-api.md: what it shows works, and it shows every route, code and setting."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from stockade.aliases import ALIASES
from stockade.surfaces.tabs.description import described
from stockade.surfaces.tabs.operations import OPERATIONS
from stockade.surfaces.v1.components import Components
from stockade.tools import registry
from stockade.tools.examples import SHOP
from tests.support.shop import open_shop
from tests.surfaces.tabs.conftest import Tabs
from tests.surfaces.v1.test_rest_page import compare, run

PAGE = (Path(__file__).parents[3] / "docs" / "tab-api.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w+)( skip)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OTHERS = {"GET /", "GET /health", "GET /metrics"}


async def test_the_commands_do_what_the_page_says(
    tabs: Tabs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    open_shop(tabs.site)
    told = ""
    for kind, skip, text in _BLOCK.findall(PAGE):
        named = text.replace(SHOP, tabs.site.url(""))
        if kind == "sh" and not skip:
            told = await run(named, tabs.server)
        elif kind == "json":
            compare(json.loads(named), json.loads(told))


def test_every_route_is_on_the_page() -> None:
    there = {f"{method.upper()} {path}" for path, method, _ in described(registry(), Components())}
    assert set(re.findall(r"^\| `([A-Z]+ /[^`]*)`", PAGE, re.MULTILINE)) == there | OTHERS


def test_every_field_is_on_the_page() -> None:
    for operation in OPERATIONS:
        row = next(
            line for line in PAGE.splitlines() if f"`{operation.method} {operation.path}`" in line
        )
        for name in operation.takes:
            assert f"`{name}" in row, (operation.path, name)
        assert ("*key*" in row) is operation.keyed


def test_every_variable_is_on_the_page() -> None:
    for each in ALIASES:
        if not each.variable.startswith("BROWX_"):
            assert f"`{each.variable}`" in PAGE
            assert f"`{each.setting}`" in PAGE
