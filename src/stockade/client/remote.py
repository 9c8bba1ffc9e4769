"""A server, reached over HTTP."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import quote

import httpx

from stockade.client.answer import Answer, Image, Link
from stockade.errors import DeadlineExceeded, InvalidArgument, SetupError
from stockade.kernel.codes import error_of

__all__ = ["Remote"]

_CONNECT_SECONDS = 10.0
_CALL_SECONDS = 3700.0
"""A call has a deadline of its own, which the server keeps; this is for a server that hangs."""
_SCHEME = "stockade://"


class Remote:
    """The `/v1` surface of a server."""

    def __init__(self, url: str, token: str | None) -> None:
        self._url = url.rstrip("/")
        headers = {"authorization": f"Bearer {token}"} if token else {}
        timeout = httpx.Timeout(_CALL_SECONDS, connect=_CONNECT_SECONDS)
        # A proxy of the environment is for the web, not for the wall in front of it.
        self._http = httpx.AsyncClient(
            base_url=self._url, headers=headers, timeout=timeout, trust_env=False
        )

    async def open(self) -> None:
        """See whether the server answers, and takes the token."""
        await self._ask("GET", "/v1/tools?limit=1")

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def call(self, session: str | None, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool."""
        where = f"/v1/sessions/{quote(session, safe='')}" if session is not None else "/v1"
        response = await self._ask("POST", f"{where}/tools/{quote(tool, safe='')}", arguments)
        return _answer(response.json())

    async def read(self, uri: str) -> bytes:
        """The content of a file."""
        if not uri.startswith(_SCHEME):
            raise InvalidArgument("that is not the address of a file", hint="Give a result's uri.")
        return (await self._ask("GET", f"/v1/artifacts/{uri.removeprefix(_SCHEME)}")).content

    async def events(self, session: str | None) -> AsyncIterator[Mapping[str, Any]]:
        """What happens from now on."""
        where = f"/v1/sessions/{quote(session, safe='')}" if session is not None else "/v1"
        timeout = httpx.Timeout(None, connect=_CONNECT_SECONDS)
        async with self._http.stream("GET", f"{where}/events", timeout=timeout) as response:
            if response.is_error:
                await response.aread()
                raise error_of(_body(response))
            async for line in response.aiter_lines():
                if line.startswith("data:"):
                    yield json.loads(line.removeprefix("data:"))

    async def _ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> httpx.Response:
        try:
            response = await self._http.request(method, path, json=body)
        except httpx.TimeoutException:
            raise DeadlineExceeded(f"the server at {self._url} did not answer in time") from None
        except httpx.HTTPError as error:
            raise SetupError(
                f"the server at {self._url} cannot be reached ({type(error).__name__})",
                hint="Is it running? `stockade serve` starts one.",
            ) from None
        if response.is_error:
            raise error_of(_body(response))
        return response


def _body(response: httpx.Response) -> Mapping[str, Any]:
    try:
        body = response.json()
    except ValueError:
        body = None
    if isinstance(body, dict) and "code" in body:
        return body
    return {"error": f"the server answered {response.status_code}, which is not one of its answers"}


def _answer(body: dict[str, Any]) -> Answer:
    images = [
        Image(base64.b64decode(each["data"]), each["mimeType"]) for each in body.pop("images", ())
    ]
    links = [
        Link(each["uri"], each["name"], each["mimeType"], each.get("size"))
        for each in body.pop("links", ())
    ]
    # A tool that gives text says nothing else.
    if set(body) == {"ok", "text"}:
        return Answer(None, body["text"], tuple(images), tuple(links))
    return Answer(body, "", tuple(images), tuple(links))
