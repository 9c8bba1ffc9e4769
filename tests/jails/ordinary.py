"""A server of an ordinary user, whose session is in a jail: `python ordinary.py FOLDER`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

from stockade.config import load
from stockade.kernel.dispatch import Kernel
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from tests.support.site import Site

_PAGE = "<title>Home</title><a href=/file download=f.txt>Get</a><input type=file>"
_READ = "document.querySelector('input').files[0].text()"


async def _main(folder: Path) -> dict[str, Any]:
    settings = load(workspace=folder / "workspace", egress_allow=("127.0.0.1:*",))
    async with Site.serve() as site, running_kernel(settings) as kernel:
        site.page("/", _PAGE)
        site.page("/file", b"x" * 1000, content_type="application/octet-stream")
        given = [{"name": "up.txt", "content": b64encode(b"hello").decode()}]
        await _ok(kernel, "navigate", url=site.url("/"))
        clicked = await _ok(kernel, "click", selector="a")
        await _ok(kernel, "upload_file", selector="input", files=given)
        read = await _ok(kernel, "eval_js", expr=_READ)
        denied = await kernel.call(_AGENT, "navigate", {"url": "http://10.0.0.1/"})
        return {
            "uid": os.geteuid(),
            "level": kernel.settings.isolation,
            "downloaded": clicked["downloads"][0]["sizeBytes"],
            "uploaded": read["value"],
            "denied": denied.error.code if denied.error is not None else "",
        }


_AGENT = Principal("agent", policy=Policy(capabilities=frozenset(Capability)))


async def _ok(kernel: Kernel, tool: str, **given: Any) -> dict[str, Any]:
    reply = await kernel.call(_AGENT, tool, given)
    assert reply.ok, reply.text
    return reply.data or {}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_main(Path(sys.argv[1])))))  # noqa: T201
