"""Plugins: adapters of canvas apps, as entry points of packages that the operator installed.

To be installed is not enough: only those that a setting names are loaded. What one cannot do
without (another plugin, a capability) is checked before anything of it is offered.
"""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Literal

from stockade.errors import InvalidArgument
from stockade.policy.capabilities import Capability, parse_capabilities
from stockade.telemetry.logs import get_logger

__all__ = ["GROUP", "Operation", "Plugin", "Plugins", "Status"]

GROUP: Final = "stockade.canvas"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}", re.ASCII)
_OPERATION: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,79}", re.ASCII)
_LONGEST_VERSION = 40
_LONGEST_ABOUT = 300

Status = Literal[
    "loaded",
    "disabled",
    "not-installed",
    "disabled-by-capability-mismatch",
    "disabled-by-cycle",
    "disabled-by-dep-missing",
    "disabled-by-namespace-conflict",
    "load-error",
]

_log = get_logger("stockade.plugins")

Run = Callable[[Any, dict[str, Any]], Awaitable[Any]]


@dataclass(frozen=True)
class Operation:
    """One thing that a plugin can do: `async def op(api, args)`."""

    name: str
    about: str
    run: Run = field(repr=False)


@dataclass(frozen=True)
class Plugin:
    """What a plugin says of itself, and what became of it."""

    name: str
    status: Status
    namespace: str = ""
    version: str = ""
    capabilities: frozenset[Capability] = frozenset()
    depends_on: tuple[str, ...] = ()
    operations: Mapping[str, Operation] = field(default_factory=dict)
    problem: str = ""
    """Why it is not loaded."""

    def refused(self, status: Status, problem: str) -> Plugin:
        """The same, without anything to offer."""
        return Plugin(
            self.name,
            status,
            self.namespace,
            self.version,
            self.capabilities,
            self.depends_on,
            problem=problem,
        )


class Plugins:
    """The plugins there are, in the order in which they depend on each other."""

    def __init__(self, plugins: Iterable[Plugin] = ()) -> None:
        self._plugins = {each.name: each for each in plugins}
        self.read_at = time.time()

    @classmethod
    def load(cls, enabled: Sequence[str], capabilities: frozenset[Capability]) -> Plugins:
        """Load those that are named; whatever is wrong with one is its status and no error."""
        found = {each.name: each for each in entry_points(group=GROUP)}
        read = [_read(name, found.get(name)) for name in dict.fromkeys(enabled)]
        resting = [
            Plugin(name, "disabled", version=_version(entry), problem="no setting names it")
            for name, entry in sorted(found.items())
            if name not in enabled
        ]
        judged = _in_order(_linked(_alone(read, capabilities)))
        for each in judged:
            if each.status != "loaded":
                _log.warning("plugin left out", plugin=each.name, status=each.status)
        return cls([*judged, *resting])

    def __iter__(self) -> Iterator[Plugin]:
        return iter(self._plugins.values())

    def find(self, name: str) -> Plugin | None:
        """The plugin of that name."""
        return self._plugins.get(name)

    def adapter(self, namespace: str) -> Plugin | None:
        """The loaded plugin that answers under that namespace."""
        return self._by_namespace.get(namespace)

    @cached_property
    def _by_namespace(self) -> dict[str, Plugin]:
        return {each.namespace: each for each in self if each.status == "loaded"}

    def behind(self, plugin: Plugin) -> list[str]:
        """All that a plugin depends on, directly or through others."""
        seen: dict[str, None] = {}
        pending = list(plugin.depends_on)
        while pending:
            name = pending.pop(0)
            if name not in seen:
                seen[name] = None
                found = self.find(name)
                pending += found.depends_on if found is not None else ()
        return list(seen)


# --- reading one ------------------------------------------------------------------------------


def _read(name: str, entry: EntryPoint | None) -> Plugin:
    if entry is None:
        return Plugin(name, "not-installed", problem=f"no installed package offers it in {GROUP}")
    try:
        return _stated(entry, entry.load())
    except InvalidArgument as error:
        return Plugin(name, "load-error", version=_version(entry), problem=error.message)
    except Exception as error:  # noqa: BLE001
        # Somebody else's code: whatever it raises, the server starts without it.
        _log.warning("plugin failed to load", plugin=name, exc_info=True)
        problem = f"it raised {type(error).__name__}; the log has the rest"
        return Plugin(name, "load-error", version=_version(entry), problem=problem)


def _stated(entry: EntryPoint, offered: Any) -> Plugin:
    """What a plugin offers, if it is what a plugin has to be."""
    given = offered() if isinstance(offered, type) else offered
    namespace = getattr(given, "namespace", None)
    if not isinstance(namespace, str) or not _NAME.fullmatch(namespace):
        raise InvalidArgument("its namespace is not a short name in small letters")
    version = getattr(given, "version", "") or _version(entry)
    names = _texts(given, "capabilities")
    try:
        capabilities = parse_capabilities(names)
    except InvalidArgument:
        raise InvalidArgument("it names a capability that there is not") from None
    if {"all", "default"} & set(names):
        raise InvalidArgument("it has to name each capability that it needs")
    return Plugin(
        entry.name,
        "loaded",
        namespace,
        str(version)[:_LONGEST_VERSION],
        capabilities,
        _texts(given, "depends_on"),
        _operations(getattr(given, "ops", None)),
    )


def _texts(given: Any, name: str) -> tuple[str, ...]:
    texts = getattr(given, name, ())
    if isinstance(texts, str) or not all(isinstance(each, str) for each in texts):
        raise InvalidArgument(f"its {name} is not a list of names")
    return tuple(texts)


def _operations(ops: Any) -> dict[str, Operation]:
    if not isinstance(ops, Mapping) or not ops:
        raise InvalidArgument("its ops is not a mapping of names to functions")
    found: dict[str, Operation] = {}
    for name, run in ops.items():
        if not isinstance(name, str) or not _OPERATION.fullmatch(name):
            raise InvalidArgument("the name of an op is not a short word")
        if not inspect.iscoroutinefunction(run):
            raise InvalidArgument(f"the op {name} is not an async function")
        about = " ".join((inspect.getdoc(run) or "").split())[:_LONGEST_ABOUT]
        found[name] = Operation(name, about, run)
    return found


def _version(entry: EntryPoint) -> str:
    return entry.dist.version if entry.dist is not None else ""


# --- judging them together ----------------------------------------------------------------------


def _alone(plugins: Iterable[Plugin], on: frozenset[Capability]) -> list[Plugin]:
    """Each by itself: what it needs is on, and its namespace is not another's."""
    judged: list[Plugin] = []
    taken: dict[str, str] = {}
    for each in plugins:
        if each.status != "loaded":
            judged.append(each)
            continue
        missing = sorted(each.capabilities - on)
        holder = taken.setdefault(each.namespace, each.name)
        if missing:
            problem = f"the server does not have {', '.join(missing)}"
            judged.append(each.refused("disabled-by-capability-mismatch", problem))
        elif holder != each.name:
            problem = f"{holder} has the namespace {each.namespace}"
            judged.append(each.refused("disabled-by-namespace-conflict", problem))
        else:
            judged.append(each)
    return judged


def _linked(plugins: Sequence[Plugin]) -> list[Plugin]:
    """Without those in a circle, and then without those whose dependencies are not there."""
    known = {each.name: each for each in plugins}
    for name, each in tuple(known.items()):
        if each.status == "loaded" and _leads_to(name, each.depends_on, known):
            known[name] = each.refused("disabled-by-cycle", "it depends on itself through others")
    while True:
        loaded = {name for name, each in known.items() if each.status == "loaded"}
        lost = [known[name] for name in loaded if not set(known[name].depends_on) <= loaded]
        if not lost:
            return list(known.values())
        for each in lost:
            missing = sorted(set(each.depends_on) - loaded)
            problem = f"it depends on {', '.join(missing)}"
            known[each.name] = each.refused("disabled-by-dep-missing", problem)


def _leads_to(name: str, depends_on: Sequence[str], known: Mapping[str, Plugin]) -> bool:
    seen: set[str] = set()
    pending = list(depends_on)
    while pending:
        next_ = pending.pop()
        if next_ == name:
            return True
        if next_ not in seen and next_ in known:
            seen.add(next_)
            pending += known[next_].depends_on
    return False


def _in_order(plugins: Sequence[Plugin]) -> list[Plugin]:
    """Each after those that it depends on."""
    known = {each.name: each for each in plugins}
    placed: dict[str, Plugin] = {}

    def place(plugin: Plugin) -> None:
        if plugin.name in placed:
            return
        if plugin.status == "loaded":
            for name in plugin.depends_on:
                place(known[name])
        placed[plugin.name] = plugin

    for each in plugins:
        place(each)
    return list(placed.values())
