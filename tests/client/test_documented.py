"""The program in the documentation runs."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

from tests.support.shop import open_shop
from tests.support.site import Site

PAGE = Path(__file__).parent.parent.parent / "docs" / "sdk.md"


async def test_the_first_program(site: Site, tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    program = found[1].replace("https://shop.example", open_shop(site))
    environment = {**os.environ, "STOCKADE_WORKSPACE": str(tmp_path / "workspace")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    assert b'button "Order now"' in said
    assert said.splitlines()[-1] == b"dialog Thank you"
