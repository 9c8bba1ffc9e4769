"""Devices that are not there, and the pages that ask for them."""

from __future__ import annotations

from tests.support.callers import Caller

SHOP = """<button>Pair</button><p role="status">none</p><script>
document.querySelector('button').onclick = async () => {
  const said = document.querySelector('p');
  try {
    const device = await navigator.bluetooth.requestDevice({ filters: [{ services: ['heart_rate'] }] });
    await device.gatt.connect();
    said.textContent = 'paired with ' + device.name;
  } catch (error) { said.textContent = error.name; }
};
</script>"""
MONITOR = {"name": "Heart 1", "services": ["heart_rate"]}


async def test_a_page_pairs_with_what_was_staged(mighty: Caller) -> None:
    staged = await mighty.ok("emulate_bluetooth", devices=[MONITOR])
    assert (staged["count"], staged["devices"][0]["name"]) == (1, "Heart 1")
    await mighty.show(SHOP)
    await mighty.ok("click", selector="button")
    assert "paired with Heart 1" in await mighty.text("snapshot")
    # A new document, and a frame of another site that is let in, find the same.
    inner = mighty.site.other.page("/frame", SHOP)
    await mighty.show(f"<iframe allow='bluetooth *' src='{inner}'></iframe>", path="/outer")
    await mighty.ok("click", selector="role=button")
    assert "paired with Heart 1" in await mighty.text("snapshot")
    noted = await mighty.ok("device_requests")
    assert [each["outcome"] for each in noted["requests"]] == ["granted", "granted"]
    assert noted["requests"][0]["origin"] == mighty.site.url("")
    assert noted["requests"][1]["origin"] == mighty.site.other.url("")
    assert noted["requests"][0]["asked"] == {"filters": [{"services": ["heart_rate"]}]}
    later = await mighty.ok("device_requests", since="2999-01-01T00:00:00Z")
    assert later["count"] == 0
    # Taken away again, also from the page that is there.
    await mighty.ok("emulate_bluetooth")
    await mighty.ok("click", selector="role=button")
    assert "NotFoundError" in await mighty.text("snapshot")
    assert (await mighty.ok("device_requests"))["requests"][-1]["outcome"] == "no-match"


async def test_devices_that_make_no_sense_are_refused(mighty: Caller) -> None:
    for tool, device in (
        ("emulate_usb", {"vendorId": 70000, "productId": 1}),
        ("emulate_usb", {"vendorId": 1}),
        ("emulate_bluetooth", {"name": "x", "services": ["</script>"]}),
        ("emulate_hid", {"vendorId": 1, "productId": 1, "collections": [{"usage": 1}]}),
    ):
        assert (await mighty.refused(tool, devices=[device]))["code"] == "invalid_argument"
    twins = [{"name": "a", "id": "1"}, {"name": "b", "id": "1"}]
    assert "same id" in (await mighty.refused("emulate_bluetooth", devices=twins))["error"]
    named = {"vendorId": 1, "productId": 2, "productName": "</script>\u2028'`${x}"}
    await mighty.ok("emulate_usb", devices=[named])
    await mighty.show("<p>x")
    asked = "navigator.usb.requestDevice({ filters: [] }).then((d) => escape(d.productName))"
    assert (await mighty.ok("eval_js", expr=asked))[
        "value"
    ] == "%3C/script%3E%u2028%27%60%24%7Bx%7D"


async def test_with_the_capability_off_requests_are_refused_and_noted(caller: Caller) -> None:
    await caller.show(
        """<button>Find</button><p role="status"></p><script>
        document.querySelector('button').onclick = () => navigator.usb.requestDevice({ filters: [] })
          .catch((error) => { document.querySelector('p').textContent = error.name; });
        </script>"""
    )
    told = await caller.ok("click", selector="button")
    assert told["permissionRequests"] == [
        {"permission": "usb", "origin": caller.site.url(""), "handledAs": "refused"}
    ]
    assert "NotFoundError" in await caller.text("snapshot")
    [noted] = (await caller.ok("device_requests"))["requests"]
    assert (noted["api"], noted["outcome"]) == ("usb", "refused")
    for tool in ("emulate_bluetooth", "emulate_usb", "emulate_hid"):
        assert (await caller.refused(tool))["code"] == "capability_disabled"
