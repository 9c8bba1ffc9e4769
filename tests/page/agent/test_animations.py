"""Animations: those that run on an element, and those of the document that end by themselves."""

from __future__ import annotations

from tests.support.tabs import Tab

PAGE = """<p id=once>once</p><p id=ever>ever</p><p id=still>still</p>
<script>
  once.animate([{opacity: 1}, {opacity: 0}], 60000);
  ever.animate([{opacity: 1}, {opacity: 0}], {duration: 100, iterations: Infinity});
  still.animate([{opacity: 1}, {opacity: 0}], 60000).pause();
</script>"""


async def test_only_what_ends_by_itself_is_on_its_way(tab: Tab) -> None:
    await tab.show(PAGE)
    found = await tab.page.main_frame.call(
        "() => stockade.modules.Animations.ending().map(({effect, left}) =>"
        " [effect.target.id, left > 0 && left <= 60000])"
    )
    assert found == [["once", True]]


async def test_what_runs_on_an_element_may_move_it(tab: Tab) -> None:
    await tab.show(PAGE)
    found = await tab.page.main_frame.call(
        "() => ['once', 'ever', 'still'].map((id) => document.getElementById(id)).map((el) => stockade.modules.Animations.run(el))"
    )
    assert found == [True, True, False]
