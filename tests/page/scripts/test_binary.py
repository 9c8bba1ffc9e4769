"""Bytes as base64."""

from __future__ import annotations

import base64

import pytest

from stockade.engines.port import Page
from stockade.errors import ScriptFailed
from stockade.page.scripts import script

THERE = f"bytes => ({script('binary')})().encode(new Uint8Array(bytes))"
BACK = f"text => [...({script('binary')})().decode(text)]"


@pytest.mark.parametrize("content", [b"", b"a", b"\x00\xff" * 40_000])
async def test_there_and_back(page: Page, content: bytes) -> None:
    text = base64.b64encode(content).decode()
    assert await page.main_frame.call(THERE, list(content)) == text
    assert bytes(await page.main_frame.call(BACK, text)) == content


async def test_what_is_not_base64(page: Page) -> None:
    with pytest.raises(ScriptFailed, match="not base64"):
        await page.main_frame.call(BACK, "?")
