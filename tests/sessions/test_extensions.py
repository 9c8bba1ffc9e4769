from __future__ import annotations

import os
from pathlib import Path

from stockade.engines.values import LaunchOptions
from stockade.sessions.extensions import Unpacked


def test_the_browser_owns_what_it_is_given(tmp_path: Path) -> None:
    files = {"manifest.json": b"{}", "a/b/c.js": b"1"}
    folder = tmp_path / "given"
    Unpacked("x", "Tint", "1.0", "tint", files=files).write(folder, LaunchOptions.uid)
    assert {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()} == {
        *files
    }
    owner = LaunchOptions.uid if os.geteuid() == 0 else os.geteuid()
    assert {each.stat().st_uid for each in (folder, *folder.rglob("*"))} == {owner}
