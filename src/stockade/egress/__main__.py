"""`python -m stockade.egress [uid]`: the control socket is descriptor 3."""

from __future__ import annotations

# Whoever has given up its rights may not be able to read these any more, as where Python lies in a
# home directory: dialling encodes names, and a proxy may be spoken to over TLS.
import encodings.idna  # noqa: F401
import signal
import ssl  # noqa: F401
import sys

import uvloop

from stockade.egress.process import confine, serve

_CONTROL = 3


def main() -> int:
    """Give up what is not needed, then serve."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    confine(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    return uvloop.run(serve(_CONTROL))


if __name__ == "__main__":
    sys.exit(main())
