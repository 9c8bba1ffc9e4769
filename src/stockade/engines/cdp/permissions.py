"""What the pages of a context may do, by the web's own names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from stockade import urls
from stockade.errors import InvalidArgument, ProtocolFault

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext

__all__ = ["NAMES", "Permissions", "origin_of"]

State = Literal["granted", "denied", "prompt"]

_PLAIN = (
    "accelerometer",
    "ambient-light-sensor",
    "background-fetch",
    "background-sync",
    "camera",
    "captured-surface-control",
    "clipboard-read",
    "clipboard-write",
    "display-capture",
    "geolocation",
    "gyroscope",
    "idle-detection",
    "keyboard-lock",
    "local-fonts",
    "local-network",
    "local-network-access",
    "loopback-network",
    "magnetometer",
    "microphone",
    "midi",
    "nfc",
    "notifications",
    "payment-handler",
    "periodic-background-sync",
    "persistent-storage",
    "pointer-lock",
    "screen-wake-lock",
    "speaker-selection",
    "storage-access",
    "system-wake-lock",
    "top-level-storage-access",
    "web-app-installation",
    "window-management",
)

_DESCRIPTORS: Mapping[str, Mapping[str, Any]] = {
    **{name: {"name": name} for name in _PLAIN},
    # These the browser knows with their usual companion alone.
    "fullscreen": {"name": "fullscreen", "allowWithoutGesture": True},
    "midi-sysex": {"name": "midi", "sysex": True},
    "push": {"name": "push", "userVisibleOnly": True},
}

NAMES = tuple(sorted(_DESCRIPTORS))
"""Every permission that can be set."""


def origin_of(text: str) -> str:
    """The origin `text` names, or an error that says what one looks like."""
    found = urls.origin_of(text)
    if not found.startswith(("http://", "https://")):
        raise InvalidArgument(
            f"not an origin such as https://example.org: {text!r}", field="origin"
        )
    return found


class Permissions:
    """Sets the permissions of one context."""

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._root = context.browser.connection.root

    async def set(
        self, names: Iterable[str], state: State, origin: str | None, timeout: float
    ) -> None:
        """Set permissions for an origin, or for all; others stay as they are."""
        place: dict[str, Any] = {"browserContextId": self._context.id, "setting": state}
        if origin is not None:
            place["origin"] = origin_of(origin)
        commands = [
            ("Browser.setPermission", {"permission": _descriptor(name), **place}) for name in names
        ]
        try:
            await self._root.send_all(commands, timeout=timeout)
        except ProtocolFault as error:
            raise InvalidArgument(f"the permission cannot be set: {error.message}") from error

    async def reset(self, timeout: float) -> None:
        """Forget what was set."""
        await self._root.send(
            "Browser.resetPermissions", {"browserContextId": self._context.id}, timeout=timeout
        )


def _descriptor(name: str) -> Mapping[str, Any]:
    descriptor = _DESCRIPTORS.get(name)
    if descriptor is None:
        raise InvalidArgument(
            f"no permission {name!r}; there are: {', '.join(NAMES)}", field="permissions"
        )
    return descriptor
