"""An audit finds what is wrong, says how to mend it, and stays silent about what is right."""

from __future__ import annotations

import pytest

from tests.support.callers import Caller

GOOD = """<!doctype html><html lang=en><title>Shop</title><body>
<header><nav aria-label=Main><a href=/>Home</a></nav></header><main><h1>Shop</h1>
<p>Buy <a href=/tea>tea</a> here.</p><h2>Order</h2><img src=/x alt='A cup' width=20 height=20>
<form><label>Name <input autocomplete=name></label><button>Order now</button></form>
<table><tr><th>Tea<th>Price<tr><td>Assam<td>4.20</table></main><footer>Imprint</footer>"""

CASES = {
    "image-alt": "<img src=/x width=20 height=20>",
    "button-name": "<button></button>",
    "link-name": "<a href=/x><span></span></a>",
    "label": "<input>",
    "label-title-only": "<input placeholder=Name>",
    "aria-input-field-name": "<div role=textbox tabindex=0></div>",
    "aria-toggle-field-name": "<div role=switch aria-checked=true tabindex=0></div>",
    "aria-command-name": "<div role=button tabindex=0></div>",
    "aria-meter-name": "<div role=progressbar></div>",
    "aria-dialog-name": "<div role=dialog>Hello</div>",
    "summary-name": "<details><summary></summary>x</details>",
    "empty-heading": "<h2></h2>",
    "label-content-name-mismatch": "<button aria-label='Close window'>Open</button>",
    "frame-title": "<iframe srcdoc='<html lang=en><p>x'></iframe>",
    "valid-lang": "<p lang=none-at-alllllllll>x</p>",
    "table-headers": "<table><caption>Teas</caption><tr><td>a<td>1<tr><td>b<td>2</table>",
    "empty-table-header": "<table><tr><th>a<th><tr><td>1<td>2</table>",
    "td-headers-attr": "<table><tr><th>a<th>b<tr><td headers=no>1<td>2</table>",
    "no-autoplay-audio": "<audio autoplay loop src=/x></audio><video autoplay loop src=/x></video>",
    "heading-order": "<h4>Deep</h4>",
    "landmark-no-duplicate-main": "<main>x</main><main>y</main>",
    "landmark-unique": "<nav><a href=/1>a</a></nav><nav><a href=/2>b</a></nav>",
    "duplicate-id-aria": "<label for=a>A</label><input id=a><input id=a aria-label=b>",
    "skip-link": "<a href=#nowhere>Skip to content</a>",
    "accesskeys": "<button accesskey=a>A</button><button accesskey=a>B</button>",
    "autocomplete-valid": "<input aria-label=a autocomplete=nonsense>",
    "list": "<ul><div>a</div><li>b</ul>",
    "listitem": "<div><li>a</li></div>",
    "definition-list": "<dl><p>a</p></dl>",
    "dlitem": "<div><dt>a</dt></div>",
    "marquee": "<marquee>a</marquee>",
    "aria-roles": "<div role=knob>a</div>",
    "aria-valid-attr": "<div aria-lable=x>a</div>",
    "aria-valid-attr-value": "<button aria-expanded=maybe>a</button>",
    "aria-allowed-attr": "<button aria-checked=true>a</button>",
    "aria-prohibited-attr": "<p aria-label=x>a</p>",
    "aria-required-attr": "<div role=checkbox tabindex=0>a</div>",
    "aria-required-children": "<div role=listbox aria-label=a tabindex=0><p>x</p></div>",
    "aria-required-parent": "<div role=option>a</div>",
    "aria-hidden-focus": "<div aria-hidden=true><button>a</button></div>",
    "nested-interactive": "<button>a <span tabindex=0>b</span></button>",
    "presentation-role-conflict": "<ul role=none tabindex=0><li>a</ul>",
    "color-contrast": "<p style='color:#aaa'>Faint words</p>",
    "link-in-text-block": "<p style='color:#333'>Words and <a href=/x style='color:#444;"
    "text-decoration:none'>a link</a> in them</p>",
    "target-size": "<button style='width:9px;height:9px;padding:0' aria-label=a></button>"
    "<button style='width:9px;height:9px;padding:0' aria-label=b></button>",
    "tabindex": "<button tabindex=2>a</button>",
    "keyboard": "<div onclick='go()'>Press me</div>",
    "scrollable-region-focusable": "<div style='height:30px;overflow:auto'><p>a<p>b<p>c<p>d</div>",
}
HEADS = {
    "document-title": "<html lang=en><main><h1>a</h1></main>",
    "html-has-lang": "<title>a</title><main><h1>a</h1></main>",
    "html-lang-valid": "<html lang='!'><title>a</title><main><h1>a</h1></main>",
    "meta-viewport": "<html lang=en><title>a</title>"
    "<meta name=viewport content='user-scalable=no'><main><h1>a</h1></main>",
    "meta-refresh": "<html lang=en><title>a</title>"
    "<meta http-equiv=refresh content=500><main><h1>a</h1></main>",
    "landmark-one-main": "<html lang=en><title>a</title><h1>a</h1>",
    "page-has-heading-one": "<html lang=en><title>a</title><main><h2>a</h2></main>",
    "landmark-no-duplicate-banner": "<html lang=en><title>a</title><header>a</header>"
    "<header>b</header><main><h1>a</h1></main>",
    "landmark-no-duplicate-contentinfo": "<html lang=en><title>a</title><footer>a</footer>"
    "<footer>b</footer><main><h1>a</h1></main>",
    "bypass": "<html lang=en><title>a</title>"
    + "".join(f"<a href=/{each}>Link {each}</a> " for each in range(9)),
    "aria-hidden-body": "<html lang=en><title>a</title><body aria-hidden=true><main><h1>a</h1>",
}


async def test_a_good_page_passes(caller: Caller) -> None:
    await caller.show(GOOD)
    found = await caller.ok("accessibility_audit")
    assert found["findings"] == []
    assert found["summary"]["total"] == 0
    assert found["summary"]["rulesRun"] == found["summary"]["rulesPassed"] > 55


async def test_every_rule_finds_its_fault_and_says_what_to_do(caller: Caller) -> None:
    for rule, part in {**CASES, **HEADS}.items():
        page = GOOD.replace("</main>", f"{part}</main>") if rule in CASES else part
        await caller.show(f"<!doctype html>{page}", mode="none")
        found = await caller.ok("accessibility_audit", rules=[rule])
        failed = [each for each in found["findings"] if not each.get("needsReview")]
        assert failed, rule
        first = failed[0]
        assert first["rule"] == rule
        assert first["criterion"][0].isdigit()
        assert first["fix"]
        assert first["snippet"].startswith("<")
        assert found["summary"]["byRule"] == {rule: found["summary"]["total"]}


async def test_findings_name_their_elements(caller: Caller) -> None:
    await caller.show(GOOD.replace("</main>", "<img id=bad src=/x width=9 height=9></main>"))
    (finding,) = (await caller.ok("accessibility_audit"))["findings"]
    assert finding["selector"] == "#bad"
    assert finding["impact"] == "critical"
    assert (await caller.ok("inspect", ref=finding["ref"]))["attributes"]["id"] == "bad"


async def test_what_only_a_human_can_judge_needs_review(caller: Caller) -> None:
    over = "<p style='color:#888;background:linear-gradient(#fff,#000)'>Over a gradient</p>"
    await caller.show(GOOD.replace("</main>", f"{over}</main>"))
    found = await caller.ok("accessibility_audit")
    (finding,) = found["findings"]
    assert (finding["rule"], finding["needsReview"]) == ("color-contrast", True)
    assert found["summary"]["total"] == 0
    assert found["summary"]["needsReview"] == 1


@pytest.mark.parametrize(
    ("style", "fails"),
    [
        ("color:#767676", False),
        ("color:#777777", True),
        ("color:#949494;font-size:24px", False),
        ("color:#959595;font-size:24px", True),
        ("color:#fff;background:#767676", False),
        ("color:rgba(0,0,0,.5)", True),
        ("color:oklch(0.9 0 0)", True),
        ("color:#888;opacity:0", False),
    ],
)
async def test_contrast_is_measured_as_the_standard_says(
    caller: Caller, style: str, fails: bool
) -> None:
    await caller.show(GOOD.replace("</main>", f"<p style='{style}'>Some words</p></main>"))
    found = await caller.ok("accessibility_audit", rules=["color-contrast"])
    assert bool(found["findings"]) is fails


async def test_frames_shadow_roots_and_parts(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<!doctype html><html lang=en><button></button>")
    await caller.show(
        GOOD.replace(
            "</main>",
            f"<iframe title=Inner src='{inner}'></iframe><x-note></x-note><section id=part>"
            "<button></button></section></main><script>customElements.define('x-note', class extends"
            " HTMLElement { constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML ="
            " '<button></button>'; } })</script>",
        )
    )
    found = await caller.ok("accessibility_audit")
    assert {each["rule"] for each in found["findings"]} == {"button-name"}
    assert [each["ref"].startswith("f1e") for each in found["findings"]].count(True) == 1
    assert len(found["findings"]) == 3
    part = await caller.ok("accessibility_audit", selector="#part")
    assert len(part["findings"]) == 1


async def test_the_worst_come_first_and_no_rule_takes_all_the_room(caller: Caller) -> None:
    faint = "".join(f"<p style='color:#bbb'>Faint {each}</p>" for each in range(40))
    await caller.show(GOOD.replace("</main>", f"{faint}<button></button><h2></h2></main>"))
    found = await caller.ok("accessibility_audit", limit=10)
    rules = [each["rule"] for each in found["findings"]]
    assert rules[0] == "button-name"
    assert "empty-heading" in rules
    assert (len(rules), found["truncated"], found["summary"]["total"]) == (10, True, 42)
    severe = await caller.ok("accessibility_audit", impact="critical")
    assert [each["rule"] for each in severe["findings"]] == ["button-name"]
    assert severe["summary"]["byImpact"] == {"critical": 1}
    refused = await caller.refused("accessibility_audit", rules=["no-such-rule"])
    assert "color-contrast" in refused["hint"]


async def test_secrets_are_not_in_snippets(caller: Caller) -> None:
    await caller.show("<input type=password value=hunter2><input type=hidden value=token123>")
    assert "hunter2" not in await caller.text("accessibility_audit")
