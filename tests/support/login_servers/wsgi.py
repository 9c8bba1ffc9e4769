"""A server for an application, on a port of loopback that is free."""

from __future__ import annotations

import sys
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def serve(application: Any) -> None:
    """Serve it for good, and print where."""
    with make_server("127.0.0.1", 0, application, _Server, _Silent) as server:
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
        sys.stdout.flush()
        server.serve_forever()
