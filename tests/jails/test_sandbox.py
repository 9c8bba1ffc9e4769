from __future__ import annotations

import os
from pathlib import Path

import pytest

from stockade.engines.port import Browser, Page
from stockade.jails.sandbox import Renderers, renderers


def tree(folder: Path, **status: str) -> Path:
    """A machine on which a renderer runs below process 1."""
    for name in ("self", "7"):
        (folder / name / "ns").mkdir(parents=True)
        (folder / name / "ns" / "user").symlink_to("user:[1]")
    (folder / "7" / "cmdline").write_bytes(b"chromium\0--type=renderer\0")
    rows = {"PPid": "1", "State": "S (sleeping)", **status}
    (folder / "7" / "status").write_text("".join(f"{n}:\t{v}\n" for n, v in rows.items()))
    return folder


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        ({"Seccomp": "2", "NSpid": "7\t1"}, ""),
        ({"Seccomp": "0", "NSpid": "7\t1"}, "a renderer runs without a seccomp filter"),
        ({"Seccomp": "2", "NSpid": "7"}, "a renderer shares our namespaces"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, status: dict[str, str], fault: str) -> None:
    assert renderers(1, proc=tree(tmp_path, **status)) == Renderers(1, fault)
    assert renderers(1, among=[7, 8], proc=tmp_path) == Renderers(1, fault)


def test_what_has_ended_or_is_another_s_is_none(tmp_path: Path) -> None:
    assert renderers(1, proc=tree(tmp_path, Seccomp="0", State="Z (zombie)")) == Renderers(0)
    assert renderers(2, proc=tmp_path) == Renderers(0)


async def test_a_real_browser_has_it(browser: Browser, page: Page) -> None:
    await page.main_frame.call("() => 1")
    found = renderers(browser.pid)
    assert found.count > 0
    assert found.fault == ""
    assert renderers(os.getpid(), among=[os.getpid()]).count == 0
