from __future__ import annotations

from typing import Any

import pytest

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

NOUNS = "const { Words, Query } = stockade.modules;"


async def words(tab: Tab, expression: str, *arguments: Any) -> Any:
    await tab.show("<p>words</p>")
    return await evaluate(tab, f"{NOUNS} return {expression};", *arguments)


async def test_folding(tab: Tab) -> None:
    pairs = {
        "Crème BRÛLÉE": "creme brulee",
        "Straße": "strasse",
        "ÆRØ Łódź": "aero lodz",
        "Ёлка": "елка",
        "ｆｕｌｌ": "full",
        "ログイン": "ログイン",
        "한국어": "한국어",
        "pay\u200bment": "payment",
        "كِتَاب": "كتاب",
    }
    assert await words(tab, "args[0].map(Words.fold)", list(pairs)) == list(pairs.values())


async def test_stems_join_forms_of_a_word(tab: Tab) -> None:
    families = [
        ["store", "stores", "storing", "stored"],
        ["category", "categories"],
        ["cookie", "cookies"],
        ["stop", "stops", "stopping", "stopped"],
        ["box", "boxes"],
        ["address", "addresses"],
        ["file", "files", "filing", "filed"],
    ]
    found = await words(tab, "args[0].map((family) => family.map(Words.stem))", families)
    assert [len(set(stems)) for stems in found] == [1] * len(families), found
    apart = await words(tab, "args[0].map(Words.stem)", ["status", "bus", "is", "news", "new"])
    assert apart == ["status", "bus", "is", "new", "new"]


async def test_identifiers_are_spread(tab: Tab) -> None:
    pairs = {
        "userEmailField": "user Email Field",
        "btn-close_all": "btn close all",
        "HTMLParser2go": "HTML Parser 2 go",
        "/cart/items.php": " cart items php",
    }
    assert await words(tab, "args[0].map(Words.spread)", list(pairs)) == list(pairs.values())


@pytest.mark.parametrize(
    ("string", "tokens"),
    [
        ("Sign in to E-Mail", ["sign in", "to", "email"]),
        ("Mira's comment", ["mira", "comment"]),
        ("×", ["×"]),
        ("Next ›", ["next", "›"]),
        (
            "a long sentence of words → and more",
            ["a", "long", "sentence", "of", "words", "and", "more"],
        ),
        ("カートに入れる", ["カートに入れる"]),
    ],
)
async def test_tokens(tab: Tab, string: str, tokens: list[str]) -> None:
    found = await words(tab, "Words.tokens(args[0]).map(({ word }) => word)", string)
    assert found == tokens


MATCH = "args[0].map(([a, b]) => Words.match(Words.tokens(a)[0], Words.prepare(b), true))"


async def test_likeness_falls_from_equal_to_unrelated(tab: Tab) -> None:
    pairs = [
        ("cart", "my cart"),
        ("carts", "cart"),
        ("basket", "cart"),
        ("close", "×"),
        ("attach", "attachments"),
        ("password", "Benutzerpassword"),
        ("subscirbe", "subscribe"),
        ("cart", "card game"),
    ]
    found = await words(tab, MATCH, pairs)
    assert found[:4] == [1, 0.9, 0.8, 0.75]
    assert found[4] > found[6] > found[5] > 0.5
    assert found[7] == 0


async def test_scripts_without_spaces_match_in_parts(tab: Tab) -> None:
    whole, part, none = await words(
        tab, MATCH, [("送信", "送信する"), ("注文送信", "送信する"), ("送信", "保管庫")]
    )
    assert whole == 1
    assert 0 < part < 0.8
    assert none == 0


async def test_sieve_lets_through_whatever_can_match(tab: Tab) -> None:
    queries = ["sign in", "basket", "emails", "close", "カート", "storing leftovers", "VAT"]
    texts = [
        "Log in",
        "Your bag",
        "E-Mail",
        "✕",
        "カートを見る",
        "store",
        "vat number",
        "unrelated",
    ]
    wrong = await words(
        tab,
        """args[0].flatMap((query) => {
          const tokens = Query.parse(query).tokens;
          const sieve = Words.sieve(tokens);
          return args[1].filter((text) => !sieve.text.test(Words.fold(text))
            && tokens.some((token) => Words.match(token, Words.prepare(text)) > 0));
        })""",
        queries,
        texts,
    )
    assert wrong == []
