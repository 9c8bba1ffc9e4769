"""Answers that bring no scripts."""

from __future__ import annotations

import pytest

from stockade.errors import CapabilityDisabled
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.scripting import without_scripts

MIGHTY = Policy(capabilities=frozenset(Capability))


def sent(*headers: tuple[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in without_scripts(Policy(), headers, "route")}


def test_who_may_run_scripts_may_send_them() -> None:
    headers = (("Content-Type", "text/javascript"),)
    assert without_scripts(MIGHTY, headers, "route") == headers


@pytest.mark.parametrize(
    "kind",
    ["text/javascript", "application/javascript; charset=utf-8", "TEXT/ECMASCRIPT", "application/wasm",
     "module", "", "text/x-unknown"],
)  # fmt: skip
def test_scripts_are_refused(kind: str) -> None:
    with pytest.raises(CapabilityDisabled, match="eval"):
        sent(("Content-Type", kind))


@pytest.mark.parametrize(
    "kind", ["text/html", "image/svg+xml", "application/xml", "application/x+xml"]
)
def test_documents_run_none(kind: str) -> None:
    headers = sent(("Content-Type", kind), ("content-security-policy", "script-src *"))
    assert headers["content-security-policy"].startswith("script-src 'none'")


@pytest.mark.parametrize(
    "kind", ["application/json", "application/ld+json", "image/png", "text/plain"]
)
def test_what_is_inert_stays_so(kind: str) -> None:
    headers = sent(("content-type", kind), ("X-Content-Type-Options", "sniff"), ("etag", "1"))
    assert headers == {"content-type": kind, "etag": "1", "x-content-type-options": "nosniff"}


def test_two_types_are_both_looked_at_and_none_is_text() -> None:
    with pytest.raises(CapabilityDisabled):
        sent(("Content-Type", "text/plain"), ("content-type", "text/javascript"))
    assert sent()["content-type"] == "text/plain"
