"""Which refs a tab has."""

from __future__ import annotations

from stockade.page.refs import RefsHere, refs_here
from tests.support.tabs import Tab


async def test_those_of_the_present_documents(tab: Tab) -> None:
    await tab.show("<p>Words alone</p>")
    here = await refs_here(tab.agent)
    assert (here.count, here.available) == (0, False)
    assert str(here) == "valid refs: none, 0 total"
    await tab.show("<button>One</button><iframe srcdoc='<button>Two</button>'></iframe>")
    assert (await refs_here(tab.agent)).available
    ref = await tab.ref("button")
    number = int(ref.removeprefix("e"))
    here = await refs_here(tab.agent)
    assert str(here) == f"valid refs: {ref}-{ref}, 1 total"
    assert here == RefsHere(1, number, number, available=True)
