"""One-time codes (TOTP), made of the seed that a site gave when they were set up."""

from __future__ import annotations

from stockade.errors import InvalidArgument

__all__ = ["code_of", "code_or_none"]


def code_of(seed: str) -> str:
    """The code of this moment; a seed is base32 or an `otpauth:` address.

    Raises:
        InvalidArgument: it is no seed.
    """
    code = code_or_none(seed)
    if code is None:
        raise InvalidArgument(
            "the value is no seed of one-time codes",
            hint="It is base32, or begins with otpauth://totp.",
        )
    return code


def code_or_none(seed: str) -> str | None:
    """The same; nothing where it is no seed."""
    import pyotp  # noqa: PLC0415 - few need it

    try:
        made = pyotp.parse_uri(seed) if seed.startswith("otpauth:") else pyotp.TOTP(seed)
        return made.now() if isinstance(made, pyotp.TOTP) else None
    except (ArithmeticError, ValueError, TypeError):
        # What was raised may say the seed.
        return None
