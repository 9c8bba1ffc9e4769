from __future__ import annotations

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

FEATURES = """
const { Features } = stockade.modules;
Aria.begin();
try {
  return Object.fromEntries([...document.querySelectorAll('[data-t]')].map((el) => {
    const role = Aria.role(el);
    const found = Features.of(el, role, Aria.interactive(el, role), Aria.name(el));
    const texts = Object.fromEntries(found.map(({ kind, text }) => [kind, text]));
    return [Dom.attr(el, 'data-t'), texts];
  }));
} finally { Aria.end(); }
"""


async def features(tab: Tab, html: str) -> dict[str, dict[str, str]]:
    await tab.show(html)
    found: dict[str, dict[str, str]] = await evaluate(tab, FEATURES)
    return found


async def test_fields(tab: Tab) -> None:
    found = await features(
        tab,
        "<label>Mail <input data-t=a type=email name=userMail placeholder='a@b' value='x y'>"
        "</label>"
        "<div>Company</div><div><input data-t=b></div>"
        "<p><input type=checkbox data-t=c> Send news</p>"
        "<input data-t=d type=password value=hunter2 title='Secret word'>",
    )
    assert found["a"] == {
        "name": "Mail",
        "placeholder": "a@b",
        "identifier": "user Mail",
        "type": "email",
        "value": "x y",
    }
    assert found["b"]["nearby text"] == "Company"
    assert found["c"]["nearby text"] == "Send news"
    assert "hunter2" not in str(found["d"])


async def test_drawings_speak_where_names_are_missing(tab: Tab) -> None:
    found = await features(
        tab,
        "<button data-t=a><i class='fa fa-trash'></i></button>"
        "<button data-t=b><svg><use href='/s.svg#icon-share'></use></svg></button>"
        "<a data-t=c href='/my/cart?x=1'><img src='/img/bell-outline.svg?v=2'></a>"
        "<button data-t=d class='x-close'>Named</button>",
    )
    assert "trash" in found["a"]["icon"]
    assert found["b"]["icon"].endswith("icon share")
    assert found["c"]["icon"].endswith("bell outline svg")
    assert found["c"]["address"] == "my cart"
    assert "icon" not in found["d"]


async def test_test_attributes_and_columns(tab: Tab) -> None:
    found = await features(
        tab,
        "<button data-t=a data-qa='save-draftBtn'>OK</button>"
        "<table><tr><th>Name</th><th>Total</th></tr>"
        "<tr><td>Ann</td><td data-t=b>12</td></tr></table>",
    )
    assert found["a"]["test attribute"] == "save draft Btn"
    assert found["b"] == {"name": "12", "column": "Total"}
