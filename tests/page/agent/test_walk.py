"""What the walk sees, and where it stops."""

from __future__ import annotations

from tests.page.looks import Looks
from tests.support.soak import Soak


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


async def test_a_huge_document_stays_within_limits_and_says_so(looks: Looks, soak: Soak) -> None:
    """A million nodes in a soak, a quarter of that otherwise: building them is what takes long."""
    await looks.tab.show("<p>top</p><div id=root></div>")
    await looks.tab.main(
        "count => { const part = document.createDocumentFragment();"
        " for (let i = 0; i < count; i++) part.append(document.createElement('div'), ' ');"
        " root.append(part) }",
        500_000 if soak.full else 125_000,
    )
    seen = await looks.see(budget=2000)
    assert seen.limited in {"nodes", "time"}
    assert "… stopped at the limit of" in seen.text
    assert seen.truncated
    assert seen.text.startswith("- text: top")
