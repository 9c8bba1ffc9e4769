"""What a browser says it is."""

from __future__ import annotations

import pytest

from stockade.engines.cdp.identity import identity, own_user_agent
from stockade.engines.values import Emulation, UserAgent, Viewport

HEADLESS = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " HeadlessChrome/156.0.8078.79 Safari/537.36"
)
PLAIN = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/156.0.0.0 Safari/537.36"
)
PRODUCT = "HeadlessChrome/156.0.8078.79"


def test_the_own_user_agent_is_that_of_a_window() -> None:
    assert own_user_agent(HEADLESS) == PLAIN
    assert own_user_agent(PLAIN) == PLAIN


def test_the_default_carries_the_real_version() -> None:
    said = identity(Emulation(), HEADLESS, PRODUCT)
    hints = said["userAgentMetadata"]
    assert said["userAgent"] == PLAIN
    assert said["platform"] == "Linux x86_64"
    assert said["acceptLanguage"] == "en-US,en"
    assert hints["brands"] == [
        {"brand": "Not:A-Brand", "version": "8"},
        {"brand": "Chromium", "version": "156"},
    ]
    assert hints["fullVersionList"] == [
        {"brand": "Not:A-Brand", "version": "8.0.0.0"},
        {"brand": "Chromium", "version": "156.0.8078.79"},
    ]
    assert hints["platform"] == "Linux"
    assert not hints["mobile"]


@pytest.mark.parametrize(
    ("locale", "languages"), [("de-DE", "de-DE,de"), ("fr", "fr"), (None, "en-US,en")]
)
def test_languages_follow_the_locale(locale: str | None, languages: str) -> None:
    assert identity(Emulation(locale=locale), HEADLESS, PRODUCT)["acceptLanguage"] == languages


@pytest.mark.parametrize(
    ("system", "platform", "hinted"),
    [
        ("Linux; Android 14; Pixel 8", "Linux armv81", ("Android", "14.0.0")),
        ("Macintosh; Intel Mac OS X 10_15_7", "MacIntel", ("macOS", "10.15.0")),
        ("Windows NT 10.0; Win64; x64", "Win32", ("Windows", "10.0.0")),
        ("X11; CrOS x86_64 14541.0.0", "Linux x86_64", ("Chrome OS", "")),
    ],
)
def test_hints_follow_the_user_agent(system: str, platform: str, hinted: tuple[str, str]) -> None:
    words = " Mobile" if "Android" in system else ""
    agent = UserAgent(f"Mozilla/5.0 ({system}) Chrome/121.0.0.0{words} Safari/537.36")
    said = identity(Emulation(user_agent=agent), HEADLESS, PRODUCT)
    hints = said["userAgentMetadata"]
    assert said["platform"] == platform
    assert (hints["platform"], hints["platformVersion"]) == hinted
    assert hints["mobile"] is bool(words)
    assert hints["fullVersion"] == "121.0.0.0"
    # Another version has its made-up brand elsewhere.
    assert [each["brand"] for each in hints["brands"]] == ["Chromium", "Not A(Brand"]


def test_other_makes_have_no_hints() -> None:
    firefox = UserAgent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    assert "userAgentMetadata" not in identity(Emulation(user_agent=firefox), HEADLESS, PRODUCT)


def test_what_the_caller_says_counts() -> None:
    agent = UserAgent("Own/1", "nl", "Amiga", {"platform": "Amiga", "mobile": False})
    said = identity(Emulation(user_agent=agent, locale="de-DE"), HEADLESS, PRODUCT)
    assert said == {
        "userAgent": "Own/1",
        "acceptLanguage": "nl",
        "platform": "Amiga",
        "userAgentMetadata": {"platform": "Amiga", "mobile": False},
    }


def test_a_mobile_viewport_is_a_mobile_hint() -> None:
    said = identity(Emulation(viewport=Viewport(390, 844, mobile=True)), HEADLESS, PRODUCT)
    assert said["userAgentMetadata"]["mobile"]
