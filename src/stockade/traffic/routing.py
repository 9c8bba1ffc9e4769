"""The routes of a session: rules that answer requests in place of the network."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from stockade.engines.port import Context
from stockade.engines.routing import Answer, Asker, HeldRequest, Route
from stockade.errors import QuotaExceeded
from stockade.page.patterns import address_pattern
from stockade.sessions.session import Session

__all__ = ["Routing", "Rule"]

_MOST_RULES = 200


class Rule:
    """Answers for the addresses of a pattern, always the same or a number of answers in turn."""

    def __init__(
        self,
        pattern: str,
        answers: Sequence[Answer],
        *,
        method: str | None = None,
        in_turn: bool = False,
        asker: Asker | None = None,
    ) -> None:
        self.pattern = pattern
        self.method = None if method is None else method.upper()
        self.asker = asker
        """The only one it answers, if not anybody."""
        self.answered = 0
        self._pattern = address_pattern(pattern)
        self._left = deque(answers) if in_turn else None
        self._answer = answers[0]

    @property
    def patterns(self) -> Sequence[str]:
        """The addresses it may answer for."""
        return (self._pattern.glob,)

    @property
    def left(self) -> int | None:
        """How many answers it still has; no end of them when it always gives the same."""
        return None if self._left is None else len(self._left)

    def matches(self, request: HeldRequest) -> bool:
        """Whether it would answer."""
        return (
            self.method in {None, request.method.upper()}
            and self.asker in {None, request.asker}
            and self.left != 0
            and not (self.asker == "service_worker" and _is_script(request))
            and self._pattern.matches(request.url)
        )

    def answer(self, request: HeldRequest) -> Answer | None:
        """Its answer, or the next."""
        if not self.matches(request):
            return None
        self.answered += 1
        return self._answer if self._left is None else self._left.popleft()


def _is_script(request: HeldRequest) -> bool:
    """Whether a service worker itself is being fetched."""
    return request.headers.get("Service-Worker") == "script"


class Routing:
    """All routes of one session; the newest is asked first, recorded traffic last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rules: list[Rule] = []
        self._recorded: list[Route] = []
        session.after_start.append(self._begin)

    @classmethod
    def of(cls, session: Session) -> Routing:
        """That of a session."""
        return session.parts.of(cls, lambda: cls(session))

    @property
    def rules(self) -> list[Rule]:
        """Those that have an answer left, newest first."""
        return [each for each in self._rules if each.left != 0]

    async def add(self, rule: Rule, *, timeout: float) -> None:
        """Answer by a rule from now on, in place of the one of the same pattern and method."""
        if len(self.rules) >= _MOST_RULES:
            raise QuotaExceeded(f"this session has {_MOST_RULES} routes", hint="Remove some.")
        alike = (rule.pattern, rule.method, rule.asker)
        others = [each for each in self.rules if (each.pattern, each.method, each.asker) != alike]
        self._rules = [rule, *others]
        await self._apply(timeout)

    async def remove(self, chosen: Callable[[Rule], bool], *, timeout: float) -> int:
        """Let go of some rules; how many there were."""
        kept = [each for each in self.rules if not chosen(each)]
        removed = len(self.rules) - len(kept)
        self._rules = kept
        if removed:
            await self._apply(timeout)
        return removed

    async def replay(self, routes: Iterable[Route], *, timeout: float) -> None:
        """Answer from recorded traffic what no rule answers."""
        self._recorded.extend(routes)
        await self._apply(timeout)

    async def _apply(self, timeout: float) -> None:
        context = await self._session.started()
        await context.set_routes([*self.rules, *self._recorded], timeout=timeout)

    async def _begin(self, context: Context) -> None:
        await context.set_routes([*self.rules, *self._recorded])
