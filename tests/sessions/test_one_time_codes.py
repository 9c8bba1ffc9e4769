"""Codes of a seed, as sites give them out."""

from __future__ import annotations

import pyotp
import pytest

from stockade.errors import InvalidArgument
from stockade.sessions.one_time_codes import code_of

SEED = "JBSWY3DPEHPK3PXP"


@pytest.mark.parametrize("given", [SEED, f"otpauth://totp/Shop:ada?secret={SEED}&issuer=Shop"])
def test_the_code_of_the_moment(given: str) -> None:
    before, code, after = pyotp.TOTP(SEED).now(), code_of(given), pyotp.TOTP(SEED).now()
    assert code in {before, after}


@pytest.mark.parametrize(
    "given", ["not a seed!", "otpauth://hotp/a?secret=A&counter=1", "otpauth:"]
)
def test_what_is_no_seed(given: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        code_of(given)
    assert given not in str(caught.value)
