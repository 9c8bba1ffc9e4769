"""Statuses: the document knows every status that an error has."""

from __future__ import annotations

from stockade.kernel.codes import CODES
from stockade.surfaces.v1.keys import KeyMade
from stockade.surfaces.v1.statuses import ALWAYS, LIST, NAMES, ONE, TOOL, codes_of, documented


def test_every_status_has_a_name() -> None:
    assert {row.status for row in CODES.values()} == NAMES.keys()
    assert len(set(NAMES.values())) == len(NAMES)


def test_a_tool_may_come_to_anything_but_what_concerns_other_things() -> None:
    assert NAMES.keys() - (ALWAYS | TOOL) == {416}
    assert LIST < ONE < TOOL


def test_codes_are_told_by_their_status() -> None:
    assert codes_of(401) == ["unauthenticated"]
    assert "stale_ref" in codes_of(409)
    assert sorted(code for status in NAMES for code in codes_of(status)) == sorted(CODES)


def test_a_route_is_documented_with_its_errors() -> None:
    found = documented(KeyMade, {404}, status=201, located=True)
    assert found[201]["model"] is KeyMade
    assert found[201]["description"] == "A key and its token, which is shown this once."
    assert "Location" in found[201]["headers"]
    assert found[404] == {"$ref": "#/components/responses/NotFound"}
    assert set(found) == {201, 404, *ALWAYS}
    assert set(documented(None)) == ALWAYS
