"""The table of initial styles, against the browser."""

from __future__ import annotations

from stockade.page.scripts import script
from tests.support.tabs import Tab

CHECK = f"""() => {{
  const {{ INHERITED, COLOURED, INITIAL }} = ({script("initial_styles")})();
  const style = getComputedStyle(document.querySelector('x-b'));
  const names = [...style];
  return [
    Object.keys(INITIAL).filter((name) => style.getPropertyValue(name) !== INITIAL[name]),
    [...INHERITED, ...COLOURED].filter((name) => !CSS.supports(name, 'inherit')),
    [...COLOURED].filter((name) => style.getPropertyValue(name) !== style.color),
  ];
}}"""


async def test_every_entry_is_what_the_browser_says(tab: Tab) -> None:
    await tab.show("<x-a style='all:initial'><x-b style='all:unset'></x-b></x-a>")
    assert await tab.page.main_frame.call(CHECK) == [[], [], []]
