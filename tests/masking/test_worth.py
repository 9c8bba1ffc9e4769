from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument
from stockade.masking.worth import check_worth
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
