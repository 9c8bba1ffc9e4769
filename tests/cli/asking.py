"""A command in the place of one that was forked: it says what is wanted and ends as that one ends.

It is run as a program, without an interpreter's usual baggage, and hands over its arguments, its
environment, its directory and its standard streams; signals are passed on.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys

_LENGTH = 8


def ask(path: str, arguments: list[str]) -> int:
    """Have the command started, and wait for its end."""
    wanted = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}  # noqa: PTH109
    text = json.dumps(wanted).encode()
    with socket.socket(socket.AF_UNIX) as asked:
        asked.connect(path)
        socket.send_fds(asked, [len(text).to_bytes(_LENGTH)], [0, 1, 2])
        asked.sendall(text)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda number, _: asked.sendall(bytes([number])))
        # Whoever reads waits for the last of those that could still write.
        os.closerange(0, 3)
        code = int(asked.recv(_LENGTH) or -signal.SIGKILL)
    if code < 0:
        if code != -signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    os._exit(ask(sys.argv[1], sys.argv[2:]))
