"""Frames of every kind, in one text within one budget."""

from __future__ import annotations

import pytest

from tests.page.looks import Looks, tokens
from tests.support.tabs import Tab


@pytest.fixture
def either_looks(either_tab: Tab) -> Looks:
    return Looks(either_tab)


async def test_nested_frames_of_other_origins_are_stitched_in(either_looks: Looks) -> None:
    looks = either_looks
    site = looks.tab.site
    site.other.page("/inner", "<h2>Inner</h2><button>Deep</button>")
    site.page(
        "/middle", f"<p>Middle</p><iframe title=in src='{site.other.url('/inner')}'></iframe>"
    )
    middle = site.url("/middle", host="localhost")
    seen = await looks.see(
        f"<h1>Outer</h1><iframe title=mid src='{middle}'></iframe><p>After</p>"
        "<iframe srcdoc='<a href=x>Same</a>'></iframe>"
    )
    assert seen.text.splitlines() == [
        '- heading "Outer" [level=1]',
        '- iframe "mid" [e1]',
        f"  <frame {site.url('', host='localhost')}>",
        "  - text: Middle",
        '  - iframe "in" [f1e1]',
        f"    <frame {site.other.url('')}>",
        '    - heading "Inner" [level=2]',
        '    - button "Deep" [f3e1]',
        "- text: After",
        "- iframe [e2]",
        '  - link "Same" [f2e1]',
    ]
    assert [(frame.ref, frame.prefix) for frame in seen.frames] == [
        ("e1", "f1"),
        ("e2", "f2"),
        ("f1e1", "f3"),
    ]
    assert (await looks.text(scope="f3e1")) == '- button "Deep" [f3e1]'
    assert '- button "Deep"' in await looks.text(scope="e1")


async def test_a_frame_without_an_origin_is_nobodys(looks: Looks) -> None:
    seen = await looks.see(
        "<p>x</p><iframe sandbox srcdoc='<p>&amp;lt;frame https://bank.example&amp;gt;'></iframe>"
    )
    assert seen.text.splitlines() == [
        "- text: x",
        "- iframe [e1]",
        "  <frame null>",
        "  - text: <frame https://bank.example>",
    ]


async def test_hidden_and_empty_frames_are_left_out(looks: Looks) -> None:
    seen = await looks.see(
        "<p>x</p><iframe style=display:none srcdoc='<p>no'></iframe>"
        "<iframe width=1 height=1 srcdoc='<p>no'></iframe><iframe></iframe>"
    )
    assert seen.text.splitlines() == ["- text: x", "- iframe [e1]"]


async def test_a_frame_that_hangs_has_a_line_instead(looks: Looks) -> None:
    site = looks.tab.site
    site.other.page(
        "/stuck",
        "<p>stuck</p><script>addEventListener('load', () =>"
        " setTimeout(() => { for (;;); }, 50))</script>",
    )
    await looks.see(
        f"<p>Fine</p><iframe title=bad src='{site.other.url('/stuck', host='localhost')}'></iframe>"
    )
    frame = looks.tab.page.frames[-1]
    with pytest.raises(Exception, match="did not answer"):
        await frame.call("() => new Promise((done) => setTimeout(done, 200))", timeout=1)
    seen = await looks.see()
    assert seen.text.splitlines() == [
        "- text: Fine",
        '- iframe "bad" [e1]',
        "  … its content could not be read: it did not answer in time",
    ]
    assert seen.frames[0].problem == "it did not answer in time"


async def test_the_budget_is_shared_among_frames(looks: Looks) -> None:
    def lines(name: str, count: int) -> str:
        return "".join(f"<p>{name} line number {n} of the frame.</p>" for n in range(count))

    site = looks.tab.site
    site.other.page("/large", lines("Large", 200))
    site.other.page("/small", lines("Small", 3))
    large, small = site.other.url("/large"), site.other.url("/small")
    page = (
        f"<iframe title=large src='{large}'></iframe><iframe title=small src='{small}'></iframe>"
        f"{lines('Main', 200)}"
    )
    for budget in (150, 400, 1000, 3000):
        seen = await looks.see(page, budget=budget)
        assert tokens(seen.text) <= budget
        assert seen.truncated
        assert seen.continuation is not None
        if budget >= 400:
            assert "Small line number 2" in seen.text
            assert seen.text.count("Main line") >= seen.text.count("Large line")
            assert "Large line number 0" in seen.text
    whole = await looks.see(budget=20000)
    assert not whole.truncated
    assert tokens(whole.text) <= 20000


async def test_a_continuation_knows_its_frame(looks: Looks) -> None:
    site = looks.tab.site
    site.other.page("/large", "".join(f"<p>Line {n} of the frame.</p>" for n in range(300)))
    seen = await looks.see(
        f"<p>Main</p><iframe title=l src='{site.other.url('/large')}'></iframe>", budget=300
    )
    assert seen.continuation is not None
    assert seen.continuation.startswith("f1s")
    more = await looks.see(continuation=seen.continuation, budget=300)
    assert "Line" in more.text


async def test_deltas_tell_of_frames(looks: Looks) -> None:
    site = looks.tab.site
    site.other.page("/a", "<p id=p>first</p>")
    site.other.page("/b", "<p>another document</p>")
    await looks.see(f"<p id=m>main</p><iframe id=f title=in src='{site.other.url('/a')}'></iframe>")
    frame = looks.tab.page.frames[1]
    await looks.tab.main("() => { p.textContent = 'second' }", frame=frame)
    assert (await looks.changes("m.textContent = 'changed'")).splitlines() == [
        "~ text: changed",
        f"in frame f1: <frame {site.other.url('')}>",
        "~ text: second",
    ]
    assert await looks.changes() == ""
    await looks.tab.main(
        "url => new Promise((done) => { f.onload = done; f.src = url })", site.other.url("/b")
    )
    assert "another document" in await looks.changes()
    assert await looks.changes() == ""


async def test_a_frame_that_appears_brings_its_content(looks: Looks) -> None:
    site = looks.tab.site
    site.other.page("/in", "<button>Inside</button>")
    await looks.see("<p>main</p><div id=box></div>")
    await looks.tab.main(
        "url => new Promise((done) => { const f = document.createElement('iframe');"
        " f.title = 'new'; f.onload = done; f.src = url; box.append(f) })",
        site.other.url("/in"),
    )
    assert (await looks.changes()).splitlines() == [
        '+ iframe "new" [e1]',
        f"  <frame {site.other.url('')}>",
        '  - button "Inside" [f1e1]',
    ]
    assert await looks.changes() == ""


@pytest.mark.parametrize("within", ["document.body", "document.querySelector('main')"])
async def test_what_comes_with_a_style_is_told_however_long_the_page(
    looks: Looks, within: str
) -> None:
    rows = "".join(f"<h2>Part {n}</h2><p>Text {n}.</p><button>Go {n}</button>" for n in range(90))
    await looks.see(f"<main aria-label=All>{rows}</main>", budget=300)
    told = await looks.changes(
        f"""const sheet = document.createElement('style');
        sheet.textContent = '.over {{ position: fixed; top: 0; left: 0 }}';
        document.head.append(sheet);
        const over = document.createElement('div');
        over.innerHTML = '<div class=over role=tooltip>Sure? <button>Yes</button></div>';
        {within}.append(over);"""
    )
    assert '+ tooltip "Sure? Yes"' in told
    assert told.count('button "Yes"') == 1


async def test_what_was_told_as_the_rest_of_a_change_is_known_when_it_is_redrawn(
    looks: Looks,
) -> None:
    await looks.see("<p>Days</p><div id=days></div>")
    draw = "days.innerHTML = Array.from({length: 40}, (_, n) => `<button>Day ${n + 1}</button>`).join('')"
    first = await looks.delta(draw, budget=100)
    assert first.continuation is not None
    rest = await looks.see(continuation=first.continuation, budget=1000)
    assert 'button "Day 40"' in rest.text
    again = await looks.changes(draw, budget=1000)
    assert "40 elements redrawn as they were" in again
