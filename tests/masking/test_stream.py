from __future__ import annotations

import random

import pytest

from stockade.masking import stream
from stockade.masking.masker import Masker
from tests.masking.spellings import SECRETS, SPELLINGS


@pytest.mark.parametrize("spelling", ["raw", "percent", "JSON", "decimal entities", "base64 at 1"])
def test_a_secret_that_is_cut_in_two_is_found(
    spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "PIECE", 2000)
    masker = Masker()
    masker.add("S", SECRETS["token"])
    written = SPELLINGS[spelling](SECRETS["token"])
    text = "".join(f"{'.' * 1500} {written} {'-' * 700}" for _ in range(9))
    chosen = random.Random(3)
    flow, told, at = masker.stream(), "", 0
    while at < len(text):
        step = chosen.randint(1, 900)
        told += flow.feed(text[at : at + step])
        at += step
    told += flow.end()
    assert told.count("<S>") == 9
    assert told == masker.text(text)


def test_a_long_text_is_masked_like_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    masker = Masker()
    masker.add("S", "hunter2hunter2")
    text = "ab hunter2hunter2 " * 500
    whole = masker.text(text)
    monkeypatch.setattr("stockade.masking.masker.PIECE", 100)
    monkeypatch.setattr(stream, "PIECE", 100)
    assert masker.text(text) == whole == "ab <S> " * 500
