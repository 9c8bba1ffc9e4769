from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from stockade.cli.toml import table_text, with_table

PATH = ("mcp_servers", "stockade")
ENTRY = {"command": "/opt/stockade", "args": ["mcp"]}

BEFORE = """\
# my settings
model = "o9" # the best

[mcp_servers.other]
command = "x"

# about profiles
[profiles.work]
model = "o8"
"""


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.text(max_size=30), max_size=4
    ),
    st.lists(st.text(max_size=10), max_size=3),
)
def test_a_table_reads_back(env: dict[str, str], arguments: list[str]) -> None:
    table = {"command": "x", "args": arguments, "env": env}
    assert tomllib.loads(table_text(PATH, table))["mcp_servers"]["stockade"] == table


def test_a_new_table_comes_last_and_the_rest_stays() -> None:
    after = with_table(BEFORE, PATH, ENTRY)
    assert after.startswith(BEFORE)
    assert tomllib.loads(after)["mcp_servers"]["stockade"] == ENTRY


def test_an_old_table_goes_with_those_below_it() -> None:
    old = (
        '[mcp_servers.stockade] # ours\ncommand = "old"\n\n[mcp_servers.stockade.env]\nA = "1"\n\n'
    )
    middle = BEFORE.replace("# about profiles", old + "# about profiles")
    after = with_table(middle, PATH, ENTRY)
    assert after == with_table(BEFORE, PATH, ENTRY)


def test_a_table_of_a_longer_name_is_another() -> None:
    before = '[mcp_servers.stockade_two]\ncommand = "x"\n'
    assert with_table(before, PATH, ENTRY).startswith(before)


def test_remarks_at_the_end_stay() -> None:
    before = '[mcp_servers.stockade]\ncommand = "x"\n# the end\n'
    assert "# the end\n" in with_table(before, PATH, ENTRY)


def test_line_ends_are_kept() -> None:
    after = with_table("a = 1\r\n", PATH, ENTRY)
    assert "\n" not in after.replace("\r\n", "")
    assert tomllib.loads(after)["a"] == 1
