"""Who is asked."""

from __future__ import annotations

import pytest

from stockade.config import Settings
from stockade.errors import NotConfigured
from stockade.providers.choosing import code_provider, login_provider

SEEDS = {"shop": "JBSWY3DPEHPK3PXP"}


def test_the_settings_say_who() -> None:
    for named in ("1password", "bitwarden", "lastpass"):
        settings = Settings(credentials_provider=named, credentials_seeds=SEEDS)
        assert login_provider(settings).name == named
        # A seed of the operator's own comes first.
        assert code_provider(settings, "shop").name == "local"
        assert code_provider(settings, "bank").name == named
    assert login_provider(Settings(credentials_provider="oathtool")).name == "local"
    assert login_provider(Settings()).name == "local"
    none = Settings(credentials_provider="none", credentials_seeds=SEEDS)
    with pytest.raises(NotConfigured, match="no provider configured"):
        code_provider(none, "shop")
