"""What the browser says it is: the user agent header and the client hints that go with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from stockade.engines.values import Emulation, UserAgent

__all__ = ["identity", "own_user_agent"]

_DEFAULT_LANGUAGES = "en-US,en"
_CHROME = re.compile(r"\bChrome/(\d+)((?:\.\d+)*)")
_GREASE = " (:-./);=?_"
_GREASE_VERSIONS = ("8", "99", "24")


def own_user_agent(reported: str) -> str:
    """The user agent of the same browser with a window: no word of headless, reduced version."""
    plain = reported.replace("HeadlessChrome/", "Chrome/")
    return _CHROME.sub(lambda found: f"Chrome/{found[1]}.0.0.0", plain)


def identity(emulation: Emulation, reported: str, product: str) -> dict[str, Any]:
    """Parameters of the override that makes header, script and client hints agree.

    `reported` and `product` are the browser's own words about itself.
    """
    chosen = emulation.user_agent or UserAgent(own_user_agent(reported))
    value = chosen.value
    hints = chosen.client_hints
    if hints is None:
        hints = _client_hints(value, product.rpartition("/")[2], mobile=emulation.viewport.mobile)
    return {
        "userAgent": value,
        "acceptLanguage": chosen.accept_language or _languages(emulation.locale),
        "platform": chosen.platform or _navigator_platform(value),
        # Without metadata Chromium sends no hints at all, as browsers of other makes do.
        **({"userAgentMetadata": hints} if hints else {}),
    }


def _languages(locale: str | None) -> str:
    if locale is None:
        return _DEFAULT_LANGUAGES
    language = locale.partition("-")[0]
    return locale if language == locale else f"{locale},{language}"


def _client_hints(value: str, own_version: str, *, mobile: bool) -> Mapping[str, Any] | None:
    found = _CHROME.search(value)
    if found is None:
        return None
    major = found[1]
    full = own_version if own_version.partition(".")[0] == major else major + (found[2] or ".0.0.0")
    platform, version = _platform(value)
    handheld = mobile or " Mobile " in value
    return {
        "brands": _brands(int(major), major),
        "fullVersionList": _brands(int(major), full),
        "fullVersion": full,
        "platform": platform,
        "platformVersion": version,
        "architecture": "" if handheld else "arm" if "aarch64" in value else "x86",
        "bitness": "" if handheld else "64",
        "model": "",
        "mobile": handheld,
        "wow64": False,
        "formFactors": ["Mobile"] if handheld else ["Desktop"],
    }


def _brands(seed: int, version: str) -> list[dict[str, str]]:
    """The brand list, with the made-up brand whose look and place change with every version."""
    first, second = (_GREASE[(seed + step) % len(_GREASE)] for step in (0, 1))
    number = _GREASE_VERSIONS[seed % len(_GREASE_VERSIONS)]
    grease = {
        "brand": f"Not{first}A{second}Brand",
        "version": f"{number}.0.0.0" if "." in version else number,
    }
    chromium = {"brand": "Chromium", "version": version}
    return [chromium, grease] if seed % 2 else [grease, chromium]


def _platform(value: str) -> tuple[str, str]:
    """The platform and its version, as far as the user agent tells."""
    if found := re.search(r"Android (\d+)", value):
        return "Android", f"{found[1]}.0.0"
    if "Windows" in value:
        return "Windows", "10.0.0"
    if found := re.search(r"Mac OS X (\d+)[_.](\d+)", value):
        return "macOS", f"{found[1]}.{found[2]}.0"
    if "CrOS" in value:
        return "Chrome OS", ""
    return "Linux", ""


def _navigator_platform(value: str) -> str:
    if "Windows" in value:
        return "Win32"
    for device in ("iPhone", "iPad"):
        if device in value:
            return device
    if "Macintosh" in value:
        return "MacIntel"
    if "Android" in value:
        return "Linux armv81"
    return "Linux aarch64" if "aarch64" in value else "Linux x86_64"
