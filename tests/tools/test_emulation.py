"""What pages are told about the device."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.values import World
from tests.support.callers import Caller

ABOUT = """
<p role="status"></p>
<script>
  const worker = new Worker(URL.createObjectURL(new Blob([
    'onmessage = () => postMessage(navigator.language + " " +'
    + ' new Intl.DateTimeFormat().resolvedOptions().timeZone)',
  ])));
  const tell = () => new Promise(done => {
    worker.onmessage = ({ data }) => done([
      navigator.language, new Intl.NumberFormat().resolvedOptions().locale,
      new Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent, data,
    ]);
    worker.postMessage('');
  });
</script>
<a href="/next" target="_blank" rel="opener">Open</a>
"""


async def told(caller: Caller, expression: str, **arguments: Any) -> Any:
    session = await caller.kernel.sessions.reach(caller.principal, "default")
    tab = await session.tab(arguments.get("tab"))
    return await tab.page.main_frame.call(f"() => {expression}", world=World.MAIN)


class TestPlace:
    async def test_locale_zone_and_identity_agree_everywhere(self, caller: Caller) -> None:
        await caller.show(ABOUT)
        await caller.ok("set_locale", locale="de-DE")
        await caller.ok("set_timezone", timezoneId="Asia/Tokyo")
        result = await caller.ok("set_user_agent", userAgent="Radio/1")
        assert result["state"]["locale"] == "de-DE"
        assert result["state"]["timezoneId"] == "Asia/Tokyo"
        assert result["applied"] == {"userAgent": "Radio/1"}
        *page, worker = await told(caller, "tell()")
        assert page == ["de-DE", "de-DE", "Asia/Tokyo", "Radio/1"]
        assert worker == "de-DE Asia/Tokyo"
        caller.site.page("/next", ABOUT)
        clicked = await caller.ok("click", selector="text=Open")
        asked = await caller.site.wait_asked("/next")
        assert asked.headers["accept-language"] == "de-DE,de;q=0.9"
        assert asked.headers["user-agent"] == "Radio/1"
        [popup] = clicked["structure"]["newTabs"]
        *page, worker = await told(caller, "tell()", tab=popup["tab"])
        assert page == ["de-DE", "de-DE", "Asia/Tokyo", "Radio/1"]
        assert worker == "de-DE Asia/Tokyo"

    async def test_null_clears(self, caller: Caller) -> None:
        await caller.show(ABOUT)
        before = await told(caller, "tell()")
        await caller.ok("set_locale", locale="de-DE")
        await caller.ok("set_timezone", timezoneId="Asia/Tokyo")
        await caller.ok("set_user_agent", userAgent="Radio/1")
        await caller.ok("set_locale", locale=None)
        await caller.ok("set_timezone", timezoneId=None)
        result = await caller.ok("set_user_agent", userAgent=None)
        assert result["state"]["locale"] is None
        await caller.ok("reload", mode="none")
        assert await told(caller, "tell()") == before

    @pytest.mark.parametrize(
        ("tool", "arguments"),
        [
            ("set_locale", {"locale": "klingon_!"}),
            ("set_timezone", {"timezoneId": "Europe/Atlantis"}),
            ("set_user_agent", {"userAgent": "line\nbreak"}),
            ("set_geolocation", {"latitude": 91, "longitude": 0}),
            ("set_geolocation", {"latitude": 1}),
            ("set_viewport", {"width": 0, "height": 10}),
        ],
    )
    async def test_what_cannot_be_is_refused(
        self, caller: Caller, tool: str, arguments: dict[str, Any]
    ) -> None:
        body = await caller.refused(tool, **arguments)
        assert body["code"] == "invalid_argument"
        for value in arguments.values():
            if isinstance(value, str):
                assert value not in str(body)

    async def test_position(self, caller: Caller) -> None:
        await caller.show("<p>Where am I?</p>")
        place = "new Promise(done => navigator.geolocation.getCurrentPosition("
        place += "({ coords }) => done([coords.latitude, coords.longitude, coords.accuracy])))"
        result = await caller.ok("set_geolocation", latitude=52.5, longitude=13.4, accuracy=5)
        assert "grant_permissions" in result["warnings"][0]
        await caller.ok("grant_permissions", permissions=["geolocation"])
        result = await caller.ok("set_geolocation", latitude=52.5, longitude=13.4, accuracy=5)
        assert result["warnings"] == []
        assert await told(caller, place) == [52.5, 13.4, 5]
        result = await caller.ok("set_geolocation", latitude=None)
        assert result["state"]["geolocation"] is None


class TestLooks:
    async def test_scheme_and_motion(self, caller: Caller) -> None:
        await caller.show("<p>Look</p>")
        dark = "matchMedia('(prefers-color-scheme: dark)').matches"
        still = "matchMedia('(prefers-reduced-motion: reduce)').matches"
        await caller.ok("set_color_scheme", scheme="dark")
        result = await caller.ok("set_reduced_motion", on=True)
        assert result["state"]["colorScheme"] == "dark"
        assert await told(caller, f"[{dark}, {still}]") == [True, True]
        await caller.ok("set_color_scheme", scheme="light")
        await caller.ok("set_reduced_motion", on=False)
        assert await told(caller, f"[{dark}, {still}]") == [False, False]
        result = await caller.ok("set_color_scheme", scheme="no-preference")
        assert result["state"]["colorScheme"] is None

    async def test_the_window(self, caller: Caller) -> None:
        await caller.show(
            "<style>nav { display: none } @media (max-width: 600px) { nav { display: block } }"
            "</style><nav>Menu</nav>"
        )
        result = await caller.ok("set_viewport", width=500, height=700)
        assert result["viewport"] == {"width": 500, "height": 700}
        assert "Menu" in result["snapshotDelta"]["tree"]
        assert await told(caller, "[innerWidth, innerHeight]") == [500, 700]
        await caller.ok("tabs", action="new")
        assert await told(caller, "[innerWidth, innerHeight]") == [500, 700]


class TestVisibility:
    PAGE = """<script>
      const heard = [];
      document.addEventListener('visibilitychange', () => heard.push(document.visibilityState));
    </script>"""

    async def test_background_and_back(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        result = await caller.ok("tab_visibility", state="background")
        assert (result["realBackgrounding"], result["state"]) == (True, "background")
        assert await told(caller, "[document.visibilityState, ...heard]") == ["hidden", "hidden"]
        await caller.ok("tab_visibility", state="foreground")
        assert await told(caller, "document.visibilityState") == "visible"

    async def test_held_and_restored(self, caller: Caller) -> None:
        await caller.show(self.PAGE)
        result = await caller.ok("tab_visibility", state="background", holdMs=30)
        assert (result["heldMs"], result["state"]) == (30, "foreground")
        assert await told(caller, "heard") == ["hidden", "visible"]
