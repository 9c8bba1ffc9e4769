from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.cli.jsonc import Unreadable, parse, with_member

ENTRY = {"command": "/opt/stockade", "args": ["mcp"]}
PATH = ("mcpServers", "stockade")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON, st.sampled_from([None, 0, 2, "\t"]))
def test_plain_json_reads_as_json_does(value: object, indent: int | str | None) -> None:
    assert parse(json.dumps(value, indent=indent)) == value


@given(
    st.dictionaries(st.text(max_size=5), JSON, max_size=4),
    st.dictionaries(st.text(max_size=5), JSON, max_size=4),
    st.sampled_from([None, 0, 2, "\t"]),
)
def test_an_entry_goes_in_and_the_rest_stays(
    root: dict[str, object], servers: dict[str, object], indent: int | str | None
) -> None:
    before = {**root, "mcpServers": servers}
    after = parse(with_member(json.dumps(before, indent=indent), PATH, ENTRY))
    assert after == {**before, "mcpServers": {**servers, "stockade": ENTRY}}


def test_comments_and_trailing_commas_are_read() -> None:
    assert parse('// a\n{"a": [1, 2,], /* b */ "c": "//no", }\n// end') == {
        "a": [1, 2],
        "c": "//no",
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "{",
        "[1, 2",
        "{'a': 1}",
        '{"a" 1}',
        '{"a": 1 "b": 2}',
        '{"a": 1} x',
        "[1 2]",
        '{"a": nope}',
        '{"a": "\n"}',
        '{"a": "\\q"}',
        "/* open",
        "{,}",
        "[" * 5000,
    ],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parse(text)


def test_comments_keep_their_place() -> None:
    before = """\
{
  // mine
  "mcpServers": {
    "other": {"command": "x"} // stays
  },
  "theme": "dark" /* here */
}
"""
    assert (
        with_member(before, PATH, ENTRY)
        == """\
{
  // mine
  "mcpServers": {
    "other": {"command": "x"}, // stays
    "stockade": {
      "command": "/opt/stockade",
      "args": [
        "mcp"
      ]
    }
  },
  "theme": "dark" /* here */
}
"""
    )


def test_a_trailing_comma_stays_one() -> None:
    before = '{\n\t"a": 1,\n}\n'
    after = with_member(before, ("b",), 2)
    assert after == '{\n\t"a": 1,\n\t"b": 2,\n}\n'


def test_an_entry_is_replaced_where_it_stands() -> None:
    before = (
        '{\n  "mcpServers": {\n    "stockade": {"command": "old"}, // ours\n    "z": {}\n  }\n}\n'
    )
    after = with_member(before, PATH, {"command": "new"})
    assert '"stockade": {\n      "command": "new"\n    }, // ours\n    "z": {}' in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": 1\n}\n'),
        ("{}", '{\n  "a": 1\n}'),
        ("{ }\n", '{\n  "a": 1\n}\n'),
        ("{\n}\n", '{\n  "a": 1\n}\n'),
        ('{"b": 2}', '{"b": 2, "a": 1}'),
        ("{\n  // nothing yet\n}\n", '{\n  "a": 1\n  // nothing yet\n}\n'),
        ('{\r\n  "b": 2\r\n}\r\n', '{\r\n  "b": 2,\r\n  "a": 1\r\n}\r\n'),
        ('\ufeff{"b": 2}', '\ufeff{"b": 2, "a": 1}'),
    ],
)
def test_the_style_of_the_file_is_kept(before: str, after: str) -> None:
    assert with_member(before, ("a",), 1) == after


@pytest.mark.parametrize("text", ["[]", "3", '{"mcpServers": []}', '{"mcpServers": null}'])
def test_a_place_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        with_member(text, PATH, ENTRY)
