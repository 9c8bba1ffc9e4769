"""What to do in each MiniWoB++ task, going by what results show alone."""

from __future__ import annotations

from bench.apps.policies import clicks, flights, forms, games, mail, posts, reading, widgets
from bench.apps.policies.registry import POLICIES, Policy

__all__ = [
    "POLICIES",
    "Policy",
    "clicks",
    "flights",
    "forms",
    "games",
    "mail",
    "posts",
    "reading",
    "widgets",
]
