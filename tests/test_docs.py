"""The documentation says what is so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from stockade.cli import application
from stockade.cli.clients import CLIENTS
from stockade.cli.reference import PAGES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "SECURITY.md", *DOCS.glob("*.md")])
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as they are made where it is shown."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def _commands() -> Iterator[str]:
    for each in application.app.registered_commands:
        yield str(each.name)
    for group in application.app.registered_groups:
        assert group.typer_instance is not None
        for each in group.typer_instance.registered_commands:
            yield f"{group.name} {each.name or (each.callback and each.callback.__name__)}"


@pytest.mark.parametrize("page", PAGES)
def test_reference_pages_are_current(page: str) -> None:
    kept = (DOCS / page).read_text(encoding="utf-8")
    assert kept == PAGES[page](), "run `make docs`"


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in _LINK.findall(document.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        place, _, anchor = target.partition("#")
        path = (document.parent / place) if place else document
        assert path.exists(), target
        assert not anchor or anchor in _anchors(path), target


def test_every_page_is_linked_from_the_readme() -> None:
    linked = _LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert {f"docs/{path.name}" for path in DOCS.glob("*.md")} <= set(linked)


@pytest.mark.parametrize(
    "named",
    sorted(
        {each for path in DOCUMENTS for each in _TEST.findall(path.read_text(encoding="utf-8"))}
    ),
    ids="::".join,
)
def test_what_is_promised_is_tested(named: tuple[str, str]) -> None:
    file, test = named
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert test in functions


def test_every_promise_names_a_test() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    promised = text.partition("## Promised today")[2].partition("\n## ")[0]
    promises = re.split(r"\n\n(?=\*\*)", promised)[1:]
    assert len(promises) > 5
    for promise in promises:
        assert _TEST.search(promise), promise


def test_every_command_is_documented() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    for command in _commands():
        assert f"    stockade {command}" in text, command


def test_every_client_is_documented() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    for each in CLIENTS:
        assert f"| `{each.name}` |" in text


def test_options_in_the_documentation_exist() -> None:
    known = set(re.findall(r'"(--[a-z-]+)"', _source()))
    known |= {"--help", "--version", "--install-completion", "--show-completion"}
    for name in ("README.md", "docs/cli.md", "docs/quick-start.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) <= known, name


def _source() -> str:
    folder = ROOT / "src" / "stockade" / "cli"
    return "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))


def test_pictures_are_well_formed_and_fit_light_and_dark() -> None:
    for path in (DOCS / "pictures").glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        root = ET.fromstring(text)
        assert root.get("viewBox")
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
        assert "prefers-color-scheme: dark" in text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
