from __future__ import annotations

from stockade.page.playwright import Component, in_javascript, in_python


def test_every_step_in_both_languages() -> None:
    steps = [
        Component("frame", "iframe"),
        Component("role", "row", text="Ann"),
        Component("label", "Mail", exact=True),
        Component("alt", "Logo"),
        Component("nth", "2"),
    ]
    assert in_javascript(steps) == (
        "page.frameLocator('iframe').getByRole('row').filter({ hasText: 'Ann' })"
        ".getByLabel('Mail', { exact: true }).getByAltText('Logo').nth(2)"
    )
    assert in_python(steps) == (
        'page.frame_locator("iframe").get_by_role("row").filter(has_text="Ann")'
        '.get_by_label("Mail", exact=True).get_by_alt_text("Logo").nth(2)'
    )


def test_quotes() -> None:
    steps = [Component("role", "button", name='Say "hi" it\'s me')]
    assert in_javascript(steps) == ("page.getByRole('button', { name: 'Say \"hi\" it\\'s me' })")
    assert in_python(steps) == 'page.get_by_role("button", name="Say \\"hi\\" it\'s me")'


def test_test_attributes() -> None:
    assert in_javascript([Component("testid", "buy", attribute="data-testid")]) == (
        "page.getByTestId('buy')"
    )
    assert in_python([Component("testid", "sell", attribute="data-cy")]) == (
        'page.locator("[data-cy=\\"sell\\"]")'
    )
