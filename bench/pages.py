"""The pages that are measured, and the small server that gives them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.site import Request, Response, Site

__all__ = ["DOCUMENT", "FORM", "SETTLING", "serve"]

DOCUMENT = "/usr/share/doc/python3.11/html/library/os.html"

FORM = """<title>Sign up</title><h1>Sign up</h1><form>
<label>First name <input name=first></label><label>Last name <input name=last></label>
<label>E-mail <input type=email name=mail></label>
<label>Password <input type=password name=pass></label>
<fieldset><legend>Plan</legend><label><input type=radio name=plan checked> Free</label>
<label><input type=radio name=plan> Team</label></fieldset>
<label>Country <select name=country><option>Austria<option>Brazil<option>Chile</select></label>
<label><input type=checkbox name=news> Send me news</label>
<label>About you <textarea name=about></textarea></label>
<button type=button onclick="out.textContent = 'Thank you'">Sign up</button></form>
<p id=out role=status></p>"""

_OUT = "<p id=out></p>"
_FETCH = "fetch('/slow').then((r) => r.text()).then((t) => { out.textContent = t; })"

SETTLING: dict[str, str] = {
    "quiet click": f"<button onclick=\"out.textContent = 'final'\">Go</button>{_OUT}",
    "click without effect": f"<button>Go</button>{_OUT}",
    "fetch 300 ms + render": f'<button onclick="{_FETCH}">Go</button>{_OUT}',
    "100 ms debounce, then fetch 300": f'<button onclick="setTimeout(() => {_FETCH}, 100)">Go</button>'
    + _OUT,
    '"Loading", fetch 20 ms later': "<button onclick=\"out.textContent = 'Loading';"
    f'setTimeout(() => {_FETCH}, 20)">Go</button>{_OUT}',
    "endless rAF animation": f"<button onclick=\"out.textContent = 'final'\">Go</button>{_OUT}"
    "<div id=box></div><script>(function turn() { box.style.width = Math.random() * 99 + 'px';"
    "requestAnimationFrame(turn); })()</script>",
    "polling every 100 ms": f"<button onclick=\"out.textContent = 'final'\">Go</button>{_OUT}"
    "<p id=tick></p><script>setInterval(() => fetch('/poll').then((r) => r.text())"
    ".then(() => { tick.textContent = Date.now(); }), 100)</script>",
    "link navigation": '<a href="/final">Go</a>' + _OUT,
}


@asynccontextmanager
async def serve() -> AsyncIterator[Site]:
    """A site with everything that is measured."""

    async def slow(_: Request) -> Response:
        await asyncio.sleep(0.3)
        return Response(body=b"final")

    async def poll(_: Request) -> Response:
        return Response(body=b"tick")

    async with Site.serve() as site:
        site.files("/doc", Path(DOCUMENT).parent.parent)
        site.page("/form", FORM)
        site.page("/final", "<title>final</title><p id=out>final</p>")
        site.route("/slow", slow)
        site.route("/poll", poll)
        for number, html in enumerate(SETTLING.values()):
            site.page(f"/settle/{number}", html)
        yield site
