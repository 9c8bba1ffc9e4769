"""What is worth saying of an element."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.kernel.element_result import noteworthy

ROW = {"kind": "row", "rowKey": "Tea", "rowText": "Tea 4.20", "changed": True}


@pytest.mark.parametrize(
    ("element", "told"),
    [
        ({"stillAttached": True, "focused": False, "value": None}, {}),
        ({"stillAttached": False, "focused": True}, {"stillAttached": False, "focused": True}),
        ({"value": "", "valueRequested": ""}, {"value": ""}),
        ({"value": "AB", "valueRequested": "ab"}, {"value": "AB", "valueRequested": "ab"}),
        ({"value": "M", "displayText": "Size M"}, {"value": "M"}),
        ({"value": None, "displayText": "Open"}, {"displayText": "Open"}),
        ({"checked": False}, {"checked": False}),
        ({"container": ROW}, {"container": ROW}),
        ({"container": {**ROW, "changed": False}}, {}),
    ],
)
def test_what_is_usual_or_unchanged_is_left_out(
    element: dict[str, Any], told: dict[str, Any]
) -> None:
    assert noteworthy(element) == told
