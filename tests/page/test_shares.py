"""Sharing out a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stockade.page.shares import Claim, share_out

CLAIMS = st.lists(st.builds(Claim, st.integers(0, 500), st.integers(1, 2)), max_size=8)


@given(st.integers(0, 1000), st.integers(0, 1000), CLAIMS)
def test_shares_fit_and_the_root_has_its_half(budget: int, root: int, claims: list[Claim]) -> None:
    own, shares = share_out(budget, root, claims)
    assert own + sum(shares) <= budget
    assert own >= min(root, budget - budget // 2)
    assert all(0 <= share <= claim.tokens for share, claim in zip(shares, claims, strict=True))


def test_what_one_does_not_need_goes_to_the_others() -> None:
    assert share_out(1000, 200, [Claim(100), Claim(900)]) == (200, [100, 700])
    assert share_out(1000, 2000, [Claim(100), Claim(900)]) == (500, [100, 400])


def test_everything_fits() -> None:
    assert share_out(1000, 100, [Claim(50), Claim(60)]) == (890, [50, 60])


def test_the_focus_counts_double() -> None:
    assert share_out(1200, 2000, [Claim(900), Claim(900, weight=2)]) == (600, [200, 400])
