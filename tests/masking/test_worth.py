from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument
from stockade.masking.worth import check_worth, is_guessable
from tests.masking.spellings import SECRETS


@pytest.mark.parametrize(
    "value",
    ["password", "Passw0rd", "P@ssw0rd", "123456", "654321", "aaaaaa", "ababab", "abcdefgh",
     "qwerty", "button", "undefined", "LETMEIN", "1 2 3 4 5 6", "localhost"],
)  # fmt: skip
def test_what_is_everywhere_is_no_secret(value: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_worth(value)
    assert value not in str(caught.value.as_dict())


@pytest.mark.parametrize("value", [*SECRETS.values(), "492039", "135790", "correct horse"])
def test_what_is_worth_it(value: str) -> None:
    check_worth(value)


@pytest.mark.parametrize(
    "value", ["482913", "48291307", "482913075", "qzvxkw", "ab12cd", "4 8 2 9 1 3"]
)
def test_what_a_page_could_list(value: str) -> None:
    assert is_guessable(value)


@pytest.mark.parametrize(
    "value", ["4829130756", "qzvxkwj", "ab12cde", "Zq7!pa", "correct horse", "пароль✓"]
)
def test_what_no_page_could_list(value: str) -> None:
    assert not is_guessable(value)
