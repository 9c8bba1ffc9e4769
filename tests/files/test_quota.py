"""Bytes, counted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from stockade.errors import QuotaExceeded
from stockade.files.quota import Quota


def test_each_session_has_its_own() -> None:
    quota = Quota(10, "files")
    quota.take("a", 10)
    quota.take("b", 4)
    assert (quota.used("a"), quota.used("b"), quota.used("c")) == (10, 4, 0)


def test_what_does_not_fit_counts_nothing() -> None:
    quota = Quota(10, "downloads")
    quota.take("a", 8)
    with pytest.raises(QuotaExceeded) as caught:
        quota.take("a", 3)
    assert caught.value.message == "the downloads of this session would take more than 10 bytes"
    assert caught.value.details == {"limit": 10}
    quota.take("a", 2)


def test_what_is_given_back_can_be_taken_again() -> None:
    quota = Quota(10, "files")
    quota.take("a", 10)
    quota.give_back("a", 6)
    quota.take("a", 6)
    quota.forget("a")
    quota.forget("never seen")
    quota.take("a", 10)


def test_threads_never_take_more_than_there_is() -> None:
    quota = Quota(5000, "files")

    def take(_: int) -> int:
        taken = 0
        for _ in range(1000):
            try:
                quota.take("a", 1)
            except QuotaExceeded:
                continue
            taken += 1
        return taken

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(take, range(8))) == 5000
    assert quota.used("a") == 5000
