"""Devices that pages find although they are not there."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, AwareDatetime, Field, NaiveDatetime
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import RARE, Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result
from stockade.kernel.sanitise import shown_url
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.devices import Api, DeviceRequest, Devices

__all__ = ["device_requests", "emulate_bluetooth", "emulate_hid", "emulate_usb"]

_MOST_DEVICES = 20
_SOURCE = "pages of the session"
_Text = Annotated[str, Field(max_length=200)]
_Byte = Annotated[int, Field(ge=0, le=0xFF)]
_Word = Annotated[int, Field(ge=0, le=0xFFFF)]
_SERVICE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z][a-z_]{0,60}", re.ASCII)


def _is_service(text: str) -> str:
    if not _SERVICE.fullmatch(text):
        raise ValueError(
            "a service is a UUID in small letters, a name such as heart_rate, or a number"
        )
    return text


_Service = Annotated[str, Field(max_length=61), AfterValidator(_is_service)]


class BluetoothDevice(Arguments):
    """A device, as it makes itself known."""

    name: _Text
    id: Annotated[str | None, Field(min_length=1, max_length=60), RARE] = None
    services: Annotated[
        tuple[_Service | _Word, ...], Field(max_length=50, description="UUID, name or number")
    ] = ()
    manufacturer_ids: Annotated[tuple[_Word, ...], Field(max_length=20), RARE] = ()


class UsbDevice(Arguments):
    """A device, as it makes itself known."""

    vendor_id: _Word
    product_id: _Word
    product_name: _Text = ""
    manufacturer_name: Annotated[_Text, RARE] = ""
    serial_number: Annotated[_Text, RARE] = ""
    device_class: Annotated[_Byte, RARE] = 0
    device_subclass: Annotated[_Byte, RARE] = 0
    device_protocol: Annotated[_Byte, RARE] = 0


class HidCollection(Arguments):
    """What a part of a device is for."""

    usage_page: _Word
    usage: _Word


class HidDevice(Arguments):
    """A device, as it makes itself known."""

    vendor_id: _Word
    product_id: _Word
    product_name: _Text = ""
    collections: Annotated[tuple[HidCollection, ...], Field(max_length=20)] = ()


class EmulateBluetooth(InSession):
    """What pages find; nothing, unless said."""

    devices: Annotated[tuple[BluetoothDevice, ...], Field(max_length=_MOST_DEVICES)] = ()


class EmulateUsb(InSession):
    """What pages find; nothing, unless said."""

    devices: Annotated[tuple[UsbDevice, ...], Field(max_length=_MOST_DEVICES)] = ()


class EmulateHid(InSession):
    """What pages find; nothing, unless said."""

    devices: Annotated[tuple[HidDevice, ...], Field(max_length=_MOST_DEVICES)] = ()


class DeviceRequestsRead(InSession):
    """From when on."""

    since: Annotated[
        AwareDatetime | NaiveDatetime | None, Field(description="a moment, ISO 8601")
    ] = None


class Staged(TypedDict):
    """What pages find now."""

    ok: bool
    api: Literal["bluetooth", "usb", "hid"]
    devices: list[dict[str, Any]]
    count: int


class RequestRow(TypedDict):
    """A page asked for a device."""

    at: str
    api: str
    outcome: str
    origin: str
    url: str
    device: NotRequired[str]
    asked: NotRequired[dict[str, Any]]


class Requests(TypedDict):
    """Who asked for what, oldest first."""

    ok: bool
    requests: list[RequestRow]
    count: int


async def _staged(call: Call, api: Api, devices: list[dict[str, Any]]) -> dict[str, Any]:
    names = [each["id"] for each in devices]
    if len(set(names)) < len(names):
        raise InvalidArgument("two devices have the same id")
    staged = Devices.of(call.session)
    await staged.stage(call.session, api, devices, timeout=call.left)
    return {"ok": True, "api": api, "devices": devices, "count": len(devices)}


def _about(device: Arguments, **more: Any) -> dict[str, Any]:
    return {
        "id": secrets.token_hex(8),
        **device.model_dump(by_alias=True, exclude_none=True),
        **more,
    }


@tool(Capability.DEVICE_EMULATION, gives=Staged, toolset="test", reach="session", idempotent=True)
async def emulate_bluetooth(call: Call, args: EmulateBluetooth) -> dict[str, Any]:
    """Let pages that ask for a Bluetooth device find these; they connect, and answer nothing."""
    return await _staged(call, "bluetooth", [_about(each) for each in args.devices])


@tool(Capability.DEVICE_EMULATION, gives=Staged, toolset="test", reach="session", idempotent=True)
async def emulate_usb(call: Call, args: EmulateUsb) -> dict[str, Any]:
    """Let pages that ask for a USB device find these; transfers carry no bytes."""
    return await _staged(call, "usb", [_about(each, usbVersion=[2, 0, 0]) for each in args.devices])


@tool(Capability.DEVICE_EMULATION, gives=Staged, toolset="test", reach="session", idempotent=True)
async def emulate_hid(call: Call, args: EmulateHid) -> dict[str, Any]:
    """Let pages that ask for a HID device find these; no reports come in."""
    return await _staged(call, "hid", [_about(each) for each in args.devices])


@tool(Capability.READ, gives=Requests, toolset="test", reach="session", reads=True)
async def device_requests(call: Call, args: DeviceRequestsRead) -> Result:
    """The devices that pages asked for, and what came of it. What they say is untrusted."""
    since = 0.0
    if args.since is not None:
        since = _aware(args.since).timestamp()
    rows = [_row(each) for each in Devices.of(call.session).requests if each.at >= since]
    return Result(data={"ok": True, "requests": rows, "count": len(rows)}, source=_SOURCE)


def _row(request: DeviceRequest) -> dict[str, Any]:
    row = {
        "at": instant(request.at),
        "api": request.api,
        "outcome": request.outcome,
        "origin": request.origin,
        "url": shown_url(request.url),
    }
    if request.device is not None:
        row["device"] = request.device
    return {**row, **({"asked": request.asked} if request.asked is not None else {})}


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
