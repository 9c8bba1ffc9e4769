"""Settling: the effect is there when the action answers, whatever way the page takes to it."""

from __future__ import annotations

import asyncio

import pytest

from stockade.page.settle import Settled
from tests.support.site import Request, Response
from tests.support.tabs import CALLER, Tab

PAGES = {
    "quiet": "<button onclick=\"out.textContent='final'\">Go</button>",
    "fetch": "<button onclick=\"fetch('/slow').then((r) => r.text())"
    '.then((t) => { out.textContent = t; })">Go</button>',
    "debounce": "<button onclick=\"setTimeout(() => fetch('/slow').then((r) => r.text())"
    '.then((t) => { out.textContent = t; }), 100)">Go</button>',
    "loading": "<button onclick=\"out.textContent='Loading';"
    "setTimeout(() => fetch('/slow').then((r) => r.text())"
    '.then((t) => { out.textContent = t; }), 20)">Go</button>',
    "animated": "<button onclick=\"out.textContent='final'\">Go</button><div id=box></div>"
    "<script>(function turn() { box.style.width = Math.random() * 99 + 'px';"
    "requestAnimationFrame(turn); })()</script>",
    "polling": "<button onclick=\"out.textContent='final'\">Go</button>"
    "<script>setInterval(() => fetch('/poll'), 100)</script>",
    "chained": "<button onclick=\"fetch('/slow').then(() => fetch('/slow')).then((r) => r.text())"
    '.then((t) => { out.textContent = t; })">Go</button>',
    "busy": "<button onclick=\"out.setAttribute('aria-busy', 'true');"
    "setTimeout(() => { out.removeAttribute('aria-busy'); out.textContent = 'final'; }, 400)\">"
    "Go</button>",
    "disabled": '<button onclick="this.disabled = true;'
    "setTimeout(() => { this.disabled = false; out.textContent = 'final'; }, 400)\">Go</button>",
    "script": "<button onclick=\"s = document.createElement('script'); s.src = '/final.js';"
    'document.head.append(s)">Go</button>',
}


def serve_slowly(tab: Tab) -> None:
    async def slow(_: Request) -> Response:
        await asyncio.sleep(0.3)
        return Response(body=b"final")

    async def at_once(_: Request) -> Response:
        return Response(body=b"tick")

    async def script(_: Request) -> Response:
        await asyncio.sleep(0.2)
        return Response(
            body=b"out.textContent = 'final'", headers={"content-type": "text/javascript"}
        )

    tab.site.route("/slow", slow)
    tab.site.route("/poll", at_once)
    tab.site.route("/final.js", script)


@pytest.mark.parametrize("page", PAGES)
async def test_the_final_state_is_there(tab: Tab, page: str) -> None:
    serve_slowly(tab)
    await tab.show(PAGES[page] + "<p id=out></p>")
    if page == "polling":
        await tab.site.wait_asked("/poll", 3)
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert await tab.main("() => out.textContent") == "final"
    assert outcome.settled == Settled(settled=True, effect="changed")


async def test_what_never_ends_is_named(tab: Tab) -> None:
    await tab.show("<button onclick=\"out.textContent=1; fetch('/never')\">Go</button><p id=out>")
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert not outcome.settled.settled
    assert any("/never" in entry for entry in outcome.settled.pending)


async def test_a_spinner_that_stays_is_named(tab: Tab) -> None:
    await tab.show("<button onclick=\"out.setAttribute('aria-busy','true')\">Go</button><p id=out>")
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert not outcome.settled.settled
    assert "aria-busy" in outcome.settled.pending


async def test_a_search_field_gets_more_patience(tab: Tab) -> None:
    serve_slowly(tab)
    await tab.show(
        "<input type=search aria-label=Search oninput=\"setTimeout(() => fetch('/slow')"
        ".then(() => { out.textContent = 'final'; }), 300)\"><p id=out></p>"
    )
    await tab.actions.fill(await tab.ref("input"), "x", caller=CALLER)
    assert await tab.main("() => out.textContent") == "final"


@pytest.mark.parametrize(
    "field", ["class=ui-autocomplete-input", "id=city-lookup", 'placeholder="Search cities"']
)
async def test_a_field_that_scripts_look_things_up_for_gets_it_too(tab: Tab, field: str) -> None:
    await tab.show(
        f"<input {field} oninput=\"setTimeout(() => {{ out.textContent = 'list'; }}, 300)\">"
        "<p id=out></p>"
    )
    await tab.actions.type(await tab.ref("input"), "a", caller=CALLER)
    assert await tab.main("() => out.textContent") == "list"


async def test_navigation_in_two_steps_arrives(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/hop", "<script>location.replace('/end')</script>")
    tab.site.page("/end", "<title>End</title><p>there</p>")
    await tab.show("<a href=/hop>Go</a>")
    outcome = await tab.actions.click(await tab.ref("a"), caller=CALLER)
    assert outcome.settled.effect == "navigated"
    assert outcome.url_after == tab.site.url("/end")


async def test_a_fragment_and_a_pushed_state_are_navigations(tab: Tab) -> None:
    await tab.show("<a href='#part'>Part</a><button onclick=\"history.pushState(0, '', '/x')\">X")
    outcome = await tab.actions.click(await tab.ref("a"), caller=CALLER)
    assert outcome.url_after.endswith("#part")
    assert outcome.facts.navigations[0].same_document
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.url_after.endswith("/x")


async def test_an_empty_answer_leaves_the_page_and_ends_the_wait(tab: Tab) -> None:
    async def empty(_: Request) -> Response:
        return Response(status=204)

    tab.site.route("/empty", empty)
    await tab.show("<a href=/empty>Go</a>")
    outcome = await tab.actions.click(await tab.ref("a"), caller=CALLER)
    assert outcome.settled.settled
    assert outcome.url_after == tab.site.url("/page")


async def test_two_actions_in_a_row_do_not_take_each_other_for_noise(tab: Tab) -> None:
    await tab.show(
        "<button onclick='out.textContent = ++n'>Go</button><p id=out><script>n=0</script>"
    )
    ref = await tab.ref("button")
    effects = [(await tab.actions.click(ref, caller=CALLER)).settled.effect for _ in range(5)]
    assert effects == ["changed"] * 5


async def test_a_list_that_says_it_is_searching_is_waited_for(tab: Tab) -> None:
    await tab.show(
        """<input id=i role=combobox aria-label=Author><ul role=listbox id=l></ul><script>
        let timer; i.oninput = () => { clearTimeout(timer);
          l.innerHTML = '<li role=option aria-disabled=true>Searching…</li>';
          timer = setTimeout(() => { l.innerHTML = '<li role=option>Jane</li>'; }, 600); };
        </script>"""
    )
    outcome = await tab.actions.type(await tab.ref("#i"), "ja", caller=CALLER)
    assert outcome.settled.settled
    assert await tab.main("() => l.textContent") == "Jane"
