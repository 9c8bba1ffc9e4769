"""`python -m stockade.egress [uid]`: the control socket is descriptor 3."""

from __future__ import annotations

import signal
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
