"""How much of anything the process takes, and how long it waits."""

from __future__ import annotations

from typing import Final

__all__: Final = [
    "CONNECTIONS",
    "CONNECTIONS_A_SECOND",
    "DENIALS",
    "DENIALS_A_SECOND",
    "DIAL_SECONDS",
    "FIRST_BYTE_SECONDS",
    "HEADERS",
    "HEAD_BYTES",
    "HEAD_SECONDS",
    "HELLO_BYTES",
    "IDLE_SECONDS",
    "KEPT",
    "KEPT_SECONDS",
    "SWEEP_SECONDS",
    "UNUSED_SECONDS",
    "WRITE_BYTES",
]

HEAD_BYTES: Final = 64 << 10
HEADERS: Final = 128
HEAD_SECONDS: Final = 10.0
"""From the first byte of a head, or of a ClientHello, to its last."""
HELLO_BYTES: Final = 32 << 10
UNUSED_SECONDS: Final = 300.0
"""For a client's connection between two requests."""
FIRST_BYTE_SECONDS: Final = 300.0
"""For a server to begin with its answer: some hold requests until there is news."""
IDLE_SECONDS: Final = 900.0
"""Without a byte in either direction."""
DIAL_SECONDS: Final = 20.0
CONNECTIONS: Final = 512
"""Of one session at a time; a browser opens 32 to a proxy, and 255 WebSockets."""
CONNECTIONS_A_SECOND: Final = 200.0
"""Of one session that has opened `CONNECTIONS` without a pause."""
DENIALS: Final = 300
"""That are answered at once, of one session: denials, and whatever cannot be reached."""
DENIALS_A_SECOND: Final = 100.0
KEPT: Final = 32
"""Unused connections to servers, of one session."""
KEPT_SECONDS: Final = 60.0
WRITE_BYTES: Final = 256 << 10
"""What may wait to be written before its source is not read any further."""
SWEEP_SECONDS: Final = 1.0
