"""Masking: no part of a secret is left, and nothing else is touched."""

from __future__ import annotations

import copy
from json import dumps
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import InvalidArgument, MaskingFailed
from stockade.masking.masker import Masker
from stockade.masking.scopes import SERVER, of_place, of_session, of_tenant
from tests.masking.spellings import SECRETS, SPELLINGS

HUNTER = "hunter2hunter2"
ALICE, BOB = of_tenant("alice"), of_tenant("bob")


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
        "-----BEGIN KEY-----\nAAAA\nBBBB\n-----END KEY-----",
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
    assert masker(S="abcabc").text("-abcabcabcabc x abcabc") == "-<S> x <S>"


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
        ("S", "bell\x07bell"),
        ("S", " s p \u200b a c e "),
        ("S", "x" * 65_537),
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
    assert found.exact(f"{secret} {name}") == f"{secret} {name}"


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
    assert masker(S="hunter2hunter2").exact_value(value) == [
        "a\0b",
        "\0",
        "x\0<S>",
        "",
    ]


def test_parts_of_several_lists_are_not_joined() -> None:
    value = {"c": [["hunter2"], ["hunter2"]], "d": {"e": "hunter2"}, "f": "hunter2"}
    assert masker(S=HUNTER).value(value) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (["a", "hunter2", "hunter2", "b"], ["a", "<S>", "b"]),
        (["my hunt", "er2hunter2!"], ["my <S>", "!"]),
        ([*"my hunter2hunter2"], ["m", "y", " ", "<S>"]),
        ([{"t": each} for each in HUNTER], [{"t": "<S>"}, *[{"t": ""}] * 13]),
        ([0, *HUNTER.encode(), 0], [0, "<S>", 0]),
        ([1, 4, 9, 2, 0, 3, 9], [1, "<CODE>"]),
        ({"k": ["4", 9, "2", 0, "39"]}, {"k": ["<CODE>"]}),
    ],
)
def test_a_secret_in_pieces(value: Any, shown: Any) -> None:
    assert masker(S=HUNTER, CODE="492039").value(value) == shown


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


letters = st.text("abc", min_size=6, max_size=9)


@given(
    st.dictionaries(st.sampled_from("XYZ"), letters, min_size=1),
    st.text("abc<", max_size=60).filter(lambda text: "<" not in text.strip("<")),
)
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
    lambda inner: (
        st.lists(inner, max_size=1) | st.dictionaries(st.text("ab") | st.just("secret-1"), inner)
    ),
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


# --- spellings --------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_every_kind_of_secret(spelling: str) -> None:
    for secret in SECRETS.values():
        found = masker(S=secret)
        written = SPELLINGS[spelling](secret)
        shown = found.exact(f"before {written} after")
        assert "<S>" in shown
        assert shown.startswith("before ")
        assert shown.endswith("after")
        # What is left is what stood around it, the same whatever the secret is.
        assert found.exact(shown) == shown
        assert found.exact_value({"a": [{"x": f'p="{written}"'}]})["a"][0]["x"].count("<S>")
        # Of tags nothing is left to be masked.
        assert spelling == "tags" or "<S>" in found.text(f"before {written} after")
        (_, *_), *_ = found.spans(f"before {written} after")


def test_spans_are_in_order_and_apart() -> None:
    both = masker(A="abcdef", B="defghi")
    assert both.spans("-abcdefghi- a%62cdef abcdef") == [(1, 10), (12, 20), (21, 27)]
    assert both.spans("nothing here") == []
    assert Masker().spans("abcdef") == []


def test_what_stands_around_a_spelling_stays() -> None:
    found = masker(S="Zq7!pass")
    assert found.text("a=1&p=%5Aq7%21pass&b=%20") == "a=1&p=<S>&b=%20"
    assert found.text('{"p": "\\u005aq7!pass", "q": "\\u005a"}') == '{"p": "<S>", "q": "\\u005a"}'
    assert found.text("<p>Z<b>q</b>7!pass</p>") == "<p><S></p>"
    assert found.text("%C3%BC%5A%71%37%21%70%61%73%73%C3%BC") == "%C3%BC<S>%C3%BC"
    assert found.text("90,113,55,33,112,97,115,115,1") == "<S>,1"


@pytest.mark.parametrize(
    "text",
    [
        "hunt**er2h***unter2*",
        "h | u | n | t | e | r | 2 | h | u | n | t | e | r | 2",
        "hunter2-hunter2",
        "[h] [u] [n] [t] [e] [r] [2] [h] [u] [n] [t] [e] [r] [2]",
        "list\n" + "\n".join(f"  - listitem: {each}" for each in HUNTER),
        "list\n" + "\n".join(f'  - button "{each}" [e{n}]' for n, each in enumerate(HUNTER)),
        "list\n" + "\n".join(f"- {each}" for each in HUNTER),
    ],
)
def test_what_a_page_shows_in_pieces_is_one_text(text: str) -> None:
    shown = masker(S=HUNTER).text(text)
    assert "<S>" in shown
    assert len(shown) < 30


def test_of_a_short_secret_the_punctuation_counts() -> None:
    assert masker(S="ab-cd-ef").text("abcdef ab cd ef ab-cd-ef") == "abcdef ab cd ef <S>"


TOKEN = SECRETS["token"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"buy {TOKEN[:50]}…", "buy <S>…"),
        (f'button "buy {TOKEN[:40]}…" [e3]', 'button "buy <S>…" [e3]'),
        (f"buy {TOKEN[:32]}...", "buy <S>..."),
        (f"…{TOKEN[-40:]} is it", "…<S> is it"),
        (f"https://a.test/?q={TOKEN[:60]}", "https://a.test/?q=<S>"),
        # Less than half is no more than a guess.
        (f"buy {TOKEN[:31]}…", f"buy {TOKEN[:31]}…"),
        # It goes on as something else.
        (f"buy {TOKEN[:50]}-else", f"buy {TOKEN[:50]}-else"),
    ],
)
def test_what_is_left_of_a_secret_at_a_cut(text: str, shown: str) -> None:
    assert masker(S=TOKEN).text(text) == shown
    assert masker(S=TOKEN).value(["a", {"b": text}, "c"]) == ["a", {"b": shown}, "c"]


def test_a_secret_that_looks_escaped_itself() -> None:
    found = masker(S="a%41b&amp;c\\x41")
    for text in ("a%41b&amp;c\\x41", "a%2541b%26amp%3Bc%5Cx41", "a%41b&amp;amp;c\\x41"):
        assert found.text(f"({text})") == "(<S>)"


def test_a_longer_secret_is_found_where_a_shorter_one_stands_in_it() -> None:
    found = masker(PART="abc123xyz", WHOLE="https://me:abc123xyz@host/?key=Zq7!pass")
    assert (
        found.text("to=https%3A%2F%2Fme%3Aabc123xyz%40host%2F%3Fkey%3DZq7%21pass;") == "to=<WHOLE>;"
    )


@pytest.mark.parametrize(
    "text",
    [
        "the quick brown fox " * 50,
        "https://example.test/a/b?c=%20%C3%A9&d=1#e",
        '{"a": "\\u00e9\\n", "b": [1, 2, 3]}',
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "00:1a:2b:3c:4d:5e 2024-01-02 03:04:05",
    ],
)
def test_other_texts_are_untouched(text: str) -> None:
    found = Masker()
    for name, secret in SECRETS.items():
        found.add(name, secret)
    assert found.text(text) is text


# --- scopes -----------------------------------------------------------------------------------


def test_a_secret_is_looked_for_in_what_its_owner_is_told() -> None:
    found = Masker()
    found.add("KEY", "key-of-the-server")
    found.add("S", HUNTER, ALICE)
    text = f"{HUNTER} key-of-the-server"
    assert found.text(text) == "<S> <KEY>"
    assert found.within(SERVER, ALICE).text(text) == "<S> <KEY>"
    assert found.within(SERVER, BOB).text(text) == f"{HUNTER} <KEY>"
    assert found.within(BOB).idle


def test_a_view_hears_of_what_comes_and_goes() -> None:
    found = Masker()
    mine, other = of_session("alice", "s1"), of_session("bob", "s2")
    view = found.within(ALICE)
    assert view.idle
    found.add("OTHER", "nobody-elses", other)
    assert view.idle
    found.add("S", HUNTER, mine)
    assert view.text(HUNTER) == "<S>"
    found.add("T", "another-secret", ALICE)
    assert view.text(f"{HUNTER} another-secret") == "<S> <T>"
    found.forget(mine)
    assert view.text(f"{HUNTER} another-secret") == f"{HUNTER} <T>"
    assert found.text(HUNTER) == HUNTER


# --- failing ----------------------------------------------------------------------------------


def test_if_masking_fails_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError(HUNTER)

    found = masker(S=HUNTER)
    monkeypatch.setattr("stockade.masking.search.Search.hits", broken)
    for attempt in (found.text, found.value, found.spans):
        with pytest.raises(MaskingFailed) as caught:
            attempt(HUNTER)
        assert HUNTER not in str(caught.value.as_dict())
        assert caught.value.__suppress_context__
    assert Masker().text(HUNTER) == HUNTER


PLACE = of_place("t", "s", "https://a.test")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("code 482913.", "code <PIN>."),
        ("codes 111111 482913", "codes <PIN> <PIN>"),
        ("482 913 and 482-913", "<PIN> and <PIN>"),
        ("?pin=482913&x=1", "?pin=<PIN>&x=1"),
        ("4829137 and 48291", "4829137 and 48291"),
    ],
)
def test_every_number_like_a_code_is_taken_for_it(text: str, shown: str) -> None:
    masker = Masker()
    masker.add_code("PIN", 6, PLACE)
    there = masker.within(SERVER, of_tenant("t"), PLACE)
    assert there.text(text) == shown
    assert there.value({"a": [text], "size": 123456}) == {"a": [shown], "size": 123456}
    assert not there.name_in(text)
    elsewhere = masker.within(SERVER, of_tenant("t"))
    assert elsewhere.text(text) == text
    masker.forget(of_session("t", "s"))
    assert there.text(text) == text


def test_pieces_are_told_apart_from_the_whole() -> None:
    masker = Masker()
    masker.add_parts("S", "Tr0ub4dor&3-xkcd", PLACE)
    there = masker.within(PLACE)
    assert there.pieces("it is Tr0ub4dor&3-xkcd") == {}
    assert there.pieces("Tr0ub and x4dor&3x") == {"S": {"tr0ub", "4dor&3"}}
    assert there.pieces({"a": ["3-xkc"], "b": "nothing"}) == {"S": {"3-xkc"}}


HORSE, STAPLE = "correct horse", "battery staple"
NODES = f"""{{"id":5,"parent":4,"type":"text","text":"{HORSE}"}}
{{"id":6,"parent":3,"type":"element","tag":"li","attributes":{{"class":"x"}}}}
{{"id":7,"parent":6,"type":"text","text":"{STAPLE}"}}"""


@pytest.mark.parametrize(
    "text",
    [
        f"- list:\n  - listitem: {HORSE}\n  - listitem: {STAPLE}",
        f'- list [e1]:\n  - listitem "{HORSE}" [e2]\n  - listitem "{STAPLE}" [e3]: more',
        f"- row:\n  - cell: {HORSE}\n  - cell: {STAPLE}",
        f"- text: {HORSE}\n- iframe [f1e1]:\n  - text: {STAPLE}",
        f"* {HORSE}\n* {STAPLE}",
        f"1. {HORSE}\n2. {STAPLE}",
        f"| {HORSE} | {STAPLE} |",
        f'["{HORSE}","{STAPLE}"]',
        f'["{HORSE}", "{STAPLE}"]',
        f"<li>{HORSE}</li>\n  <li>{STAPLE}</li>",
        f"<td>{HORSE}<td>{STAPLE}",
        NODES,
        f"{HORSE}\n\n{STAPLE}",
    ],
)
@pytest.mark.parametrize("secret", [f"{HORSE} {STAPLE}", HORSE + STAPLE])
def test_halves_in_adjoining_places_are_one_text(text: str, secret: str) -> None:
    shown = masker(S=secret).text(text)
    assert "<S>" in shown, shown
    assert "horse" not in shown
    assert "staple" not in shown


@pytest.mark.parametrize("head", ["{}. ", "{}) ", "-{}. ", "- ", "* "])
@pytest.mark.parametrize("length", [1, 2, 3, 4, 12])
@pytest.mark.parametrize(
    "secret", ["correct-horse-battery", "correcthorsebattery", "Tr0ub4dor&3-xkcd"]
)
def test_pieces_in_the_items_of_a_list_are_one_text(head: str, length: int, secret: str) -> None:
    pieces = [secret[at : at + length] for at in range(0, len(secret), length)]
    escaped = [rf"\{each}" if each[0] in "-&" else each for each in pieces]
    for said in (pieces, escaped):
        lines = "\n".join(head.format(number) + each for number, each in enumerate(said, 1))
        assert masker(S=secret).text(f"Title\n{lines}\nThe end").count("<S>") == 1


@pytest.mark.parametrize(
    "value",
    [
        [HORSE, STAPLE],
        [{"text": HORSE}, {"text": STAPLE}],
        [{"n": 1, "cells": [HORSE]}, {"n": 2, "text": HORSE}, {"n": 3, "text": STAPLE}],
        {"first": HORSE, "second": STAPLE},
        {"rows": [{"a": HORSE, "b": STAPLE}]},
        {"list": [{"item": {"text": HORSE, "more": STAPLE}}]},
    ],
)
def test_halves_in_adjoining_parts_of_a_value_are_one_text(value: Any) -> None:
    shown = dumps(masker(S=f"{HORSE} {STAPLE}").value(value))
    assert "<S>" in shown
    assert "staple" not in shown


def test_what_of_a_text_is_secret() -> None:
    found = masker(A=HUNTER, B="correct-horse-battery")
    text = f"{HUNTER} and {HUNTER.upper()}, correct-horse-battery"
    assert found.secrets_in(text) == {
        HUNTER: "<A>",
        HUNTER.upper(): "<A>",
        "correct-horse-battery": "<B>",
    }
    assert found.secrets_in("none") == {}


def test_its_edition_changes_with_its_secrets() -> None:
    whole = Masker()
    alice = whole.within(ALICE)
    before = alice.edition
    whole.add("B", HUNTER, BOB)
    assert alice.edition == before
    whole.add("A", HUNTER, ALICE)
    assert alice.edition != before
