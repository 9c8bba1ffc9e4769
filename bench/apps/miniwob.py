"""MiniWoB++ from PyPI: its pages, started with a seed, which tell their reward when they are left.

An episode begins as the page is loaded and has no time limit. Neither its start nor its reward
passes through a contender. What the pages show beside the task for people who train on them (the
last reward, a clock, a trace of clicks) is hidden, as the package's own observations leave it out.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bench.npm import cache_folder
from tests.support.site import Request, Response, Site

__all__ = ["MiniWob", "Reward", "install_miniwob"]

PACKAGE = "miniwob"
_PATIENCE = 5.0
_PREFIX = "/wob"
_HARNESS = """
<style>#reward-display, #click-canvas { display: none !important; }</style>
<script>
addEventListener('load', () => {
  let told = { done: false, reward: 0, reason: null };
  const end = core.endEpisode;
  core.endEpisode = (...given) => {
    end(...given);
    if (!told.done && WOB_DONE_GLOBAL) {
      told = { done: true, reward: WOB_RAW_REWARD_GLOBAL, reason: String(WOB_REWARD_REASON) };
    }
  };
  addEventListener('pagehide', () => {
    navigator.sendBeacon('/reward' + location.search, JSON.stringify(told));
  });
  core.countdownTimer = () => {};
  core.EPISODE_MAX_TIME = 1e8;
  Math.seedrandom(Number(new URLSearchParams(location.search).get('seed')));
  core.startEpisodeReal();
});
</script>
"""


@dataclass(frozen=True)
class Reward:
    """How an episode ended."""

    done: bool
    reward: float
    reason: str | None

    @property
    def success(self) -> bool:
        """Done in full: some tasks give a part of the reward for a part of the work."""
        return self.done and self.reward >= 1


def install_miniwob(*, fresh: bool) -> Path | None:
    """The folder with the pages, installed unless it is there; None where it is not to be had."""
    folder = cache_folder() / "pypi"
    pages = folder / PACKAGE / "html"
    if pages.is_dir() and not fresh:
        return pages
    print(f"installing {PACKAGE} with pip", file=sys.stderr, flush=True)
    # Only its pages are of use: what it depends on drives browsers in another way.
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade",
         f"--target={folder}", PACKAGE],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0 or not pages.is_dir():
        print(f"{PACKAGE} is not to be had: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return pages


class MiniWob:
    """The pages on a site."""

    def __init__(self, site: Site, pages: Path) -> None:
        self._site = site
        self._pages = pages
        self._visits = count()
        self._rewards: dict[str, Reward] = {}
        self._news = asyncio.Condition()
        site.files(_PREFIX, pages)
        site.page("/away", "<title>Away</title>")
        site.route("/reward", self._hear)
        for page in self.names():
            site.route(f"{_PREFIX}/miniwob/{page}.html", self._serve)

    def names(self) -> list[str]:
        """Every task of the package."""
        return sorted(path.stem for path in (self._pages / "miniwob").glob("*.html"))

    @property
    def away(self) -> str:
        """A page without anything, to leave an episode for."""
        return self._site.url("/away")

    def episode(self, task: str, seed: int) -> tuple[str, str]:
        """The address that starts an episode, and the key its reward is told under."""
        visit = str(next(self._visits))
        return self._site.url(f"{_PREFIX}/miniwob/{task}.html?seed={seed}&visit={visit}"), visit

    async def reward(self, visit: str) -> Reward:
        """What the page told when it was left."""
        try:
            async with asyncio.timeout(_PATIENCE), self._news:
                await self._news.wait_for(lambda: visit in self._rewards)
        except TimeoutError:
            return Reward(done=False, reward=0, reason="the page was never left")
        return self._rewards[visit]

    async def _serve(self, request: Request) -> Response:
        path = self._pages / request.path.removeprefix(f"{_PREFIX}/")
        html = path.read_text(encoding="utf-8")
        return Response(html.replace("</head>", f"{_HARNESS}</head>", 1))

    async def _hear(self, request: Request) -> Response:
        async with self._news:
            self._rewards[request.params["visit"]] = Reward(**json.loads(request.body))
            self._news.notify_all()
        return Response(status=204)
