"""The manner of errors: at the tab API's addresses whatever layer refuses, elsewhere as ever."""

from __future__ import annotations

import json

import pytest
from starlette.types import Receive, Scope, Send

from stockade.errors import InvalidArgument
from stockade.surfaces.answers import refused
from stockade.surfaces.tabs.manner import Manner


@pytest.mark.parametrize(("path", "status"), [("/tabs", 400), ("/act", 400), ("/v1/tabs", 422)])
async def test_an_error_is_told_as_its_surface_tells_it(path: str, status: int) -> None:
    sent = []

    async def layer(scope: Scope, receive: Receive, send: Send) -> None:
        await refused(scope, InvalidArgument("no"))(scope, receive, send)

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        sent.append(message)

    await Manner(layer)({"type": "http", "path": path}, receive, send)
    start, body = sent
    assert start["status"] == status  # type: ignore[index]
    assert json.loads(body["body"])["error"] == "no"  # type: ignore[index]
