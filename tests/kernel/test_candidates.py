"""What a caller may have meant, told where nothing was found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.callers import Caller

SHOP = """<h1>Shop</h1>
<label>E-mail address <input id=email></label><label>Coupon <input id=coupon></label>
<button id=add-to-basket>Add to basket</button><button>Remove</button><button>Send</button><a href=/help>Help center</a>
<ul><li>Tea <button>Details</button></li><li>Coffee <button>Details</button></li></ul>"""


def described(body: dict[str, Any]) -> list[str]:
    return [each["description"] for each in body.get("candidates", [])]


@pytest.mark.parametrize(
    ("tool", "arguments", "nearest"),
    [
        ("click", {"selector": "text=Add to cart"}, 'button "Add to basket"'),
        ("click", {"selector": "#addToBasket"}, 'button "Add to basket"'),
        ("click", {"selector": "button.remove-item"}, 'button "Remove"'),
        ("click", {"selector": "role=button[name='Help']"}, 'link "Help center"'),
        ("click", {"selector": "text=Add to bsaket"}, 'button "Add to basket"'),
        ("click", {"selector": "text=Sned"}, 'button "Send"'),
        ("click", {"selector": "text=Remvoe"}, 'button "Remove"'),
        ("click", {"selector": "a:has-text('Helpdesk')"}, 'link "Help center"'),
        ("fill", {"selector": "label=Mail adress", "value": "x"}, 'textbox "E-mail address"'),
        ("fill", {"selector": "#zzqq", "value": "x"}, 'textbox "E-mail address"'),
        ("page_text", {"selector": "text=Remov it"}, 'button "Remove"'),
    ],
)
async def test_the_nearest_are_named(
    mighty: Caller, tool: str, arguments: dict[str, Any], nearest: str
) -> None:
    await mighty.show(SHOP)
    refused = await mighty.refused(tool, **arguments)
    assert refused["code"] == "not_found"
    assert described(refused)[0] == nearest
    assert 1 <= len(refused["candidates"]) <= 5
    assert "nearest" in refused["hint"]
    assert refused["untrusted"], "names are the page's word"
    inspected = await mighty.ok("inspect", ref=refused["candidates"][0]["ref"])
    assert inspected


async def test_an_element_that_was_replaced(caller: Caller) -> None:
    await caller.show(
        '<div id=box><button>Place order</button></div><button onclick="box.innerHTML ='
        "'<button>Place your order</button>'\">Change</button>"
    )
    found = await caller.ok("find", query="place order")
    await caller.ok("click", selector="text=Change")
    gone = await caller.refused("click", ref=found["candidates"][0]["ref"])
    assert gone["code"] == "stale_ref"
    assert described(gone)[0] == 'button "Place your order"'


async def test_no_page_is_open(caller: Caller) -> None:
    refused = await caller.refused("click", selector="text=Buy")
    assert "navigate first" in refused["hint"]
    assert "candidates" not in refused
    assert "navigate first" in await caller.text("snapshot")
    assert "navigate first" in (await caller.ok("find", query="buy"))["warnings"][0]
    assert "navigate first" in (await caller.ok("text_search", text="buy"))["warnings"][0]


async def test_many_are_told_apart_by_where_they_are(caller: Caller) -> None:
    await caller.show(SHOP)
    refused = await caller.refused("click", selector="role=button[name='Details']")
    assert refused["code"] == "ambiguous"
    assert [each["row"] for each in refused["candidates"]] == ["Tea", "Coffee"]


async def test_names_that_hold_a_secret_confirm_no_guess(mighty: Caller) -> None:
    await mighty.show("<button>hunter2hunter2 now</button><button>Not now</button>")
    await mighty.ok("register_secret", name="PASSWORD", value="hunter2hunter2")
    told = [
        described(await mighty.refused("click", selector=f"text={guess} now"))
        for guess in ("hunter", "winter", "hunter2hunter")
    ]
    assert told == [['button "Not now"', 'button "<PASSWORD> now"']] * 3
