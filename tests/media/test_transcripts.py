"""Addresses of videos, and captions in every form they come in."""

from __future__ import annotations

import json

import pytest

from stockade.errors import InvalidArgument
from stockade.media.transcripts import (
    Cue,
    Track,
    best_track,
    parse_captions,
    transcript_of,
    video_id,
)

ID = "dQw4w9WgXcQ"


@pytest.mark.parametrize(
    "url",
    [
        f"https://www.youtube.com/watch?v={ID}&t=42s",
        f"https://youtube.com/watch?list=x&v={ID}",
        f"http://m.youtube.com/watch?v={ID}#top",
        f"https://music.youtube.com/watch?v={ID}",
        f"https://youtu.be/{ID}?si=abc",
        f"https://www.youtube.com/shorts/{ID}",
        f"https://www.youtube.com/embed/{ID}?autoplay=1",
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"https://www.youtube.com/live/{ID}/",
        f"https://mirror.example:8443/watch?v={ID}",
    ],
)
def test_the_video_that_is_meant(url: str) -> None:
    assert video_id(url, mirror="mirror.example") == ID


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/",
        "https://www.youtube.com/watch?v=short",
        f"https://www.youtube.com/watch?v={ID}x",
        f"https://www.youtube.com/results?v={ID}",
        f"https://evil.example/watch?v={ID}",
        f"https://youtube.com.evil.example/watch?v={ID}",
        f"https://evil.example/?youtube.com/watch?v={ID}",
        f"https://notyoutube.com/watch?v={ID}",
        f"https://mirror.example/watch?v={ID}",
        f"ftp://www.youtube.com/watch?v={ID}",
        f"file:///watch?v={ID}",
        "nonsense",
    ],
)
def test_no_video(url: str) -> None:
    with pytest.raises(InvalidArgument):
        video_id(url)


def test_json() -> None:
    events = [
        {"tStartMs": 0, "dDurationMs": 9000},
        {"tStartMs": 1500, "segs": [{"utf8": "Good "}, {"utf8": "morning,\n"}, {"utf8": "all"}]},
        {"tStartMs": 2000, "segs": [{"utf8": "\n"}]},
        {"segs": [{"utf8": "late"}], "tStartMs": 3_723_000},
        {"segs": "odd"},
        "odd",
    ]
    cues = parse_captions(json.dumps({"events": events}))
    assert cues == [Cue(1.5, "Good morning, all"), Cue(3723, "late")]
    assert transcript_of(cues) == "[00:01] Good morning, all\n[62:03] late"


def test_xml() -> None:
    first = (
        '<?xml version="1.0"?><transcript><text start="0.5" dur="1">It&amp;#39;s\n&lt;b&gt;here'
        '</text><text start="61">1 &lt; 2</text><text dur="1"> </text></transcript>'
    )
    assert parse_captions(first) == [Cue(0.5, "It's here"), Cue(61, "1 < 2")]
    third = '<timedtext format="3"><body><p t="61000" d="9"><s>one</s><s t="5"> &amp; two</s></p></body></timedtext>'
    assert parse_captions(third) == [Cue(61, "one & two")]


def test_vtt() -> None:
    text = (
        "\ufeffWEBVTT\r\nKind: captions\r\nLanguage: en\r\n\r\nNOTE a remark\r\n\r\n"
        "1\r\n00:00:01.000 --> 00:00:02.000 align:start\r\n<c.bold>Tom</c> &amp; Anna\r\nsing\r\n\r\n"
        "01:02:03.500 --> 01:02:04.000\r\nsing\r\n<00:00:01.5><c>again</c>\r\n\r\n"
        "02:05.000 --> 02:06.000\r\n \r\n"
    )
    assert parse_captions(text) == [Cue(1, "Tom & Anna sing"), Cue(3723, "again")]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"events": 5}', "<html>", "WEBVTT", "x" * 99]
)
def test_no_captions(text: str) -> None:
    assert parse_captions(text) == []


def test_the_language_that_is_wanted() -> None:
    heard, written, german = (
        Track("en", "English", "asr"),
        Track("en-GB", "English", "manual"),
        Track("de", "German", "manual"),
    )
    every = [heard, german, written]
    assert best_track(every, ["en"]) == heard
    assert best_track(every, ["en-US"]) == written
    assert best_track(every, ["fr", "DE"]) == german
    assert best_track([heard, german], ["fr"]) == german
    assert best_track([], ["en"]) is None
