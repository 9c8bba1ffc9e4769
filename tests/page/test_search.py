from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.page.agent import PageAgent
from stockade.page.search import Matches, text_search
from tests.support.site import Site


async def search(agent: PageAgent, text: str, **options: Any) -> Matches:
    return await text_search(agent, text, caller="test", **options)


async def test_scope_limit_and_count(agent: PageAgent) -> None:
    await agent.page.set_content("<main><p>ant ant</p></main>" + "<p>ant</p>" * 30)
    found = await search(agent, "ant")
    assert (found.count, len(found.matches)) == (32, 20)
    assert found.warnings == ["showing 20 of 32 matches"]
    inside = await search(agent, "ant", scope=found.matches[0].ref, max_matches=200)
    assert inside.count == 2


async def test_shadow_roots_and_frames(agent: PageAgent, site: Site) -> None:
    inner = site.other.page("/in", "<body style='margin:0'>needle in a frame")
    outer = site.page(
        "/out",
        "<x-a><span>needle in a slot</span></x-a><div id=vault style='height:9px'></div>"
        f"<iframe style='position:absolute;left:50px;top:300px;border:0' src='{inner}'></iframe>"
        "<script>customElements.define('x-a', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode: 'open'}).innerHTML = '<p>needle: <b><slot></slot></b></p>'; } });"
        "vault.attachShadow({mode: 'closed'}).innerHTML = '<p>needle in a vault</p>'</script>",
    )
    await agent.page.navigate(outer, until="load")
    found = await search(agent, "needle")
    assert [match.text for match in found.matches] == [
        "needle: needle in a slot",
        "needle: needle in a slot",
        "needle in a vault",
        "needle in a frame",
    ]
    assert found.matches[3].ref.startswith("f1e")
    assert found.matches[3].bbox is not None
    assert (found.matches[3].bbox.x, found.matches[3].bbox.y) == (50, 300)
    assert (await search(agent, "needle: needle in")).count == 1, "across the slot"


async def test_bad_arguments(agent: PageAgent) -> None:
    for text, options in (("", {}), ("  ", {}), ("x", {"max_matches": 201})):
        with pytest.raises(InvalidArgument):
            await search(agent, text, **options)
