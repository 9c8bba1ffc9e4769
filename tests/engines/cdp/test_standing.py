"""A browser that goes on after whoever started it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from stockade.engines.cdp.standing import Standing
from tests.support.persons import Person


async def test_it_listens_on_loopback_under_its_sandbox(person: Person) -> None:
    browser = person.browser
    command = Path(f"/proc/{browser.pid}/cmdline").read_text(encoding="utf-8").split("\0")
    assert not any("no-sandbox" in each for each in command)
    assert "--site-per-process" in command
    listening = [
        line.split()[1].partition(":")[0]
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/{browser.pid}/net/{table}").read_text("utf-8").splitlines()[1:]
        if line.split()[1].endswith(f":{browser.port:04X}") and line.split()[3] == "0A"
    ]
    assert listening == ["0100007F"]
    if os.geteuid() == 0:
        status = Path(f"/proc/{browser.pid}/status").read_text(encoding="utf-8")
        assert "Uid:\t0" not in status


async def test_it_is_remembered_and_told_from_another(person: Person) -> None:
    known = Standing.told(person.browser.facts)
    assert known == person.browser
    assert known.alive
    other = replace(known, pid=os.getpid())
    assert not other.alive
    other.stop()
    assert not replace(known, pid=2**22 + 1).alive
