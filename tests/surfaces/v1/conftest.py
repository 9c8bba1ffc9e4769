"""A server that allows files, for the tests of REST."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from stockade.masking.masker import Masker
from stockade.policy.capabilities import Capability
from tests.support.serving import Served, served


@pytest.fixture(scope="module")
def masker() -> Masker:
    """What knows the secrets of the server."""
    return Masker()


@pytest.fixture(scope="module")
async def mighty_server(
    tmp_path_factory: pytest.TempPathFactory, masker: Masker
) -> AsyncIterator[Served]:
    """One with every capability, and room for files of 32 MB."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stockade.server.Masker", lambda: masker)
        async with served(
            tmp_path_factory.mktemp("workspace"),
            capabilities=tuple(map(str, Capability)),
            upload_quota=32_000_000,
        ) as server:
            yield server
