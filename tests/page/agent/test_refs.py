"""A ref is one element of one document, and only as long as it is what was shown."""

from __future__ import annotations

import pytest

from stockade.errors import StaleRef, TargetChanged
from tests.page.looks import Looks
from tests.support.tabs import CALLER, Tab


async def check(looks: Looks, number: int, caller: str | None = None) -> str:
    """What the ref stands for now, by its text; raises as every use of a ref would."""
    frame = looks.tab.page.main_frame
    return str(
        await frame.call(
            "(caller, number) => { const { Refs, Aria, Agent } = stockade.modules;"
            " try { return Refs.check(caller, number).textContent }"
            " catch (error) { return `${error.code}: ${error.message}` } }",
            caller or looks.caller,
            number,
        )
    )


async def test_refs_are_kept_from_one_look_to_the_next(looks: Looks) -> None:
    first = await looks.text("<button>A</button><button id=b>B</button>")
    await looks.tab.main("() => b.insertAdjacentHTML('beforebegin', '<button>New</button>')")
    second = await looks.text()
    assert first.splitlines() == ['- button "A" [e1]', '- button "B" [e2]']
    assert second.splitlines() == [
        '- button "A" [e1]',
        '- button "New" [e3]',
        '- button "B" [e2]',
    ]


async def test_no_number_is_given_twice_in_a_tab(looks: Looks) -> None:
    seen: set[str] = set()
    for _ in range(3):
        text = await looks.text("<button>A</button><a href=x>B</a>")
        refs = {line.partition("[")[2].partition("]")[0] for line in text.splitlines()}
        assert not refs & seen
        seen |= refs


async def test_a_ref_of_another_document_is_stale(looks: Looks) -> None:
    await looks.see("<button>A</button>")
    await looks.see("<button>A</button>")
    assert (await check(looks, 1)).startswith("stale_ref")
    with pytest.raises(StaleRef):
        await looks.see(scope="e1")


async def test_a_removed_element_is_stale(looks: Looks) -> None:
    await looks.see("<button id=a>A</button>")
    await looks.tab.main("() => a.remove()")
    assert (await check(looks, 1)).startswith("stale_ref")


@pytest.mark.parametrize(
    ("page", "change", "same"),
    [
        ("<button>Like (12)</button>", "x.textContent = 'Like (13)'", True),
        ("<button>Play</button>", "x.textContent = 'Pause'", False),
        ("<a href=/a>Go</a>", "x.href = '/b'", False),
        ("<form action=/a><button>Send</button></form>", "x.form.action = '/b'", False),
        ("<button>Go</button>", "x.className = 'hot'; x.style.color = 'red'", True),
        ("<button>Go</button>", "document.body.prepend(x)", True),
        ("<button>Go</button>", "x.setAttribute('role', 'link')", False),
        ("<input aria-label=N>", "x.value = 'typed'", True),
        ("<input aria-label=N>", "x.type = 'password'", False),
    ],
)
async def test_what_matters_about_a_target(
    looks: Looks, page: str, change: str, *, same: bool
) -> None:
    await looks.see(page)
    await looks.tab.main(
        f"() => {{ const x = document.querySelector('button, a, input'); {change} }}"
    )
    answer = await check(looks, 2 if page.startswith("<form") else 1)
    assert answer.startswith("target_changed") is not same


async def test_a_changed_target_counts_as_shown(looks: Looks) -> None:
    await looks.see("<button id=a>Play</button>")
    await looks.tab.main("() => { a.textContent = 'Pause' }")
    answer = await check(looks, 1)
    assert 'was button "Play" and is now button "Pause"' in answer
    assert await check(looks, 1) == "Pause"


@pytest.mark.parametrize(
    "row",
    [
        "<tr><td>{}<td><button>Delete</button></tr>",
        "<ul><li>{} <button>Delete</button></ul>",
        "<article><h3>{}</h3><button>Delete</button></article>",
        "<div role=listitem><span>{}</span><button>Delete</button></div>",
        "<div class=row><span>{}</span><button>Delete</button></div>",
        "<div style='position:absolute;top:{}px'><span>{}</span><button>Delete</button></div>",
    ],
)
async def test_a_recycled_row_is_another_target(looks: Looks, row: str) -> None:
    rows = "".join(
        row.replace("{}", f"<i>Order {n}</i>" if "px" not in row else f"{n}") for n in range(3)
    )
    await looks.see(f"<table>{rows}</table>" if row.startswith("<tr") else rows)
    await looks.tab.main(
        "() => { const first = document.querySelector('button').closest('tr, li, article, div');"
        " [...first.querySelectorAll('i, span')].pop().textContent = 'Order 77' }"
    )
    number = 2 if row.startswith(("<tr", "<article")) else 1
    assert (await check(looks, number)).startswith("target_changed")


async def test_a_row_told_in_a_delta_counts_as_shown(looks: Looks) -> None:
    await looks.see("<table><tr><td id=s>vm1 stopped<td><button>Start</button></table>")
    assert "vm1 running" in await looks.changes("s.textContent = 'vm1 running'")
    assert await check(looks, 2) == "Start"


async def test_each_caller_has_its_own_memory(looks: Looks) -> None:
    await looks.see("<button id=a>Play</button>")
    await looks.tab.main("() => { a.textContent = 'Pause' }")
    await Looks(looks.tab, "other").see()
    assert await check(looks, 1, "other") == "Pause"
    assert (await check(looks, 1)).startswith("target_changed")
    await looks.tab.main("() => { a.textContent = 'Stop' }")
    assert (await check(looks, 1, "a third who never looked")).startswith("target_changed")


async def test_callers_are_bounded(looks: Looks) -> None:
    await looks.see("<button>A</button>")
    for number in range(40):
        await Looks(looks.tab, f"caller {number}").see()
    assert await check(looks, 1) == "A"


async def test_errors_reach_python_with_their_details(looks: Looks) -> None:
    await looks.see("<button id=a onclick='this.textContent += \"!\"'>Play</button>")
    await looks.tab.main("() => { a.textContent = 'Pause' }")
    with pytest.raises(TargetChanged) as caught:
        await looks.tab.actions.click("e1", caller=looks.caller)
    assert caught.value.details["shown"] == 'button "Play"'
    assert caught.value.details["now"] == 'button "Pause"'
    await looks.tab.actions.click("e1", caller=looks.caller)
    assert await looks.tab.main("() => a.textContent") == "Pause!"


ROW = (
    "<div class=row><b>{}</b> <span>-</span> <span class=n>1</span> <span class=plus>+</span></div>"
)
STEPPERS = """<script>
addEventListener('click', ({{ target }}) => {{
  const row = target.closest('.row');
  {reaction}
}});
</script>"""


@pytest.mark.parametrize(
    "names", [("Apples", "Pears", "Plums"), ("", "", ""), ("Order 1", "Order 2", "Order 3")]
)
async def test_a_row_that_ones_own_click_counts_up_stays_the_same(
    tab: Tab, names: tuple[str, ...]
) -> None:
    count = "row.querySelector('.n').textContent++;"
    await tab.show("".join(map(ROW.format, names)) + STEPPERS.format(reaction=count))
    plus = await tab.ref(".plus >> nth=1")
    for _ in range(4):
        await tab.actions.click(plus, caller=CALLER)
    assert await tab.main("() => document.querySelectorAll('.n')[1].textContent") == "5"


async def test_a_row_that_ones_own_click_marks_stays_the_same(tab: Tab) -> None:
    mark = (
        "row.querySelector('.n').textContent = row.textContent.includes('open') ? 'shut' : 'open';"
    )
    await tab.show("".join(map(ROW.format, ("Ann", "Bob"))) + STEPPERS.format(reaction=mark))
    plus = await tab.ref(".plus >> nth=1")
    for _ in range(3):
        await tab.actions.click(plus, caller=CALLER)


@pytest.mark.parametrize(
    "names", [("Ann", "Bob", "Cid"), ("Order 1", "Order 2", "Order 3"), ("1", "2", "3")]
)
@pytest.mark.parametrize("index", [1, 2])
async def test_rows_that_ones_own_click_gives_other_data_are_others(
    tab: Tab, names: tuple[str, ...], index: int
) -> None:
    shift = (
        "const names = [...document.querySelectorAll('b')];"
        "names.forEach((each, n) => { each.textContent = (names[n + 1] || {}).textContent || 'Order 9'; });"
    )
    await tab.show("".join(map(ROW.format, names)) + STEPPERS.format(reaction=shift))
    plus = await tab.ref(f".plus >> nth={index}")
    await tab.actions.click(plus, caller=CALLER)
    with pytest.raises(TargetChanged):
        await tab.actions.click(plus, caller=CALLER)


async def test_a_control_of_a_long_section_stays_what_it_is_while_others_change(tab: Tab) -> None:
    boxes = "".join(f"<label><input type=checkbox> Extra {n}</label>" for n in range(14))
    await tab.show(
        f"""<section class=part><h2>Fields</h2><p id=age>Age</p>{boxes}
        <label><input type=checkbox id=wrap> Gift wrap</label></section>
        <section class=part><h2>Overlays</h2><button>Open</button></section>"""
    )
    ref = await tab.ref("#wrap")
    await tab.main("() => { age.textContent = 'Age Twenty'; }")
    await tab.actions.click(ref, caller=CALLER)
    assert await tab.main("() => wrap.checked")
