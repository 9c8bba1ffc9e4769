"""The script that tells what a page asks for, in both binaries."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from stockade.engines.port import Context, Frame
from stockade.engines.values import InitScript, World
from stockade.page.scripts import script
from tests.support.site import Site

PREFIX = "0123456789abcdef"
ASK = """async () => {
  const asked = {
    geo: () => new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no)),
    watch: () => new Promise((yes, no) => {
      const id = navigator.geolocation.watchPosition(yes, no);
      if (!Number.isInteger(id)) yes('no id');
    }),
    notify: () => Notification.requestPermission(),
    read: () => navigator.clipboard.readText(),
    write: () => navigator.clipboard.writeText('x'),
    midi: () => navigator.requestMIDIAccess({ sysex: true }),
    wake: () => navigator.wakeLock.request('screen'),
    idle: () => IdleDetector.requestPermission(),
    fonts: () => queryLocalFonts().then((found) => found.length ? 'fonts' : Promise.reject(found)),
    screens: () => getScreenDetails(),
    keep: () => navigator.storage.persist(),
    display: () => navigator.mediaDevices.getDisplayMedia(),
    media: () => navigator.mediaDevices.getUserMedia({ audio: true }),
    sensor: () => new Promise((yes, no) => {
      const sensor = new AbsoluteOrientationSensor();
      sensor.onerror = no;
      sensor.onactivate = yes;
      sensor.start();
    }),
    open: () => showOpenFilePicker({ multiple: true }),
  };
  const said = {};
  await Promise.all(Object.entries(asked).map(async ([name, code]) => {
    try { said[name] = `${await code()}`; } catch { said[name] = 'no'; }
  }));
  return said;
}"""
ASKED = {
    "geolocation",
    "notifications",
    "clipboard-read",
    "clipboard-write",
    "midi",
    "midi-sysex",
    "screen-wake-lock",
    "idle-detection",
    "local-fonts",
    "window-management",
    "persistent-storage",
    "display-capture",
    "microphone",
    "accelerometer",
    "gyroscope",
    "magnetometer",
}
LOOK = """() => [
  Object.getOwnPropertyNames(globalThis).filter((name) => /^s[0-9a-f]{16}$/.test(name)).length,
  navigator.mediaDevices.getUserMedia.name, Notification.name, Notification.prototype.constructor === Notification,
  Object.keys(navigator.geolocation).length, showOpenFilePicker.length,
  Object.getOwnPropertyDescriptor(Clipboard.prototype, 'read').enumerable,
]"""


async def test_everything_asked_is_told_and_ends_once_it_is_denied(
    either_context: Context, site: Site
) -> None:
    site.page("/", "<title>Here</title>")
    names: set[str] = set()
    apis: list[str] = []

    async with asyncio.TaskGroup() as group:

        async def deny(frame: Frame, said: dict[str, Any]) -> None:
            for name in said.get("names", ()):
                await either_context.set_permission(name, "denied", origin=site.url("/"))
            answer = json.dumps({"allowed": False})
            await frame.call(script("asking_answer"), f"{PREFIX}{said['id']}", answer, None)

        def heard(frame: Frame, payload: str) -> None:
            said = json.loads(payload)
            names.update(said.get("names", ()))
            apis.extend([said["api"]] if "api" in said else ())
            group.create_task(deny(frame, said))

        code = f"(tell) => ({script('asking')})(tell, '{PREFIX}')"
        plain = await (await either_context.new_page()).main_frame.call("() => 1")
        assert plain == 1
        await either_context.add_script(InitScript(code, World.MAIN, heard))
        page = await either_context.new_page()
        await page.navigate(site.url("/"))
        assert await page.main_frame.call(LOOK, world=World.MAIN) == [
            0, "getUserMedia", "Notification", True, 0, 0, True,
        ]  # fmt: skip
        asked = {
            "expression": f"({ASK})()",
            "awaitPromise": True,
            "returnByValue": True,
            "userGesture": True,
        }
        answer = await page.devtools[0].send("Runtime.evaluate", asked, timeout=20)
    said = answer["result"]["value"]
    assert names == ASKED
    assert apis == ["showOpenFilePicker"]
    assert (said.pop("notify"), said.pop("idle"), said.pop("keep")) == ("denied", "denied", "false")
    # Without any origin's answer to it, a list of fonts is empty rather than refused.
    said.pop("fonts")
    assert set(said.values()) == {"no"}, said
