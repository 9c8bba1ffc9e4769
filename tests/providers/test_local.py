"""Codes from seeds."""

from __future__ import annotations

import base64
import hmac
import time
from typing import Any

import pytest

from stockade.errors import Missing, NotConfigured, ProviderFailed
from stockade.providers.local import Local

SECRET = b"12345678901234567890"
SEED = base64.b32encode(SECRET).decode()


def code_at(moment: float, digest: str = "sha1", digits: int = 6, period: int = 30) -> str:
    """RFC 6238, as it is written there."""
    made = hmac.digest(SECRET, int(moment // period).to_bytes(8, "big"), digest)
    start = made[-1] & 15
    number = int.from_bytes(made[start : start + 4], "big") & 0x7FFFFFFF
    return str(number)[-digits:].zfill(digits)


def test_the_reckoning_of_this_test_is_that_of_the_standard() -> None:
    assert [code_at(each, digits=8) for each in (59, 1111111109)] == ["94287082", "07081804"]


@pytest.mark.parametrize(
    ("seed", "how"),
    [
        (SEED, {}),
        (f"otpauth://totp/Shop:ada?secret={SEED}&issuer=Shop", {}),
        (
            f"otpauth://totp/x?secret={SEED}&digits=8&period=60&algorithm=SHA256",
            {"digest": "sha256", "digits": 8, "period": 60},
        ),
    ],
)
async def test_a_code_is_that_of_the_moment(seed: str, how: dict[str, Any]) -> None:
    before = time.time()
    code = await Local({"shop": seed}).code("shop")
    assert code in {code_at(before, **how), code_at(time.time(), **how)}


async def test_what_is_not_there_or_broken_is_told_without_the_seed() -> None:
    local = Local({"bad": "A1", "period": f"otpauth://totp/x?secret={SEED}&period=0"})
    assert (local.knows("bad"), local.knows("shop")) == (True, False)
    with pytest.raises(Missing):
        await local.code("shop")
    for account in ("bad", "period"):
        with pytest.raises(ProviderFailed) as caught:
            await local.code(account)
        assert SEED not in str(caught.value.as_dict())
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None
    with pytest.raises(NotConfigured):
        await local.login("bad")
