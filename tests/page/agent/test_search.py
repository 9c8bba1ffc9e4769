from __future__ import annotations

from typing import Any

from stockade.page.agent import PageAgent
from stockade.page.search import Matches, text_search
from tests.support.unseen import HOSTILE


async def search(agent: PageAgent, text: str, **options: Any) -> Matches:
    return await text_search(agent, text, caller="test", **options)


async def texts(agent: PageAgent, text: str, **options: Any) -> list[str]:
    return [match.text for match in (await search(agent, text, **options)).matches]


async def test_across_inline_elements_and_line_breaks(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<p>Count: <b>3</b> of <i><u>ten</u></i></p><p>one<br>two</p><p>par</p><p>ted</p>"
    )
    found = await search(agent, "count: 3 OF  ten")
    assert found.count == 1
    assert (found.matches[0].role, found.matches[0].text) == ("paragraph", "Count: 3 of ten")
    assert found.matches[0].bbox is not None
    assert found.matches[0].bbox.width > 50
    assert (await search(agent, "one two")).count == 1
    assert (await search(agent, "parted")).count == 0, "blocks are not one word"


async def test_case_diacritics_and_exact(agent: PageAgent) -> None:
    await agent.page.set_content("<p>Café CRÈME, cre\u0301me bru\u0302le\u0301e</p><p>Straße</p>")
    assert (await search(agent, "creme")).count == 2
    assert (await search(agent, "CAFE")).count == 1
    assert (await search(agent, "strasse")).count == 1
    assert (await search(agent, "strasse", exact=True)).count == 0
    assert (await search(agent, "Straße", exact=True)).count == 1


async def test_exact_is_the_whole_text_of_an_element_in_that_case(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<p>A <span id=b>B</span> C</p><p>B</p><p>b</p><p>B or not</p><p>B <i>x</i></p>"
        "<input value=B><input value='B C'><button aria-label=B>x</button><p>A B C</p>"
    )
    found = await search(agent, "B", exact=True)
    assert [(match.source, match.text) for match in found.matches] == [
        ("text", "A B C"),
        ("text", "B"),
        ("text", "B x"),
        ("value", "B"),
        ("aria-label", "B"),
    ]


async def test_invisible_characters_do_not_hide_words(agent: PageAgent) -> None:
    await agent.page.set_content("<p>pay\u200bment re\u00adceived</p>")
    assert await texts(agent, "payment received") == ["payment received"]
    await agent.page.set_content(f"<p>p{HOSTILE}ayment</p>")
    assert await texts(agent, "payment") == ["payment"]
    assert await texts(agent, "payment", exact=True) == ["payment"]


async def test_words_with_joiners_are_found_as_they_are_shown(agent: PageAgent) -> None:
    word = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    await agent.page.set_content(f"<p>{word}")
    assert await texts(agent, word) == [word]
    assert await texts(agent, word.replace("\u200c", "")) == [word]


async def test_link_gets_the_ref_when_it_holds_the_match(agent: PageAgent) -> None:
    await agent.page.set_content("<p>See the <a href='#'>terms of use</a> first</p>")
    assert (await search(agent, "terms")).matches[0].role == "link"
    assert (await search(agent, "the terms")).matches[0].role == "paragraph"


async def test_values_and_labels_are_named_as_such(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<input value='green tea'><input placeholder='tea or coffee'><img alt='A tea pot'>"
        "<button aria-label='Brew tea'>x</button><select><option>Iced tea</option></select>"
        "<input type=password value='tea secret'><input type=submit value='Order tea'>"
        "<p title='about tea'>text</p>"
    )
    found = await search(agent, "tea")
    assert [(match.source, match.text) for match in found.matches] == [
        ("value", "green tea"),
        ("placeholder", "tea or coffee"),
        ("alt", "A tea pot"),
        ("aria-label", "Brew tea"),
        ("value", "Iced tea"),
        ("option", "Iced tea"),
        ("value", "Order tea"),
        ("title", "about tea"),
    ]
    assert (await search(agent, "secret")).count == 0


async def test_a_field_that_was_a_password_stays_secret(agent: PageAgent) -> None:
    await agent.page.set_content("<input id=p type=password value='swordfish'>")
    await search(agent, "anything")
    await agent.page.main_frame.call("() => { document.querySelector('#p').type = 'text'; }")
    assert (await search(agent, "swordfish")).count == 0


async def test_hidden_text_only_when_asked_for_and_marked(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<p>open door</p><p style='display:none'>closed door</p>"
        "<p style='visibility:hidden'>veiled door</p><p style='opacity:0'>ghost door</p>"
        "<p style='position:absolute;left:-9999px'>far door</p>"
    )
    assert await texts(agent, "door") == ["open door"]
    found = await search(agent, "door", include_hidden=True)
    assert [(match.text, match.hidden) for match in found.matches] == [
        ("open door", ""),
        ("closed door", "not rendered"),
        ("veiled door", "not rendered"),
        ("ghost door", "transparent"),
        ("far door", "offscreen"),
    ]
    assert found.matches[1].bbox is None


async def test_context_tells_row_and_section(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<h2>People</h2><table><tr><th>Name</th><th>State</th></tr>"
        "<tr><td>Ann</td><td>active</td></tr><tr><td>Bea</td><td>active</td></tr></table>"
    )
    found = await search(agent, "active")
    contexts = [match.context for match in found.matches]
    assert [each and (each.section, each.row_key, each.column) for each in contexts] == [
        ("People", "Ann", "State"),
        ("People", "Bea", "State"),
    ]


async def test_large_blocks_are_narrowed_to_the_right_place(agent: PageAgent) -> None:
    filler = "<section>" + "<p>lorem ipsum dolor sit amet</p>" * 300 + "</section>"
    await agent.page.set_content(
        filler + "<section><p>the <em>needle</em> of</p><p>gold</p></section>" + filler
    )
    found = await search(agent, "the needle of")
    assert [match.text for match in found.matches] == ["the needle of"]
    assert found.matches[0].clipped
    assert (await search(agent, "of gold")).count == 0


async def test_a_long_value_shows_the_match_and_not_its_beginning(agent: PageAgent) -> None:
    long = "lorem ipsum " * 200 + "the needle here" + " dolor sit" * 200
    await agent.page.set_content(f"<textarea>{long}</textarea><input value='{long}'>")
    found = await search(agent, "Needle")
    assert [match.source for match in found.matches] == ["value", "value"]
    for match in found.matches:
        assert "the needle here" in match.text
        assert match.text.startswith("…")
        assert match.text.endswith("…")
        assert len(match.text) < 200


async def test_every_place_in_a_value_counts(agent: PageAgent) -> None:
    await agent.page.set_content("<textarea>one tea\ntwo tea</textarea>")
    assert (await search(agent, "tea")).count == 2


async def test_text_of_drawings(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<p>tea in a text</p><svg width=300 height=90><title>tea title</title>"
        "<defs><text>tea in store</text></defs><g><text x=5 y=20>Green <tspan>tea</tspan></text></g>"
        "<text x=5 y=40>tea</text><foreignObject width=90 height=30><p>tea page</p></foreignObject>"
        "</svg>"
    )
    found = await search(agent, "tea")
    assert [(match.source, match.text) for match in found.matches] == [
        ("text", "tea in a text"),
        ("svg", "Green tea"),
        ("svg", "tea"),
        ("text", "tea page"),
    ]
    assert found.matches[1].bbox is not None


ENTRY = "<dt><code>os.<b>stat</b>(path, *, dir)</code></dt><dd><p>some words</p></dd>"
LARGE = f"<dl>{ENTRY * 30_000}"


async def test_a_large_page_is_searched_to_its_end_every_time(agent: PageAgent) -> None:
    await agent.page.set_content(f"{LARGE}<dt><code>os.<b>replace</b>(src, dst)</code></dt></dl>")
    for _ in range(2):
        found = await search(agent, "os.replace(")
        assert (found.count, found.complete, found.warnings) == (1, True, [])
        many = await search(agent, "some words", max_matches=1)
        assert (many.count, many.complete) == (30_000, True)


async def test_what_the_deadline_ends_says_so(agent: PageAgent) -> None:
    await agent.page.set_content(f"{LARGE}</dl>")
    frame = agent.page.main_frame
    found = await agent.call(frame, "text_search", text="words", caller="test", ms=1)
    assert found["complete"] is False
    assert found["count"] < 30_000
    assert found["warnings"] == ["time was up before the end of the page"]


async def test_text_right_in_an_inline_scope(agent: PageAgent) -> None:
    await agent.page.set_content("<p>tea <span>green tea <b>tea</b></span> tea</p>")
    inner = (await search(agent, "green tea")).matches[0]
    assert inner.role == "paragraph"
    frame = agent.page.main_frame
    span = await frame.call(
        "() => stockade.modules.Refs.show('test', document.querySelector('span'))"
        " || stockade.modules.Refs.of(document.querySelector('span'))"
    )
    assert (await search(agent, "tea", scope=f"e{span}")).count == 2


async def test_without_values_fields_and_editors_say_nothing(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<input value='tea a'><textarea>tea b</textarea><div contenteditable>tea <b>c</b></div>"
        "<select><option>tea d</select><p>tea e</p><input type=submit value='tea f'>"
    )
    found = await search(agent, "tea", values=False)
    assert [match.text for match in found.matches] == ["tea d", "tea e", "tea f"]
    assert (await search(agent, "tea")).count == 7


async def test_text_of_what_has_no_box_of_its_own(agent: PageAgent) -> None:
    await agent.page.set_content(
        """<div style='display:contents'>Plain words</div><p id=host></p>
        <p style='display:none'><span style='display:contents'>Hidden words</span></p>
        <p style='visibility:hidden'><span style='display:contents'>Veiled words</span></p>
        <script>host.attachShadow({mode: 'open'}).innerHTML =
          '<div role=tooltip><slot name=content>Slotted words</slot></div>'</script>"""
    )
    assert await texts(agent, "words") == ["Plain words", "Slotted words"]
