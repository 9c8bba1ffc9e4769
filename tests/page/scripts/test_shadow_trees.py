"""Shadow roots listed in the page."""

from __future__ import annotations

from tests.support.tabs import CALLER, Tab


async def test_hosts_are_told_with_what_is_in_them(tab: Tab) -> None:
    await tab.show(
        "<section><x-a></x-a></section><x-b></x-b><script>for (const host of"
        " document.querySelectorAll('x-a, x-b')) host.attachShadow({mode: 'open'}).innerHTML ="
        " '<p>Words</p><input type=password value=hunter2>'</script>"
    )
    main = tab.page.main_frame
    said = await tab.agent.call(main, "shadow_trees.js", caller=CALLER, most=1, asked=True)
    assert said["found"] == 2
    (tree,) = said["trees"]
    assert (tree["hostTag"], tree["childCount"], tree["descendantCount"]) == ("x-a", 2, 2)
    assert tree["children"][1] == {"tag": "input", "childCount": 0}


async def test_elements_with_words_of_their_own_are_asked_about_once(tab: Tab) -> None:
    await tab.show("<div>words</div><p>words</p>")
    main = tab.page.main_frame
    first = await tab.agent.call(main, "shadow_trees.js", caller=CALLER, most=9)
    assert first["doubts"] == 3, "the body too"
    again = await tab.agent.call(main, "shadow_trees.js", caller=CALLER, most=9, asked=True)
    assert again["doubts"] == 0
