"""`python -m stockade.egress [uid]`: the control socket is descriptor 3."""

from __future__ import annotations

# Nothing can be read any more once it is confined: dialling encodes names.
import encodings.idna  # noqa: F401
import signal
import sys

from stockade.egress.process import run

_CONTROL = 3


def main() -> int:
    """Serve until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(_CONTROL, int(sys.argv[1]) if len(sys.argv) > 1 else None)


if __name__ == "__main__":
    sys.exit(main())
