"""Closing animations: what goes away is gone when the result is written, whatever takes it away."""

from __future__ import annotations

import pytest

from tests.support.tabs import CALLER, Tab

BOX = (
    '<div id=box role=dialog aria-label=Offer style="{style}">Half price<button>Buy</button></div>'
)
REMOVE = "box.addEventListener('{event}', () => box.remove())"

WAYS = {
    "fades by a transition": (
        "transition: opacity 300ms",
        "box.style.opacity = 0",
        "transitionend",
    ),
    "collapses": (
        "transition: max-height 300ms; max-height: 200px; overflow: hidden",
        "box.style.maxHeight = 0",
        "transitionend",
    ),
    "slides away": (
        "transition: transform 300ms; position: absolute; top: 100px; width: 200px",
        "box.style.transform = 'translateX(-300px)'",
        "transitionend",
    ),
    "slides away by its own width": (
        "transition: transform 300ms; position: absolute; right: 0; width: 200px",
        "box.style.transform = 'translateX(100%)'",
        "transitionend",
    ),
    "is shifted by its own height": (
        "transition: translate 300ms; position: absolute; top: 100px; width: 200px",
        "box.style.translate = '0 -100%'",
        "transitionend",
    ),
    "fades by an animation": (
        "",
        "box.animate([{opacity: 1}, {opacity: 0}], 300).onfinish = () => box.remove()",
        "none",
    ),
}


@pytest.mark.parametrize("way", WAYS)
async def test_what_closes_is_gone(tab: Tab, way: str) -> None:
    style, close, event = WAYS[way]
    await tab.show(
        BOX.format(style=style)
        + f'<button id=close onclick="{close}">Close</button>'
        + f"<script>{REMOVE.format(event=event)}</script>"
    )
    outcome = await tab.actions.click(await tab.ref("#close"), caller=CALLER)
    assert outcome.settled.settled
    assert not await tab.main("() => Boolean(document.getElementById('box'))")


async def test_a_script_that_fades_frame_by_frame_is_waited_for(tab: Tab) -> None:
    await tab.show(
        BOX.format(style="")
        + """<button id=close onclick="fade()">Close</button><script>
        function fade() {
          const start = performance.now();
          (function turn() {
            const left = 1 - (performance.now() - start) / 400;
            if (left <= 0) { box.remove(); return; }
            box.style.opacity = left;
            requestAnimationFrame(turn);
          })();
        }</script>"""
    )
    outcome = await tab.actions.click(await tab.ref("#close"), caller=CALLER)
    assert outcome.settled.settled
    assert not await tab.main("() => Boolean(document.getElementById('box'))")


async def test_what_never_ends_closing_is_told(tab: Tab) -> None:
    await tab.show(
        BOX.format(style="")
        + """<button id=close onclick="fade()">Close</button><script>
        function fade() {
          let left = 1;
          (function turn() {
            left *= 0.99;
            box.style.opacity = left;
            requestAnimationFrame(turn);
          })();
        }</script>"""
    )
    outcome = await tab.actions.click(await tab.ref("#close"), caller=CALLER)
    assert not outcome.settled.settled
    assert "closing animation" in outcome.settled.pending


async def test_decoration_is_not_waited_for(tab: Tab) -> None:
    """A ripple has no words; an animation that goes on for ever closes nothing."""
    await tab.show(
        """<span id=ripple></span><p id=pulse>Live</p><button onclick="go()">Go</button><script>
        function go() {
          ripple.animate([{opacity: 1}, {opacity: 0}], 60000);
          pulse.animate([{opacity: 1}, {opacity: 0}], {duration: 500, iterations: Infinity});
        }</script>"""
    )
    outcome = await tab.actions.click(await tab.ref("button"), caller=CALLER)
    assert outcome.settled.settled
    running = "() => document.getAnimations().filter((a) => a.playState === 'running').length"
    assert await tab.main(running) == 2
