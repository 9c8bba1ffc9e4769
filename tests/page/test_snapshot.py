"""What a snapshot says of a document."""

from __future__ import annotations

import re

import pytest

from stockade.errors import InvalidArgument, StaleRef
from tests.page.looks import Looks, tokens
from tests.support.tabs import Tab


@pytest.fixture
def looks(tab: Tab) -> Looks:
    return Looks(tab)


async def test_a_page_reads_as_roles_names_and_text(looks: Looks) -> None:
    text = await looks.text(
        "<nav aria-label=Main><ul><li><a href=/a>Home</a><li><a href=/b>Docs</a></ul></nav>"
        "<main><h1>Cart</h1><p>Two <b>things</b></p><button>Buy</button></main>"
    )
    assert text.splitlines() == [
        '- navigation "Main" [e1]',
        "  - list",
        '    - link "Home" [e2]',
        '    - link "Docs" [e3]',
        "- main [e4]",
        '  - heading "Cart" [level=1]',
        "  - text: Two things",
        '  - button "Buy" [e5]',
    ]


async def test_it_knows_address_title_and_counts(looks: Looks) -> None:
    seen = await looks.see("<h1>Hi</h1><button>A</button><a href=x>B</a>")
    assert seen.url == looks.tab.site.url("/page")
    assert seen.title == "Test"
    assert (seen.refs, seen.interactive, seen.hidden) == (2, 2, 0)
    assert seen.tokens == tokens(seen.text)
    assert not seen.truncated
    assert seen.limited is None
    assert seen.continuation is None


async def test_inline_text_is_one_run_and_blocks_stay_apart(looks: Looks) -> None:
    text = await looks.text(
        "<p>Count: <span>3</span></p><p>a<b>b</b>c</p><div>one</div><div>two</div>"
        "<span style=display:block>x</span><span style=display:block>y</span>"
    )
    assert text.splitlines() == [
        "- text: Count: 3",
        "- text: abc",
        "- text: one",
        "- text: two",
        "- text: x y",
    ]


async def test_states_and_values_follow_the_ref(looks: Looks) -> None:
    text = await looks.text(
        "<label>Name <input value=Alice required></label>"
        "<label><input type=checkbox checked> Accept</label><button disabled>Buy</button>"
        "<button aria-expanded=false>Menu</button><button aria-pressed=true>Bold</button>"
        "<input aria-label=Mail placeholder=you@example aria-invalid=true readonly>"
        "<textarea aria-label=Notes>one\ntwo</textarea><a href=# aria-current=page>Here</a>"
    )
    assert text.splitlines() == [
        '- textbox "Name" [e1] [required]: Alice',
        '- checkbox "Accept" [e2] [checked]',
        '- button "Buy" [e3] [disabled]',
        '- button "Menu" [e4] [collapsed]',
        '- button "Bold" [e5] [pressed]',
        '- textbox "Mail" [e6] [invalid] [readonly] [placeholder "you@example"]',
        '- textbox "Notes" [e7]: one two',
        '- link "Here" [e8] [current=page]',
    ]


async def test_special_inputs_tell_type_range_and_value(looks: Looks) -> None:
    text = await looks.text(
        "<input type=date value=2024-02-03 aria-label=Day>"
        "<input type=time value=10:20 aria-label=At>"
        "<input type=color value=#ff0000 aria-label=Tint>"
        "<input type=range min=0 max=10 value=4 aria-label=Volume>"
        "<input type=number min=1 value=2 aria-label=Count><input type=file aria-label=Doc>"
    )
    assert text.splitlines() == [
        '- textbox "Day" [e1] [type=date]: 2024-02-03',
        '- textbox "At" [e2] [type=time]: 10:20',
        '- textbox "Tint" [e3] [type=color]: #ff0000',
        '- slider "Volume" [e4] [range=0..10]: 4',
        '- spinbutton "Count" [e5] [range=1..]: 2',
        '- button "Doc" [e6] [type=file]',
    ]


async def test_a_password_is_never_told(looks: Looks) -> None:
    page = "<input id=p type=password aria-label=Word value=hunter2>"
    assert await looks.text(page) == '- textbox "Word" [e1] [password]'
    await looks.tab.main("() => { p.type = 'text' }")
    text = await looks.text()
    assert "hunter2" not in text
    assert text == '- textbox "Word" [e1] [password]'


async def test_contenteditable_tells_its_text(looks: Looks) -> None:
    text = await looks.text(
        "<div contenteditable>Dear <b>you</b></div>"
        "<div contenteditable role=textbox aria-label=Body>"
        "<p>one<p>two</div>"
    )
    assert text.splitlines() == [
        "- textbox [e1] [contenteditable]: Dear you",
        '- textbox "Body" [e2]: one two',
    ]


async def test_a_long_select_is_folded_and_opened_by_scope(looks: Looks) -> None:
    options = "".join(f"<option>C{n}" for n in range(50))
    text = await looks.text(f"<select aria-label=Country>{options}</select>")
    lines = text.splitlines()
    assert lines[0] == '- combobox "Country" [e1]: C0'
    assert lines[1] == '  - option "C0" [selected]'
    assert lines[-1] == "  ... 40 more options (scope: e1)"
    assert len(lines) == 12
    whole = await looks.text(scope="e1")
    assert len(whole.splitlines()) == 51
    assert '  - option "C49"' in whole.splitlines()


async def test_table_rows_take_one_line(looks: Looks) -> None:
    text = await looks.text(
        "<table><caption>People</caption><tr><th>Name<th>Age</tr><tr><td>Bob<td>30</tr>"
        "<tr><td>Eve<td><td><button>Del</button></tr></table>"
    )
    assert text.splitlines() == [
        '- table "People" [e1]',
        "  - row [header]: Name | Age",
        "  - row: Bob | 30",
        "  - row: Eve | ",
        '    - button "Del" [e2]',
    ]


async def test_text_that_repeats_a_name_is_left_out(looks: Looks) -> None:
    text = await looks.text(
        "<fieldset><legend>Where to</legend><label for=c>City</label><input id=c></fieldset>"
        "<a href=x><span>Open</span> <b>it</b></a><h2><span>Head</span></h2>"
    )
    assert text.splitlines() == [
        '- group "Where to"',
        '  - textbox "City" [e1]',
        '- link "Open it" [e2]',
        '- heading "Head" [level=2]',
    ]


async def test_a_label_that_differs_from_what_is_seen_is_flagged(looks: Looks) -> None:
    text = await looks.text(
        "<button aria-label='Delete account'>Cancel</button><button aria-label='Close'>×</button>"
        "<button aria-label='Save the file'>Save</button><a href=x aria-label=Harmless>Pay now</a>"
        "<button title='Sends money'>Go</button>"
    )
    assert text.splitlines() == [
        '- button "Delete account" [e1] [shows "Cancel"]',
        '- button "Close" [e2]',
        '- button "Save the file" [e3]',
        '- link "Harmless" [e4] [shows "Pay now"]',
        '- button "Go" [e5] [description "Sends money"]',
    ]


async def test_descriptions_are_told(looks: Looks) -> None:
    text = await looks.text(
        "<input aria-label=Pin aria-describedby=d><p id=d hidden>Four digits</p>"
    )
    assert '- textbox "Pin" [e1] [description "Four digits"]' in text


async def test_clickable_elements_without_a_role(looks: Looks) -> None:
    text = await looks.text(
        "<div style=cursor:pointer><span>Open <i>me</i></span></div><div onclick=1>Run</div>"
        "<div tabindex=0>Tab</div><div tabindex=-1>Not</div>"
        "<div onclick=1><h3>Card</h3><p>More</p></div><ul><li onclick=1>Pick</ul>"
    )
    assert text.splitlines() == [
        '- clickable "Open me" [e1]',
        '- clickable "Run" [e2]',
        '- clickable "Tab" [e3]',
        "- text: Not",
        "- clickable [e4]",
        '  - heading "Card" [level=3]',
        "  - text: More",
        "- list",
        "  - listitem [e5] [clickable]: Pick",
    ]


async def test_images_measures_and_details(looks: Looks) -> None:
    text = await looks.text(
        "<img alt='A cat' src=x><img alt='' src=x><svg><title>Logo</title></svg>"
        "<progress value=0.5 aria-label=Up></progress>"
        "<details><summary>More</summary>inside</details>"
        "<details open><summary>Less</summary>shown</details>"
    )
    assert text.splitlines() == [
        '- img "A cat"',
        '- img "Logo"',
        '- progressbar "Up": 0.5',
        '- summary "More" [e1] [collapsed]',
        '- summary "Less" [e2] [expanded]',
        "- text: shown",
        "… 1 hidden text left out",
    ]


async def test_the_focus_is_marked(looks: Looks) -> None:
    text = await looks.text("<input aria-label=A><input aria-label=B autofocus>")
    assert text.splitlines() == ['- textbox "A" [e1]', '- textbox "B" [e2] [focused]']


async def test_modal_dialogs_and_popovers_come_first(looks: Looks) -> None:
    text = await looks.text(
        "<p>Behind</p><dialog id=d><h2>Sure?</h2><button>Yes</button></dialog>"
        "<div id=p popover>Tip</div><script>d.showModal(); p.showPopover()</script>"
    )
    assert text.splitlines() == [
        "- dialog [e1] [modal]",
        '  - heading "Sure?" [level=2]',
        '  - button "Yes" [e2] [focused]',
        "- popover [e3]: Tip",
        "- text: Behind",
    ]


async def test_interactive_mode_keeps_what_tells_controls_apart(looks: Looks) -> None:
    text = await looks.text(
        "<main><h1>Top</h1><p>Prose that nobody clicks</p><h2>Users</h2><table>"
        "<tr><td>Bob<td><button>Del</button></tr><tr><td>Eve<td><button>Del</button></tr></table>"
        "<ul><li><a href=a>One</a><li><a href=b>Two</a></ul></main>"
        "<section><h2>Idle</h2>x</section>",
        mode="interactive",
    )
    assert text.splitlines() == [
        "- main [e1]",
        '  - heading "Users" [level=2]',
        "  - table [e2]",
        "    - row: Bob",
        '      - button "Del" [e3]',
        "    - row: Eve",
        '      - button "Del" [e4]',
        '  - link "One" [e5]',
        '  - link "Two" [e6]',
    ]


async def test_urls_are_told_on_request(looks: Looks) -> None:
    page = "<a href='/docs?a=1'>Docs</a>"
    assert await looks.text(page) == '- link "Docs" [e1]'
    assert await looks.text(urls=True) == '- link "Docs" [e1]: /docs?a=1'


async def test_scope_and_depth_narrow_the_look(looks: Looks) -> None:
    text = await looks.text(
        "<main aria-label=All><section aria-label=A><ul><li>a1 <li>a2</ul></section>"
        "<section aria-label=B><p>b1</p></section></main>"
    )
    ref = re.search(r'region "B" \[(e\d+)\]', text)
    assert ref is not None
    assert (await looks.text(scope=ref[1])).splitlines() == [f'- region "B" [{ref[1]}]: b1']
    shallow = (await looks.text(depth=2)).splitlines()
    assert shallow[0].startswith('- main "All"')
    assert shallow[1].startswith('  - region "A"')
    assert shallow[2].startswith("    ... more inside (scope: e")
    with pytest.raises(StaleRef):
        await looks.text(scope="e999")


async def test_forms_that_clobber_their_own_properties(looks: Looks) -> None:
    names = ["children", "getAttribute", "tagName", "parentElement", "firstChild", "nextSibling"]
    names += ["getBoundingClientRect", "attributes", "localName", "nodeType", "shadowRoot"]
    fields = "".join(f"<input name={name} aria-label={name}>" for name in names)
    text = await looks.text(f"<form>{fields}</form><img name=documentElement><img name=title>")
    assert text.splitlines()[0] == "- form [e1]"
    assert [line.split('"')[1] for line in text.splitlines()[1:12]] == names


async def test_invisible_unicode_is_removed(looks: Looks) -> None:
    tagged = "".join(chr(0xE0000 + ord(letter)) for letter in "evil")
    text = await looks.text(
        f"<p>ab\u200bc\u202ed\u2066e{tagged}</p><button aria-label='O\u200bK{tagged}'>x</button>"
        f"<input aria-label=V value='a\u2060b'>"
    )
    assert text.splitlines()[0] == "- text: abcde"
    assert '"OK"' in text
    assert text.endswith(": ab")


HIDDEN = {
    "display": "<p style=display:none>{}</p>",
    "attribute": "<p hidden>{}</p>",
    "visibility": "<p style=visibility:hidden>{}</p>",
    "opacity": "<p style=opacity:0>{}</p>",
    "far left": "<p style='position:absolute;left:-9999px'>{}</p>",
    "text indent": "<p style='text-indent:-9999px'>{}</p>",
    "tiny": "<p style=font-size:1px>{}</p>",
    "no size": "<p style=font-size:0>{}</p>",
    "white on white": "<p style='color:#fff;background:#fff'>{}</p>",
    "transparent ink": "<p style=color:transparent>{}</p>",
    "clip": "<p style='position:absolute;clip:rect(0,0,0,0)'>{}</p>",
    "clip path": "<p style=clip-path:inset(100%)>{}</p>",
    "one pixel": "<p style='width:1px;height:1px;overflow:hidden'>{}</p>",
    "closed details": "<details><summary>s</summary>{}</details>",
    "template": "<template>{}</template>",
    "comment": "<!-- {} -->",
    "closed dialog": "<dialog>{}</dialog>",
    "scaled away": "<p style='transform:scale(0)'>{}</p>",
}


@pytest.mark.parametrize("way", HIDDEN)
async def test_hidden_text_stays_out(looks: Looks, way: str) -> None:
    page = "<p>seen</p>" + HIDDEN[way].format("SECRET")
    shown = await looks.see(page)
    assert "SECRET" not in shown.text
    assert "seen" in shown.text
    if way in {"template", "comment"}:
        return
    assert shown.hidden == 1
    assert shown.text.endswith("… 1 hidden text left out")
    asked = await looks.text(hidden=True)
    assert re.search(r"- text \[hidden[^]]*\]: SECRET", asked)
    assert "- text: seen" in asked


async def test_faint_text_over_a_picture_is_shown(looks: Looks) -> None:
    dot = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="
    hero = (
        f"<div style=position:relative><img src='{dot}' width=300 height=100 alt=''>"
        "<p style='position:absolute;top:10px;color:#fff'>Over the picture</p></div>"
    )
    text = await looks.text(f"{hero}<div style=height:3000px></div>{hero}")
    # Out of view nobody can tell what is really painted there, so the text is flagged.
    assert text.splitlines() == [
        "- text: Over the picture",
        "- text [low_contrast]: Over the picture",
    ]


async def test_open_and_closed_shadow_roots_are_in(looks: Looks) -> None:
    text = await looks.text(
        "<div id=o><b slot=s>slotted</b></div><x-y></x-y>"
        "<div id=c style='width:9px;height:9px'></div>"
        "<script>o.attachShadow({mode:'open'}).innerHTML='<p>open <slot name=s></slot></p>';"
        "customElements.define('x-y', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode:'closed'}).innerHTML='<button>Closed</button>' } });"
        "c.attachShadow({mode:'closed'}).innerHTML='<a href=x>Deep</a>'</script>"
    )
    assert text.splitlines() == [
        "- text: open slotted",
        '- button "Closed" [e1]',
        '- link "Deep" [e2]',
    ]


DEEP = """() => {
  let at = root;
  for (let i = 0; i < 10000; i += 1) {
    const next = document.createElement('span');
    next.style.display = 'contents';
    if (i % 10 === 0) {
      next.setAttribute('role', 'group');
      next.setAttribute('aria-label', `g${i}`);
    }
    at.append(next);
    at = next;
  }
  at.textContent = 'bottom';
}"""


async def test_a_deep_document_stays_within_limits(looks: Looks) -> None:
    # Deeper than this with boxes, and the browser itself dies painting it.
    await looks.tab.show("<p>top</p><div id=root></div>")
    await looks.tab.main(DEEP)
    seen = await looks.see(budget=100000)
    lines = seen.text.splitlines()
    assert lines[0] == "- text: top"
    assert seen.limited or lines[-1].strip() == '- group "g9990": bottom'
    assert max(len(line) - len(line.lstrip()) for line in lines) <= 40


async def test_a_million_nodes_stay_within_limits_and_say_so(looks: Looks) -> None:
    await looks.tab.show("<p>top</p><div id=root></div>")
    await looks.tab.main(
        "() => { const part = document.createDocumentFragment(); for (let i = 0; i < 500000; i++) {"
        " part.append(document.createElement('div'), ' ') } root.append(part) }"
    )
    seen = await looks.see(budget=2000)
    assert seen.limited in {"nodes", "time"}
    assert "… stopped at the limit of" in seen.text
    assert seen.truncated
    assert seen.text.startswith("- text: top")


async def test_a_long_text_is_split_into_lines(looks: Looks) -> None:
    words = " ".join(f"word{n}" for n in range(400))
    lines = (await looks.text(f"<p>{words}</p>", budget=5000)).splitlines()
    assert len(lines) > 4
    assert " ".join(line.removeprefix("- text: ") for line in lines) == words


async def test_a_broken_continuation_is_refused(looks: Looks) -> None:
    await looks.see("<p>x</p>")
    for token in ("s1.0", "nonsense", "f9s1.0"):
        with pytest.raises(InvalidArgument):
            await looks.see(continuation=token)
