"""Calls of the tools in `devices`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class BluetoothDevice(TypedDict):
    """A device, as it makes itself known."""

    name: str
    id: NotRequired[str | None]
    services: NotRequired[list[str | int]]
    manufacturerIds: NotRequired[list[int]]


class Staged(Beside):
    """What pages find now."""

    ok: bool
    api: Literal['bluetooth', 'usb', 'hid']
    devices: list[dict[str, Any]]
    count: int


class UsbDevice(TypedDict):
    """A device, as it makes itself known."""

    vendorId: int
    productId: int
    productName: NotRequired[str]
    manufacturerName: NotRequired[str]
    serialNumber: NotRequired[str]
    deviceClass: NotRequired[int]
    deviceSubclass: NotRequired[int]
    deviceProtocol: NotRequired[int]


class HidCollection(TypedDict):
    """What a part of a device is for."""

    usagePage: int
    usage: int


class HidDevice(TypedDict):
    """A device, as it makes itself known."""

    vendorId: int
    productId: int
    productName: NotRequired[str]
    collections: NotRequired[list[HidCollection]]


class DevicesRequestRow(TypedDict):
    """A page asked for a device."""

    at: str
    api: str
    outcome: str
    origin: str
    url: str
    device: NotRequired[str]
    asked: NotRequired[dict[str, Any]]


class Requests(Beside):
    """Who asked for what, oldest first."""

    ok: bool
    requests: list[DevicesRequestRow]
    count: int


class DevicesCalls(Calls):
    """Methods that call tools."""

    async def emulate_bluetooth(
        self,
        *,
        devices: list[BluetoothDevice] | None = None,
    ) -> Staged:
        """Let pages that ask for a Bluetooth device find these; they connect, and answer nothing."""
        answer = await self._call("emulate_bluetooth", {}, {"devices": devices}, in_tab=False)
        return cast("Staged", answer)

    async def emulate_usb(
        self,
        *,
        devices: list[UsbDevice] | None = None,
    ) -> Staged:
        """Let pages that ask for a USB device find these; transfers carry no bytes."""
        answer = await self._call("emulate_usb", {}, {"devices": devices}, in_tab=False)
        return cast("Staged", answer)

    async def emulate_hid(
        self,
        *,
        devices: list[HidDevice] | None = None,
    ) -> Staged:
        """Let pages that ask for a HID device find these; no reports come in."""
        answer = await self._call("emulate_hid", {}, {"devices": devices}, in_tab=False)
        return cast("Staged", answer)

    async def device_requests(
        self,
        *,
        since: str | None = None,
    ) -> Requests:
        """The devices that pages asked for, and what came of it. What they say is untrusted."""
        answer = await self._call("device_requests", {}, {"since": since}, in_tab=False)
        return cast("Requests", answer)
