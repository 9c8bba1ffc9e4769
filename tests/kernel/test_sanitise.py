"""Addresses of captured traffic keep what names a place and lose what may be a secret."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.kernel.sanitise import shown_url, url_pattern


@pytest.mark.parametrize(
    ("url", "shown", "pattern"),
    [
        ("https://a.b/c", "https://a.b/c", "https://a.b/c"),
        ("https://a.b/c?token=1#x", "https://a.b/c?…#…", "https://a.b/c?…#…"),
        ("https://u:p@a.b/c", "https://a.b/c", "https://a.b/c"),
        ("https://a.b/orders/123/x", "https://a.b/orders/123/x", "https://a.b/orders/:id/x"),
        ("https://a.b/12?q", "https://a.b/12?…", "https://a.b/:id?…"),
        (
            "https://a.b/9b2e7c1a-1111-4222-8333-123456789abc",
            "https://a.b/9b2e7c1a-1111-4222-8333-123456789abc",
            "https://a.b/:id",
        ),
        ("https://a.b/deadbeefcafe00/x", "https://a.b/deadbeefcafe00/x", "https://a.b/:id/x"),
        ("https://a.b/a1B2c3D4e5F6g7H8i9J0", "https://a.b/a1B2c3D4e5F6g7H8i9J0", "https://a.b/:id"),
        ("data:text/html,secret", "data:", "data:"),
        ("blob:https://a.b/123", "blob:", "blob:"),
        ("no address", "…", "…"),
    ],
)
def test_known_addresses(url: str, shown: str, pattern: str) -> None:
    assert shown_url(url) == shown
    assert url_pattern(url) == pattern


@given(st.text(alphabet="abcdefgh0123456789-_=&%", min_size=12, max_size=60))
def test_a_query_never_comes_through(secret: str) -> None:
    for shown in (shown_url(f"https://h/p?{secret}"), url_pattern(f"https://h/p?{secret}")):
        assert secret not in shown
