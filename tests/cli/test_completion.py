from __future__ import annotations

import pytest

from stockade.cli import completion
from stockade.tools import registry
from tests.cli.commands import Home


async def complete(home: Home, words: str) -> list[str]:
    """What bash would offer for the last word."""
    done = await home.run(
        _STOCKADE_COMPLETE="complete_bash",
        COMP_WORDS=words,
        COMP_CWORD=str(len(words.split(" ")) - 1),
    )
    return done.out.split()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("stockade ke", ["keys"]),
        ("stockade keys re", ["revoke"]),
        ("stockade call sna", ["snapshot"]),
        ("stockade call --sess", ["--session"]),
        ("stockade init claude-", ["claude-code", "claude-desktop"]),
        ("stockade mcp --toolsets co", ["core"]),
        ("stockade mcp --toolsets core,al", ["core,all"]),
        ("stockade serve --capabilities default,file", ["default,file-io"]),
        ("stockade serve --isolation pro", ["process"]),
        ("stockade keys create x --role op", ["operator"]),
    ],
)
async def test_a_word_is_completed(home: Home, words: str, wanted: list[str]) -> None:
    assert await complete(home, words) == wanted


async def test_sessions_are_those_of_the_server(home: Home) -> None:
    assert await complete(home, "stockade sessions close s") == []
    async with home.server():
        opened = await home.run("call", "open_session", "session=work", "--json")
        assert await complete(home, "stockade call tabs --session s") == [opened.data["session_id"]]


def test_a_list_offers_each_name_once() -> None:
    assert "read,read" not in completion.capabilities("read,")
    assert "read,eval" in completion.capabilities("read,")


def test_tools_come_with_a_sentence() -> None:
    assert len(completion.tools("")) == len(list(registry()))
    assert dict(completion.tools("go_b"))["go_back"].endswith(".")


def test_other_names() -> None:
    assert completion.roles("") == ["agent", "operator", "admin"]
    assert completion.isolations("") == ["auto", "shared", "process", "bwrap"]
    assert "all" in completion.toolsets("")
    assert completion.clients("z") == ["zed"]
