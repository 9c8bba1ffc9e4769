"""A search for ways to a kept secret: nothing of it is told, sent to strangers or shown."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from stockade.config import load
from stockade.kernel.dispatch import Kernel
from stockade.page import bundle
from stockade.policy.capabilities import Capability
from stockade.server import running_kernel
from tests.soak.adversary import Adversary, adversary
from tests.soak.guards import GUARDS
from tests.support.levels import LEVEL
from tests.support.soak import Soak

_SECONDS = 600
"""For each of the two; a twentieth in a short run."""


@pytest.fixture(scope="module")
async def hasty(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Kernel]:
    """A kernel that waits for nobody."""
    settings = load(
        workspace=tmp_path_factory.mktemp("workspace"),
        isolation=LEVEL,
        call_deadline=4,
        approval_wait=0.001,
        queue_wait=5,
        tab_wait=5,
    )
    async with running_kernel(settings) as kernel:
        yield kernel


def _told(searcher: Adversary) -> str:
    first, twin = searcher.thieves
    counted = (first.counted + twin.counted).most_common()
    calls = sum(dict(counted).values())
    episodes = f"{searcher.episodes} episodes ({searcher.diverged} of twins that diverged)"
    return f"{episodes}, {calls} calls: {dict(counted)}"


_WITHOUT_GUARD = 60


@pytest.mark.soak
@pytest.mark.parametrize("name", GUARDS)
async def test_without_any_one_of_the_guards_it_is(
    hasty: Kernel, soak: Soak, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    if not soak.full:
        pytest.skip("a search for each of them, in long runs")
    guard = GUARDS[name]
    guard.switch_off(monkeypatch)
    async with adversary(hasty, soak.seed, *guard.also, among=guard.shown_by) as searcher:
        found = await searcher.search(_WITHOUT_GUARD)
        print(found[:2000], _told(searcher))  # noqa: T201
        assert found, "it was not needed, or the search is blunt"


@pytest.mark.soak
@pytest.mark.parametrize("also", [(), (Capability.EVAL,)], ids=["default", "eval"])
async def test_no_secret_is_got(hasty: Kernel, soak: Soak, also: tuple[Capability, ...]) -> None:
    async with adversary(hasty, soak.seed, *also) as searcher:
        found = await searcher.search(soak.rounds(_SECONDS))
        print(_told(searcher))  # noqa: T201
        assert not found, found


@pytest.mark.parametrize("name", GUARDS)
def test_what_is_switched_off_is_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    GUARDS[name].switch_off(monkeypatch)
    assert "stockade" in bundle.source()
