"""The certificates that this machine trusts, read while files can be read."""

from __future__ import annotations

import ssl
from functools import cache
from pathlib import Path

__all__ = ["trusted_roots"]

_BUNDLE = "ca-certificates.crt"
_HASHED = "*.[0-9]"
"""How a directory of certificates names them."""


@cache
def trusted_roots() -> str:
    """All of them, one after another; empty where there are none."""
    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        return _text(Path(paths.cafile))
    if not paths.capath:
        return ""
    folder = Path(paths.capath)
    return _text(folder / _BUNDLE) or "\n".join(map(_text, sorted(folder.glob(_HASHED))))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="ignore")
    except OSError:
        return ""
