"""Values in the form that storage state files have."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.errors import ScriptFailed
from stockade.page.scripts import script

VALUES = f"({script('encoded_values')})(({script('binary')})())"


@pytest.mark.parametrize(
    ("source", "encoded"),
    [
        ("null", {"v": "null"}),
        ("undefined", {"v": "undefined"}),
        ("[NaN, -0]", {"a": [{"v": "NaN"}, {"v": "-0"}], "id": 1}),
        ("new Date(0)", {"d": "1970-01-01T00:00:00.000Z"}),
        ("5n", {"bi": "5"}),
        ("/a/g", {"r": {"p": "a", "f": "g"}}),
        ("({ a: 'b' })", {"o": [{"k": "a", "v": "b"}], "id": 1}),
        ("new Uint8Array([1, 2]).buffer", {"ab": {"b": "AQI="}}),
        ("new Int16Array([1])", {"ta": {"b": "AQA=", "k": "i16"}}),
        ("new Map([[1, new Set([2])]])", {"map": [[1, {"set": [2], "id": 2}]], "id": 1}),
        ("(() => { const a = []; a.push(a); return a; })()", {"a": [{"ref": 1}], "id": 1}),
        ("new File(['hi'], 'a.txt')", {"blob": {"t": "", "n": "a.txt", "b": "aGk="}}),
    ],
)
async def test_there_and_back(page: Page, source: str, encoded: Any) -> None:
    assert await page.main_frame.call(f"async () => {VALUES}.encode({source})") == encoded
    again = (
        f"async given => {{ const values = {VALUES}; return values.encode(values.decode(given)); }}"
    )
    assert await page.main_frame.call(again, encoded) == encoded


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("({ a: [1, 'b', null, true] })", True),
        ("({ a: undefined })", False),
        ("[, 1]", False),
        ("[NaN]", False),
        ("new Date(0)", False),
        ("(() => { const a = {}; a.a = a; return a; })()", False),
    ],
)
async def test_what_is_plain_json(page: Page, source: str, plain: bool) -> None:
    assert await page.main_frame.call(f"() => {VALUES}.isPlain({source})") is plain


async def test_what_cannot_be_taken_out(page: Page) -> None:
    with pytest.raises(ScriptFailed, match="DOMRect"):
        await page.main_frame.call(f"async () => {VALUES}.encode(new DOMRect())")
    with pytest.raises(ScriptFailed, match="not known"):
        await page.main_frame.call(f"() => {VALUES}.decode({{ odd: 1 }})")


async def test_a_long_list(page: Page) -> None:
    count = f"async () => {VALUES}.decode({{ a: new Array(200000).fill(1), id: 1 }}).length"
    assert await page.main_frame.call(count) == 200_000
