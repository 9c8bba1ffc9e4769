"""One user of the server: does something at random, and knows what must come of it."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.soak.town import KEPT
from tests.support.site import ABSENT, Site

_MARK = re.compile(r"mark-\d+-x")
_REF = re.compile(r"button \"Count up\" \[(\w+)\]")
_SAY = re.compile(r"textbox \"Say\" \[(\w+)\]")
_NOTICE = 5.0
_PATIENCE = 60.0
_BROWSER_LOST = ("browser_restarted", "session_expired")


@dataclass
class Troubles:
    """What was broken on purpose, and when."""

    last: float = 0.0
    count: int = 0


@dataclass
class House:
    """A tab, and what its page must show."""

    id: str
    number: int
    born: float = field(default_factory=time.monotonic)
    count: int = 0
    said: str = ""


class Lost(Exception):
    """A tab is gone because something was broken on purpose."""


@dataclass
class Citizen:
    """Acts in its own session until it is told to stop."""

    number: int
    client: httpx.AsyncClient
    site: Site
    chance: random.Random
    troubles: Troubles
    most: int
    """Tabs it keeps at the most."""
    houses: list[House] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    clicks: list[float] = field(default_factory=list)
    entered: float = 0.0

    @property
    def mark(self) -> str:
        return f"mark-{self.number}-x"

    @property
    def user(self) -> str:
        return f"citizen {self.number}"

    async def live(self, until: float) -> None:
        """Do one thing after another; whatever is wrong ends the test."""
        await self.enter()
        while time.monotonic() < until:
            try:
                await self._something()()
            except Lost as loss:
                self.done["lost"] += 1
                await self._recover(str(loss))

    async def enter(self) -> None:
        """Leave its mark everywhere in its browser."""
        while True:
            try:
                house = await self._open(f"/enter?mark={self.mark}")
                await self._until(house, "Entered")
            except Lost:
                continue
            await self._close(house)
            self.entered = time.monotonic()
            return

    def _something(self) -> Callable[[], Awaitable[None]]:
        if not self.houses or (len(self.houses) < self.most and self.chance.random() < 0.3):
            return self.build
        if len(self.houses) == self.most and self.chance.random() < 0.1:
            return self.tear_down
        often = (self.click, self.say, self.look, self.move)
        seldom = (self.picture, self.ask, self.links, self.back, self.count_houses)
        return self.chance.choice(often + often + seldom)

    # --- what it does ---------------------------------------------------------------------------

    async def build(self) -> None:
        number = self.chance.randrange(1, 1000)
        house = await self._open(f"/show?number={number}")
        house.number = number
        await self._inspect(house)

    async def tear_down(self) -> None:
        await self._close(self.chance.choice(self.houses))

    async def move(self) -> None:
        house = self.chance.choice(self.houses)
        number = self.chance.randrange(1, 1000)
        url = self.site.url(f"/show?number={number}")
        answer = await self._post(house, "navigate", url=url)
        assert answer["url"] == url, answer
        house.number, house.count, house.said = number, 0, ""
        await self._inspect(house)

    async def back(self) -> None:
        house = self.chance.choice(self.houses)
        await self.move_to(house, 1)
        await self.move_to(house, 2)
        answer = await self._post(house, "back")
        assert answer["url"] == self.site.url("/show?number=1"), answer
        house.number = 1
        await self._inspect(house)

    async def move_to(self, house: House, number: int) -> None:
        await self._post(house, "navigate", url=self.site.url(f"/show?number={number}"))
        house.number, house.count, house.said = number, 0, ""

    async def click(self) -> None:
        house = self.chance.choice(self.houses)
        text = (await self._snapshot(house))["snapshot"]
        started = time.perf_counter()
        await self._post(house, "click", ref=_ref(_REF, text))
        self.clicks.append(time.perf_counter() - started)
        house.count += 1
        await self._inspect(house)

    async def say(self) -> None:
        house = self.chance.choice(self.houses)
        text = (await self._snapshot(house))["snapshot"]
        said = f"words {self.chance.randrange(10**6)}"
        await self._post(house, "type", ref=_ref(_SAY, text), text=said)
        house.said = said
        await self._inspect(house)

    async def look(self) -> None:
        await self._inspect(self.chance.choice(self.houses))

    async def picture(self) -> None:
        house = self.chance.choice(self.houses)
        response = await self.client.get(
            f"/tabs/{house.id}/screenshot", params={"userId": self.user}, timeout=_PATIENCE
        )
        self._check(house, response, "screenshot")
        assert response.content.startswith(b"\x89PNG"), response.content[:20]

    async def ask(self) -> None:
        house = self.chance.choice(self.houses)
        answer = await self._post(house, "evaluate", expression="localStorage.getItem('mark')")
        assert answer["result"] == self.mark, answer

    async def links(self) -> None:
        house = self.chance.choice(self.houses)
        answer = await self._get(house, "links")
        assert [each["text"] for each in answer["links"]] == ["First house", "Second house"]

    async def count_houses(self) -> None:
        found = await self._tabs()
        missing = {each.id for each in self.houses} - set(found)
        assert not set(found) - {each.id for each in self.houses}, (found, self.houses)
        for house in [each for each in self.houses if each.id in missing]:
            self._lose(house, "list")

    # --- how it is done -------------------------------------------------------------------------

    async def _open(self, path: str) -> House:
        asked = time.monotonic()
        body = {"userId": self.user, "sessionKey": "town", "url": self.site.url(path)}
        response = await self.client.post("/tabs", json=body, timeout=_PATIENCE)
        house = House("", 0, born=asked)
        answer = self._check(house, response, "tabs")
        assert "recycled" not in answer, answer
        house.id = answer["tabId"]
        self.houses.append(house)
        return house

    async def _close(self, house: House) -> None:
        self.houses.remove(house)
        response = await self.client.request(
            "DELETE", f"/tabs/{house.id}", params={"userId": self.user}, timeout=_PATIENCE
        )
        assert response.status_code == 200, response.text
        self.done["close"] += 1

    async def _tabs(self) -> list[str]:
        response = await self.client.get("/tabs", params={"userId": self.user}, timeout=_PATIENCE)
        answer = self._check(None, response, "list")
        return [each["tabId"] for each in answer["tabs"]]

    async def _recover(self, loss: str) -> None:
        """Something was lost: keep the tabs that are still there, or begin anew."""
        while True:
            try:
                found = await self._tabs()
                self.houses = [each for each in self.houses if each.id in found]
                if not self.houses or any(each in loss for each in _BROWSER_LOST):
                    self.done["began anew"] += 1
                    await self._come_back()
            except Lost as another:
                loss = str(another)
            else:
                return

    async def _come_back(self) -> None:
        """Its browser may be lost, and its profile is not; the rest would be gone with it."""
        self.houses.clear()
        house = await self._open("/show?number=1")
        assert f"cookie {self.mark}" in (await self._snapshot(house))["snapshot"]
        answer = await self._post(house, "evaluate", expression="localStorage.getItem('mark')")
        assert answer["result"] == self.mark, answer
        await self._close(house)
        await self.enter()

    async def _inspect(self, house: House) -> None:
        """The page must show its owner's marks and what was done to it, and nothing else."""
        text = await self._until(house, "Shown")
        marks = set(_MARK.findall(text))
        assert marks == {self.mark}, f"{self.user} sees {marks}: {text}"
        if f"worker {ABSENT}" in text and self.troubles.last > time.monotonic() - _NOTICE:
            # A browser does without a worker whose process was killed, and asks the site.
            await self._close(house)
            raise Lost(f"worker: {text}")
        for kept in KEPT:
            assert f"{kept} {self.mark}" in text, f"{kept}: {text}"
        assert f"House {house.number}" in text, text
        assert f"Count: {house.count}" in text, text
        assert not house.said or house.said in text, text

    async def _until(self, house: House, word: str) -> str:
        async with asyncio.timeout(_PATIENCE):
            while True:
                answer = await self._snapshot(house)
                text: str = answer["snapshot"]
                if word in text:
                    return text
                assert "Failed" not in text, text

    async def _snapshot(self, house: House) -> dict[str, Any]:
        return await self._get(house, "snapshot")

    async def _get(self, house: House, what: str) -> dict[str, Any]:
        response = await self.client.get(
            f"/tabs/{house.id}/{what}", params={"userId": self.user}, timeout=_PATIENCE
        )
        return self._check(house, response, what)

    async def _post(self, house: House, what: str, **body: Any) -> dict[str, Any]:
        response = await self.client.post(
            f"/tabs/{house.id}/{what}", json={"userId": self.user, **body}, timeout=_PATIENCE
        )
        return self._check(house, response, what)

    def _check(self, house: House | None, response: httpx.Response, what: str) -> dict[str, Any]:
        began = time.monotonic() - response.elapsed.total_seconds()
        if response.status_code == 410:
            self._lose(house, f"{what}: {response.text}")
        # A browser that was just killed is found to be gone by the first who wants it.
        late = _NOTICE if response.status_code == 503 else 0.0
        if response.status_code != 200 and self.troubles.last > began - late:
            # It was under way when something was broken: whatever it is told, in the one shape.
            assert {"error", "code", "retryable"} <= response.json().keys(), response.text
            raise Lost(f"{what}: {response.text}")
        assert response.status_code == 200, f"{what}: {response.status_code} {response.text}"
        self.done[what] += 1
        if not response.headers["content-type"].startswith("application/json"):
            return {}
        answer: dict[str, Any] = response.json()
        return answer

    def _lose(self, house: House | None, what: str) -> None:
        """A tab that is gone must have been there when something was broken."""
        born = house.born if house is not None else self.entered
        assert self.troubles.last > born, f"{self.user} lost a tab for no reason: {what}"
        raise Lost(what)


def _ref(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    assert found is not None, text
    return found[1]
