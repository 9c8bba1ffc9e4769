"""What a page is given that asks for a device over USB or HID."""

from __future__ import annotations

import json
from typing import Any

from stockade.engines.values import InitScript, World
from stockade.page.scripts import script
from tests.support.tabs import Tab
from tests.support.waiting import until

USB = {
    "id": "u1",
    "vendorId": 0x1234,
    "productId": 0x5678,
    "productName": "Scale",
    "manufacturerName": "Acme",
    "serialNumber": "S1",
    "deviceClass": 3,
    "deviceSubclass": 0,
    "deviceProtocol": 0,
    "usbVersion": [2, 0, 0],
}
HID = {
    "id": "h1",
    "vendorId": 1,
    "productId": 2,
    "productName": "Pad",
    "collections": [{"usagePage": 1, "usage": 5}],
}
CATALOG = {"usb": [USB], "hid": [HID], "bluetooth": []}


def source(catalog: dict[str, Any] | None) -> str:
    parts = script("devices"), json.dumps(catalog), script("devices_bluetooth")
    return "(tell) => ({})(tell, 'token', {}, {})".format(*parts)


async def staged(tab: Tab, catalog: dict[str, Any] | None) -> list[dict[str, Any]]:
    """A page with the wrappers; what they report."""
    heard: list[dict[str, Any]] = []
    await tab.page.context.add_script(
        InitScript(source(catalog), World.MAIN, lambda _, text: heard.append(json.loads(text)))
    )
    await tab.show("<p>x")
    return heard


async def run(tab: Tab, code: str) -> Any:
    """In the page's world, with a gesture."""
    return await tab.page.main_frame.evaluate(code, "(value) => value")


async def test_a_usb_device_has_the_shape_of_one(tab: Tab) -> None:
    heard = await staged(tab, CATALOG)
    found = await run(
        tab,
        """(async () => {
          const device = await navigator.usb.requestDevice({ filters: [{ vendorId: 0x1234 }] });
          const early = await device.transferIn(1, 8).catch((e) => e.name);
          await device.open();
          await device.claimInterface(0);
          const read = await device.transferIn(1, 8);
          const wrote = await device.transferOut(1, new Uint8Array([1, 2]));
          const again = await navigator.usb.requestDevice({ filters: [] });
          return {
            kind: device instanceof USBDevice, tag: `${device}`, name: device.productName, early,
            opened: device.opened, read: [read instanceof USBInTransferResult, read.status, read.data.byteLength],
            wrote: [wrote.status, wrote.bytesWritten], keys: Object.keys(device).length,
            same: again === device, known: (await navigator.usb.getDevices()).includes(device),
            version: device.usbVersionMajor, configurations: device.configurations.length,
            native: navigator.usb.requestDevice.toString().includes('[native code]'),
          };
        })()""",
    )
    assert found == {
        "kind": True,
        "tag": "[object USBDevice]",
        "name": "Scale",
        "early": "InvalidStateError",
        "opened": True,
        "read": [True, "ok", 0],
        "wrote": ["ok", 0],
        "keys": 0,
        "same": True,
        "known": True,
        "version": 2,
        "configurations": 1,
        "native": True,
    }
    await until(lambda: len(heard) == 2)
    assert heard[0] == {
        "api": "usb",
        "outcome": "granted",
        "asked": {"filters": [{"vendorId": 0x1234}]},
        "device": "u1",
    }


async def test_a_hid_device_has_the_shape_of_one(tab: Tab) -> None:
    await staged(tab, CATALOG)
    found = await run(
        tab,
        """(async () => {
          const [device] = await navigator.hid.requestDevice({ filters: [{ usagePage: 1, usage: 5 }] });
          let reports = 0;
          device.oninputreport = () => { reports += 1; };
          device.addEventListener('inputreport', () => { reports += 1; });
          await device.open();
          await device.sendReport(0, new Uint8Array([1]));
          const none = await navigator.hid.requestDevice({ filters: [{ usagePage: 9 }] });
          return [device instanceof HIDDevice, device instanceof EventTarget, device.productName,
            device.collections[0].usage, device.opened, reports, none.length];
        })()""",
    )
    assert found == [True, True, "Pad", 5, True, 0, 0]


ASKED = {
    "usb.requestDevice({ filters: [{ vendorId: 9 }] })": "NotFoundError",
    "usb.requestDevice({ filters: [{ classCode: 3 }] })": "Scale",
    "usb.requestDevice({ filters: [{ serialNumber: 'S2' }] })": "NotFoundError",
    "usb.requestDevice({ filters: [], exclusionFilters: [{ vendorId: 0x1234 }] })": "NotFoundError",
    "usb.requestDevice({ filters: [{ productId: 1 }] })": "TypeError",
    "usb.requestDevice({ filters: [{ vendorId: 70000 }] })": "TypeError",
    "usb.requestDevice({})": "TypeError",
    "usb.requestDevice()": "TypeError",
    "hid.requestDevice({ filters: [{ usage: 5 }] })": "TypeError",
    "hid.requestDevice({ filters: 7 })": "TypeError",
}


async def test_filters_are_read_as_browsers_read_them(tab: Tab) -> None:
    await staged(tab, CATALOG)
    calls = ", ".join(f"navigator.{each}" for each in ASKED)
    named = "(each) => each.then((device) => device.productName, (error) => error.name)"
    found = await run(tab, f"Promise.all([{calls}].map({named}))")
    assert dict(zip(ASKED, found, strict=True)) == ASKED


async def test_without_a_catalog_every_request_is_refused_at_once(either_tab: Tab) -> None:
    # By itself the full browser would wait for a chooser that nobody sees.
    tab = either_tab
    heard = await staged(tab, None)
    asked = "requestDevice({ filters: [] }).catch((error) => error.name)"
    assert await run(tab, f"navigator.usb.{asked}") == "NotFoundError"
    assert await run(tab, f"navigator.hid.{asked}") == []
    assert await run(tab, "typeof navigator.bluetooth") == "undefined"
    await until(lambda: len(heard) == 2)
    assert {each["outcome"] for each in heard} == {"refused"}


async def test_a_page_that_asks_while_it_is_read_does_not_hang(tab: Tab) -> None:
    heard = await staged(tab, CATALOG)
    await tab.show(
        "<script>navigator.usb.requestDevice({ filters: [] }).catch((e) => { early = e.name })</script>"
    )
    await until(lambda: len(heard) == 1)
    assert heard[0]["outcome"] == "no-gesture"
    assert await run(tab, "early") == "SecurityError"


async def test_a_frame_needs_to_be_admitted(tab: Tab) -> None:
    heard = await staged(tab, CATALOG)
    asks = "<script>navigator.hid.requestDevice({ filters: [] }).catch(() => 0)</script>"
    tab.site.other.page("/frame", asks)
    frame = tab.site.other.url("/frame", "localhost")
    await tab.show(f"<iframe src='{frame}'></iframe><iframe src='{frame}' allow='hid'></iframe>")
    await until(lambda: len(heard) == 2)
    assert sorted(each["outcome"] for each in heard) == ["no-gesture", "not-admitted"]


async def test_a_page_cannot_pass_for_the_server(tab: Tab) -> None:
    await staged(tab, None)
    forged = "USB.prototype.requestDevice.call('guess', { usb: [], hid: [], bluetooth: [] })"
    assert await run(tab, f"{forged}.catch((error) => error.name)") == "TypeError"
    assert (
        await run(tab, "Object.keys(globalThis).filter((name) => /^s[0-9a-f]{16}$/.test(name))")
        == []
    )
