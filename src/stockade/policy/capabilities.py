"""Capabilities: the switches that tools stand behind."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from enum import StrEnum
from typing import Final

from stockade.errors import InvalidArgument

__all__ = ["DANGEROUS", "DEFAULT", "EXPOSED", "INSECURE", "Capability", "parse_capabilities"]


class Capability(StrEnum):
    """One switch. Those in `DEFAULT` are on unless the operator says otherwise."""

    READ = "read"
    NAVIGATION = "navigation"
    ACTION = "action"
    HUMAN = "human"
    EVAL = "eval"
    BYOB_ATTACH = "byob-attach"
    NETWORK_BODY = "network-body"
    SECRETS = "secrets"
    CREDENTIALS = "credentials"
    EXTENSIONS = "extensions"
    STEALTH = "stealth"
    DEVICE_EMULATION = "device-emulation"
    CAPTCHA = "captcha"
    FILE_IO = "file-io"
    CANVAS = "canvas"
    DIAGNOSTICS = "diagnostics"
    CLIPBOARD = "clipboard"


DEFAULT: Final = frozenset(
    {Capability.READ, Capability.NAVIGATION, Capability.ACTION, Capability.HUMAN}
)

DANGEROUS: Final[dict[Capability, str]] = {
    Capability.EVAL: "agents can run any script in any page they open",
    Capability.BYOB_ATTACH: "agents can drive a browser that a person is logged in with",
    Capability.NETWORK_BODY: "agents can read the bodies of requests and responses",
    Capability.SECRETS: "agents can register secrets and fill them in",
    Capability.CREDENTIALS: "agents can ask the credential provider for logins",
    Capability.EXTENSIONS: "agents can install browser extensions",
    Capability.STEALTH: "pages are told less than the truth about the browser",
    Capability.DEVICE_EMULATION: "pages find Bluetooth, USB and HID devices that are not there",
    Capability.CAPTCHA: "pictures and site keys are sent to a third party",
    Capability.FILE_IO: "agents can upload files and keep what pages send",
    Capability.CANVAS: "agents can read the pixels of canvases and call plugins of canvas apps",
    Capability.DIAGNOSTICS: "a line about every call is kept in the workspace",
    Capability.CLIPBOARD: "agents can write the clipboard",
}
"""What turning a switch on means, said aloud at the start."""

EXPOSED: Final = (
    "agents can drive a browser that somebody uses: every site it is logged in to, its cookies and "
    "its history are within their reach, and neither a jail nor the egress proxy is around it"
)
"""What attaching to a person's browser means, said aloud."""

INSECURE: Final = (
    "every page can read what any other site shows and stores in its browser, logged in or not"
)
"""What a browser without the same-origin rule means, said aloud."""

_BY_NAME: Final = {str(each): each for each in Capability}


def parse_capabilities(names: Iterable[str]) -> frozenset[Capability]:
    """The capabilities of those names; `default` stands for the default ones, `all` for all."""
    found: set[Capability] = set()
    for name in names:
        if name == "default":
            found |= DEFAULT
        elif name == "all":
            found |= set(Capability)
        elif name in _BY_NAME:
            found.add(_BY_NAME[name])
        else:
            near = get_close_matches(name[:40].lower(), _BY_NAME, n=1)
            meant = f"Did you mean {near[0]}? " if near else ""
            raise InvalidArgument(
                "there is no such capability",
                hint=f"{meant}There are: {', '.join(Capability)}; default and all stand for sets.",
            )
    return frozenset(found)
