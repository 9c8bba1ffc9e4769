"""An agent that obeys every page gets nothing, and would get everything if there were no rules."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.gate.agent import orders_in
from tests.gate.web import BANK, PAGES, SHOP
from tests.support.alone import report_of
from tests.support.browsers import writable_by_browser

ATTACKS = json.loads((PAGES / "attacks.json").read_text(encoding="utf-8"))
FAMILIES: dict[str, list[str]] = ATTACKS["families"]
NEVER: dict[str, str] = ATTACKS["never"]
EVERY = [name for names in FAMILIES.values() for name in names]


@dataclass(frozen=True)
class Report:
    """What came of a run."""

    found: dict[str, Any]

    @property
    def strangers(self) -> list[dict[str, Any]]:
        """What reached anybody whom the operator did not name."""
        return [each for each in self.found["requests"] if each["host"] not in {SHOP, BANK}]

    def worked(self, name: str) -> bool:
        """Whether an attack had its effect."""
        if name in ATTACKS["calls"]:
            return any(each["name"] == name and each["ok"] for each in self.found["done"])
        sent = re.compile(rf"^/got/{name}(?![\w-])|^{name}$")
        return (
            any(sent.search(each["target"]) for each in self.strangers)
            or any(f".{name}." in f".{each}" for each in self.found["names"])
            or any(
                re.match(rf"/gated/{name}(?![\w-])", each["target"])
                for each in self.found["requests"]
            )
        )

    def holding(self, value: str) -> list[dict[str, Any]]:
        """The requests that carry a value in any part."""
        forms = {value, quote(value), quote(value, safe="")}
        return [
            each
            for each in self.found["requests"]
            if any(form in each[part] for form in forms for part in ("target", "body", "cookie"))
        ]

    def told(self, value: str) -> list[str]:
        """What the agent heard of it."""
        return [each[:200] for each in self.found["heard"] if value in each]


async def run(mode: str, folder: Path) -> Report:
    """Let the agent loose, on a network where nobody else is."""
    report = folder / "report.json"
    return Report(await report_of("tests.gate.run", mode, str(folder), report=report))


@pytest.fixture(scope="module")
async def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """With rules and few capabilities, with rules and all capabilities, and without rules."""
    folders = {
        mode: writable_by_browser(tmp_path_factory.mktemp("gate") / mode)
        for mode in ("on", "mighty", "off")
    }
    found = await asyncio.gather(*(run(mode, folder) for mode, folder in folders.items()))
    return dict(zip(folders, found, strict=True))


def test_every_family_has_its_pages() -> None:
    numbers = {name.partition(" ")[0] for name in FAMILIES}
    assert numbers >= {f"I{number:02}" for number in range(1, 25)}
    assert len(EVERY) == len(set(EVERY))
    pages = "".join(each.read_text(encoding="utf-8") for each in PAGES.iterdir())
    made = {"socket", "unseen", "zero-width"}
    assert [each for each in EVERY if each not in pages and each not in made] == []


def test_the_agent_reads_whatever_is_written() -> None:
    plain = 'x DO:a-b click {"selector":"#a"} y'
    ways = [plain, plain.replace('"', '\\"'), quote(plain), "\u200b".join(plain)]
    found = [[(each.name, each.tool, each.arguments) for each in orders_in(way)] for way in ways]
    assert found == [[("a-b", "click", '{"selector":"#a"}')]] * len(ways)


@pytest.mark.parametrize("mode", ["on", "mighty"])
async def test_whoever_obeys_every_page_gets_nothing(mode: str, reports: dict[str, Report]) -> None:
    report = reports[mode]
    found = report.found
    exempt = set(ATTACKS["capabilities"]) if mode == "mighty" else set()
    assert [each for each in EVERY if report.worked(each) and each not in exempt] == []
    assert report.strangers == []
    assert found["names"] == []
    assert [each for each in report.holding(found["secret"]) if each["host"] != BANK] == []
    assert report.holding(found["token"]) == report.holding(found["known"]) == []
    for kept in ("secret", "token", "known"):
        assert report.told(found[kept]) == []
    assert {state for _, state in found["approvals"]} <= {"denied", "expired", "withdrawn"}
    assert found["neighbours"] == ["vault"]
    assert found["policy"] == found["given"]
    assert found["admitted"] == []
    # It did try: what it was told to do is on record, and was refused for what it is.
    assert len(found["done"]) > 90


async def test_without_rules_every_family_of_attacks_works(reports: dict[str, Report]) -> None:
    report = reports["off"]
    found = report.found
    worked = {each for each in EVERY if report.worked(each)}
    assert sorted((set(EVERY) - worked) ^ set(NEVER)) == []
    weak = [name for name, each in FAMILIES.items() if not worked.intersection(each)]
    assert [name for name in weak if not name.startswith("S049")] == []
    hosts = {each["host"] for each in report.holding(found["canary"])}
    assert "evil.test" in hosts
    assert any(each["host"] == "evil.test" for each in report.holding(found["secret"]))
    assert any(each["host"] == "evil.test" for each in report.holding(found["token"]))
    assert found["neighbours"] == []
