"""Roles and names agree with Playwright's on real documents and on form-heavy pages of our own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.oracle.agreement import Agreement, Mismatch
from tests.oracle.corpus import (
    HERE,
    INTERACTIVE,
    VIEWPORT,
    Document,
    Element,
    Golden,
    documents,
    mounts,
    repeated,
)
from tests.support.tabs import CALLER, Tab

IN_ALL = 0.99
PER_DOCUMENT = 0.97
FEWEST_REAL_DOCUMENTS = 20
FEWEST_OWN_PAGES = 6
FEWEST_ELEMENTS = 5000
LONGEST_NAME = 200
EDITABLE = re.compile(r"^ *- textbox[^:]* \[contenteditable\]")
"""What can be edited and has no role is a field to us, and has no line of its own in the oracle."""
LINE = re.compile(r'^ *- ([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?')


def explained() -> dict[str, list[Mismatch]]:
    """The mismatches that are known, each with a cause that says why."""
    data: dict[str, Any] = json.loads((HERE / "mismatches.json").read_text())
    known = {}
    for title, entries in data["documents"].items():
        assert all(data["causes"][entry["cause"]] for entry in entries)
        known[title] = [
            Mismatch(
                tuple(Element(*pair) for pair in entry["oracle"]),
                tuple(Element(*pair) for pair in entry["ours"]),
            )
            for entry in entries
        ]
    return known


def left_out() -> list[str]:
    """The documents that cannot be compared, because they are not those that were recorded."""
    reasons = []
    for document in documents():
        golden = Golden.read(document)
        if golden is None or golden.sha256 != document.sha256:
            recorded = golden.version if golden else "nothing"
            here = document.version or "absent"
            reasons.append(f"{document.title}: recorded of {recorded}, here {here}")
    return reasons


def test_every_document_is_the_one_that_was_recorded() -> None:
    if reasons := left_out():
        pytest.skip("left out: " + "; ".join(reasons))


async def elements(tab: Tab) -> list[Element]:
    """What our agent sees in the document."""
    found = await tab.agent.call(tab.page.main_frame, "aria_elements")
    return [Element(*pair) for pair in found]


async def shown(tab: Tab) -> list[Element]:
    """What a caller reads who asks for all that is interactive."""
    snapshot = await tab.agent.call(
        tab.page.main_frame,
        "snapshot",
        caller=CALLER,
        mode="interactive",
        budget=1_000_000,
        ms=60_000,
    )
    assert not snapshot["truncated"]
    heads = (LINE.match(line) for line in snapshot["text"].splitlines())
    return [
        Element(head[1], json.loads(head[2]) if head[2] else "")
        for head in heads
        if head is not None and head[1] in INTERACTIVE and not EDITABLE.search(head.string)
    ]


def cut(element: Element) -> Element:
    """An element as a snapshot prints it, where long names are cut."""
    role, name = element
    return Element(role, name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")


async def test_the_corpus_agrees_with_the_oracle(
    tab: Tab, record_property: Callable[[str, object], None]
) -> None:
    for prefix, folder in mounts().items():
        tab.site.files(prefix, folder)
    viewport = await tab.page.main_frame.call("() => [innerWidth, innerHeight]")
    assert tuple(viewport) == VIEWPORT
    seen: dict[Document, Agreement] = {}
    printed: dict[Document, Agreement] = {}
    for document in documents():
        golden = Golden.read(document)
        if golden is None or golden.sha256 != document.sha256:
            continue
        await tab.page.navigate(tab.site.url(document.url_path), until="load")
        seen[document] = Agreement.between(golden.elements, await elements(tab))
        parts = repeated(document.title)
        expected = [cut(element) for element in golden.elements if element not in parts]
        printed[document] = Agreement.between(expected, await shown(tab))
        score = f"{seen[document].score:.4f} of {len(golden.elements)}"
        record_property(document.title, score)

    together = sum(seen.values(), Agreement(0, 0, 0))
    real = [document for document in seen if document.package]
    assert len(real) >= FEWEST_REAL_DOCUMENTS, left_out()
    assert len(seen) - len(real) >= FEWEST_OWN_PAGES, left_out()
    assert together.matches + together.missing >= FEWEST_ELEMENTS, left_out()
    known = explained()
    for compared in (seen, printed):
        together = sum(compared.values(), Agreement(0, 0, 0))
        assert together.score >= IN_ALL, together.mismatches
        poor = {
            doc.title: a.mismatches
            for doc, a in compared.items()
            if a.score < PER_DOCUMENT and doc.title not in known
        }
        assert not poor
    assert {doc.title: list(a.mismatches) for doc, a in seen.items() if a.mismatches} == {
        doc.title: known[doc.title] for doc in seen if doc.title in known
    }


async def test_both_sides_mean_the_same_by_interactive(tab: Tab) -> None:
    await tab.show("<p>any")
    await tab.agent.call(tab.page.main_frame, "aria_elements")
    ours = await tab.page.main_frame.call("() => stockade.modules.Aria.roles")
    assert set(ours) == INTERACTIVE
