from __future__ import annotations

import os
from pathlib import Path

from stockade.engines.rooms import Beside
from tests.support.browsers import writable_by_browser


async def test_a_program_beside_us_has_its_directory_and_leaves_nothing(tmp_path: Path) -> None:
    under = writable_by_browser(tmp_path / "scratch")
    room = await Beside.made(61001, under)
    read, write = os.pipe()
    try:
        argv = ["/bin/sh", "-c", "pwd >&3; id -u >&3; echo x > file"]
        process = await room.start(argv, {"PATH": "/usr/bin:/bin"}, {3: write})
        assert await process.end(5) == 0, process.error_output
        said = os.read(read, 4096).decode().split()
    finally:
        os.close(read)
        os.close(write)
    assert said == [str(room.profile), "61001"]
    assert (room.profile / "file").exists()
    await room.destroy()
    await room.destroy()
    assert list(under.iterdir()) == []
