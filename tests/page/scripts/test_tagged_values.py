"""Values as JSON with tags."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.errors import ScriptFailed
from stockade.page.scripts import script

VALUES = f"({script('tagged_values')})(({script('binary')})())"


async def encoded(page: Page, source: str) -> Any:
    return await page.main_frame.call(f"async () => {VALUES}.encode({source})")


@pytest.mark.parametrize(
    "tagged",
    [
        None,
        "text",
        [1, [2, {"a": {"b": True}}]],
        {"$date": "2026-01-31T12:00:00.000Z"},
        {"$date": None},
        {"$binary": "AAECAw=="},
        {"$binary": "AAECAw==", "type": "Int32Array"},
        {"$binary": "AAECAw==", "type": "DataView"},
        {"$bigint": "-7"},
        {"$undefined": True},
        {"$number": "-Infinity"},
        {"$map": [[{"$date": "2026-01-31T12:00:00.000Z"}, {"$set": [1, {"a": 2}]}]]},
        {"$regexp": "a+b", "flags": "u"},
        {"$error": "no", "name": "TypeError"},
        {"$blob": {"type": "text/plain", "base64": "aGk="}},
        {"$object": {"$date": "x", "$other": [{"$bigint": "1"}]}},
        {"__proto__x": 1, "constructor": 2},
    ],
)
async def test_there_and_back(page: Page, tagged: Any) -> None:
    function = f"async tagged => {{ const values = {VALUES}; return values.encode(values.decode(tagged)); }}"
    assert await page.main_frame.call(function, tagged) == tagged


async def test_what_json_cannot_say(page: Page) -> None:
    assert await encoded(page, "[, 1]") == [{"$undefined": True}, 1]
    assert await encoded(page, "Object(5)") == 5
    assert await encoded(page, "new DOMRect()") == {"$unsupported": "DOMRect"}
    assert await encoded(page, "(() => { const a = []; a.push(a); return a; })()") == [
        {"$cycle": True}
    ]
    # The same thing twice is no cycle.
    assert await encoded(page, "(() => { const a = {}; return [a, a]; })()") == [{}, {}]


@pytest.mark.parametrize(
    "tagged",
    [
        {"$date": "never"},
        {"$binary": "?"},
        {"$binary": "AQ==", "type": "Int32Array"},
        {"$binary": "AQ==", "type": "eval"},
        {"$bigint": "1.5"},
        {"$number": "7"},
        {"$map": [1]},
        {"$regexp": "("},
        {"$unsupported": "CryptoKey"},
        {"$cycle": True},
    ],
)
async def test_what_is_not_well_formed(page: Page, tagged: Any) -> None:
    with pytest.raises(ScriptFailed):
        await page.main_frame.call(f"tagged => {{ {VALUES}.decode(tagged); }}", tagged)


@pytest.mark.parametrize(
    "key", [True, None, {"a": 1}, {"$number": "NaN"}, [[{"$undefined": True}]]]
)
async def test_what_is_no_key(page: Page, key: Any) -> None:
    with pytest.raises(ScriptFailed, match="a key is"):
        await page.main_frame.call(f"key => {{ {VALUES}.decodeKey(key); }}", key)
