"""A client that starts a server, opens a tab in it, says so, and waits to be killed."""

from __future__ import annotations

import json
import subprocess
import sys

server = subprocess.Popen(
    [sys.executable, "-m", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE
)
to_server, from_server = server.stdin, server.stdout


def ask(number: int, method: str, **params: object) -> None:
    assert to_server is not None
    assert from_server is not None
    body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    to_server.write(json.dumps(body).encode() + b"\n")
    to_server.flush()
    assert "result" in json.loads(from_server.readline())


about = {"name": "client", "version": "1"}
ask(1, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=about)
ask(2, "tools/call", name="tabs", arguments={"action": "new"})
sys.stdout.write("ready\n")
sys.stdout.flush()
sys.stdin.read()
