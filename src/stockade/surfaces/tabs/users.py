"""Users of the tab API: whatever a client calls its user, and the session that stands for it."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Final

__all__ = ["session_of", "user_in"]

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:-]{0,99}")
_OURS: Final = ("u:", "ses_")
"""How names begin that mean something else: the digests made here, and the ids of sessions."""
_LARGEST_WHOLE: Final = 1e21


def user_in(value: Any) -> str:
    """What a client sent as its user, as text; nothing where that is blank or missing."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value if value.strip() else ""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST_WHOLE:
        # The original's numbers have no kinds: 7 and 7.0 are the same user.
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def session_of(user: str) -> str:
    """The name of a user's session: its own where a session may be called so, else a digest.

    Two users never share one: what looks like a digest, or like an id, is digested too.
    """
    if _NAME.fullmatch(user) and not user.startswith(_OURS):
        return user
    return f"u:{hashlib.sha256(user.encode(errors='surrogatepass')).hexdigest()}"
