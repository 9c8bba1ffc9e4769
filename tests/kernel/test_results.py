"""Results are cut to their budget in a way that shows, and set apart from what is ours."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.kernel.action_result import Movement
from stockade.kernel.results import Reply, compact, fit, page_block, plain, set_apart, warned
from stockade.kernel.tokens import estimate
from stockade.page.search import Matches

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=300),
    lambda inner: (
        st.lists(inner, max_size=20)
        | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=5)
    ),
    max_leaves=40,
)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), VALUES, max_size=5))
def test_what_fits_is_left_alone(data: dict[str, Any]) -> None:
    assert fit(data, estimate(compact(data))) == data


def test_long_lists_lose_their_ends_and_say_so() -> None:
    data = {"ok": True, "rows": [{"n": index, "text": "words " * 5} for index in range(500)]}
    cut = fit(data, 400)
    assert estimate(compact(cut)) <= 420
    assert cut["rows"][0]["n"] == 0
    assert cut["leftOut"] == {"rows": 500 - len(cut["rows"])}
    assert len(data["rows"]) == 500  # type: ignore[arg-type]


def test_long_texts_are_cut_and_say_so() -> None:
    cut = fit({"ok": True, "inner": {"text": "x" * 10_000}}, 300)
    assert estimate(compact(cut)) <= 320
    assert cut["inner"]["text"].endswith("…")
    assert cut["leftOut"] == {"inner.text": "cut"}


def test_what_cannot_be_cut_stays() -> None:
    data = {f"key{index}": index for index in range(100)}
    assert fit(data, 10) == {**data, "truncated": True, "leftOut": {}}


@pytest.mark.parametrize(
    "data",
    [
        {str(number): [number] * 3 for number in range(20_000)},
        {"rows": [{"parts": [number, number]} for number in range(20_000)]},
        {str(number): {"text": "words " * 20} for number in range(5_000)},
        {"a": {"b": [[["漢字" * 50] * 20] * 20] * 20}},
    ],
    ids=["lists", "lists in a list", "texts", "lists in lists"],
)
def test_however_much_there_is_to_cut_it_takes_no_longer_than_reading_it(
    data: dict[str, Any],
) -> None:
    """Each cut was followed by a look at all the rest."""
    began = time.thread_time()
    cut = fit(data, 4000)
    assert time.thread_time() - began < 5
    assert cut["truncated"]
    assert len(cut["leftOut"]) <= 51


def test_markers_cannot_be_guessed() -> None:
    seen = {page_block("text", "https://a").splitlines()[0] for _ in range(50)}
    assert len(seen) == 50
    block = page_block("text", "https://a")
    first, text, last = block.splitlines()
    assert text == "text"
    assert last == "</" + first.removeprefix("<").removesuffix(" https://a>") + ">"


def test_data_is_set_apart_by_its_first_and_last_field() -> None:
    data = set_apart({"a": 1, "b": 2}, "https://a")
    assert list(data) == ["untrusted", "a", "b", "end"]
    assert data["untrusted"] == f"{data['end']} https://a"


def test_models_and_structs_become_plain() -> None:
    moved = Movement(changed=True, start="a", to="b", kind="hash")
    assert plain(moved) == {"changed": True, "from": "a", "to": "b", "kind": "hash"}
    assert plain(Matches("q", 0, [], [])) == {
        "query": "q",
        "count": 0,
        "matches": [],
    }


def test_json_is_compact_and_keeps_its_characters() -> None:
    assert compact({"ä": [1, "✓"]}) == '{"ä":[1,"✓"]}'
    assert json.loads(compact({"a": "\ud83d"})) == {"a": "\ud83d"}


def test_a_warning_goes_where_there_is_room() -> None:
    reply = Reply("c", ok=True, text='{"ok":true}', data={"ok": True, "warnings": ["old"]})
    assert warned(reply, ()) is reply
    both = warned(reply, ["new"])
    assert (both.data or {})["warnings"] == ["old", "new"]
    assert json.loads(both.text) == both.data
    assert warned(Reply("c", ok=True, text="- button"), ["new"]).text.startswith("[warning: new]")
    rows = Reply("c", ok=True, text="[]", data={"rows": []}, aside="two are shown")
    assert warned(rows, ["new"]).aside == "two are shown; new"
