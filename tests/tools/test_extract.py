"""Data in the shape of a schema, with evidence."""

from __future__ import annotations

import json
from typing import Any

from tests.support.callers import Caller


def field(kind: str, **source: Any) -> dict[str, Any]:
    return {"type": kind, "x-browx-source": source} if source else {"type": kind}


def record(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def many(items: Any, **source: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array", "items": items}
    return {**schema, "x-browx-source": source} if source else schema


CARDS = """<html lang=en><main><h1>Little Shop</h1><ul class=teas>
<li class=tea><h3><a href=/assam>Assam</a></h3><b class=price>€4.20</b><input value=2>
<input type=checkbox checked></li>
<li class=tea><h3><a href=/sencha>Sencha</a></h3><b class=price>1.234,50 €</b><input value=0>
<input type=checkbox></li></ul><p id=count>3 teas</p></main>"""


async def test_sources_name_elements_attributes_properties_and_values(caller: Caller) -> None:
    await caller.show(CARDS)
    tea = record(
        name=field("string", selector="h3"),
        link={"type": "string", "format": "url", "x-source": {"selector": "a", "attr": "href"}},
        price=field("float", selector=".price"),
        stock=field("int", selector="input:not([type])", value=True),
        chosen=field("boolean", selector="role=checkbox", prop="checked"),
        origin={**field("string", selector=".origin"), "default": "unknown"},
    )
    found = await caller.ok(
        "extract",
        schema=record(
            shop=field("string", selector="h1"),
            count=field("integer", selector="#count", text=True),
            teas=many(tea, collection="li.tea"),
        ),
    )
    assert found["data"] == {
        "shop": "Little Shop",
        "count": 3,
        "teas": [
            {
                "name": "Assam",
                "link": caller.site.url("/assam"),
                "price": 4.2,
                "stock": 2,
                "chosen": True,
                "origin": "unknown",
            },
            {
                "name": "Sencha",
                "link": caller.site.url("/sencha"),
                "price": 1234.5,
                "stock": 0,
                "chosen": False,
                "origin": "unknown",
            },
        ],
    }
    evidence = found["evidence"]
    assert {"h1", "li.tea", "h3", ".price"} <= set(evidence["selectorsUsed"])
    assert evidence["partialMisses"][0] == {"path": "teas[0].origin", "reason": "not_found"}
    name = await caller.ok("inspect", ref=evidence["refsUsed"][0])
    assert name["text"] == "Little Shop"


async def test_our_selectors_work_and_stay_within_the_scope(caller: Caller) -> None:
    await caller.show(CARDS)
    schema = record(name=field("string", selector="role=heading"))
    found = await caller.ok("extract", schema=schema, scope="li.tea >> nth=1")
    assert found["data"] == {"name": "Sencha"}
    ref = (await caller.ok("inspect", selector="li.tea >> nth=0"))["ref"]
    assert (await caller.ok("extract", schema=schema, ref=ref))["data"] == {"name": "Assam"}


async def test_one_of_several_is_never_taken_silently(caller: Caller) -> None:
    await caller.show(CARDS)
    found = await caller.ok("extract", schema=record(price=field("string", selector=".price")))
    assert found["data"] == {"price": "€4.20"}
    assert found["evidence"]["warnings"] == ["price: 2 fit, the first was taken"]


async def failure(caller: Caller, schema: dict[str, Any]) -> dict[str, Any]:
    reply = await caller.reply("extract", schema=schema)
    assert reply.data is not None
    assert reply.data["ok"] is False
    assert not reply.ok
    found: dict[str, Any] = reply.data["failure"]
    return found


async def test_what_does_not_fit_is_a_failure_with_its_kind(caller: Caller) -> None:
    await caller.show(CARDS)
    name = field("number", selector="h1")
    failed = await failure(caller, record(n=name))
    assert failed["kind"] == "type_mismatch"
    assert (failed["path"], failed["expected"], failed["actual"]) == ("n", "number", "Little Shop")
    assert failed["source"] == "app"
    gone = await failure(
        caller, record(["x"], x=field("string", selector=".x"), y={"type": "string"})
    )
    assert gone["kind"] == "missing"
    half = await failure(caller, record(n=field("integer", selector=".price")))
    assert half["kind"] == "type_mismatch"
    colour = {**field("string", selector="h1"), "enum": ["Big Shop"]}
    assert (await failure(caller, record(c=colour)))["kind"] == "enum_mismatch"
    fits = {**field("string", selector="h1"), "enum": ["little shop"]}
    assert (await caller.ok("extract", schema=record(c=fits)))["data"] == {"c": "little shop"}
    few = {**many(field("string"), collection="li.tea"), "minItems": 5}
    assert (await failure(caller, record(t=few)))["kind"] == "too_few"


async def test_schemas_that_cannot_be_followed_are_refused(caller: Caller) -> None:
    await caller.show(CARDS)
    for schema in (
        {"type": "tuple"},
        {"type": "object"},
        record(["b"], a={"type": "string"}),
        record(a=field("string", prop="innerHTML")),
        record(a=field("string", css="h1")),
        record(a=field("string", selector="h1[")),
        record(a={"$ref": "#/$defs/none"}),
    ):
        assert (await caller.refused("extract", schema=schema))["code"] == "invalid_argument"


async def test_passwords_and_hidden_tokens_are_never_extracted(caller: Caller) -> None:
    await caller.show(
        "<label>Password <input type=password value=hunter2></label>"
        "<input type=hidden name=csrf value=token123>"
    )
    reply = await caller.reply(
        "extract",
        schema=record(
            password={"type": "string"},
            a=field("string", selector="[type=password]", attr="value"),
            b=field("string", selector="[type=password]", prop="value"),
            c=field("string", selector="[type=password]", value=True),
            d=field("string", selector="[name=csrf]", attr="value"),
        ),
    )
    assert "hunter2" not in reply.text
    assert "token123" not in reply.text


DECLARED = """<html lang=en><title>x</title><meta property='og:site_name' content='Tea House'>
<meta name=author content='Ada'><script type='application/ld+json'>{"@type": "Product",
"name": "Assam", "offers": {"@type": "Offer", "price": "4.20", "priceCurrency": "EUR"},
"brand": {"@type": "Brand", "name": "Leaf & Co"}, "image": "/assam.png"}</script>
<div itemscope itemtype='https://schema.org/Review'><span itemprop=reviewBody>Good tea</span></div>
<h1>Something else</h1><dl><dt>Net weight:</dt><dd>250 g</dd><dt>Origin</dt><dd>India</dd></dl>
<table><tr><th>Harvest</th><td>Spring</td></tr><tr><th>Caffeine</th><td>yes</td></tr></table>
<p><b>Steeping time:</b> 3 minutes</p><form><label>Quantity <input value=7></label></form>"""


async def test_fields_without_a_source_are_found_in_what_the_page_says(caller: Caller) -> None:
    await caller.show(DECLARED)
    found = await caller.ok(
        "extract",
        schema=record(
            ["name", "price"],
            name={"type": "string"},
            price={"type": "number"},
            currency={"type": "string"},
            image={"type": "string", "format": "uri"},
            brand=record(name={"type": "string"}),
            siteName={"type": "string"},
            author={"type": "string"},
            reviewBody={"type": "string"},
            weight={"type": "number", "title": "Net weight"},
            origin={"type": "string"},
            harvest={"type": "string"},
            caffeine={"type": "boolean"},
            steepingTime={"type": "string"},
            quantity={"type": "integer"},
            colour={"type": "string"},
        ),
    )
    assert found["data"] == {
        "name": "Assam",
        "price": 4.2,
        "currency": "EUR",
        "image": caller.site.url("/assam.png"),
        "brand": {"name": "Leaf & Co"},
        "siteName": "Tea House",
        "author": "Ada",
        "reviewBody": "Good tea",
        "weight": 250,
        "origin": "India",
        "harvest": "Spring",
        "caffeine": True,
        "steepingTime": "3 minutes",
        "quantity": 7,
        "colour": None,
    }
    sources = found["evidence"]["sources"]
    assert sources["price"] == "json-ld: Product.offers.price"
    assert sources["siteName"] == "meta: og:site_name"
    assert sources["reviewBody"] == "microdata: reviewBody"
    assert sources["weight"] == 'label: "Net weight:" (definition)'
    assert found["evidence"]["partialMisses"] == [{"path": "colour", "reason": "not_found"}]


STOCK = """<html lang=en><table><caption>Orders</caption><tr><th>Order<th>Total</tr>
<tr><td>1<td>9.00</table><div role=grid aria-label=Stock><div role=row>
<span role=columnheader>Tea name</span><span role=columnheader>Unit price (€)</span>
<span role=columnheader>In stock</span></div>
<div role=row><span role=gridcell><a href=/assam>Assam</a></span><span role=gridcell>4.20</span>
<span role=gridcell>yes</span></div><div role=row><span role=gridcell>Sencha</span>
<span role=gridcell>n/a</span><span role=gridcell>no</span></div></div>"""


async def test_rows_are_found_in_tables_by_their_heads(caller: Caller) -> None:
    await caller.show(STOCK)
    tea = record(
        ["teaName"],
        teaName={"type": "string"},
        unitPrice={"type": "number"},
        available={"type": "boolean", "title": "In stock"},
    )
    found = await caller.ok("extract", schema=record(teas=many(tea)))
    assert found["data"]["teas"] == [
        {"teaName": "Assam", "unitPrice": 4.2, "available": True},
        {"teaName": "Sencha", "unitPrice": None, "available": False},
    ]
    evidence = found["evidence"]
    assert evidence["sources"]["teas"] == 'table: table "Stock"'
    assert evidence["sources"]["teas[].unitPrice"].endswith('column "Unit price (€)"')
    assert evidence["partialMisses"] == [
        {"path": "teas[1].unitPrice", "reason": "type_mismatch", "actual": "n/a"}
    ]
    rows = await caller.ok("extract", schema=many(tea))
    assert [each["teaName"] for each in rows["data"]] == ["Assam", "Sencha"]


async def test_rows_are_found_in_cards_that_repeat(caller: Caller) -> None:
    await caller.show(
        "<nav><ul><li><a href=/a>One</a></li><li><a href=/b>Two</a></li></ul></nav><main>"
        + "".join(
            f"<article class=card><h2><a href=/{name.lower()}>{name}</a></h2><img src=/{name}.png>"
            f"<span class=product-rating>{rating}</span><div>{price}</div>"
            f"<p>Harvested by hand</p></article>"
            for name, rating, price in (("Assam", 4, "€ 4.20"), ("Sencha", 5, "€ 6.50"))
        )
    )
    tea = record(
        ["title", "price"],
        title={"type": "string"},
        url={"type": "string", "format": "url"},
        image={"type": "string"},
        rating={"type": "integer"},
        price={"type": "number"},
    )
    found = await caller.ok("extract", schema=record(teas=many(tea)))
    assert found["data"]["teas"][1] == {
        "title": "Sencha",
        "url": caller.site.url("/sencha"),
        "image": caller.site.url("/Sencha.png"),
        "rating": 5,
        "price": 6.5,
    }
    assert len(found["data"]["teas"]) == 2
    assert {"teas", "teas[].price", "teas[].title"} <= set(found["evidence"]["inferred"])


async def test_lists_of_plain_values_and_frames(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<dl><dt>Courier<dd>Bike</dl>")
    await caller.show(
        "<h2>Ingredients</h2><ul><li>Tea</li><li>Milk</li></ul><h2>Other</h2><ul><li>x</ul>"
        f"<iframe src='{inner}'></iframe>"
    )
    found = await caller.ok(
        "extract",
        schema=record(ingredients=many({"type": "string"}), courier={"type": "string"}),
    )
    assert found["data"] == {"ingredients": ["Tea", "Milk"], "courier": "Bike"}
    assert any(ref.startswith("f1e") for ref in found["evidence"]["refsUsed"])


async def test_schemas_as_models_write_them(caller: Caller) -> None:
    await caller.show(CARDS)
    schema = {
        "$defs": {"Tea": record(["price"], price=field("number", selector=".price"))},
        "type": "object",
        "properties": {
            "teas": {
                "type": "array",
                "items": {"$ref": "#/$defs/Tea"},
                "x-source": {"collection": "li.tea"},
            },
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
    }
    found = await caller.ok("extract", schema=schema)
    assert found["data"] == {"teas": [{"price": 4.2}, {"price": 1234.5}], "note": None}


async def test_large_data_is_kept_as_a_file_and_never_cut_in_half(caller: Caller) -> None:
    rows = "".join(f"<tr><td>{each}<td>{'word ' * 20}{each}" for each in range(1500))
    await caller.show(f"<table><tr><th>Number<th>Words{rows}</table>", mode="none")
    schema = many(record(number={"type": "integer"}, words={"type": "string"}))
    found = await caller.ok("extract", schema=schema)
    assert found["truncated"] is True
    assert len(found["data"]) == 20
    kept = caller.kernel.artifacts.find(caller.kernel.sessions, caller.principal, found["uri"])
    whole = json.loads(kept.path.read_text())
    assert [each["number"] for each in whole] == list(range(1500))
