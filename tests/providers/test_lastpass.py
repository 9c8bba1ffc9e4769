"""LastPass's answers, as its program gives them."""

from __future__ import annotations

import pytest

from stockade.errors import NotConfigured, StockadeError
from stockade.providers.lastpass import LastPass
from stockade.providers.logins import Login
from tests.support.providers import PASSWORD, FakeProgram

ITEM = {
    "id": "5832045901",
    "name": "Shop",
    "fullname": "Work/Shop",
    "username": "ada@example.com",
    "password": PASSWORD,
    "last_modified_gmt": "1718182872",
    "last_touch": "0",
    "group": "Work",
    "url": "https://shop.example/login",
    "note": "",
}


async def test_an_item_is_read(program: FakeProgram) -> None:
    found = await LastPass(program.says([ITEM])).login("Work/Shop")
    assert found == Login("ada@example.com", PASSWORD, ("https://shop.example/login",))
    assert program.argv == ["show", "--json", "--", "Work/Shop"]
    assert program.environment["LPASS_DISABLE_PINENTRY"] == "1"
    for nowhere in ("http://sn", "", "http://"):
        note = {**ITEM, "url": nowhere}
        assert (await LastPass(program.says([note])).login("Shop")).addresses == ()


@pytest.mark.parametrize(
    ("output", "said", "ended", "code"),
    [
        ("", "Error: Could not find specified account(s).", 1, "not_found"),
        ("", "Error: Could not find decryption key. Perhaps you need to login with `lpass login`.", 1, "not_configured"),
        ("Multiple matches found.\nWork/Shop [id: 1]\nHome/Shop [id: 2]\n", "", 0, "invalid_argument"),
        ("", "Error: HTTP response code said error.", 1, "provider_failed"),
        ([], "", 0, "not_found"),
        ([{**ITEM, "password": ""}], "", 0, "not_found"),
        ("Shop [id: 1]\nUsername: ada\n", "", 0, "provider_failed"),
    ],
)  # fmt: skip
async def test_its_complaints_are_known(
    program: FakeProgram, output: object, said: str, ended: int, code: str
) -> None:
    with pytest.raises(StockadeError) as caught:
        await LastPass(program.says(output, errors=said, code=ended)).login("Shop")
    assert caught.value.code == code


async def test_it_has_no_codes() -> None:
    with pytest.raises(NotConfigured) as caught:
        await LastPass(None).code("Shop")
    assert "STOCKADE_CREDENTIALS_SEEDS" in caught.value.hint
