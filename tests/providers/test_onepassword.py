"""1Password's answers, as version 2 of its program gives them."""

from __future__ import annotations

import pytest

from stockade.errors import StockadeError
from stockade.providers.logins import Login
from stockade.providers.onepassword import OnePassword
from tests.support.providers import PASSWORD, FakeProgram

ITEM = {
    "id": "2fcbqwe9ndg175zg2dzwftvkpa",
    "title": "Shop",
    "tags": ["work"],
    "version": 3,
    "vault": {"id": "ftz4pm2xxwmwrsd7rjqn7grzfz", "name": "Agents"},
    "category": "LOGIN",
    "last_edited_by": "BLAHBLAHBLAH",
    "created_at": "2024-05-02T10:44:35Z",
    "updated_at": "2024-06-12T09:01:12Z",
    "additional_information": "ada@example.com",
    "urls": [
        {"label": "website", "primary": True, "href": "https://shop.example/login"},
        {"href": "shop.example.org"},
    ],
    "sections": [{"id": "add more", "label": "more"}],
    "fields": [
        {
            "id": "username",
            "type": "STRING",
            "purpose": "USERNAME",
            "label": "username",
            "value": "ada@example.com",
            "reference": "op://Agents/Shop/username",
        },
        {
            "id": "password",
            "type": "CONCEALED",
            "purpose": "PASSWORD",
            "label": "password",
            "value": PASSWORD,
            "entropy": 120.1,
            "reference": "op://Agents/Shop/password",
            "password_details": {"strength": "FANTASTIC"},
        },
        {"id": "notesPlain", "type": "STRING", "purpose": "NOTES", "label": "notesPlain"},
        {
            "id": "TOTP_1",
            "section": {"id": "add more"},
            "type": "OTP",
            "label": "one-time password",
            "value": "otpauth://totp/Shop?secret=JBSWY3DPEHPK3PXP",
            "totp": "123456",
        },
    ],
}
AT = "[ERROR] 2024/06/12 11:20:01"
NOT_FOUND = f'{AT} "Bank" isn\'t an item. Specify the item with its UUID, name, or domain.'
SEVERAL = f"""{AT} More than one item matches "Bank". Try again and specify the item by its ID:
\t* for the item "Bank" in vault Agents: 2fcbqwe9ndg175zg2dzwftvkpa"""
SIGNED_OUT = f"{AT} You are not currently signed in. Please run `op signin --help` for instructions"


async def test_an_item_is_read(program: FakeProgram) -> None:
    found = await OnePassword(program.says(ITEM)).login("Shop")
    sites = ("https://shop.example/login", "shop.example.org")
    assert found == Login("ada@example.com", PASSWORD, sites)
    assert program.argv == ["item", "get", "--format=json", "--", "Shop"]
    assert await OnePassword(program.says("123456\n")).code("Shop") == "123456"
    assert program.argv == ["item", "get", "--otp", "--", "Shop"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (NOT_FOUND, "not_found"),
        (SEVERAL, "invalid_argument"),
        (SIGNED_OUT, "not_configured"),
        ("No accounts configured for use with 1Password CLI.", "not_configured"),
        ("[ERROR] 2024/06/12 11:20:01 item Bank does not have a one-time password", "not_found"),
        ("[ERROR] 2024/06/12 11:20:01 dial tcp: lookup my.1password.com", "provider_failed"),
    ],
)  # fmt: skip
async def test_its_complaints_are_known(program: FakeProgram, said: str, code: str) -> None:
    asked = OnePassword(program.says("", errors=said, code=1))
    with pytest.raises(StockadeError) as caught:
        await asked.code("Bank")
    assert caught.value.code == code


@pytest.mark.parametrize(
    "item", [{}, [], {"fields": None}, {"fields": [1, {"purpose": "PASSWORD", "value": 7}]}]
)
async def test_an_item_without_a_password_is_none(program: FakeProgram, item: object) -> None:
    with pytest.raises(StockadeError, match="no password"):
        await OnePassword(program.says(item)).login("Shop")
