"""Masking: no part of a secret is left, and nothing else is touched."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import InvalidArgument
from stockade.masking.masker import Masker


def masker(**secrets: str) -> Masker:
    found = Masker()
    for name, secret in secrets.items():
        found.add(name, secret)
    return found


@pytest.mark.parametrize(
    "secret",
    [
        'Zq7!pa"ss<w&rd>\\x9K',
        "two words + a plus",
        "пароль✓",
        "0123456789abcdef" * 4 + "x",
        "492039",
        "-----BEGIN KEY-----\nAAAA\nBBBB\n-----END KEY-----\n",
        "a.*|(b)[c]",
        "\U0001f98a" * 6 + "x",
    ],
)
def test_a_secret_reads_as_its_name(secret: str) -> None:
    assert masker(S=secret).text(f"a{secret}{secret} b {secret}") == "a<S><S> b <S>"


def test_without_secrets_nothing_is_touched() -> None:
    value = {"a": ["hunter2hunter2"]}
    assert Masker().value(value) is value
    assert Masker().text("hunter2hunter2") == "hunter2hunter2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("abcdefghij", "<LONG>"),
        ("xcdefghx", "x<SHORT>x"),
        ("abcdefghij cdefgh", "<LONG> <SHORT>"),
        ("abcdefghi", "ab<SHORT>i"),
    ],
)
def test_of_secrets_within_each_other_the_longest_is_named(text: str, shown: str) -> None:
    assert masker(SHORT="cdefgh", LONG="abcdefghij").text(text) == shown
    assert masker(LONG="abcdefghij", SHORT="cdefgh").text(text) == shown


def test_of_secrets_that_overlap_no_part_is_left() -> None:
    both = masker(A="abcdef", B="defghi")
    assert both.text("-abcdefghi-") == "-<A><B>-"
    assert both.text("-abcdefabcdefghidefghi-") == "-<A><A><B><B>-"


def test_a_secret_may_overlap_itself() -> None:
    assert masker(S="abaaba").text("-abaabaaba-") == "-<S>-"
    assert masker(S="aaaaaa").text("a" * 1000 + "b") == "<S>b"
    assert masker(S="abcabc").text("-abcabcabcabc-abcabc") == "-<S>-<S>"


def test_two_that_begin_alike_are_told_apart() -> None:
    assert masker(A="secret1", B="secret12").text("secret1 secret12 secret13") == "<A> <B> <A>3"


def test_one_secret_of_two_names_has_the_last() -> None:
    found = masker(OLD="hunter2hunter2")
    found.add("NEW", "hunter2hunter2")
    assert found.text("hunter2hunter2") == "<NEW>"


def test_a_name_keeps_its_former_secret() -> None:
    found = masker(S="first-secret")
    found.add("S", "second-secret")
    assert found.text("first-secret second-secret") == "<S> <S>"


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("S", ""),
        ("S", "short"),
        ("S", "with\0nul"),
        ("", "hunter2hunter2"),
        ("a b", "hunter2hunter2"),
        ("a>b", "hunter2hunter2"),
        ("S" * 101, "hunter2hunter2"),
        ("hunter2hunter2", "hunter2hunter2"),
        ("my-hunter2hunter2", "hunter2hunter2"),
        ("hunter2", "<hunter2>"),
    ],
)
def test_what_could_not_be_masked_is_refused_without_an_echo(name: str, secret: str) -> None:
    found = Masker()
    with pytest.raises(InvalidArgument) as caught:
        found.add(name, secret)
    assert "hunter2" not in str(caught.value.as_dict())
    assert found.text(f"{secret} {name}") == f"{secret} {name}"


# --- values -----------------------------------------------------------------------------------


def test_values_are_masked_at_every_leaf_and_key() -> None:
    value = {
        "plain": "a",
        "deep": [{"x": ["hunter2hunter2"]}, ("hunter2hunter2", None, True, 1.5)],
        "key hunter2hunter2": {"hunter2hunter2": 1},
    }
    before = copy.deepcopy(value)
    assert masker(S="hunter2hunter2").value(value) == {
        "plain": "a",
        "deep": [{"x": ["<S>"]}, ["<S>", None, True, 1.5]],
        "key <S>": {"<S>": 1},
    }
    assert value == before


@pytest.mark.parametrize("value", ["hunter2hunter2", ["hunter2hunter2"], ("hunter2hunter2",)])
def test_a_value_may_be_a_text_or_a_list(value: Any) -> None:
    shown = masker(S="hunter2hunter2").value(value)
    assert shown in ("<S>", ["<S>"])


def test_keys_that_become_alike_lose_nothing() -> None:
    value = {"<S>": 1, "hunter2hunter2": 2, "other": 3}
    assert masker(S="hunter2hunter2").value(value) == {"<S>": 1, "<S>'": 2, "other": 3}


def test_a_number_that_is_a_secret() -> None:
    found = masker(CODE="492039")
    value = {"code": 492039, "time": 1749203900, "text": "a 1749203900"}
    assert found.value(value) == {"code": "<CODE>", "time": 1749203900, "text": "a 17<CODE>00"}


def test_bytes_are_left_as_they_are() -> None:
    value = {"picture": b"hunter2hunter2", "text": "hunter2hunter2"}
    assert masker(S="hunter2hunter2").value(value) == {
        "picture": b"hunter2hunter2",
        "text": "<S>",
    }


def test_a_text_that_holds_a_nul() -> None:
    value = ["a\0b", "\0", "x\0hunter2hunter2", "hunter2", "hunter2", ""]
    assert masker(S="hunter2hunter2").value(value) == [
        "a\0b",
        "\0",
        "x\0<S>",
        "hunter2",
        "hunter2",
        "",
    ]


def test_neighbours_are_not_joined() -> None:
    value = {"a": "hunter2", "b": ["hunter2", "hunter2"]}
    assert masker(S="hunter2hunter2").value(value) == value


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}])
def test_a_value_may_be_deeper_than_the_stack(wrap: Any) -> None:
    value: Any = "hunter2hunter2"
    for _ in range(100_000):
        value = wrap(value)
    shown = masker(S="hunter2hunter2").value(value)
    while not isinstance(shown, str):
        (shown,) = shown.values() if isinstance(shown, dict) else shown
        (value,) = value.values() if isinstance(value, dict) else value
    assert shown == "<S>"


letters = st.text("ab<", min_size=6, max_size=9)


@given(st.dictionaries(st.sampled_from("XYZ"), letters, min_size=1), st.text("ab<", max_size=60))
def test_no_secret_is_left_and_nothing_else_is_taken(secrets: dict[str, str], text: str) -> None:
    covered = [False] * len(text)
    for secret in secrets.values():
        for start in range(len(text)):
            if text.startswith(secret, start):
                covered[start : start + len(secret)] = [True] * len(secret)
    kept = "".join(each for each, hidden in zip(text, covered, strict=True) if not hidden)
    shown = masker(**secrets).text(text)
    for name in secrets:
        shown = shown.replace(f"<{name}>", "")
    assert shown == kept


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab\0") | st.just("secret-1"),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab") | st.just("secret-1"), inner),
)


def plainly(value: Any, found: Masker) -> Any:
    if isinstance(value, str):
        return found.text(value)
    if isinstance(value, dict):
        return {found.text(key): plainly(each, found) for key, each in value.items()}
    if isinstance(value, list):
        return [plainly(each, found) for each in value]
    return value


@given(json)
def test_any_value_is_masked_like_its_texts(value: Any) -> None:
    found = masker(S="secret-1", T="ababab")
    assert found.value(value) == plainly(value, found)
