"""yt-dlp is told what to do, kept in its place, and ended."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from stockade.engines.values import Proxy
from stockade.media.transcripts import Cue
from stockade.media.yt_dlp import Captions, fetch_captions, program
from stockade.scratch import Scratch
from tests.support.waiting import until

UID = 61001
URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
VTT = "WEBVTT\\n\\n00:01.000 --> 00:02.000\\n"


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that the uid of the program may look into."""
    scratch = Scratch(UID)
    yield scratch.path
    scratch.remove()


def written(place: Path, script: str) -> list[str]:
    """A program in the place of yt-dlp."""
    path = place / "yt-dlp"
    path.write_text(f"#!/bin/sh\nset -e\n{script}\n")
    path.chmod(0o755)
    return [str(path)]


PROXY = Proxy("http://127.0.0.1:8080")


async def fetched(argv: list[str], *languages: str, timeout: float = 20) -> Captions:
    return await fetch_captions(
        argv, URL, languages or ("en",), uid=UID, timeout=timeout, proxy=PROXY
    )


async def test_what_it_writes_and_says_is_taken(place: Path) -> None:
    about = json.dumps(
        {"title": "A song", "subtitles": {"de": [{"name": "German"}], "live_chat": []}}
    )
    argv = written(
        place,
        f"printf '%s\\n' \"$@\" > {place}/argv; env > {place}/env; id -u > {place}/uid\n"
        f"cd \"$HOME\"; printf '{VTT}Servus' > captions.de.vtt; printf '{VTT}Hi' > captions.en-orig.vtt\n"
        f"ln -s /etc/passwd captions.fr.vtt; echo '{about}'",
    )
    found = await fetched(argv, "en", "de")
    assert (found.title, found.language, found.cues) == ("A song", "en", [Cue(1, "Hi")])
    assert [each.shown() for each in found.tracks] == [
        {"code": "de", "name": "German", "kind": "manual"}
    ]
    told = (place / "argv").read_text().splitlines()
    assert told[-2:] == ["--", URL]
    assert {"--ignore-config", "--no-cookies", "--skip-download"} <= set(told)
    home = next(each for each in told if each.startswith("--paths=")).removeprefix("--paths=")
    assert not Path(home).exists()
    environment = (place / "env").read_text()
    assert "STOCKADE" not in environment
    assert f"--proxy={PROXY.server}" in told
    if os.geteuid() == 0:
        assert (place / "uid").read_text().strip() == str(UID)
    assert (await fetched(argv, "fr")).cues == []


async def test_failures(place: Path) -> None:
    assert "pip install" in (await fetched([])).problem
    assert (await fetched([str(place / "none")])).problem
    assert (await fetched(written(place, "exit 1"))).problem
    endless = "yes" + " x" * 20
    assert (await fetched(written(place, f"{endless}"))).title == ""
    nothing = await fetched(written(place, 'echo \'{"title": "Mute"}\''))
    assert (nothing.title, nothing.cues, nothing.problem) == ("Mute", [], "")


async def test_it_ends_with_its_children(place: Path) -> None:
    pid = place / "pid"
    argv = written(place, f"sleep 1000 & echo $! > {pid}.new; mv {pid}.new {pid}; wait")
    assert "too long" in (await fetched(argv, timeout=0.5)).problem
    pid.unlink(missing_ok=True)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(fetched(argv))
        await until(pid.exists)
        child = int(pid.read_text())
        task.cancel()
    await until(lambda: not _runs(child))


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in {"Z", "X"}


def test_the_operators_program_goes_first(tmp_path: Path) -> None:
    assert program(tmp_path / "mine") == [str(tmp_path / "mine")]
