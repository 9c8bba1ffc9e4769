"""An answer reaches the script that waits for it, and nobody else."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script

LISTEN = """(name) => {
  globalThis.heard = [];
  document.addEventListener(name, (event) => {
    const { relatedTarget } = event;
    heard.push([event.isTrusted, relatedTarget.title, relatedTarget.isConnected, relatedTarget.files.length]);
  });
}"""


async def test_it_comes_on_an_element_of_no_document(page: Page) -> None:
    frame = page.main_frame
    await frame.call(LISTEN, "one", world=World.MAIN)
    await frame.call(script("asking_answer"), "two", "for another", None)
    await frame.call(script("asking_answer"), "one", '{"allowed":true}', None)
    heard = await frame.call("() => globalThis.heard", world=World.MAIN)
    assert heard == [[False, '{"allowed":true}', False, 0]]
