"""Who answers a request that is held, and how Chromium is told."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import pytest

from stockade.engines.cdp.routes import Routes, fulfilment
from stockade.engines.routing import Answer, HeldRequest, Route


class Fixed:
    """Answers for one address."""

    def __init__(self, url: str, answer: Answer, pattern: str = "*") -> None:
        self._url, self._answer, self._pattern = url, answer, pattern

    @property
    def patterns(self) -> Sequence[str]:
        return (self._pattern,)

    def matches(self, request: HeldRequest) -> bool:
        return request.url == self._url and request.method != "OPTIONS"

    def answer(self, request: HeldRequest) -> Answer | None:
        return self._answer if self.matches(request) else None


URL = "https://api.test/x"


def routes(*given: Route) -> Routes:
    made = Routes()
    made.current = given
    return made


def test_the_first_that_answers() -> None:
    found = routes(
        Fixed("https://other.test/", Answer(1)), Fixed(URL, Answer(201)), Fixed(URL, Answer(3))
    )
    answer = found.answer(HeldRequest(URL))
    assert answer is not None
    assert answer.status == 201
    assert found.answer(HeldRequest("https://api.test/y")) is None


def test_patterns_as_chromium_writes_them() -> None:
    narrow = routes(
        Fixed(URL, Answer(), "https://a.test/x?y=*"), Fixed(URL, Answer(), r"https://a.test/\*")
    )
    assert sorted(narrow.patterns) == [r"https://a.test/\\*", r"https://a.test/x\?y=*"]
    assert routes(Fixed(URL, Answer(), "*"), Fixed(URL, Answer(), "https://a.test/")).patterns == [
        "*"
    ]
    assert not routes().patterns


def test_another_origin_is_let_read() -> None:
    found = routes(Fixed(URL, Answer(200, (("X", "y"),))))
    same = found.answer(HeldRequest(URL, headers={"Origin": "https://api.test"}))
    assert same == Answer(200, (("X", "y"),))
    other = found.answer(HeldRequest(URL, headers={"Origin": "https://shop.test"}))
    assert other is not None
    assert dict(other.headers) == {
        "X": "y",
        "Access-Control-Allow-Origin": "https://shop.test",
        "Access-Control-Allow-Credentials": "true",
        "Vary": "Origin",
    }
    strict = routes(Fixed(URL, Answer(200, (("access-control-allow-origin", "https://z.test"),))))
    kept = strict.answer(HeldRequest(URL, headers={"Origin": "https://shop.test"}))
    assert kept is not None
    assert kept.headers == (("access-control-allow-origin", "https://z.test"),)


def test_who_asks_first_whether_it_may() -> None:
    headers = {
        "Origin": "https://shop.test",
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "x-mine",
    }
    found = routes(Fixed(URL, Answer(200)))
    consent = found.answer(HeldRequest(URL, "OPTIONS", headers))
    assert consent is not None
    assert consent.status == 204
    assert dict(consent.headers)["Access-Control-Allow-Headers"] == "x-mine"
    assert found.answer(HeldRequest("https://api.test/y", "OPTIONS", headers)) is None


@pytest.mark.parametrize(
    ("method", "answer", "body", "length", "phrase"),
    [
        ("GET", Answer(200, body=b"\x00\xff"), b"\x00\xff", "2", "OK"),
        ("HEAD", Answer(200, body=b"abc"), b"", "3", "OK"),
        ("GET", Answer(204, body=b"abc"), b"", None, "No Content"),
        ("GET", Answer(599, body=b"abc"), b"abc", "3", ""),
    ],
)
def test_fulfilments(
    method: str, answer: Answer, body: bytes, length: str | None, phrase: str
) -> None:
    made = fulfilment(method, answer)
    assert made is not None
    headers = {each["name"]: each["value"] for each in made["responseHeaders"]}
    assert base64.b64decode(made["body"]) == body
    assert headers.get("Content-Length") == length
    assert made["responsePhrase"] == phrase


@pytest.mark.parametrize(
    ("location", "given"),
    [
        ("/next", True),
        ("https://a.test/", True),
        ("//a.test/", True),
        ("file:///etc/passwd", False),
        ("FILE:/etc/passwd", False),
        ("chrome://version", False),
        ("data:text/html,x", False),
        ("java\tscript:alert(1)", False),
    ],
)
def test_redirects_stay_on_the_web(location: str, given: bool) -> None:
    made = fulfilment("GET", Answer(302, (("Location", location),)))
    assert (made is not None) is given
