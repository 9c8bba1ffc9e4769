"""Roles and names agree with Playwright's on real documents and on form-heavy pages of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

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
)
from tests.support.tabs import Tab

IN_ALL = 0.99
PER_DOCUMENT = 0.97
FEWEST_REAL_DOCUMENTS = 20
FEWEST_OWN_PAGES = 6
FEWEST_ELEMENTS = 5000


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


async def elements(tab: Tab, document: Document) -> list[Element]:
    """What our agent sees in a document."""
    await tab.page.navigate(tab.site.url(document.url_path), until="load")
    found = await tab.agent.call(tab.page.main_frame, "aria_elements")
    return [Element(*pair) for pair in found]


async def test_the_corpus_agrees_with_the_oracle(
    tab: Tab, record_property: Callable[[str, object], None]
) -> None:
    for prefix, folder in mounts().items():
        tab.site.files(prefix, folder)
    shown = await tab.page.main_frame.call("() => [innerWidth, innerHeight]")
    assert tuple(shown) == VIEWPORT
    compared: dict[Document, Agreement] = {}
    left_out = []
    for document in documents():
        golden = Golden.read(document)
        if golden is None or golden.sha256 != document.sha256:
            recorded = golden.version if golden else "nothing"
            left_out.append(
                f"{document.title}: recorded of {recorded}, here {document.version or 'absent'}"
            )
            continue
        ours = await elements(tab, document)
        compared[document] = Agreement.between(golden.elements, ours)
    for document, agreement in compared.items():
        counts = f"{agreement.matches} {agreement.missing} {agreement.extra}"
        record_property(document.title, f"{agreement.score:.4f} {counts}")

    together = sum(compared.values(), Agreement(0, 0, 0))
    real = [document for document in compared if document.package]
    assert len(real) >= FEWEST_REAL_DOCUMENTS, left_out
    assert len(compared) - len(real) >= FEWEST_OWN_PAGES, left_out
    assert together.matches + together.missing >= FEWEST_ELEMENTS, left_out
    assert together.score >= IN_ALL, together.mismatches
    poor = {doc.title: a.mismatches for doc, a in compared.items() if a.score < PER_DOCUMENT}
    assert not poor
    known = explained()
    assert {doc.title: list(a.mismatches) for doc, a in compared.items() if a.mismatches} == {
        doc.title: known[doc.title] for doc in compared if doc.title in known
    }


async def test_both_sides_mean_the_same_by_interactive(tab: Tab) -> None:
    await tab.show("<p>any")
    await tab.agent.call(tab.page.main_frame, "aria_elements")
    ours = await tab.page.main_frame.call("() => stockade.modules.Aria.roles")
    assert set(ours) == INTERACTIVE
