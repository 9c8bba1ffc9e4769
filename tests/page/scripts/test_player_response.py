"""What a watch page says of its captions."""

from __future__ import annotations

import json
from typing import Any

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def read(tab: Tab, html: str) -> Any:
    await tab.show(html)
    return await tab.page.main_frame.call(script("player_response"))


async def test_tracks_and_title(tab: Tab) -> None:
    tracks = [
        {"baseUrl": "/api/timedtext?v=1", "languageCode": "en", "name": {"simpleText": "English"}},
        {"baseUrl": "/a", "languageCode": "de", "kind": "asr", "name": {"runs": [{"text": "D"}]}},
        {"languageCode": "fr"},
        None,
    ]
    response = {
        "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": tracks}},
        "videoDetails": {"title": 'A "quoted\\" } title'},
    }
    found = await read(
        tab,
        "<form name=querySelectorAll></form><script>var before = 'ytInitialPlayerResponse';</script>"
        f"<script>var ytInitialPlayerResponse = {json.dumps(response)};var after = {{}};</script>",
    )
    assert found == {
        "found": True,
        "title": 'A "quoted\\" } title',
        "tracks": [
            {"code": "en", "name": "English", "kind": "manual", "url": "/api/timedtext?v=1"},
            {"code": "de", "name": "D", "kind": "asr", "url": "/a"},
        ],
    }
    other = await read(tab, '<script>window["ytInitialPlayerResponse"] = {"captions": 5};</script>')
    assert other == {"found": True, "title": "", "tracks": []}
    broken = await read(tab, "<script>/* ytInitialPlayerResponse = {oh} and {</script>")
    assert broken == {"found": False, "title": "", "tracks": []}
