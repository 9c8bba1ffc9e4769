"""What is kept off the paper, without a change to the document."""

from __future__ import annotations

from tests.page.scripts.test_sight_text import read
from tests.support.tabs import Tab

HTML = """<p id=a>secret</p><p id=b>kept</p><input value=secret><div id=host></div><script>
host.attachShadow({mode: 'open'}).innerHTML = '<i>kept</i><b>secret</b>';
globalThis.changes = 0;
new MutationObserver(all => { changes += all.length })
  .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
</script>"""
SHOWN = """() => [document.querySelector('#a'), document.querySelector('#b'),
  document.querySelector('input'), ...host.shadowRoot.children]
  .map(el => getComputedStyle(el).visibility)"""


async def test_only_print_and_only_for_a_while(tab: Tab) -> None:
    text = (await read(tab, HTML))["text"]
    main = tab.page.main_frame
    spans = [[at, at + 6] for at in range(len(text)) if text.startswith("secret", at)]
    assert (await tab.agent.call(main, "unprinted.js", spans=spans))["hidden"] == 3
    assert set(await tab.main(SHOWN)) == {"visible"}
    sheets = "() => [...document.adoptedStyleSheets, ...host.shadowRoot.adoptedStyleSheets].length"
    assert await tab.main(sheets) == 2
    rules = """() => { for (const root of [document, host.shadowRoot])
      root.adoptedStyleSheets[0].cssRules[0].media.mediaText = 'screen' }"""
    await tab.main(rules)
    assert await tab.main(SHOWN) == ["hidden", "visible", "hidden", "visible", "hidden"]
    assert await tab.agent.call(main, "unprinted.js") == {"hidden": 0}
    assert await tab.main(sheets) == 0
    assert await tab.main("() => changes") == 0
