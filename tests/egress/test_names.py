"""Names that are refused without asking anyone."""

from __future__ import annotations

import pytest

from stockade.egress.names import is_localhost, why_denied


@pytest.mark.parametrize(
    "name",
    [
        "localhost",
        "a.localhost",
        "metadata.google.internal",
        "metadata.goog",
        "nas",
        "x.svc",
        "nas.home.arpa",
        "localhost.localdomain",
        "printer.lan",
    ],
)
def test_names_of_a_network_of_ones_own(name: str) -> None:
    assert why_denied(name)


@pytest.mark.parametrize(
    "name",
    [
        "example.com",
        "localhost.example.com",
        "internal.example.com",
        "local.test",
        "good.goog",
        "notmetadata.goog",
        "mylocalhost.test",
        "xn--bcher-kva.example",
    ],
)
def test_names_that_only_look_like_it(name: str) -> None:
    assert not why_denied(name)


def test_localhost() -> None:
    assert is_localhost("localhost")
    assert is_localhost("a.localhost")
    assert not is_localhost("alocalhost")
