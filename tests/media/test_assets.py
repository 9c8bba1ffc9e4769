"""Assets chosen by type, address and status."""

from __future__ import annotations

import pytest

from stockade.engines.events import Request
from stockade.media.assets import Wanted, asset_name, chosen
from stockade.page.patterns import address_pattern


def request(url: str, mime: str = "image/png", status: int | None = 200, **more: str) -> Request:
    return Request("r1", url, "GET", "Image", 0.0, status=status, mime_type=mime, **more)  # type: ignore[arg-type]


LOG = [
    request("https://a.example/1.png"),
    request("https://a.example/2.jpg", "image/jpeg"),
    request("https://a.example/3.css", "text/css"),
    request("https://a.example/404.png", status=404),
    request("https://a.example/1.png"),
    request("https://a.example/broken.png", failure="net::ERR_FAILED"),
    request("https://a.example/old", redirected_to="https://a.example/new"),
    request("https://a.example/open", status=None),
    request("data:image/png;base64,xx"),
]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (Wanted(), ["1.png", "2.jpg", "3.css", "404.png"]),
        (Wanted(mime="image/*"), ["1.png", "2.jpg", "404.png"]),
        (Wanted(mime="image/", status=200), ["1.png", "2.jpg"]),
        (Wanted(mime="Text/CSS"), ["3.css"]),
        (Wanted(pattern=address_pattern("*.png")), ["1.png", "404.png"]),
    ],
)
def test_those_that_fit(wanted: Wanted, names: list[str]) -> None:
    total, found = chosen(LOG, wanted)
    assert total == 4
    assert [each.url.rpartition("/")[2] for each in found] == names


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/pics/cat.png?v=2#x", "001-cat.png"),
        ("https://a.example/", "001-file"),
        ("https://a.example/%2e%2e%2fetc", "001-etc"),
        ("https://a.example/ü ö.png", "001-png"),
    ],
)
def test_names(url: str, name: str) -> None:
    assert asset_name(1, url) == name
