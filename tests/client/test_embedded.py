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


async def test_a_file_is_read_without_secrets(tmp_path: Path, site: Site) -> None:
    settings = load(
        workspace=tmp_path / "workspace",
        isolation=LEVEL,
        capabilities="file-io,secrets,read,action",
    )
    embedded = Embedded(settings)
    await embedded.open()
    try:
        text = "the key is s3cret-k3y-of-9"
        saved = await embedded.call("default", "artifact_save", {"name": "a.txt", "content": text})
        assert saved.data is not None
        uri = saved.data["uri"]
        assert await embedded.read(uri) == text.encode()
        secret = {"name": "KEY", "value": "s3cret-k3y-of-9", "scope": site.url("")}
        await embedded.call("default", "register_secret", secret)
        assert await embedded.read(uri) == b"the key is <KEY>"
    finally:
        await embedded.close()
