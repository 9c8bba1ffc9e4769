"""What style sheets may paint, as text to be searched."""

from __future__ import annotations

import pytest

from tests.page.scripts.test_sight_text import read
from tests.support.tabs import Tab

WORDS = {
    "<style>li { list-style: 'alpha' inside }</style>": "alpha",
    "<style>q { quotes: 'alpha' 'beta' }</style>": "beta",
    "<style>@media print { p { hyphenate-character: 'alpha' } }</style>": "alpha",
    "<style>li::marker { content: 'alpha' }</style>": "alpha",
    "<style>ul::scroll-marker-group, li::scroll-marker { content: 'alpha' }</style>": "alpha",
    "<style>@counter-style s { system: cyclic; symbols: a l p h a }</style>": "alpha",
    "<style>@counter-style s { system: extends decimal; suffix: 'alpha' }</style>": "alpha",
    "<style>p { background: url('data:image/svg+xml,<svg>alpha</svg>') }</style>": "alpha",
    "<style>:root { --x: 'alpha' } ul { list-style: var(--x) }</style><ul><li>x</ul>": "alpha",
    "<style>@layer a { div { li { list-style-type: 'alpha' } } }</style>": "alpha",
    "<ul style='list-style: \"alpha\"'><li>x</ul>": "alpha",
}


@pytest.mark.parametrize("html", WORDS)
async def test_it_is_read_with_the_rest(tab: Tab, html: str) -> None:
    assert WORDS[html] in (await read(tab, html))["text"].replace(" ", "")


async def test_ordinary_sheets_say_nothing(tab: Tab) -> None:
    said = await read(
        tab,
        "<style>ul { list-style: square inside } ol { list-style-type: lower-roman }"
        " p::before { content: '' } q { quotes: auto } a { background: url(/a.png) }</style><p>x",
    )
    assert said["text"].strip() == "x"
    assert not said["covered"]


async def test_symbols_of_a_page_are_covered_only_where_scripts_know_a_secret(tab: Tab) -> None:
    page = "<style>@counter-style s { system: cyclic; symbols: x }</style><p>y"
    assert not (await read(tab, page))["covered"]
    assert (await read(tab, page, drawings=True))["covered"]
