"""What deserves the budget first."""

from __future__ import annotations

from tests.page.looks import Looks


async def test_dialogs_and_focus_come_before_the_rest(looks: Looks) -> None:
    filler = "".join(f"<p>Filler number {n} with quite some words in it.</p>" for n in range(300))
    seen = await looks.see(
        f"{filler}<form><input id=far aria-label=Far></form>{filler}"
        "<div role=dialog aria-label=Cookies><button>Accept</button></div>",
        budget=200,
    )
    await looks.tab.main("() => far.focus({ preventScroll: true })")
    seen = await looks.see(budget=200)
    assert seen.tokens <= 200
    assert '- dialog "Cookies"' in seen.text
    assert '- button "Accept"' in seen.text
    assert '- textbox "Far"' in seen.text
    assert seen.text.index('"Far"') < seen.text.index('"Cookies"')
    assert "\n…\n" in seen.text


async def test_what_just_changed_comes_before_the_rest(looks: Looks) -> None:
    filler = "".join(f"<p>Filler number {n} with quite some words in it.</p>" for n in range(300))
    await looks.see(f"{filler}<div id=live>quiet</div>", budget=200)
    await looks.tab.main("() => { live.textContent = 'It happened' }")
    assert "It happened" in await looks.text(budget=200)


async def test_the_viewport_comes_before_the_rest(looks: Looks) -> None:
    filler = "".join(f"<p>Filler number {n} with quite some words in it.</p>" for n in range(600))
    await looks.see(filler, budget=400)
    await looks.tab.main("() => scrollTo(0, document.body.scrollHeight)")
    text = await looks.text(budget=400)
    assert "Filler number 599" in text
