"""An adversary that has an agent's key and wants a kept secret.

It plays episodes, each in a session of its own and from a seed of its own. In some of them a twin
does the same on a site that differs in nothing but the secrets: their pictures must be the same.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

from PIL import Image, ImageChops

from stockade.kernel.dispatch import Kernel
from stockade.kernel.results import Reply
from stockade.kernel.tool import Tool
from stockade.media.picture import Picture
from stockade.policy.capabilities import DEFAULT, Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from tests.soak.any_calls import any_step
from tests.soak.detecting import Detector, random_secret
from tests.soak.moves import READING, SEEING, TURNED, Guided, Step, guided
from tests.soak.secret_site import SecretSite

_REF = re.compile(r"\[((?:f\d+)?e\d+)\]")
_TAB = re.compile(r'"tabId":\s*"([^"]+)"')
_TWINS = 0.35
_MOVES = (2, 5)
_BETWEEN = 0.3
_GUIDED = 0.75
_LAST = (*READING[:4], READING[4], READING[5])
_SETTLES = 3
"""How often a difference of two pictures must be there again: what still moves is none."""


class Told(Exception):
    """A secret was told, sent or shown."""


@dataclass
class Thief:
    """One caller, its site, and what it has seen last."""

    kernel: Kernel
    principal: Principal
    site: SecretSite
    detector: Detector
    values: dict[str, str] = field(default_factory=dict)
    session: str = ""
    refs: list[str] = field(default_factory=list)
    tab: str = ""
    done: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)
    took: dict[str, float] = field(default_factory=dict)

    async def keep_secrets(self) -> None:
        """The operator keeps what it is after: also anew, once parts of it were tried out."""
        operator = replace(self.principal, id="operator", role=Role.OPERATOR)
        for name, value in self.values.items():
            named = ["API key"] if name == "API_KEY" else []
            await self.kernel.secrets.keep(operator, name, value, [self.site.home], fields=named)

    async def make(self, wanted: Step, number: int) -> Reply:
        """Make a call; whatever comes of it must tell nothing."""
        arguments = {**self._filled_in(wanted.arguments, number), "session": self.session}
        self.done.append(f"{wanted.tool} {json.dumps(arguments)}")
        began = time.monotonic()
        reply = await self.kernel.call(self.principal, wanted.tool, arguments)
        self.took[wanted.tool] = self.took.get(wanted.tool, 0.0) + time.monotonic() - began
        code = "ok" if reply.ok else reply.error.code if reply.error is not None else "failed"
        self.counted[code] += 1
        self.outcomes.append(code)
        self.done[-1] += f" -> {code}"
        self._learn(reply)
        self.check("told", reply.text, reply.aside, json.dumps(reply.data, ensure_ascii=False))
        self.check("told", *(f"{each.uri} {each.name}" for each in reply.links))
        self.listen()
        return reply

    def listen(self) -> None:
        """What reached a stranger."""
        self.check("sent away", *self.site.heard())

    def check(self, how: str, *texts: str) -> None:
        for each in texts:
            if found := self.detector.found_in(each):
                raise Told(f"{how}: {found!r}")

    def _learn(self, reply: Reply) -> None:
        self.refs = _REF.findall(reply.text) or self.refs
        if found := _TAB.search(reply.text):
            self.tab = found[1]

    def _filled_in(self, value: Any, number: int) -> Any:
        if isinstance(value, dict):
            return {name: self._filled_in(each, number) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._filled_in(each, number) for each in value]
        if not isinstance(value, str):
            return value
        ref = self.refs[number % len(self.refs)] if self.refs else "e1"
        return (
            value.replace("{home}", self.site.home)
            .replace("{away}", self.site.away)
            .replace("{ref}", ref)
            .replace("{tab}", self.tab)
            .replace("{turned}", TURNED)
        )


@dataclass
class Adversary:
    """Plays until its time is over, or until it has a secret."""

    seed: int
    thieves: tuple[Thief, Thief]
    tools: Sequence[Tool]
    among: Sequence[Guided] = ()
    """The sequences that are tried; none: all of them, and any tools besides."""
    episodes: int = 0
    diverged: int = 0
    """Episodes in which chance parted the twins: their pages differ for more than their secrets."""

    async def search(self, seconds: float) -> str:
        """What was found, and how to see it again; empty if nothing."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.episodes += 1
            if found := await self.play(self.episodes, until):
                return found
        return ""

    async def play(self, number: int, until: float) -> str:
        """One episode."""
        chance = random.Random(f"{self.seed} {number}")
        players = self.thieves if chance.random() < _TWINS else self.thieves[:1]
        for each in players:
            await each.keep_secrets()
            each.session = f"s{number}"
            each.done.clear()
            each.outcomes.clear()
            await each.make(Step("open_session"), 0)
        try:
            for _ in range(1 if self.among else chance.randrange(*_MOVES)):
                for wanted in self._moves(chance):
                    if time.monotonic() > until:
                        return ""
                    await self._together(players, wanted, chance.randrange(1000))
            for wanted in (*_LAST, SEEING[0]):
                await self._together(players, wanted, 0)
        except Told as told:
            calls = "\n  ".join(each for player in players for each in [*player.done, ""])
            return f"seed {self.seed}, episode {number}: {told}\n  {calls}"
        finally:
            self.diverged += len({tuple(each.outcomes) for each in players}) > 1
            for each in players:
                await each.kernel.call(each.principal, "close_session", {"session": each.session})
        return ""

    def _moves(self, chance: random.Random) -> list[Step]:
        """A sequence, maybe with something in between, or any tools at all."""
        if self.among:
            return chance.choice(self.among)(chance)
        if chance.random() < _GUIDED:
            made = guided(chance)
            if chance.random() < _BETWEEN:
                extra = any_step(chance.choice(self.tools), chance)
                made.insert(chance.randrange(1, len(made)), extra)
            return made
        return [any_step(chance.choice(self.tools), chance) for _ in range(chance.randrange(2, 6))]

    async def _together(self, players: Sequence[Thief], wanted: Step, number: int) -> None:
        replies = await asyncio.gather(
            *(each.make(wanted, number) for each in players), return_exceptions=True
        )
        for each in replies:
            if isinstance(each, BaseException):
                raise each
        first, *others = [each.images for each in replies if not isinstance(each, BaseException)]
        alike = len({tuple(each.outcomes) for each in players}) == 1
        if alike and others and first and _differ(first, others[0]):
            await self._confirm(players, wanted, number)

    async def _confirm(self, players: Sequence[Thief], wanted: Step, number: int) -> None:
        """A difference that stays is what the secrets make."""
        one: Sequence[Picture] = ()
        for _ in range(_SETTLES):
            one, other = [(await each.make(wanted, number)).images for each in players]
            if not one or not other or not _differ(one, other):
                return
        # The first twin without the second: what differs from itself is the page's own doing.
        again = (await players[0].make(wanted, number)).images
        if again and not _differ(one, again):
            raise Told(f"shown: pictures of {wanted.tool} differ where the secrets alone do")


def _differ(some: Sequence[Picture], others: Sequence[Picture]) -> bool:
    """Whether pictures of one size differ where neither is painted over."""
    for one, other in zip(some, others, strict=False):
        pictures = [Image.open(BytesIO(each.data)).convert("RGB") for each in (one, other)]
        if pictures[0].size != pictures[1].size:
            continue
        gap = ImageChops.difference(*pictures).convert("L")
        for each in pictures:
            painted = each.convert("L").point(lambda value: 255 if value else 0)
            gap = ImageChops.darker(gap, painted)
        if gap.point(lambda value: 255 if value > 40 else 0).getbbox() is not None:
            return True
    return False


@asynccontextmanager
async def adversary(
    kernel: Kernel, seed: int, *also: Capability, among: Sequence[Guided] = ()
) -> AsyncIterator[Adversary]:
    """One with the default capabilities and some more, with secrets that are made for it."""
    chance = random.Random(f"{seed} secrets")
    policy = Policy(capabilities=DEFAULT | frozenset(also))
    thieves: list[Thief] = []
    async with AsyncExitStack() as stack:
        for twin in range(2):
            values = {name: random_secret(chance) for name in ("PASSWORD", "API_KEY")}
            site = await stack.enter_async_context(SecretSite.serve(values))
            name = f"thief-{seed}-{'-'.join(also)}-{twin}"
            principal = Principal(name, tenant=name, policy=policy)
            thieves.append(Thief(kernel, principal, site, Detector(values), values))
        tools = [*kernel.registry, *kernel.registry.apart]
        yield Adversary(seed, (thieves[0], thieves[1]), tools, among)
        for each in thieves:
            for session in list(kernel.sessions.all()):
                if session.owner.tenant == each.principal.tenant:
                    await kernel.sessions.close(session)
