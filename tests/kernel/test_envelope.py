"""The envelope: every call has an outcome, and nothing leaves unmasked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.kernel.envelope import Envelope
from stockade.kernel.results import Reply
from stockade.masking.masker import Masker
from stockade.policy.principal import Principal
from stockade.telemetry.metrics import Metrics

WHO = Principal("key1")


class Rows:
    """A trail that a test can read."""

    def __init__(self) -> None:
        self.outcomes: list[dict[str, Any]] = []

    async def intent(self, row: dict[str, Any]) -> None:
        raise AssertionError(row)

    async def outcome(self, row: dict[str, Any]) -> None:
        self.outcomes.append(row)


@pytest.fixture
def rows() -> Rows:
    return Rows()


@pytest.fixture
def envelope(rows: Rows) -> Envelope:
    masker = Masker()
    masker.add("TOKEN", "very-secret-token")
    return Envelope(masker, rows, Metrics("test"))


async def test_a_reply_is_an_outcome(envelope: Envelope, rows: Rows) -> None:
    async with envelope.around("call_1", WHO, "click", None) as sealed:
        sealed.reply = Reply("call_1", ok=True, text="{}")
        sealed.session = "ses_1"
    (row,) = rows.outcomes
    assert (row["outcome"], row["tool"], row["session"], row["principal"]) == (
        "ok",
        "click",
        "ses_1",
        "key1",
    )
    assert b'stockade_calls_total{outcome="ok",tool="click"} 1.0' in envelope.metrics.text()


async def test_an_error_becomes_a_masked_reply(envelope: Envelope, rows: Rows) -> None:
    async with envelope.around("call_1", WHO, "click", "call_0") as sealed:
        raise InvalidArgument("bad very-secret-token", where="very-secret-token")
    assert sealed.reply is not None
    assert not sealed.reply.ok
    assert "very-secret-token" not in sealed.reply.text
    assert "<TOKEN>" in sealed.reply.text
    assert (rows.outcomes[0]["outcome"], rows.outcomes[0]["parent"]) == (
        "invalid_argument",
        "call_0",
    )


async def test_a_fault_of_ours_says_nothing_of_itself(envelope: Envelope, rows: Rows) -> None:
    async with envelope.around("call_1", WHO, "click", None) as sealed:
        raise RuntimeError("inner details")
    assert sealed.reply is not None
    assert "inner details" not in sealed.reply.text
    assert "call_1" in sealed.reply.text
    assert rows.outcomes[0]["outcome"] == "internal_error"


async def test_a_cancelled_call_has_its_row_too(envelope: Envelope, rows: Rows) -> None:
    with pytest.raises(asyncio.CancelledError):
        async with envelope.around("call_1", WHO, "click", None):
            raise asyncio.CancelledError
    assert rows.outcomes[0]["outcome"] == "cancelled"


async def test_a_huge_error_is_cut(envelope: Envelope) -> None:
    async with envelope.around("call_1", WHO, "click", None) as sealed:
        raise InvalidArgument("x" * 100_000, many=list(range(10_000)))
    assert sealed.reply is not None
    assert len(sealed.reply.text) < 20_000


async def test_what_has_to_be_written_is_before_the_reply_leaves(envelope: Envelope) -> None:
    async def keep() -> list[str]:
        return ["very-secret-token was not kept"]

    async def broken() -> list[str]:
        raise RuntimeError("oh")

    async with envelope.around("call_1", WHO, "click", None) as sealed:
        sealed.keep = keep
        raise InvalidArgument("no")
    assert sealed.reply is not None
    assert (sealed.reply.data or {})["warnings"] == ["<TOKEN> was not kept"]
    async with envelope.around("call_1", WHO, "click", None) as sealed:
        sealed.keep = broken
        sealed.reply = Reply("call_1", ok=True, text="{}", data={})
    assert (sealed.reply.data or {})["warnings"] == ["the profile could not be kept"]
