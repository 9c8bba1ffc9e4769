"""How a budget is shared out among frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Claim", "share_out"]


@dataclass(frozen=True)
class Claim:
    """What one frame could use."""

    tokens: int
    weight: int = 1
    """A frame with the focus counts double."""


def share_out(budget: int, root: int, claims: Sequence[Claim]) -> tuple[int, list[int]]:
    """The share of the root frame, and that of each claim.

    At least half is the root's if it wants it. The rest is filled evenly by weight: what one does
    not need goes to those who need more. The shares never add up to more than the budget.
    """
    rest = max(budget // 2, budget - root, 0)
    shares = [0] * len(claims)
    waiting = list(range(len(claims)))
    while waiting:
        unit = rest / sum(claims[index].weight for index in waiting)
        content = [
            index for index in waiting if claims[index].tokens <= unit * claims[index].weight
        ]
        if not content:
            for index in waiting:
                shares[index] = int(unit * claims[index].weight)
            break
        for index in content:
            shares[index] = claims[index].tokens
            rest -= claims[index].tokens
        waiting = [index for index in waiting if index not in content]
    return max(0, budget - sum(shares)), shares
