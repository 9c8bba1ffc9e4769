"""Transcripts of videos, by yt-dlp or by the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.scratch import Scratch
from tests.media.test_watch_page import ID, install
from tests.support.callers import Caller

TOOL = "camofox_youtube_transcript"
URL = f"https://youtu.be/{ID}"


@pytest.fixture
def program(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A yt-dlp that finds nothing until it is written otherwise; videos are watched on the site."""
    settings = caller.kernel.settings
    scratch = Scratch(settings.browser_uid)
    path = scratch.path / "yt-dlp"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    changed = {"yt_dlp": path, "youtube_address": caller.site.url("").rstrip("/")}
    monkeypatch.setattr(caller.kernel, "settings", settings.model_copy(update=changed))
    yield path
    scratch.remove()


def bare(data: dict[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in data.items() if key not in {"untrusted", "end"}}


async def test_the_program_is_asked_first(caller: Caller, program: Path) -> None:
    said = '{"events":[{"tStartMs":61000,"segs":[{"utf8":"two words"}]}]}'
    program.write_text(
        f"#!/bin/sh\necho '{said}' > $HOME/captions.en.json3\necho '{{\"title\":\"A song\"}}'\n"
    )
    assert bare(await caller.ok(TOOL, url=URL)) == {
        "status": "ok",
        "transcript": "[01:01] two words",
        "video_url": URL,
        "video_id": ID,
        "video_title": "A song",
        "language": "en",
        "total_words": 2,
    }
    assert caller.site.requests == []


async def test_then_the_page_in_a_session_that_leaves_nothing(
    caller: Caller, program: Path
) -> None:
    install(caller.site)
    found = await caller.ok(TOOL, url=URL, languages=["fr", "de"])
    assert (found["transcript"], found["language"]) == ("[01:01] Hallo", "de")
    assert found["available_languages"][1] == {"code": "en", "name": "English", "kind": "manual"}
    assert caller.kernel.sessions.visible_to(caller.principal) == []
    caller.site.page("/watch", "gone")
    none = bare(await caller.ok(TOOL, url=URL))
    assert none.pop("message").startswith("No captions available for this video")
    assert none == {"status": "error", "code": 404, "video_url": URL, "video_id": ID, "title": ""}


async def test_what_is_refused(caller: Caller, program: Path) -> None:
    for given, said in (
        ({}, "url is required"),
        ({"url": ""}, "url is required"),
        ({"url": "https://example.com/"}, "Could not extract YouTube video ID from URL"),
        ({"url": "https://www.youtube.com/watch?v=short"}, "video ID"),
        ({"url": URL, "languages": ["en;rm"]}, "languages"),
    ):
        assert said in (await caller.refused(TOOL, **given))["error"]
    caller.site.page("/watch", "", headers={"content-disposition": "attachment"})
    failed = await caller.refused(TOOL, url=URL)
    assert (failed["code"], failed["hint"]) == (
        "navigation_failed",
        "yt-dlp learned nothing of this video",
    )
    caller.site.requests.clear()
    policy = Policy(blocked=(OriginRule.parse("127.0.0.1"),))
    refused = await caller.another(policy=policy).refused(TOOL, url=URL)
    assert refused["code"] == "address_denied"
    assert caller.site.requests == []
