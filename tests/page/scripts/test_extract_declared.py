"""What a page declares about itself."""

from __future__ import annotations

from typing import Any

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def declared(tab: Tab, html: str, expression: str) -> Any:
    await tab.show(html)
    await tab.ref("body")
    return await tab.page.main_frame.call(
        f"() => {{ const kit = ({script('extract_kit')})({{caller: 'test', prefix: ''}});"
        f" const declared = ({script('extract_declared')})(kit);"
        " const want = (name, more) => ({names: [name], ...more}); const root = document.documentElement;"
        f" return {expression}; }}"
    )


LD = "<script type='application/ld+json'>%s</script>"


async def test_the_thing_with_most_fields_is_chosen(tab: Tab) -> None:
    html = (
        LD
        % '{"@graph": [{"@type": "Person", "name": "Ada"}, {"@type": "Book", "name": "B", "isbn": 7}]}'
    )
    fields = "[want('name'), want('isbn')]"
    assert (
        await declared(
            tab, html, f"declared.value(declared.best({fields}, root, true), want('name')).raw"
        )
        == "B"
    )


async def test_broken_declarations_are_passed_over(tab: Tab) -> None:
    html = LD % "{broken" + LD % '[null, 5, {"name": [{"@value": "A"}]}]'
    assert (
        await declared(
            tab, html, "declared.value(declared.best([want('name')], root, true), want('name')).raw"
        )
        == "A"
    )


async def test_meta_elements_by_their_last_words(tab: Tab) -> None:
    html = "<meta property='product:price:amount' content='4.20'><meta name=x content=' '>"
    found = await declared(tab, html, "[declared.meta(want('price')), declared.meta(want('x'))]")
    assert found == [{"raw": "4.20", "from": "meta", "where": "product:price:amount"}, None]
