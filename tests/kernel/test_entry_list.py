"""What requests carry, read as servers read it."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from stockade.engines.routing import HeldRequest
from stockade.kernel.entry_list import Sent, read_request

ADDRESS = "https://shop.example/pay"
URLENCODED = "application/x-www-form-urlencoded"


def sent(body: bytes, kind: str, method: str = "POST", url: str = ADDRESS) -> Sent:
    return read_request(HeldRequest(url, method, {"Content-Type": kind}, body))


def pairs(found: Sent) -> list[tuple[str, str]]:
    assert found.entries is not None
    return [(each.name, each.value) for each in found.entries]


def form(**given: Any) -> dict[str, Any]:
    fields = given.pop("fields", [("a", "1"), ("b", "two words")])
    return {
        "method": "post",
        "action": ADDRESS,
        "enctype": URLENCODED,
        "fields": [{"name": name, "value": value} for name, value in fields],
        **given,
    }


@pytest.mark.parametrize(
    ("body", "kind", "found"),
    [
        (b"a=1&b=two+words&c=%C3%A9&d", URLENCODED, [("a", "1"), ("b", "two words"), ("c", "é"), ("d", "")]),
        (b"a=1&a=2", f"{URLENCODED}; charset=UTF-8", [("a", "1"), ("a", "2")]),
        (b"a=1\r\nb=x=y\r\n", "text/plain", [("a", "1"), ("b", "x=y")]),
        (b'{"a": "1", "n": 2, "deep": {"x": [1]}}', "application/json",
         [("a", "1"), ("n", "2"), ("deep", '{"x": [1]}')]),
        (b"", "", []),
    ],
)  # fmt: skip
def test_names_and_values(body: bytes, kind: str, found: list[tuple[str, str]]) -> None:
    assert pairs(sent(body, kind)) == found


def test_a_query_is_what_is_sent_by_get() -> None:
    found = sent(b"", "", "GET", f"{ADDRESS}?q=x+y&z=1#part")
    assert (found.address, pairs(found)) == (ADDRESS, [("q", "x y"), ("z", "1")])


def multipart(line: str, content: bytes) -> Sent:
    body = (
        f'--{line}\r\nContent-Disposition: form-data; name="a%22b"\r\n\r\n1\r\n--{line}\r\n'
        'Content-Disposition: form-data; name="up"; filename="x.txt"\r\nContent-Type: text/plain'
    ).encode()
    body += b"\r\n\r\n" + content + f"\r\n--{line}--\r\n".encode()
    return sent(body, f"multipart/form-data; boundary={line}")


def test_files_by_what_is_in_them() -> None:
    found = multipart("----one", b"hello")
    assert pairs(found) == [('a"b', "1"), ("up", "x.txt")]
    assert found.entries is not None
    assert found.entries[1].size == 5
    assert found.entries[1].digest == hashlib.sha256(b"hello").hexdigest()
    # The line between the parts does not count, what is in a file does.
    assert found.bound == multipart("----other", b"hello").bound
    assert found.bound != multipart("----one", b"hallo").bound
    assert not found.is_form(form(enctype="multipart/form-data", fields=[('a"b', "1")]))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\x00\x01", "application/octet-stream"),
        (b'{"a": 1, "a": 2}', "application/json"),
        (b"[1, 2]", "application/json"),
        (b"{", "application/json"),
        (b"[" * 100_000, "application/json"),
        (b"no such line", "multipart/form-data; boundary=xx"),
        (b"no line", "multipart/form-data"),
        (b"a=1&" * 6000, URLENCODED),
    ],
)
def test_what_is_no_list_is_known_by_its_digest(body: bytes, kind: str) -> None:
    found = sent(body, kind)
    assert found.entries is None
    assert found.bound[-1] == hashlib.sha256(body).hexdigest()
    assert not found.is_form(form())


def test_what_is_large_is_read_from_its_pieces() -> None:
    pieces = tuple(base64.b64encode(each).decode() for each in (b"a=1&", b"b=2"))
    request = HeldRequest(ADDRESS, "POST", {"content-type": URLENCODED}, None, pieces)
    assert pairs(read_request(request)) == [("a", "1"), ("b", "2")]
    broken = HeldRequest(ADDRESS, "POST", {"content-type": URLENCODED}, None, ("é",))
    assert read_request(broken).size > 0


def test_exactly_what_a_form_was_about_to_send() -> None:
    body = b"a=1&b=two+words"
    assert sent(body, URLENCODED).is_form(form())
    assert sent(b"a=1&b=x%0D%0Ay", URLENCODED).is_form(form(fields=[("a", "1"), ("b", "x\ny")]))
    assert sent(b"", "", "GET", f"{ADDRESS}?a=1&b=two+words").is_form(form(method="get"))
    assert sent(b'{"b": "two words", "a": "1"}', "application/json").is_form(form())


@pytest.mark.parametrize(
    ("body", "given"),
    [
        (b"a=1&b=two+words&c=3", {}),
        (b"b=two+words&a=1", {}),
        (b"a=1&b=two", {}),
        (b"a=1&b=two+words", {"method": "get"}),
        (b"a=1&b=two+words", {"action": f"{ADDRESS}?to=mallory"}),
        (b"a=1&b=two+words", {"enctype": "text/plain"}),
        (b"a=1&b=two+words", {"inexact": True}),
    ],
)
def test_anything_else_is_another_thing(body: bytes, given: dict[str, Any]) -> None:
    assert not sent(body, URLENCODED).is_form(form(**given))
