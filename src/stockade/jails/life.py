"""The life of a jail: which state may follow which."""

from __future__ import annotations

from enum import Enum

__all__ = ["Life", "Misstep", "State"]


class State(Enum):
    """Where a jail is in its life."""

    NEW = "new"
    CREATED = "created"
    """Its namespaces, folders and limits are there, and nothing runs in it."""
    STARTED = "started"
    """Its browser was started."""
    READY = "ready"
    """Its browser answers."""
    INJECTED = "injected"
    """It was given what it begins with."""
    RUNNING = "running"
    """A session has it."""
    DESTROYED = "destroyed"


_NEXT = {
    State.NEW: {State.CREATED},
    State.CREATED: {State.STARTED},
    State.STARTED: {State.READY},
    State.READY: {State.INJECTED, State.RUNNING},
    State.INJECTED: {State.RUNNING},
    State.RUNNING: set[State](),
    State.DESTROYED: set[State](),
}


class Misstep(RuntimeError):
    """A jail was to do what is not next in its life: a fault of ours."""


class Life:
    """One jail's state. From every state it can be destroyed, and from then on nothing else."""

    def __init__(self) -> None:
        self.state = State.NEW

    def goes_to(self, state: State) -> None:
        """Take the next step."""
        if state not in _NEXT[self.state] and state is not State.DESTROYED:
            raise Misstep(f"a jail that is {self.state.value} cannot become {state.value}")
        self.state = state

    @property
    def over(self) -> bool:
        """Whether it is destroyed."""
        return self.state is State.DESTROYED
