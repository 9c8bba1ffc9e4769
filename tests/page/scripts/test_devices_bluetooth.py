"""Bluetooth as far as the choice of a device goes."""

from __future__ import annotations

from tests.page.scripts.test_devices import run, staged
from tests.support.tabs import Tab

WATCH = {"id": "b1", "name": "Pulse 3", "services": ["heart_rate", 0x180F], "manufacturerIds": [76]}
CATALOG = {"usb": [], "hid": [], "bluetooth": [WATCH]}


async def test_a_device_can_be_found_and_connected_to(tab: Tab) -> None:
    await staged(tab, CATALOG)
    found = await run(
        tab,
        """(async () => {
          const options = { filters: [{ services: ['heart_rate'] }], optionalServices: ['battery_service'] };
          const device = await navigator.bluetooth.requestDevice(options);
          const early = await device.gatt.getPrimaryService('heart_rate').catch((e) => e.name);
          const server = await device.gatt.connect();
          const service = await server.getPrimaryService('heart_rate').catch((e) => e.name);
          let lost = 0;
          device.addEventListener('gattserverdisconnected', () => { lost += 1; });
          device.ongattserverdisconnected = () => { lost += 10; };
          const connected = server.connected;
          server.disconnect();
          return [device instanceof BluetoothDevice, `${device}`, device.name, device.id, early, connected, service,
            server === device.gatt, lost, await navigator.bluetooth.getAvailability(),
            (await navigator.bluetooth.getDevices()).includes(device), 'bluetooth' in navigator];
        })()""",
    )
    assert found == [
        True,
        "[object BluetoothDevice]",
        "Pulse 3",
        "b1",
        "NetworkError",
        True,
        "NotFoundError",
        True,
        11,
        True,
        True,
        True,
    ]
    assert (
        await run(tab, "(() => { try { new BluetoothDevice() } catch (e) { return e.name } })()")
        == "TypeError"
    )


ASKED = {
    "{ acceptAllDevices: true }": "Pulse 3",
    "{ filters: [{ namePrefix: 'Pul' }] }": "Pulse 3",
    "{ filters: [{ name: 'Pulse' }] }": "NotFoundError",
    "{ filters: [{ services: [0x180d, 'battery_service'] }] }": "Pulse 3",
    "{ filters: [{ services: ['0000180d-0000-1000-8000-00805f9b34fb'] }] }": "Pulse 3",
    "{ filters: [{ services: ['glucose'] }] }": "NotFoundError",
    "{ filters: [{ manufacturerData: [{ companyIdentifier: 76 }] }] }": "Pulse 3",
    "{ filters: [{ namePrefix: 'P' }], exclusionFilters: [{ name: 'Pulse 3' }] }": "NotFoundError",
    "{ filters: [] }": "TypeError",
    "{ filters: [{}] }": "TypeError",
    "{ filters: [{ namePrefix: '' }] }": "TypeError",
    "{ filters: [{ services: ['no_such'] }] }": "TypeError",
    "{ acceptAllDevices: true, filters: [{ name: 'x' }] }": "TypeError",
    "": "TypeError",
}


async def test_filters_are_read_as_browsers_read_them(tab: Tab) -> None:
    await staged(tab, CATALOG)
    calls = ", ".join(f"navigator.bluetooth.requestDevice({each})" for each in ASKED)
    named = "(each) => each.then((device) => device.name, (error) => error.name)"
    found = await run(tab, f"Promise.all([{calls}].map({named}))")
    assert dict(zip(ASKED, found, strict=True)) == ASKED
