"""Long texts go out page by page, complete and masked."""

from __future__ import annotations

import re

import pytest

from stockade.masking.masker import Masker
from tests.support.callers import Caller


def pieces(text: str) -> str:
    return text.partition("\n<page ")[2].partition("\n")[2].rpartition("\n</page")[0]


async def test_pages_join_to_the_whole(caller: Caller) -> None:
    words = " ".join(f"word{each}" for each in range(3000))
    await caller.show(f"<p>{words}</p>", mode="none")
    found, token = "", ""
    while True:
        arguments = {"continuation": token} if token else {}
        text = await caller.text("page_text", maxResultTokens=400, **arguments)
        assert len(text) < 400 * 4 + 400
        found += pieces(text).partition("\n\n")[2] if not token else pieces(text)
        more = re.search(r"continuation=(p\d+\.\d+)", text)
        if more is None:
            break
        token = more[1]
    assert found.replace("\n", " ").split() == words.split()


async def test_only_the_last_texts_are_kept(caller: Caller) -> None:
    await caller.show("<p>" + "word " * 900, mode="none")
    tokens = []
    for _ in range(5):
        text = await caller.text("page_text", maxResultTokens=100)
        tokens += re.findall(r"continuation=(p\d+\.\d+)", text)
    assert (await caller.refused("page_text", continuation=tokens[0]))["code"] == "invalid_argument"
    assert (await caller.reply("page_text", continuation=tokens[1])).ok
    for wrong in ("p1", "x", "p1.999999999", "p-1.0"):
        assert (await caller.refused("page_text", continuation=wrong))["code"] == "invalid_argument"


async def test_a_secret_is_masked_before_the_text_is_cut(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "correct horse battery staple"
    masker = Masker()
    masker.add("PHRASE", secret)
    monkeypatch.setattr(caller.kernel, "masker", masker)
    await caller.show(f"<p>{f'word {secret} ' * 200}</p>", mode="none")
    text = await caller.text("page_text", maxResultTokens=100)
    token = re.search(r"continuation=(p\d+\.\d+)", text)
    assert token is not None
    more = await caller.text("page_text", continuation=token[1], maxResultTokens=107)
    assert "word <PHRASE> word" in more
    for part in ("correct", "horse", "battery", "staple"):
        assert part not in text + more
