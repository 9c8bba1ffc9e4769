"""What is about to be possible is waited for; what is not is refused without a wait."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import NotActionable, TargetNotFound
from tests.support.site import Request, Response
from tests.support.tabs import CALLER, Tab
from tests.support.waiting import until

COVER = "position:fixed;inset:0;background:#fff"


async def frames(tab: Tab, count: int) -> None:
    """Let the page draw that often."""
    await tab.main(
        "async (count) => { for (; count; count -= 1) await new Promise(requestAnimationFrame); }",
        count,
    )


async def expects_something(tab: Tab) -> bool:
    """Whether the agent believes that the page is on its way somewhere."""
    return bool(
        await tab.page.main_frame.call(
            "() => stockade.modules.Upcoming.expectedUntil(performance.now()) > 0"
        )
    )


async def until_quiet(tab: Tab) -> None:
    while await expects_something(tab):
        await frames(tab, 1)


async def clicked(tab: Tab) -> bool:
    return bool(await tab.main("() => globalThis.done"))


@pytest.mark.parametrize(
    "leaving",
    [
        "transition:opacity .6s;opacity:0' ontransitionend='this.remove()",
        "transition:transform .6s;transform:translateX(200vw)",
        "transition:visibility .6s;visibility:hidden",
        "animation:away .6s forwards' onanimationend='this.hidden = true",
    ],
)
async def test_a_cover_that_is_leaving(either_tab: Tab, leaving: str) -> None:
    tab = either_tab
    style, _, handler = leaving.partition("'")
    await tab.show(
        "<style>@keyframes away { to { opacity: 0 } } [hidden] { display: none !important }</style>"
        "<button onclick='globalThis.done = 1'>Pay</button>"
        f"<div id=cover style='{COVER}' {handler.strip()}'>Wait</div>"
    )
    ref = await tab.ref("button")
    await tab.main("(style) => { cover.offsetWidth; cover.style.cssText += ';' + style; }", style)
    await tab.actions.click(ref, caller=CALLER, timeout=10)
    assert await clicked(tab)


async def test_a_target_that_is_coming(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        "<style>#menu { visibility: hidden; transition: all .6s; transform: translateX(-150px) }"
        "#menu.open { visibility: visible; transform: none; transition-delay: .2s }</style>"
        "<div id=menu class=open><button onclick='globalThis.done = 1'>Pay</button></div>"
    )
    ref = await tab.ref("button")
    await tab.main("() => { menu.className = ''; }")
    await tab.main("() => Promise.all(menu.getAnimations().map((each) => each.finished))")
    await tab.main("() => { menu.className = 'open'; }")
    await tab.actions.click(ref, caller=CALLER, timeout=10)
    assert await clicked(tab)


async def test_a_button_that_a_pending_answer_enables(either_tab: Tab) -> None:
    tab = either_tab
    answer = asyncio.Event()

    async def check(_: Request) -> Response:
        await answer.wait()
        return Response(body=b"ok")

    tab.site.route("/check", check)
    await tab.show("<button disabled onclick='globalThis.done = 1'>Pay</button>")
    ref = await tab.ref("button")
    await tab.main(
        "() => { fetch('/check').then((r) => r.text()).then(() => {"
        " document.querySelector('button').disabled = false; }); }"
    )
    async with asyncio.TaskGroup() as group:
        clicking = group.create_task(tab.actions.click(ref, caller=CALLER, timeout=10))
        await until(lambda: bool(tab.site.asked("/check")))
        await frames(tab, 30)
        assert not clicking.done()
        answer.set()
    assert await clicked(tab)


@pytest.mark.parametrize("delay", [500, 1000])
async def test_a_button_that_is_enabled_some_time_after_the_last_field(
    tab: Tab, delay: int
) -> None:
    await tab.show(
        "<input aria-label=Name oninput='setTimeout(() => { b.disabled = false; }, "
        f"{delay})'><button id=b disabled onclick='globalThis.done = 1'>Pay</button>"
    )
    await tab.actions.fill(await tab.ref("input"), "Z", caller=CALLER)
    await tab.actions.click(await tab.ref("#b"), caller=CALLER, timeout=10)
    assert await clicked(tab)


async def test_a_field_that_is_enabled_some_time_after_the_one_before(tab: Tab) -> None:
    await tab.show(
        "<input id=a aria-label=Name oninput='setTimeout(() => { b.disabled = false; }, 500)'>"
        "<input id=b disabled aria-label=City>"
    )
    await tab.actions.fill(await tab.ref("#a"), "Z", caller=CALLER)
    await tab.actions.fill(await tab.ref("#b"), "Rome", caller=CALLER, timeout=10)
    assert await tab.main("() => b.value") == "Rome"


async def test_options_that_come_after_another_choice(tab: Tab) -> None:
    await tab.show(
        "<select id=a aria-label=Land onchange='setTimeout(() => { b.innerHTML = `<option>Rome`; }, 500)'>"
        "<option>Spain<option>Italy</select><select id=b aria-label=City></select>"
    )
    await tab.actions.select(await tab.ref("#a"), ["Italy"], caller=CALLER)
    await tab.actions.select(await tab.ref("#b"), ["Rome"], caller=CALLER, timeout=10)
    assert await tab.main("() => b.value") == "Rome"


async def test_a_document_that_is_still_loading(tab: Tab) -> None:
    picture = asyncio.Event()

    async def slow(_: Request) -> Response:
        await picture.wait()
        return Response(body=b"", content_type="image/png")

    tab.site.route("/slow.png", slow)
    tab.site.page(
        "/loading",
        "<button disabled onclick='globalThis.done = 1'>Pay</button><img src=/slow.png>"
        "<script>onload = () => { document.querySelector('button').disabled = false; }</script>",
    )
    async with asyncio.TaskGroup() as group:
        going = group.create_task(tab.page.navigate(tab.site.url("/loading"), until="load"))
        await until(lambda: bool(tab.site.asked("/slow.png")))
        ref = await tab.ref("button")
        clicking = group.create_task(tab.actions.click(ref, caller=CALLER, timeout=20))
        await frames(tab, 30)
        assert not clicking.done()
        assert not going.done()
        picture.set()
    assert await clicked(tab)


async def test_a_frame_whose_cover_is_leaving(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/inner", "<button onclick='globalThis.done = 1'>Pay</button>")
    await tab.show(
        f"<iframe src='/inner'></iframe><div id=cover style='{COVER}' ontransitionend='this.remove()'></div>"
    )
    inner = await tab.frame("/inner")
    ref = await tab.ref("button", frame=inner)
    await tab.main(
        "() => { cover.offsetWidth; cover.style.cssText += ';transition:opacity .6s;opacity:0'; }"
    )
    await tab.actions.click(ref, caller=CALLER, timeout=10)
    assert await tab.main("() => globalThis.done", frame=inner) == 1


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<button disabled>Pay</button>", "disabled"),
        (f"<button>Pay</button><div style='{COVER}'></div>", "obscured"),
        ("<div inert><button>Pay</button></div>", "inert"),
    ],
)
async def test_nothing_is_waited_for_on_a_page_where_nothing_moves(
    tab: Tab, html: str, reason: str
) -> None:
    await tab.show(
        "<style>@keyframes spin { to { rotate: 360deg } }</style>"
        "<i style='display:inline-block;animation:spin 1s infinite'>o</i>" + html
    )
    ref = await tab.ref("button")
    await until_quiet(tab)
    with pytest.raises(NotActionable) as caught:
        await tab.actions.click(ref, caller=CALLER, timeout=60)
    assert caught.value.details["reason"] == reason
    assert "passing" not in caught.value.details


async def test_what_never_comes_is_refused_and_not_a_lapse_of_the_deadline(tab: Tab) -> None:
    await tab.show(
        "<input aria-label=Name><select aria-label=City></select><button id=b disabled>Pay</button>"
    )
    await tab.actions.fill(await tab.ref("input"), "Z", caller=CALLER)
    with pytest.raises(NotActionable):
        await tab.actions.click(await tab.ref("#b"), caller=CALLER, timeout=1)
    with pytest.raises(TargetNotFound):
        await tab.actions.select(await tab.ref("select"), ["Rome"], caller=CALLER, timeout=1)
