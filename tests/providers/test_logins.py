"""What accounts are called, and where their passwords belong."""

from __future__ import annotations

import re

import pytest

from stockade.errors import InvalidArgument, SecretRefused
from stockade.providers.logins import Login, alias_of, check_account, origins_of
from stockade.sessions.secrets import NAME, Secret
from tests.support.providers import PASSWORD

ACCOUNTS = ("github", "My Bank (joint)", "ada@example.com", "Work/Shop", "банк", "—", "9", "a" * 200, "b" * 200)  # fmt: skip


def test_a_password_is_called_after_its_account() -> None:
    assert alias_of("github") == "PASSWORD_GITHUB"
    assert alias_of("ada@example.com") == "PASSWORD_ADA_EXAMPLE_COM"
    names = [alias_of(each) for each in ACCOUNTS]
    assert all(re.fullmatch(NAME, each) for each in names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("account", ["", " ", "-v", "--help", "a\nb", "a\0b", "\u202ea", "x" * 201])
def test_what_a_program_could_mistake_is_no_account(account: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_account(account)
    assert not account.strip() or account not in caught.value.message


@pytest.mark.parametrize(
    ("address", "here", "elsewhere"),
    [
        (
            "https://bank.example/login?x#y",
            ["https://bank.example"],
            [
                "http://bank.example",
                "https://www.bank.example",
                "https://bank.example:8443",
                "https://bank.example.evil.example",
                "https://example",
                "null",
            ],
        ),
        ("bank.example", ["https://bank.example"], ["http://bank.example"]),
        ("http://bank.example", ["http://bank.example", "https://bank.example"], ["https://a.bank.example"]),
        ("http://127.0.0.1:8080/", ["http://127.0.0.1:8080"], ["http://127.0.0.1"]),
        ("https://user:pw@bank.example:8443/", ["https://bank.example:8443"], ["https://user"]),
        ("https://BÜCHER.example", ["https://xn--bcher-kva.example"], ["https://bucher.example"]),
    ],
)  # fmt: skip
def test_a_password_belongs_to_the_sites_of_its_item(
    address: str, here: list[str], elsewhere: list[str]
) -> None:
    secret = Secret("A", PASSWORD, origins_of(Login("ada", PASSWORD, (address,))))
    assert all(secret.fits(each) for each in here)
    assert not any(secret.fits(each) for each in elsewhere)


@pytest.mark.parametrize(
    "addresses",
    [
        (),
        ("",),
        ("androidapp://com.bank",),
        ("https://*.example",),
        ("*",),
        ("https://",),
        ("a b",),
    ],
)
def test_without_a_site_it_belongs_nowhere(addresses: tuple[str, ...]) -> None:
    login = Login("ada", PASSWORD, addresses)
    assert PASSWORD not in repr(login)
    with pytest.raises(SecretRefused, match="which site"):
        origins_of(login)
