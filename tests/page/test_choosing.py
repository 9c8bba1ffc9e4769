"""Options, in the ways people build them."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import NotActionable, TargetAmbiguous, TargetNotFound
from stockade.page.choosing import Choice, choose
from tests.support.tabs import CALLER, Tab

COMBOBOX = """
<button role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-label="Tea">Choose</button>
<script>
  const button = document.querySelector('button');
  button.onclick = () => {
    if (document.querySelector('#portal')) return;
    button.setAttribute('aria-expanded', 'true');
    document.body.insertAdjacentHTML('beforeend', `<div id="portal"><ul role="listbox">
      ${['Assam', 'Darjeeling', 'Green Assam', 'Sold out'].map(name =>
        `<li role="option" ${name === 'Sold out' ? 'aria-disabled="true"' : ''}>${name}</li>`).join('')}
      </ul></div>`);
    for (const each of document.querySelectorAll('[role=option]')) each.onclick = () => {
      button.textContent = each.textContent;
      button.setAttribute('aria-expanded', 'false');
      document.querySelector('#portal').remove();
    };
  };
  button.onkeydown = e => { if (e.key === 'Escape') document.querySelector('#portal')?.remove(); };
</script>
"""
VIRTUAL = """
<button aria-haspopup="listbox" aria-expanded="false" aria-controls="list">Pick</button>
<div id="list" role="listbox" style="height: 100px; overflow: auto; display: none">
  <div style="height: 20000px; position: relative"></div></div>
<script>
  const list = document.querySelector('#list'), space = list.firstElementChild;
  const draw = () => {
    const first = Math.floor(list.scrollTop / 20);
    space.replaceChildren(...Array.from({ length: 6 }, (_, i) => {
      const row = document.createElement('div');
      row.setAttribute('role', 'option');
      row.style = `position: absolute; top: ${(first + i) * 20}px; height: 20px`;
      row.textContent = 'Row ' + (first + i);
      row.onclick = () => { document.querySelector('button').textContent = row.textContent; };
      return row;
    }));
  };
  list.onscroll = draw;
  document.querySelector('button').onclick = () => { list.style.display = 'block'; draw(); };
</script>
"""


async def chosen(tab: Tab, selector: str, option: str, **options: Any) -> Choice:
    return await choose(
        tab.actions, await tab.ref(selector), option, caller=CALLER, timeout=20, **options
    )


async def test_a_select(tab: Tab) -> None:
    await tab.show(
        "<label>Size <select><option value=s>Small</option><option value=l>Large</option></select>"
        "</label>"
    )
    assert (await chosen(tab, "select", "Large")).chosen == "Large"
    assert await tab.main("() => document.querySelector('select').value") == "l"
    assert (await chosen(tab, "label", "s")).chosen == "Small"
    assert (await chosen(tab, "select", "larg", exact=False)).chosen == "Large"
    with pytest.raises(TargetNotFound) as caught:
        await chosen(tab, "select", "Huge")
    assert caught.value.details["options"] == ["Small", "Large"]


async def test_another_option_of_a_multiple_select(tab: Tab) -> None:
    await tab.show("<select multiple><option selected>A</option><option>B</option></select>")
    await chosen(tab, "select", "B")
    both = "() => [...document.querySelector('select').selectedOptions].map(o => o.value)"
    assert await tab.main(both) == ["A", "B"]


async def test_a_field_with_suggestions(tab: Tab) -> None:
    await tab.show(
        "<input list=l><datalist id=l><option value=Tea><option value=Coffee></datalist>"
    )
    await chosen(tab, "input", "Coffee")
    assert await tab.main("() => document.querySelector('input').value") == "Coffee"
    with pytest.raises(TargetNotFound):
        await chosen(tab, "input", "Milk")


async def test_radio_buttons(tab: Tab) -> None:
    await tab.show(
        "<fieldset><legend>Pay</legend><label><input type=radio name=p>Card</label>"
        "<label><input type=radio name=p>Cash</label></fieldset>"
    )
    assert (await chosen(tab, "fieldset", "Cash")).chosen == "Cash"
    checked = "() => document.querySelector('input:checked').parentElement.textContent"
    assert await tab.main(checked) == "Cash"
    await chosen(tab, "input >> nth=0", "Card")
    assert await tab.main(checked) == "Card"
    again = await chosen(tab, "fieldset", "Card")
    assert again.outcome.settled.effect == "none"


async def test_a_combobox_with_its_list_elsewhere(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(COMBOBOX)
    assert (await chosen(tab, "button", "Assam")).chosen == "Assam"
    assert await tab.main("() => button.textContent") == "Assam"
    with pytest.raises(NotActionable, match="disabled"):
        await chosen(tab, "button", "Sold out")


async def test_what_there_is_is_told_and_the_list_closed(tab: Tab) -> None:
    await tab.show(COMBOBOX)
    with pytest.raises(TargetNotFound) as caught:
        await chosen(tab, "button", "Coffee")
    assert caught.value.details["options"][:2] == ["Assam", "Darjeeling"]
    assert await tab.main("() => document.querySelector('#portal')") is None
    with pytest.raises(TargetAmbiguous):
        await chosen(tab, "button", "ssam", exact=False)


async def test_a_list_that_draws_only_what_is_in_view(tab: Tab) -> None:
    await tab.show(VIRTUAL)
    assert (await chosen(tab, "button", "Row 150")).chosen == "Row 150"
    assert await tab.main("() => document.querySelector('button').textContent") == "Row 150"


async def test_a_field_that_searches_as_one_types(tab: Tab) -> None:
    tab.site.page("/cities", '["Berlin", "Bern"]', content_type="application/json")
    await tab.show(
        """<input role="combobox" aria-label="City" aria-expanded="false" aria-autocomplete="list"
          aria-controls="found"><ul id="found" role="listbox"></ul>
        <script>
          const input = document.querySelector('input');
          input.oninput = async () => {
            const cities = await (await fetch('/cities')).json();
            found.innerHTML = cities.filter(c => c.startsWith(input.value))
              .map(c => `<li role="option">${c}</li>`).join('');
            for (const each of found.children) each.onclick = () => {
              input.value = each.textContent; found.innerHTML = ''; };
          };
        </script>"""
    )
    assert (await chosen(tab, "input", "Bern")).chosen == "Bern"
    assert await tab.main("() => [input.value, found.children.length]") == ["Bern", 0]


async def test_a_menu_that_does_not_say_it_is_one(tab: Tab) -> None:
    await tab.show(
        """<div class="select" onclick="menu.hidden = false">Sort</div>
        <div id="menu" hidden><div class="item" onclick="out.textContent = 'by price'">Price</div>
        <div class="item">Name</div></div><p id="out"></p>"""
    )
    await chosen(tab, ".select", "Price")
    assert await tab.main("() => out.textContent") == "by price"


async def test_options_that_arrive_later(tab: Tab) -> None:
    await tab.show(
        """<button aria-haspopup="menu" onclick="setTimeout(() => { menu.innerHTML =
          '<div role=menuitem onclick=out.textContent=1>Copy</div>'; menu.hidden = false }, 300)">
        More</button><div id="menu" role="menu" hidden></div><p id="out"></p>"""
    )
    await chosen(tab, "button", "Copy")
    assert await tab.main("() => out.textContent") == "1"


async def test_in_a_frame_of_another_origin(tab: Tab) -> None:
    tab.site.page("/inner", COMBOBOX)
    inner = tab.site.url("/inner", host="localhost")
    await tab.show(f'<iframe src="{inner}" width="500" height="400"></iframe>')
    frame = await tab.frame("/inner")
    ref = await tab.ref("button", frame=frame)
    made = await choose(tab.actions, ref, "Darjeeling", caller=CALLER, timeout=20)
    assert made.chosen == "Darjeeling"
    assert await tab.main("() => button.textContent", frame=frame) == "Darjeeling"


async def test_a_widget_that_keeps_the_select_it_was_built_from(tab: Tab) -> None:
    await tab.show(
        """<style>.is-on::after { content: 'Press to select' }</style>
        <div id=w role=combobox aria-haspopup=true aria-expanded=false tabindex=0>
        <select id=s style='display:block' tabindex=-1><option>Apple<option>Banana</select>
        <div role=listbox><div role=option>Apple</div></div>
        <div id=list role=listbox hidden><div role=option>Apple</div><div role=option>Banana</div></div>
        </div><script>
        w.onclick = () => { list.hidden = false; w.setAttribute('aria-expanded', 'true'); };
        list.onmouseover = (e) => e.target.classList.add('is-on');
        list.onmousedown = (e) => { s.value = e.target.textContent; list.hidden = true; };
        </script>"""
    )
    choice = await choose(tab.actions, await tab.ref("#w"), "Banana", caller=CALLER)
    assert choice.chosen == "Banana"
    assert await tab.main("() => s.value") == "Banana"
