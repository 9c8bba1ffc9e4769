from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from stockade.cli.checks import browser as checks
from stockade.cli.checks.finding import Finding
from stockade.config import Settings, load
from stockade.errors import LaunchFailed


async def found(settings: Settings) -> list[Finding]:
    return [each async for each in checks.browser(settings)]


@pytest.mark.parametrize(("isolation", "where"), [("auto", "in a jail"), ("process", "starts and")])
async def test_the_browser_of_this_machine(tmp_path: Path, isolation: str, where: str) -> None:
    findings = await found(load(workspace=tmp_path, isolation=isolation))
    assert [(each.name, each.state) for each in findings] == [
        ("browser", "ok"),
        ("start", "ok"),
        ("sandbox", "ok"),
    ]
    assert "Chromium" in findings[0].said or "Chrome" in findings[0].said
    assert where in findings[1].said


async def test_no_browser_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> Path:
        raise LaunchFailed("no Chromium found", hint="Install one.")

    monkeypatch.setattr(checks, "find_binary", nothing)
    assert await found(load(workspace=tmp_path)) == [
        Finding("browser", "problem", "no Chromium found", "Install one.")
    ]


async def test_a_browser_that_does_not_start_says_why(tmp_path: Path) -> None:
    # Readable for the browser's uid, which no test's own folder is.
    script = Path(os.environ["TMPDIR"]) / "broken-browser"
    script.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 1.2.3.4" && exit\necho "no display" >&2\nexit 1\n'
    )
    script.chmod(0o755)
    try:
        findings = await found(load(workspace=tmp_path, chromium=script, isolation="process"))
    finally:
        script.unlink()
    assert [(each.name, each.state) for each in findings] == [
        ("browser", "ok"),
        ("start", "problem"),
    ]
    assert findings[1].said.endswith("no display")


def test_a_process_without_renderers_is_a_problem() -> None:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as childless:
        assert checks.renderer_walls(childless.pid).state == "problem"
        childless.communicate()
