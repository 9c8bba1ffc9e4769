"""What the pages of a session were granted, so that it can be told."""

from __future__ import annotations

from dataclasses import dataclass, field

from stockade.urls import origin_of

__all__ = ["Granted"]

_ANYWHERE = "*"


@dataclass
class Granted:
    """Permissions by origin; a part of the session."""

    origins: dict[str, set[str]] = field(default_factory=dict)

    def add(self, permissions: tuple[str, ...], origin: str | None) -> None:
        """Pages of `origin`, or all, were granted these."""
        place = origin_of(origin) if origin is not None else _ANYWHERE
        self.origins.setdefault(place, set()).update(permissions)

    def clear(self) -> None:
        """All was taken back."""
        self.origins.clear()

    def has(self, permission: str, origin: str | None = None) -> bool:
        """Whether pages of `origin`, or any at all, were granted it."""
        if permission in self.origins.get(_ANYWHERE, ()):
            return True
        if origin is None:
            return any(permission in names for names in self.origins.values())
        return permission in self.origins.get(origin_of(origin), ())

    def listed(self) -> dict[str, list[str]]:
        """The permissions of each origin, `*` being any."""
        return {origin: sorted(names) for origin, names in self.origins.items() if names}
