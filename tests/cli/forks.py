"""A process that has the whole command imported, and forks for whoever asks.

What a command imports takes longer than most of what it does. A fork is the same command in a
process of its own, with everything it needs already there.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

import stockade
from stockade.cli import main
from stockade.tools import registry

COMMAND = Path(sys.executable).parent / "stockade"
_LENGTH = 8


def serve(path: str) -> NoReturn:
    """Import everything, say so, and fork; a fork is ended when nobody waits for it any more."""
    for module in pkgutil.walk_packages(stockade.__path__, "stockade."):
        if not module.name.endswith("__main__") and ".migrations." not in module.name:
            importlib.import_module(module.name)
    registry()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        os.write(1, b"ready\n")
        while True:
            asking, _ = door.accept()
            if os.fork() == 0:
                door.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _accompany(asking)
            asking.close()


def _accompany(asking: socket.socket) -> NoReturn:
    """Start what is asked for, and stand between it and who asked."""
    length, streams, *_ = socket.recv_fds(asking, _LENGTH, 3)
    text = b""
    while len(text) < int.from_bytes(length):
        text += asking.recv(1 << 20)
    child = os.fork()
    if child == 0:
        asking.close()
        _command(json.loads(text), streams)
    for stream in streams:
        os.close(stream)
    end = os.pidfd_open(child)
    while end not in select.select([end, asking.fileno()], [], [])[0]:
        heard = asking.recv(1) or bytes([signal.SIGKILL])
        os.kill(child, heard[0])
        if heard[0] == signal.SIGKILL:
            break
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    asking.sendall(str(code).encode())
    os._exit(0)


def _command(wanted: dict[str, Any], streams: list[int]) -> NoReturn:
    """Be the command, from here to the end of the process."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # Those that there are know that they once led elsewhere.
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    sys.argv[:] = [str(COMMAND), *wanted["arguments"]]
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - the interpreter would do as much
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    for said in (sys.stdout, sys.stderr):
        said.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    serve(sys.argv[1])
