"""Everything that is written is in the workspace: the rest of the system can be read-only."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.extension import write_extension
from tests.support.site import LOOPBACK, Site

COMMAND = Path(sys.executable).parent / "stockade"
BWRAP = shutil.which("bwrap")
PATIENCE = 60.0

PAGE = """<title>Letters</title><h1>Letters</h1>
<label>Letter <input type=file onchange="out.textContent = this.files[0].name"></label>
<a href="/download?name=report.txt" download>Report</a><p role=status id=out></p>"""

FIRST = 'for each in . "$HOME" "$TMPDIR" /tmp; do touch "$each/x" 2>/dev/null && exit 9; done'


class Hermit:
    """A server that can write nowhere but to its workspace."""

    def __init__(self, url: str, token: str, client: httpx.AsyncClient) -> None:
        self._url = url
        self._headers = {"authorization": f"Bearer {token}"}
        self._client = client

    async def ok(self, tool: str, session: str = "default", **arguments: Any) -> Any:
        """Make a call that must succeed."""
        path = f"{self._url}/v1/sessions/{session}/tools/{tool}"
        answer = await self._client.post(path, json=arguments, headers=self._headers)
        assert answer.status_code == 200, (tool, answer.text)
        return answer.json()

    async def opened(self, **about: Any) -> None:
        """Open a session."""
        answer = await self._client.post(
            f"{self._url}/v1/sessions", json=about, headers=self._headers
        )
        assert answer.status_code == 201, answer.text


def alone(workspace: Path, elsewhere: Path) -> list[str]:
    """What makes the whole system read-only for a command, but for the workspace."""
    assert BWRAP is not None
    rights = ["--cap-add", "ALL"] if os.geteuid() == 0 else []
    return [
        BWRAP, *rights, "--die-with-parent",
        "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--tmpfs", "/dev/shm",
        "--proc", "/proc", "--bind", str(workspace), str(workspace), "--chdir", str(elsewhere),
        "--", "/bin/sh", "-c", f'{FIRST}; exec "$@"', "sh",
    ]  # fmt: skip


@asynccontextmanager
async def hermit(workspace: Path, elsewhere: Path) -> AsyncIterator[Hermit]:
    process = await asyncio.create_subprocess_exec(
        *alone(workspace, elsewhere), COMMAND, "serve", "--port", "0", "--json",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=elsewhere,
        env={
            "HOME": str(elsewhere),
            "TMPDIR": str(elsewhere),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "STOCKADE_WORKSPACE": str(workspace),
            "STOCKADE_CAPABILITIES": "all",
            "STOCKADE_TOOLSETS": "all",
            "STOCKADE_ISOLATION": "shared",
            "STOCKADE_EGRESS_ALLOW": LOOPBACK,
            "STOCKADE_CALL_DEADLINE": "60",
        },
    )  # fmt: skip
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            line = await process.stdout.readline()
        assert line, await process.communicate()
        token = (workspace / "admin.token").read_text(encoding="utf-8").strip()
        async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
            yield Hermit(json.loads(line)["url"], token, client)
    finally:
        if process.returncode is None:
            # To the server itself: the walls around it pass nothing on.
            [inner] = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            os.kill(int(inner), signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            _, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()


@pytest.mark.skipif(BWRAP is None, reason="needs bubblewrap")
async def test_a_server_that_can_write_to_its_workspace_alone(tmp_path: Path, site: Site) -> None:
    """Under a closed directory and a long name too, where its browsers run as somebody else."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    closed = tmp_path / "closed"
    workspace = closed / ("deep" * 20) / "workspace"
    workspace.mkdir(parents=True)
    closed.chmod(0o700)
    workspace.chmod(0o700)
    write_extension(workspace / "extensions" / "tint")
    site.page("/page", PAGE)
    async with hermit(workspace, elsewhere) as server:
        await server.opened(session="main", mode="persistent")
        await server.ok("start_har", "main")
        await server.ok("navigate", "main", url=site.url("/page"))
        await server.ok("start_video", "main")
        await server.ok("perf_start", "main")
        await server.ok("screenshot", "main", path="picture.png")
        await server.ok(
            "upload_file", "main", selector="label=Letter", name="a.txt", content="YQ=="
        )
        clicked = await server.ok("click", "main", selector="role=link[name=Report]")
        assert "report.txt" in json.dumps(clicked)
        for tool in ("pdf_save", "heap_snapshot", "page_archive", "perf_stop", "stop_video"):
            await server.ok(tool, "main")
        await server.ok("stop_har", "main", inline=False)
        await server.ok("auth_save", "main", name="login")
        await server.ok("diagnostics_note", "main", insight="it works")
        await server.ok("extensions_install", "main", path="tint")
        await server.ok("navigate", "main", url=site.url("/page"))
        kept = {path.name for path in (workspace / "files").rglob("*") if path.is_file()}
        assert {"picture.png", "video.webm"} <= kept
    assert list(elsewhere.iterdir()) == []
    assert list((workspace / "scratch").iterdir()) == []
