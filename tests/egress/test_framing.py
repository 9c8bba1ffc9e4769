"""Where bodies end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.egress.framing import BadBody, Chunked, Framing, Sized, Unframed
from tests.egress.corpus.raw import BAD_CHUNKS


def fed(framing: Framing, *pieces: bytes) -> bytes:
    return b"".join(part for piece in pieces for part in framing.feed(piece))


def test_sized() -> None:
    body = Sized(5)
    assert fed(body, b"he", b"llo next") == b"hello"
    assert body.done
    assert body.rest == b" next"
    assert Sized(0).done


def test_unframed() -> None:
    body = Unframed()
    assert fed(body, b"a", b"b") == b"ab"
    assert not body.done


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=5), st.data())
def test_chunks_are_made_anew_however_they_arrive(parts: list[bytes], data: st.DataObject) -> None:
    sent = b"".join(b"%X;ext=1 \r\n%b\r\n" % (len(part), part) for part in parts)
    sent += b"0\r\nHost: 10.1.1.1\r\n\r\nnext"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent) - 5), max_size=6)))
    pieces = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    body, again = Chunked(), Chunked()
    written = fed(body, *pieces)
    assert body.done
    assert body.rest == b"next"
    assert b"Host" not in written or any(b"Host" in part for part in parts)
    assert fed(again, written) == written
    assert again.done
    assert not again.rest


@pytest.mark.parametrize("body", BAD_CHUNKS.values(), ids=BAD_CHUNKS)
def test_bodies_that_are_none(body: bytes) -> None:
    with pytest.raises(BadBody):
        fed(Chunked(), body)
