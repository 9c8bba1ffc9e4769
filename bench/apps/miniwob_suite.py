"""The suite of MiniWoB++ tasks that have a policy."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bench.apps.driver import ActionFailed, Driver
from bench.apps.miniwob import MiniWob, install_miniwob
from bench.apps.policies import POLICIES
from bench.apps.suite import Outcome, Suite
from tests.support.site import Site

__all__ = ["MiniWobSuite"]

_TRIES = 2
_PATIENCE = 120.0


class MiniWobSuite(Suite):
    """A policy that fails half-way looks again and begins anew once, as a model would."""

    name = "miniwob"

    def __init__(self) -> None:
        self._pages: Path | None = None
        self._site: MiniWob | None = None

    def tasks(self) -> Sequence[str]:
        return sorted(POLICIES)

    def prepare(self, tasks: Sequence[str], *, fresh: bool) -> Mapping[str, str]:
        self._pages = install_miniwob(fresh=fresh)
        return {} if self._pages else dict.fromkeys(tasks, "its package is not to be had")

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[None]:
        assert self._pages is not None
        async with Site.serve() as site:
            self._site = MiniWob(site, self._pages)
            yield

    async def episode(self, driver: Driver, task: str, seed: int) -> Outcome:
        assert self._site is not None
        url, visit = self._site.episode(task, seed)
        why = ""
        try:
            async with asyncio.timeout(_PATIENCE):
                await driver.open(url)
                why = await _attempt(driver, task)
        except TimeoutError:
            why = "it took too long"
        # The page tells its reward when it is left, which is no part of the episode.
        await driver.who.open(self._site.away)
        reward = await self._site.reward(visit)
        return Outcome(reward.success, "" if reward.success else why or _unrewarded(reward.done))


async def _attempt(driver: Driver, task: str) -> str:
    why = ""
    for number in range(_TRIES):
        try:
            if number:
                await driver.look()
            await POLICIES[task](driver)
        except (ActionFailed, LookupError, ValueError) as error:
            why = why or f"{type(error).__name__}: {error}"
            if "START" in driver.view.text:
                # The page covers itself with this when an episode has ended.
                break
        else:
            break
    return why


def _unrewarded(done: bool) -> str:  # noqa: FBT001
    return "the task was ended wrongly" if done else "the task was not ended"
