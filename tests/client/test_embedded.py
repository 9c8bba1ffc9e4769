"""A kernel in the program's own process."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.client.embedded import Embedded
from stockade.config import load
from stockade.errors import InternalError
from tests.support.levels import LEVEL
from tests.support.site import Site


async def test_it_lives_between_open_and_close(tmp_path: Path, site: Site) -> None:
    embedded = Embedded(load(workspace=tmp_path / "workspace", isolation=LEVEL))
    with pytest.raises(InternalError, match="not open"):
        await embedded.call(None, "list_sessions", {})
    await embedded.open()
    try:
        page = site.page("/", "<title>One</title>")
        await embedded.call("default", "navigate", {"url": page})
        # What works outside of any session is told of none.
        rows = (await embedded.call("default", "list_sessions", {})).data
        assert rows is not None
        assert [row["url"] for row in rows["sessions"]] == [page]
    finally:
        await embedded.close()
    with pytest.raises(InternalError, match="not open"):
        await embedded.call(None, "list_sessions", {})
