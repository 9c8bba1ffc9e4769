"""The manual: a page that needs nothing but this server."""

from __future__ import annotations

from html.parser import HTMLParser

import httpx
import pytest

from stockade.engines.events import ConsoleMessage
from stockade.engines.port import Page
from stockade.surfaces.console.manual import kind_of, written
from tests.support.serving import Served

DOCUMENT = {
    "info": {"version": "1", "description": "About <it>"},
    "tags": [
        {"name": "things", "description": "Things & more."},
        {"name": "none", "description": "Nothing."},
    ],
    "components": {
        "schemas": {"Size": {"type": "object"}},
        "parameters": {
            "Key": {"name": "key", "in": "header", "schema": {"type": "string"}},
        },
    },
    "paths": {
        "/things/{id}": {
            "post": {
                "operationId": "make",
                "summary": "Make <b>one</b>",
                "tags": ["things"],
                "parameters": [{"$ref": "#/components/parameters/Key"}],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "required": ["size"],
                                "properties": {"size": {"$ref": "#/components/schemas/Size"}},
                            },
                            "example": {"size": "</code><script>"},
                        }
                    }
                },
                "responses": {"201": {"content": {"application/json": {"example": 1}}}, "404": {}},
            }
        }
    },
}


def test_what_the_document_says_is_text() -> None:
    page = written(DOCUMENT)
    assert "Make &lt;b&gt;one&lt;/b&gt;" in page
    assert "About &lt;it&gt;" in page
    assert "<script" not in page
    assert "<code>size</code></th><td>body</td><td>object</td><td>yes</td>" in page
    assert "<code>key</code></th><td>header</td><td>string</td><td></td>" in page
    assert "Statuses: 201, 404" in page
    assert "Nothing." not in page


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "string"),
        ({"enum": ["a", 1]}, "a | 1"),
        ({"const": "a"}, "a"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "string | integer"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Size"}}, "list of object"),
        ({"type": ["string", "null"]}, "string | null"),
        ({}, "any"),
    ],
)
def test_a_schema_in_words(schema: dict[str, object], words: str) -> None:
    assert kind_of(DOCUMENT, schema) == words


class Addresses(HTMLParser):
    """Everything that a page would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "iframe", "object", "embed"}
        self.found += [value or "" for name, value in attrs if name in {"src", "href"}]


async def visitor(server: Served) -> httpx.Cookies:
    link = (await server.client.post("/v1/logins")).json()["url"]
    async with httpx.AsyncClient(trust_env=False) as client:
        await client.get(link)
        return client.cookies


async def test_it_is_for_those_who_may_call(server: Served, open_server: Served) -> None:
    closed = await server.stranger.get("/docs")
    assert (closed.status_code, "Log in first" in closed.text) == (401, True)
    assert closed.headers["www-authenticate"].startswith("Bearer")
    assert "call_click" not in closed.text
    _, agent = await server.key(name="manual reader")
    by_token = await server.stranger.get("/docs", headers=agent)
    async with httpx.AsyncClient(cookies=await visitor(server), trust_env=False) as browser:
        by_cookie = await browser.get(f"{server.url}/docs")
    without = await open_server.stranger.get("/docs")
    for answer in (by_token, by_cookie, without):
        assert answer.status_code == 200
        assert 'id="call_click"' in answer.text


async def test_it_asks_for_nothing_elsewhere(server: Served) -> None:
    addresses = Addresses()
    addresses.feed((await server.client.get("/docs")).text)
    assert addresses.found
    assert all(each.startswith(("/", "#")) for each in addresses.found)


async def test_it_is_shown_in_a_browser(open_server: Served, page: Page) -> None:
    said: list[str] = []
    page.events.on(ConsoleMessage, lambda event: said.append(event.text))
    await page.navigate(f"{open_server.url}/docs", timeout=20)
    count = await page.main_frame.call(
        "() => document.querySelectorAll('details.operation').length", timeout=5
    )
    styled = await page.main_frame.call(
        "() => getComputedStyle(document.querySelector('.card')).borderRadius", timeout=5
    )
    assert count > 50
    assert styled != "0px"
    assert said == []
