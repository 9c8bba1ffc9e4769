"""Reading Playwright's snapshots and counting agreement, without Playwright."""

from __future__ import annotations

import pytest

from tests.oracle.agreement import Agreement, Mismatch
from tests.oracle.answers import Entry, entries, merge
from tests.oracle.corpus import Element, Golden, documents

AI = """\
- generic [active] [ref=e1]:
  - link [ref=e2] [cursor=pointer]:
    - /url: x
    - code [ref=e3]: name below
  - 'button "it''s: quoted \\"so\\"" [ref=e4]'
  - generic [aria-hidden] [ref=e5]:
    - link [ref=e6]: muted
  - checkbox "on" [checked] [ref=e7]
  - paragraph [ref=e8]: "- link \\"not one\\""
"""
FULL = """\
- link "name below":
  - /url: x
  - code: name below
- 'button "it''s: quoted \\"so\\""'
- checkbox "on" [checked]
"""
QUOTED = 'it\'s: quoted "so"'


def test_entries_are_the_interactive_lines() -> None:
    assert entries(AI) == [
        Entry("link", "", muted=False),
        Entry("button", QUOTED, muted=False),
        Entry("link", "", muted=True),
        Entry("checkbox", "on", muted=False),
    ]


def test_names_that_the_ai_snapshot_leaves_out_come_from_the_other() -> None:
    assert merge(entries(AI), entries(FULL)) == [
        Element("link", "name below"),
        Element("button", QUOTED),
        Element("link", ""),
        Element("checkbox", "on"),
    ]


def test_snapshots_of_different_documents_do_not_merge() -> None:
    with pytest.raises(ValueError, match="alone"):
        merge(entries(AI), entries(FULL.replace('checkbox "on"', 'checkbox "other"')))


def test_agreement_counts_both_ways() -> None:
    a, b, c, d = (Element("link", name) for name in "abcd")
    agreement = Agreement.between([a, b, c], [a, d, c, d])
    assert (agreement.matches, agreement.missing, agreement.extra) == (2, 1, 2)
    assert agreement.score == 2 / 5
    assert agreement.mismatches == (Mismatch((b,), (d,)), Mismatch((), (d,)))
    assert (agreement + agreement).matches == 4
    assert Agreement.between([], []).score == 1


def test_every_document_has_an_answer_of_its_own() -> None:
    goldens = {document.golden for document in documents()}
    assert len(goldens) == len(documents())
    assert all(Golden.read(document) is not None for document in documents())


def test_recording_is_reproducible() -> None:
    document = documents()[-1]
    golden = Golden.read(document)
    assert golden is not None
    before = document.golden.read_bytes()
    golden.write(document)
    assert document.golden.read_bytes() == before
