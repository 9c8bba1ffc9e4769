"""A suite: tasks on pages of one kind, and how an episode of them begins and is judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import ClassVar

from bench.apps.driver import Driver

__all__ = ["Outcome", "Suite"]


@dataclass(frozen=True)
class Outcome:
    """Whether the task was done, judged by the page or the application and not by a contender."""

    success: bool
    why: str = ""
    false_failures: int = 0
    """Calls that said they failed although their input reached the page."""
    false_successes: int = 0
    """Steps that were not done although every result said that they were."""
    steps: int = 0
    """Controls or acts that were judged one by one."""


class Suite(ABC):
    """Tasks that are prepared while there is a network, and served when there is none."""

    name: ClassVar[str]

    @abstractmethod
    def tasks(self) -> Sequence[str]:
        """The names of all tasks, known before anything is installed."""

    @abstractmethod
    def prepare(self, tasks: Sequence[str], *, fresh: bool) -> Mapping[str, str]:
        """Install what these tasks need; those that are not to be had, and why."""

    @abstractmethod
    def serve(self) -> AbstractAsyncContextManager[None]:
        """Serve what was prepared on loopback, until left."""

    def is_compared(self, task: str) -> bool:
        """Whether it is run by every contender, or by Stockade alone."""
        del task
        return True

    @abstractmethod
    async def episode(self, driver: Driver, task: str, seed: int) -> Outcome:
        """Run one; what is called through the driver is metered."""
