from __future__ import annotations

from typing import Any

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

PAGE = """
<body><main id=main><p id=p></p><x-a id=host><i id=slotted></i></x-a><p id=last></p></main>
<script>customElements.define('x-a', class extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).innerHTML = '<b id=inner><slot></slot></b>';
  }
});</script>
"""


async def walk(tab: Tab, visit: str, options: str = "{}") -> Any:
    return await evaluate(
        tab,
        "const { Pass } = stockade.modules; const seen = [];"
        f"const limit = Pass.walk(document.querySelector('main'), (el) => {visit}, {options});"
        "return [seen.filter(Boolean), limit];",
    )


async def test_walk_follows_the_flat_tree(tab: Tab) -> None:
    await tab.show(PAGE)
    seen = "{ seen.push(Dom.attr(el, 'id')); }"
    assert await walk(tab, seen) == [["main", "p", "host", "inner", "slotted", "last"], ""]
    assert await walk(tab, seen, "{ pierce: false }") == [
        ["main", "p", "host", "slotted", "last"],
        "",
    ]


async def test_walk_skips_and_stops(tab: Tab) -> None:
    await tab.show(PAGE)
    skip = "{ seen.push(Dom.attr(el, 'id')); return Dom.tag(el) !== 'x-a'; }"
    assert await walk(tab, skip) == [["main", "p", "host", "last"], ""]
    seen = "{ seen.push(Dom.attr(el, 'id')); }"
    assert await walk(tab, seen, "{ nodes: 2 }") == [["main", "p"], "2 elements"]
    slow = "{ const end = performance.now() + 2; while (performance.now() < end); }"
    await tab.show("<main>" + "<p></p>" * 200 + "</main>")
    assert (await walk(tab, slow, "{ ms: 1 }"))[1] == "1 ms"


async def test_order_across_roots(tab: Tab) -> None:
    await tab.show(PAGE)
    found = await evaluate(
        tab,
        """
        const { Pass } = stockade.modules;
        const inner = Dom.shadow(document.getElementById('host')).getElementById('inner');
        const get = (id) => document.getElementById(id) || inner;
        const mixed = ['last', 'slotted', 'inner', 'host', 'p', 'main'].map(get);
        return Pass.order(mixed).map((el) => Dom.attr(el, 'id'));
        """,
    )
    assert found == ["main", "p", "host", "inner", "slotted", "last"]


async def test_caches_end_with_the_pass(tab: Tab) -> None:
    await tab.show("<button id=b>One</button>")
    found = await evaluate(
        tab,
        """
        const { Pass } = stockade.modules;
        const button = document.getElementById('b');
        const name = Pass.over(() => ({ said: Aria.name(button) }));
        const before = name();
        button.textContent = 'Two';
        return [before.said, name().said];
        """,
    )
    assert found == ["One", "Two"]


async def test_slices_let_others_in_and_end_with_the_time(tab: Tab) -> None:
    await tab.show("<main></main>")
    code = """
        const { Pass } = stockade.modules;
        let turns = 0;
        const work = Pass.sliced(function* ({ rounds }) {
          let done = 0;
          while (done < rounds) {
            if (Pass.due() && (yield)) return { done, late: true };
            const end = performance.now() + 5;
            while (performance.now() < end);
            done += 1;
          }
          return { done, late: false };
        });
        const channel = new MessageChannel();
        channel.port1.onmessage = () => { turns += 1; channel.port2.postMessage(0); };
        channel.port2.postMessage(0);
        return (async () => {
          const whole = await work({ rounds: 40 });
          const between = turns;
          const part = await work({ rounds: 4000, ms: 100 });
          channel.port1.close();
          return [whole, between > 2, part.late, part.done < 4000];
        })();
        """
    assert await evaluate(tab, code) == [{"done": 40, "late": False}, True, True, True]


async def test_work_in_slices_can_be_done_at_once(tab: Tab) -> None:
    await tab.show("<main></main>")
    code = "const { Pass } = stockade.modules; return Pass.finish((function* () { yield; return 7; })());"
    assert await evaluate(tab, code) == 7


async def test_a_traverse_notices_what_was_taken_away(tab: Tab) -> None:
    await tab.show("<main>" + "<p></p>" * 40 + "</main>")
    code = """
        const { Pass } = stockade.modules;
        const main = document.querySelector('main');
        const steps = Pass.traverse(main, () => {}, { pause: () => true });
        steps.next();
        main.replaceChildren();
        let step = steps.next();
        while (!step.done) step = steps.next();
        return step.value;
        """
    assert await evaluate(tab, code) == {"ended": "", "torn": [{}]}
