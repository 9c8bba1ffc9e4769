"""What the tab API tells of a page: all of it in parts that fit together, and what is in it."""

from __future__ import annotations

import base64
from typing import Any

from tests.support.callers import Caller
from tests.support.pictures import decode_png, picture_size
from tests.support.site import Request, Response, Site
from tests.support.waiting import until

USER = "u1"
DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Erk"
    "Jggg=="
)


class Reader:
    """Somebody who looks at one tab."""

    def __init__(self, caller: Caller, id: str) -> None:
        self.caller = caller
        self.id = id
        self.place = {"session": USER, "tabId": id}

    async def ok(self, what: str, **given: Any) -> dict[str, Any]:
        return await self.caller.ok(f"camofox_{what}", **self.place, **given)

    async def refused(self, what: str, **given: Any) -> dict[str, Any]:
        return await self.caller.refused(f"camofox_{what}", **self.place, **given)

    async def text(self, **given: Any) -> str:
        return str((await self.ok("snapshot", **given))["snapshot"])

    async def script(self, code: str) -> None:
        await self.ok("evaluate", expression=code)


async def reading(caller: Caller, html: str, path: str = "/page") -> Reader:
    caller.site.page(path, html)
    made = await caller.ok("camofox_create_tab", session=USER, url=caller.site.url(path))
    return Reader(caller, made["tabId"])


async def test_everything_that_can_be_acted_on_has_a_ref(caller: Caller, site: Site) -> None:
    site.page("/inside", "<button>Buy</button>")
    reader = await reading(
        caller,
        "<button>Buy</button><button>Buy now</button><button></button>"
        "<select aria-label=Size><option>S<option>M</select><input type=date aria-label=Calendar>"
        "<div onclick='1'>Fold</div><div id=host></div><script>host.attachShadow({mode:'closed'})"
        ".innerHTML='<a href=/>Deep</a>'</script><p>Count: <b>3</b></p>"
        f"<button>Say \"hi\" [e9]</button><iframe src='{site.url('/inside', 'localhost')}'></iframe>",
    )
    await reader.ok("wait")
    shown = await reader.ok("snapshot")
    lines = [line.strip() for line in shown["snapshot"].splitlines()]
    for start in (
        '- button "Buy" [',
        '- button "Buy now" [',
        "- button [",
        '- combobox "Size" [',
        '- textbox "Calendar" [',
        '- clickable "Fold" [',
        '- link "Deep" [',
        '- button "Buy" [f1e1]',
    ):
        assert any(line.startswith(start) for line in lines), (start, lines)
    assert "- text: Count: 3" in lines
    assert {"truncated", "totalChars"} < shown.keys()
    assert not {"hasMore", "nextOffset", "changed"} & shown.keys()
    assert shown["totalChars"] == len(shown["snapshot"])
    assert (await reader.ok("stats"))["refsCount"] == shown["refsCount"] == 10


async def test_a_long_page_comes_in_parts(caller: Caller) -> None:
    words = "more of it " * 30
    rows = "".join(f"<li>Offer {at} {words}<a href=/{at}>Open {at}</a>" for at in range(500))
    reader = await reading(caller, f"<ul>{rows}</ul><a href=/next>Next page</a>")
    first = await reader.ok("snapshot")
    total = first["totalChars"]
    assert (first["truncated"], first["hasMore"], first["nextOffset"]) == (True, True, 74_800)
    marker = (
        f"\n[... truncated at char 74800 of {total}. Call snapshot with offset=74800 to see more. "
        "Pagination links below. ...]\n"
    )
    assert first["snapshot"][74_800 : 74_800 + len(marker)] == marker
    tail = first["snapshot"][74_800 + len(marker) :]
    assert len(tail) == 5_000
    assert "Next page" in tail
    whole, offset, last = "", 0, first
    while offset is not None:
        last = await reader.ok("snapshot", offset=offset)
        assert "changed" not in last
        assert last["snapshot"].endswith(tail)
        whole = whole[:offset] + last["snapshot"][: last["nextOffset"] and 74_800]
        offset = last["nextOffset"]
    assert last["hasMore"] is False
    assert all(f"Offer {at} " in whole for at in range(500))
    assert await reader.text() == first["snapshot"]


async def test_what_changed_between_two_parts_is_said(mighty: Caller) -> None:
    reader = await reading(mighty, f"<p>{'word ' * 100}</p>" * 200)
    assert (await reader.ok("snapshot"))["nextOffset"] == 74_800
    await reader.script("document.querySelector('p:last-child').textContent = 'Changed'")
    second = await reader.ok("snapshot", offset=74_800)
    assert second["changed"] is True
    assert "Changed" in second["snapshot"]
    assert "changed" not in await reader.ok("snapshot", offset=74_800)
    await reader.script("document.body.innerHTML = '<p>Short'")
    beyond = await reader.ok("snapshot", offset=74_800)
    assert (beyond["snapshot"], beyond["hasMore"], beyond["nextOffset"]) == ("", False, None)
    assert beyond["changed"] is True
    assert await reader.text() == "- text: Short"


async def test_a_picture_goes_beside_the_same_text(caller: Caller) -> None:
    reader = await reading(caller, "<body style='margin:0;background:#00ff00;height:300px'>Hello")
    await reader.ok("viewport", width=200, height=100)
    plain = await reader.text()
    reply = await caller.reply("camofox_snapshot", **reader.place, includeScreenshot=True)
    assert reply.data is not None
    assert reply.data["snapshot"] == plain
    assert reply.images[0].mime_type == "image/png"
    for full, height in ((False, 100), (True, 300)):
        reply = await caller.reply("camofox_screenshot", **reader.place, fullPage=full)
        assert (reply.data, reply.images[0].mime_type) == (None, "image/png")
        assert picture_size(reply.images[0].data) == (200, height)
        assert decode_png(reply.images[0].data).pixel(150, 90)[:3] == (0, 255, 0)


async def test_a_page_that_cannot_be_read_is_an_error(caller: Caller) -> None:
    reader = await reading(caller, "<button>x</button>")
    [session] = caller.kernel.sessions.visible_to(caller.principal)
    tab = await session.tab(reader.id)
    devtools = tab.page.devtools[0]
    session.work.start(lambda: devtools.send("Page.crash", timeout=1))
    await until(lambda: tab.page.crashed)
    refused = await reader.refused("snapshot")
    assert refused["code"] == "page_crashed"


async def test_links_of_all_frames_and_roots(caller: Caller, site: Site) -> None:
    site.page("/inside", "<base href=/deep/><a href=x>Inside</a>")
    reader = await reading(
        caller,
        "<a href=/a>  One\n  link </a><a href=/a>One link</a><a href=mailto:x@y>No</a><a>No</a>"
        "<a href=/pic><img alt='A picture'></a><div id=host></div><script>"
        "host.attachShadow({mode:'closed'}).innerHTML = '<a href=/closed>' + 'long '.repeat(40) +"
        "'</a>'</script><iframe src=/inside></iframe>",
    )
    await reader.ok("wait")
    found = await reader.ok("links")
    assert [(each["url"], each["text"][:9]) for each in found["links"]] == [
        (site.url("/a"), "One link"),
        (site.url("/a"), "One link"),
        (site.url("/pic"), "A picture"),
        (site.url("/closed"), "long long"),
        (site.url("/deep/x"), "Inside"),
    ]
    assert len(found["links"][3]["text"]) <= 100
    assert found["pagination"] == {"total": 5, "offset": 0, "limit": 50, "hasMore": False}
    part = await reader.ok("links", limit=2, offset=3)
    assert part["links"] == found["links"][3:]
    assert part["pagination"] == {"total": 5, "offset": 3, "limit": 2, "hasMore": False}
    assert (await reader.ok("links", limit=4))["pagination"]["hasMore"] is True


async def test_images_and_what_is_in_them(caller: Caller, site: Site) -> None:
    async def private(request: Request) -> Response:
        return Response(DOT, 200 if request.cookies.get("who") == "me" else 403, "image/png")

    site.route("/mine.png", private)
    site.other.page("/theirs.png", DOT, content_type="image/png")
    site.page("/later.png", DOT, content_type="image/png")
    site.page("/secret.json", '{"balance": 5}', content_type="application/json")
    await caller.ok("camofox_create_tab", session=USER, url=site.url("/missing"))
    reader = await reading(
        caller,
        "<script>document.cookie = 'who=me'</script><picture><source srcset=/mine.png></picture>"
        "<picture><source srcset=/mine.png><img src=/none.png alt=Mine></picture><img src=/mine.png>"
        f"<img src='{site.other.url('/theirs.png')}' alt=Theirs><img src=/secret.json><img>"
        "<img src=/none.png><img loading=lazy src=/later.png style='position:absolute;top:9999px'>"
        "<img id=made><script>new Promise(r => document.createElement('canvas').toBlob(r)).then(b =>"
        " { made.src = URL.createObjectURL(b) })</script>",
    )
    await reader.ok("wait")
    found = await reader.ok("images")
    assert found["tabId"] == reader.id
    names = ["mine.png", "theirs.png", "secret.json", "none.png", "later.png"]
    assert [each["src"].rpartition("/")[2] for each in found["images"][:5]] == names
    assert (found["images"][0]["alt"], found["images"][0]["width"]) == ("Mine", 1)
    assert all("dataUrl" not in each for each in found["images"])
    full = (await reader.ok("images", includeData=True, limit=99))["images"]
    same = f"data:image/png;base64,{base64.b64encode(DOT).decode()}"
    assert [each.get("dataUrl") for each in full[:5]] == [same, same, None, None, same]
    assert full[5]["dataUrl"].startswith("data:image/png;base64,")
    assert (full[0]["mimeType"], full[0]["bytes"]) == ("image/png", len(DOT))
    assert full[2]["dataSkipped"] == "not_an_image"
    assert full[3].get("fetchError") or full[3].get("dataSkipped")
    small = (await reader.ok("images", includeData=True, limit=1, maxBytes=9))["images"]
    assert [each["dataSkipped"] for each in small] == ["max_bytes_exceeded"]


async def test_values_are_read_by_their_refs(caller: Caller) -> None:
    reader = await reading(
        caller,
        "<button>Price: 1,299.50 USD</button><input aria-label=City value=Bern>"
        "<input type=checkbox checked aria-label=News><input type=password value=hunter22>"
        "<select aria-label=Size><option>S<option selected>M</select><a href=/>Yes</a>"
        "<a href=/1>7</a><a href=/2>8</a>",
    )
    fields = {
        "price": {"type": "number", "x-ref": "e1"},
        "city": {"type": "string", "x-ref": "e2"},
        "news": {"type": "boolean", "x-ref": "e3"},
        "secret": {"type": "string", "x-ref": "e4"},
        "size": {"x-ref": "e5"},
        "agreed": {"type": "boolean", "x-ref": "e6"},
        "counts": {"type": "array", "items": {"type": "integer"}, "x-ref": ["e7", "e8"]},
        "gone": {"type": "string", "x-ref": "e99"},
    }
    schema: dict[str, Any] = {"type": "object", "properties": fields, "required": ["price"]}
    early = await reader.refused("extract", schema=schema)
    assert early["code"] == "conflict"
    assert 'button "Price' in early["snapshot"]
    await reader.text()
    assert (await reader.ok("extract", schema=schema))["data"] == {
        "price": 1299.5,
        "city": "Bern",
        "news": True,
        "secret": None,
        "size": "M",
        "agreed": True,
        "counts": [7, 8],
        "gone": None,
    }
    missing = await reader.refused("extract", schema={**schema, "required": ["gone"]})
    assert (missing["code"], missing["property"]) == ("not_found", "gone")
    assert "City" in missing["snapshot"]
    for bad in ({"type": "array"}, {"type": "object"}, {"type": "object", "properties": {"a": 1}}):
        assert (await reader.refused("extract", schema=bad))["code"] == "invalid_argument"
