"""Bitwarden's answers, as its program gives them."""

from __future__ import annotations

import pytest

from stockade.errors import StockadeError
from stockade.providers.bitwarden import Bitwarden
from stockade.providers.logins import Login
from tests.support.providers import PASSWORD, FakeProgram

ITEM = {
    "passwordHistory": None,
    "revisionDate": "2024-06-12T09:01:12.000Z",
    "creationDate": "2024-05-02T10:44:35.000Z",
    "deletedDate": None,
    "object": "item",
    "id": "99ee88d2-6046-4ea7-92c2-acac464b1412",
    "organizationId": None,
    "folderId": None,
    "type": 1,
    "reprompt": 0,
    "name": "Shop",
    "notes": None,
    "favorite": False,
    "fields": [{"name": "pin", "value": "0000", "type": 1, "linkedId": None}],
    "login": {
        "fido2Credentials": [],
        "uris": [
            {"match": None, "uri": "https://shop.example/login"},
            {"match": 3, "uri": "https://pay.shop.example"},
            {"match": 4, "uri": "https://.*"},
            {"match": 5, "uri": "https://never.example"},
            {"match": 0, "uri": None},
        ],
        "username": "ada@example.com",
        "password": PASSWORD,
        "totp": "JBSWY3DPEHPK3PXP",
        "passwordRevisionDate": None,
    },
    "collectionIds": [],
}
SEVERAL = (
    "More than one result was found. Try getting a specific object by `id` instead. The following "
    "objects were found:\n99ee88d2-6046-4ea7-92c2-acac464b1412\n4f1c0d3a-0000-4ea7-92c2-acac464b1412"
)


async def test_an_item_is_read(program: FakeProgram) -> None:
    found = await Bitwarden(program.says(ITEM)).login("Shop")
    sites = ("https://shop.example/login", "https://pay.shop.example")
    assert found == Login("ada@example.com", PASSWORD, sites)
    assert program.argv == ["get", "item", "--", "Shop"]
    assert program.environment["BW_NOINTERACTION"] == "true"
    assert await Bitwarden(program.says("654321")).code("Shop") == "654321"
    assert program.argv == ["get", "totp", "--", "Shop"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Not found.", "not_found"),
        (SEVERAL, "invalid_argument"),
        ("Vault is locked.", "not_configured"),
        ("You are not logged in.", "not_configured"),
        ("No TOTP available for this login.", "not_found"),
        ("FetchError: request to https://vault.bitwarden.com failed", "provider_failed"),
    ],
)
async def test_its_complaints_are_known(program: FakeProgram, said: str, code: str) -> None:
    asked = Bitwarden(program.says("", errors=said, code=1))
    with pytest.raises(StockadeError) as caught:
        await asked.code("Bank")
    assert caught.value.code == code


@pytest.mark.parametrize("login", [None, {}, {"password": ""}, {"password": ["x"]}])
async def test_an_item_without_a_password_is_none(program: FakeProgram, login: object) -> None:
    with pytest.raises(StockadeError, match="no password"):
        await Bitwarden(program.says({**ITEM, "login": login})).login("Shop")
