"""The page of a video, as a site that imitates it shows it."""

from __future__ import annotations

import json

from stockade.media.transcripts import Cue
from stockade.media.watch_page import watch
from tests.support.site import Request, Response, Site
from tests.support.tabs import Tab

ID = "dQw4w9WgXcQ"


def install(site: Site, *, silent: bool = False) -> str:
    """A watch page with captions in two languages; a silent one gives them to its player alone."""
    tracks = [
        {
            "baseUrl": f"/api/timedtext?v={ID}&lang={code}",
            "languageCode": code,
            "name": {"simpleText": name},
        }
        for code, name in (("de", "German"), ("en", "English"))
    ]
    response = {
        "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": tracks}},
        "videoDetails": {"title": "A song"},
    }
    play = f"onclick=\"fetch('/api/timedtext?v={ID}&lang=en&pot=token').then(r => r.text())\""
    site.page(
        "/watch",
        f"<script>var ytInitialPlayerResponse = {json.dumps(response)};</script><video></video>"
        f"<button class=ytp-subtitles-button {play}>CC</button>",
    )

    async def captions(request: Request) -> Response:
        if silent and "pot" not in request.params:
            return Response("")
        said = {"en": "Hello", "de": "Hallo"}[request.params["lang"]]
        events = [{"tStartMs": 61_000, "segs": [{"utf8": said}]}]
        return Response(json.dumps({"events": events}), content_type="application/json")

    site.route("/api/timedtext", captions)
    return site.url(f"/watch?v={ID}")


async def test_the_language_that_is_wanted(tab: Tab) -> None:
    address = install(tab.site)
    found = await watch(tab.page, address, ID, ["en"], timeout=10)
    assert (found.title, found.language, found.cues) == ("A song", "en", [Cue(61, "Hello")])
    assert [each.code for each in found.tracks] == ["de", "en"]
    assert tab.site.asked("/api/timedtext")[0].params["fmt"] == "json3"
    other = await watch(tab.page, address, ID, ["fr"], timeout=10)
    assert (other.language, other.cues) == ("de", [Cue(61, "Hallo")])


async def test_captions_that_only_the_player_is_given(tab: Tab) -> None:
    found = await watch(tab.page, install(tab.site, silent=True), ID, ["de"], timeout=10)
    assert (found.language, found.cues) == ("en", [Cue(61, "Hello")])


async def test_a_page_without_captions(tab: Tab) -> None:
    tab.site.page("/watch", "<title>gone</title>")
    found = await watch(tab.page, tab.site.url("/watch"), ID, ["en"], timeout=10)
    assert (found.title, found.cues, found.tracks) == ("", [], [])
