"""Settings that are loaded, or refused."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.config import Settings, load
from stockade.errors import BadSetting


def refused(**given: Any) -> BadSetting:
    with pytest.raises(BadSetting) as caught:
        load(**given)
    return caught.value


def attempt(**given: Any) -> Settings | BadSetting:
    try:
        return load(**{"workspace": "/nonexistent", **given})
    except BadSetting as error:
        return error
