from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.masking.background import Stopped
from stockade.masking.folding import folded
from stockade.masking.pieces import Pieces


@given(st.text(), st.integers(0, 20), st.integers(0, 9), st.integers(0, 9))
def test_pieces_overlap_and_are_folded_as_the_text_is(
    text: str, times: int, reach: int, more: int
) -> None:
    text *= times
    size = max(2 * reach, 1) + more
    pieces = Pieces(text, size, reach, folded)
    assert pieces.folded == folded(text)
    end = 0
    for piece in pieces:
        assert piece.start == end
        end = piece.stop
        assert piece.first == max(piece.start - reach, 0)
        assert piece.text == text[piece.first : piece.stop + reach]
        assert piece.folded == folded(piece.text)
    assert end >= len(text)


def test_no_character_is_folded_twice() -> None:
    seen: list[str] = []

    def fold(part: str) -> str:
        seen.append(part)
        return part

    text = "".join(map(chr, range(0x4E00, 0x5E00)))
    assert len(list(Pieces(text, 100, 50, fold))) > 40
    assert "".join(seen) == text


def test_a_text_that_is_hardly_longer_is_one_piece() -> None:
    [piece] = Pieces("A" * 130, 100, 30, folded)
    assert (piece.text, piece.folded) == ("A" * 130, "a" * 130)
    assert len(list(Pieces("A" * 131, 100, 30, folded))) == 2


def test_between_two_pieces_it_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = Pieces("A" * 1000, 100, 30, folded)

    def stop() -> None:
        raise Stopped

    monkeypatch.setattr("stockade.masking.pieces.check_stopped", stop)
    with pytest.raises(Stopped):
        list(pieces)
    with pytest.raises(Stopped):
        Pieces("A" * 1000, 100, 30, folded)
