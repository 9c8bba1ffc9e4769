"""Cookies of browsers, extensions and programs mean what they meant there."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.values import Cookie
from stockade.errors import InvalidArgument
from stockade.files.cookie_rows import MOST, check_rows, cookie_of, cookies_of


def read(**fields: Any) -> Cookie:
    return cookie_of({"name": "n", "value": "SECRET", "domain": "shop.example", **fields})


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"domain": "shop.example"}, "shop.example"),
        ({"domain": ".Shop.Example"}, ".shop.example"),
        ({"domain": "shop.example", "hostOnly": False}, ".shop.example"),
        ({"domain": ".shop.example", "hostOnly": True}, "shop.example"),
        ({"domain": "bücher.example"}, "xn--bcher-kva.example"),
        ({"domain": ".127.0.0.1"}, "127.0.0.1"),
    ],
)
def test_domains(given: dict[str, Any], meant: str) -> None:
    assert read(**given).domain == meant


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({}, -1),
        ({"expires": -1}, -1),
        ({"expires": 0}, -1),
        ({"expires": None, "expirationDate": 2e9}, 2e9),
        ({"expirationDate": 2e9, "session": True}, -1),
        ({"expires": 2000000000.25}, 2000000000.25),
        ({"expires": "2000000000"}, 2e9),
        ({"expires": 2_000_000_000_000}, 2e9),
        ({"expires": "2033-05-18T03:33:20Z"}, 2e9),
        ({"expires": "2033-05-18"}, 1_999_987_200),
        ({"expires": "Wed, 18 May 2033 03:33:20 GMT"}, 2e9),
    ],
)
def test_expiries(given: dict[str, Any], meant: float) -> None:
    assert read(**given).expires == meant


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("STRICT", "Strict"),
        ("lax", "Lax"),
        ("no_restriction", "None"),
        ("unspecified", None),
        ("", None),
        (None, None),
    ],
)
def test_same_site(given: str | None, meant: str | None) -> None:
    assert read(sameSite=given).same_site == meant


def test_a_url_stands_for_domain_path_and_secure() -> None:
    found = cookie_of({"name": "n", "value": "v", "url": "https://shop.example/deep/page?q"})
    assert (found.domain, found.url) == (None, "https://shop.example/deep/page?q")
    assert (found.path, found.secure) == ("/deep", True)


def test_partitions() -> None:
    key = {"topLevelSite": "https://top.example", "hasCrossSiteAncestor": True}
    found = read(partitionKey=key)
    assert (found.partition, found.cross_site_ancestor) == ("https://top.example", True)
    assert read(partitionKey="https://top.example").partition == "https://top.example"
    assert read(partitionKey=None, partitioned=False).partition is None


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"domain": "shop.example:3000"}, "domain"),
        ({"domain": "shop.example/path"}, "domain"),
        ({"domain": "a b"}, "domain"),
        ({"domain": "."}, "domain"),
        ({"domain": "", "url": "ftp://shop.example/"}, "http"),
        ({"domain": "", "url": "nonsense"}, "address"),
        ({"domain": "", "url": ""}, "domain"),
        ({"path": 5}, "path"),
        ({"path": "/" * 5000}, "path"),
        ({"expires": "soon"}, "expiry"),
        ({"expires": True}, "expiry"),
        ({"expires": float("inf")}, "expiry"),
        ({"expires": 1e30}, "expiry"),
        ({"expires": [1]}, "expiry"),
        ({"sameSite": "maybe"}, "sameSite"),
        ({"secure": "yes"}, "secure"),
        ({"httpOnly": 1}, "httpOnly"),
        ({"partitioned": True}, "partition"),
        ({"value": 5}, "value"),
    ],
)
def test_what_is_no_cookie_is_told_without_its_value(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidArgument, match=reason) as caught:
        read(**given)
    assert "SECRET" not in caught.value.message


def test_a_list_is_refused_as_a_whole() -> None:
    whole = {"name": "n", "value": "", "domain": "d"}
    assert check_rows([whole | {"more": 1}] * MOST)
    for rows, said in ((None, "an array"), ("n=v", "an array"), ([whole] * (MOST + 1), "Too many")):
        with pytest.raises(InvalidArgument, match=said):
            check_rows(rows)
    with pytest.raises(InvalidArgument) as caught:
        check_rows([whole, {"name": "", "domain": 5}, 3, {"name": "n", "value": "v", "url": "u"}])
    assert caught.value.details["invalid"] == [
        {"index": 1, "missing": ["name", "value", "domain"]},
        {"index": 2, "error": "cookie must be an object"},
    ]


def test_a_domain_is_taken_by_whole_labels() -> None:
    domains = ["example.com", ".a.example.com", "badexample.com", "example.com.evil.test", "", 7]
    rows = [{"name": "n", "value": "v", "domain": each} for each in domains]
    found, refused = cookies_of([*rows, None], "Example.COM")
    assert (list(found), sorted(refused)) == ([0, 1], [4, 5, 6])
    assert list(cookies_of(rows, None)[0]) == [0, 1, 2, 3]
    with pytest.raises(InvalidArgument):
        cookies_of(rows, "not a domain")
