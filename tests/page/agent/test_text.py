"""Strings of the page without what nobody sees."""

from __future__ import annotations

from stockade.masking.invisible import visible
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
PLANES = [(0, 0xD800), (0xE000, 0x33500), (0xE0000, 0xE1000)]
"""All that is assigned and not for private use."""


async def test_clean_removes_what_is_invisible_and_keeps_the_rest(tab: Tab) -> None:
    await tab.show("<p>any")
    cleaned = await evaluate(tab, "return args[0].map(Text.clean);", list(CLEANED))
    assert dict(zip(CLEANED, cleaned, strict=True)) == CLEANED


async def test_the_server_has_the_same_rule(tab: Tab) -> None:
    """Every character, and joiners and selectors between all kinds of neighbours."""
    await tab.show("<p>any")
    kinds = ["a", "1", "#", "\u0645", "\u0915", "\u094d", "\u0d4d", "\u1820", "\U00011013"]
    kinds += [
        "\u00a9",
        "\u2764",
        "\U0001f469",
        "\U0001f3fd",
        "\U0001f3f4",
        "\u20e3",
        " ",
        "\u200b",
        "",
    ]
    marks = ["\u200c", "\u200d", "\ufe0f", "\ufe0e", "\ufe0f\u200d", "\u200d\u200d", "\u200d\ufe0f"]
    written = [f"{a}{mark}{b}" for a in kinds for mark in marks for b in kinds]
    cleared = await evaluate(tab, "return args[0].map(Text.strip);", written)
    differing = [
        (ascii(one), ascii(other), ascii(visible(one)))
        for one, other in zip(written, cleared, strict=True)
        if visible(one) != other
    ]
    assert differing == []
    changed = await evaluate(
        tab,
        "const found = {}; for (const [first, last] of args[0]) {"
        " for (let code = first; code < last; code += 1) {"
        " const text = `x${String.fromCodePoint(code)}y`; const shown = Text.strip(text);"
        " if (shown !== text) found[code] = shown; } } return found;",
        PLANES,
    )
    codes = [code for first, last in PLANES for code in range(first, last)]
    assert {int(code): shown for code, shown in changed.items()} == {
        code: visible(text) for code in codes if visible(text := f"x{chr(code)}y") != text
    }


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
