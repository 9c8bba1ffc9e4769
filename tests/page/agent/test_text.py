"""Strings of the page without what nobody sees."""

from __future__ import annotations

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

CLEANED = {
    "  plain   text\n\tof three\u00a0lines ": "plain text of three lines",
    "so\u00adft": "soft",
    "ze\u200bro\u2060wi\ufeffdth": "zerowidth",
    "\u202eright\u202c \u2066to\u2069 \u200eleft\u200f \u061c": "right to left",
    "con\x00tr\x07ol\x9f": "control",
    "tag\U000e0041\U000e0042\U000e007f": "tag",
    "smuggled\ufe00\ufe01\U000e0100\U000e01ef": "smuggled",
    "fill\u115f\u1160\u3164\uffa0ers": "fillers",
    "a\ufff9b\ufffac\ufffbd": "abcd",
    "join\u200der": "joiner",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467": "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "\u2714\ufe0f done": "\u2714\ufe0f done",
    "x\ufe0f\ufe0f": "x",
    "\u0645\u06cc\u200c\u062e\u0648\u0627": "\u0645\u06cc\u200c\u062e\u0648\u0627",
    "\u0915\u094d\u200d\u0937": "\u0915\u094d\u200d\u0937",
    "icon \ue900 font": "icon \ue900 font",
    "Zażółć 漢字 éø": "Zażółć 漢字 éø",
}


async def test_clean_removes_what_is_invisible_and_keeps_the_rest(tab: Tab) -> None:
    await tab.show("<p>any")
    cleaned = await evaluate(tab, "return args[0].map(Text.clean);", list(CLEANED))
    assert dict(zip(CLEANED, cleaned, strict=True)) == CLEANED


async def test_half_characters_become_whole(tab: Tab) -> None:
    await tab.show("<p>any")
    assert await evaluate(tab, r"return Text.clean('a\ud800b');") == "a\ufffdb"


async def test_cut_never_splits_a_character(tab: Tab) -> None:
    await tab.show("<p>any")
    assert await evaluate(tab, "return Text.cut('abcdef', 4);") == "abc…"
    assert await evaluate(tab, "return Text.cut('abcdef', 6);") == "abcdef"
    assert await evaluate(tab, "return Text.cut('ab\U0001f600cd', 4);") == "ab…"


async def test_wide_scripts_cost_more_tokens(tab: Tab) -> None:
    await tab.show("<p>any")
    latin, chinese = await evaluate(
        tab, "return [Text.tokens('abcdefgh'), Text.tokens('漢字漢字漢字漢字')];"
    )
    assert latin == 2
    assert chinese == 8


async def test_quotes_read_as_json(tab: Tab) -> None:
    await tab.show("<p>any")
    assert (
        await evaluate(tab, r"""return Text.quote('say "hi" \\ bye');""") == r'"say \"hi\" \\ bye"'
    )
