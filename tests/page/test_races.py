"""Swaps between check and input: a click hits what was shown or nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.engines.values import Point, World
from stockade.errors import NavigationRace, NotActionable, StaleRef, StockadeError
from stockade.page.actions import Actions
from tests.support.site import Request, Response
from tests.support.soak import Soak
from tests.support.tabs import CALLER, Tab

PAGE = """<style>button, a { position: absolute; width: 120px; height: 40px; left: 20px }</style>
<div id=yard></div>
<script>
  globalThis.wrong = []; globalThis.right = 0;
  const make = (name, top, good) => {
    const button = document.createElement('button');
    button.textContent = name; button.style.top = top + 'px'; button.good = good;
    button.onclick = () => {
      if (button.good && button.textContent === 'Keep') right += 1;
      else wrong.push(globalThis.scene);
    };
    return button;
  };
  const pick = (name) => [...document.querySelectorAll('button')].find((b) => b.textContent === name);
  const scenes = {
    swap() { const [a, b] = [pick('Keep'), pick('Delete')];
      [a.style.top, b.style.top] = [b.style.top, a.style.top]; },
    cover() { const b = make('Delete', 20, false); b.style.zIndex = 9; yard.append(b); },
    replace() { pick('Keep').replaceWith(make('Delete', 20, false)); },
    rename() { const b = pick('Keep'); b.textContent = 'Delete'; b.good = false; },
    remove() { pick('Keep').remove(); pick('Delete').style.top = '20px'; },
    rebuild() { yard.innerHTML = ''; yard.append(make('Delete', 20, false)); },
    insert() { const b = make('Delete', 20, false); pick('Keep').before(b);
      pick('Keep').style.top = '60px'; },
    recycle() { who.textContent = 'Bob'; pick('Keep').good = false; },
    move() { const b = pick('Keep'); other.append(b); b.good = false; },
    frame() { const f = document.createElement('iframe');
      f.style = 'position:absolute;left:0;top:0;width:300px;height:300px;z-index:9';
      f.srcdoc = '<button style="position:absolute;inset:0" onclick="parent.wrong.push(`frame`)">Delete';
      yard.append(f); },
  };
  globalThis.reset = () => { yard.innerHTML = '';
    yard.innerHTML = '<ul><li id=row><span id=who>Alice</span></li><li id=other>Bob</li></ul>';
    row.append(make('Keep', 20, true)); yard.append(make('Delete', 120, false)); };
  globalThis.strike = (scene, delay) => { globalThis.scene = scene;
    if (delay < 0) scenes[scene](); else setTimeout(scenes[scene], delay); };
  reset();
</script>"""


class Striking:
    """The page's own mouse, but something happens on the page just before or during the input."""

    def __init__(self, page: Page, scene: str, delay: float) -> None:
        self._page = page
        self._mouse = page.mouse
        self._scene = scene
        self._delay = delay

    async def click(self, point: Point, **options: Any) -> None:
        strike = self._page.main_frame.call(
            "(scene, delay) => strike(scene, delay)", self._scene, self._delay, world=World.MAIN
        )
        if self._delay < 0:
            await strike
            await self._mouse.click(point, **options)
        else:
            await asyncio.gather(strike, self._mouse.click(point, **options))


SCENES: Sequence[str] = (
    "swap",
    "cover",
    "replace",
    "rename",
    "remove",
    "rebuild",
    "insert",
    "recycle",
    "move",
    "frame",
)


@pytest.mark.soak
async def test_swaps_between_check_and_input_never_hit_another(
    either_tab: Tab, soak: Soak, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = either_tab
    await tab.show(PAGE)
    outcomes: Counter[str] = Counter()
    for number in range(soak.rounds(1000)):
        scene = SCENES[number % len(SCENES)]
        delay = soak.random.choice([-1.0, 0.0, soak.random.uniform(0, 12)])
        await tab.main("() => reset()")
        await tab.main("() => new Promise((done) => requestAnimationFrame(done))")
        ref = await tab.ref("text='Keep'")
        before = await tab.main("() => right")
        with monkeypatch.context() as patch:
            patch.setattr(tab.page, "mouse", Striking(tab.page, scene, delay))
            try:
                await Actions(tab.agent).click(ref, caller=CALLER, timeout=10)
            except StockadeError as error:
                outcomes[error.code] += 1
                assert await tab.main("() => right") == before, "an error, yet the click landed"
            else:
                outcomes["clicked"] += 1
        assert await tab.main("() => wrong") == [], f"{scene} after {delay} ms"
    assert outcomes["clicked"] > 0
    assert outcomes["not_actionable"] > 0


KEYS = """<input id=keep aria-label=Keep><input id=delete aria-label=Delete><script>
  globalThis.wrong = [];
  document.getElementById('delete').onkeydown = () => wrong.push(globalThis.scene);
  const [keep, other] = document.querySelectorAll('input');
  const scenes = {
    steal() { other.focus(); },
    remove() { keep.remove(); other.focus(); },
    rename() { keep.setAttribute('aria-label', 'Delete'); keep.onkeydown = other.onkeydown; },
    frame() { const f = document.createElement('iframe');
      f.srcdoc = '<input autofocus onkeydown="parent.wrong.push(`frame`)">'; document.body.append(f);
      return new Promise((done) => { f.onload = () => {
        f.contentDocument.querySelector('input').focus(); done(); }; }); },
  };
  globalThis.strike = (scene) => { globalThis.scene = scene; return scenes[scene](); };
</script>"""


class StrikingKeys:
    """The page's own keyboard, but something happens on the page before the first key."""

    def __init__(self, page: Page, scene: str) -> None:
        self._page = page
        self._keyboard = page.keyboard
        self._scene = scene

    async def press(self, chord: str, **options: Any) -> None:
        await self._page.main_frame.call("(scene) => strike(scene)", self._scene, world=World.MAIN)
        await self._keyboard.press(chord, **options)


@pytest.mark.parametrize("scene", ["steal", "remove", "rename", "frame"])
async def test_the_first_key_goes_to_its_target_or_nowhere(
    either_tab: Tab, scene: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = either_tab
    await tab.show(KEYS)
    ref = await tab.ref("#keep")
    with monkeypatch.context() as patch:
        patch.setattr(tab.page, "keyboard", StrikingKeys(tab.page, scene))
        with pytest.raises(StockadeError) as caught:
            await Actions(tab.agent).press("a", ref=ref, caller=CALLER, timeout=10)
    assert caught.value.retryable
    assert await tab.main("() => wrong") == []


TRAP = """<body style='margin:0'><button style='position:fixed;inset:0'
 onclick="fetch('/wrong')" onmousedown="fetch('/wrong')">Delete</button>"""


@pytest.mark.soak
async def test_a_document_that_comes_in_between_takes_no_input(either_tab: Tab, soak: Soak) -> None:
    tab = either_tab

    async def wrong(_: Request) -> Response:
        return Response(body=b"")

    tab.site.route("/wrong", wrong)
    tab.site.page("/trap", TRAP)
    tab.site.page("/trap-frame", TRAP)
    await tab.show(
        "<button>Keep</button><script>globalThis.go = (delay) => setTimeout(() => {"
        " location.href = '/trap'; }, delay)</script>"
    )
    for _ in range(soak.rounds(200)):
        await tab.page.navigate(tab.site.url("/page"), until="load")
        ref = await tab.ref("button")
        await tab.main("(delay) => { go(delay); }", soak.random.uniform(0, 30))
        try:
            outcome = await tab.actions.click(ref, caller=CALLER, timeout=10)
        except (StaleRef, NavigationRace, NotActionable):
            continue
        else:
            assert outcome.target == 'button "Keep"'
        finally:
            assert tab.site.asked("/wrong") == []


async def test_a_frame_that_goes_away_in_between_takes_its_refs_along(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/inner", "<button>Keep</button>")
    await tab.show(f"<iframe src='{tab.site.url('/inner', host='a.localhost')}'></iframe>")
    ref = await tab.ref("button", frame=await tab.frame("/inner"))
    await tab.main("() => { document.querySelector('iframe').remove(); }")
    with pytest.raises(StaleRef):
        await tab.actions.click(ref, caller=CALLER)
