"""A site that is given secrets and shows them again in many ways, and a stranger who listens."""

from __future__ import annotations

import html
import json
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import quote

from tests.soak.detecting import turned
from tests.support.site import Request, Response, Site
from tests.support.websocket import WebSocket

_HEAD = """<!doctype html><meta charset=utf-8><title>{title}</title><style>
* {{ font: 16px monospace; caret-color: transparent; animation: none }}
input, textarea, [contenteditable] {{ width: 300px; display: block; border: 1px solid; outline: none }}
</style>"""
_MENU = """<nav><a href=/login>Login</a> <a href=/notes>Notes</a> <a href=/settings>Settings</a>
<a href=/profile>Profile</a> <a href={away}/ id=leave>Leave</a>
<a href=/notes target=_blank rel=opener id=popup>Popup</a></nav>"""

PAGES: dict[str, str] = {
    "/login": """<form action=/session method=post><label>User <input name=user></label>
        <label>Password <input type=password name=pw></label><button>Sign in</button></form>""",
    "/two-step": """<form action=/two-step/password><label>User <input name=user></label>
        <button>Next</button></form>""",
    "/two-step/password": """<form action=/session method=post>
        <label>Password <input type=password name=pw></label><button>Sign in</button></form>""",
    "/framed": """<iframe src=/login width=500 height=200></iframe>
        <iframe src={away}/ width=500 height=200></iframe>""",
    "/search": """<form action=/search><label>Search <input name=q></label>
        <button>Search</button></form>
        <form action=/search><label>Password <input type=password name=q></label>
        <button>Search by password</button></form>""",
    "/echo-form": """<form action=/echo><label>Password <input type=password name=pw></label>
        <label>API key <input name=key></label><button>By GET</button></form>
        <form action=/echo method=post><label>Password <input type=password name=pw2></label>
        <label>API key <input name=key2></label><button>By POST</button></form>
        <form action=/moved><label>Password <input type=password name=pw3></label>
        <button>By redirect</button></form>""",
    "/notes": """<label>API key <input name=key id=key></label>
        <label>Notes <textarea name=notes></textarea></label>
        <div contenteditable role=textbox aria-label=Draft>draft</div>
        <label>Code <input name=code autocomplete=one-time-code></label>""",
    "/away": """<form action={away}/collect method=post>
        <label>Password <input type=password name=pw></label><button>Sign in</button></form>""",
    "/away-by-get": """<form action={away}/collect>
        <label>Password <input type=password name=pw></label><button>Sign in</button></form>""",
    "/away-by-redirect": """<form action=/forward method=post>
        <label>Password <input type=password name=pw></label><button>Sign in</button></form>""",
    "/text-tools": """<form action=/turned><label>Text <input name=text></label>
        <button>Turn</button></form><output></output><script>
        document.querySelector('[name=text]').oninput = ({{ target }}) => {{
          document.querySelector('output').textContent = [...target.value].map(
            (each) => String.fromCharCode(each.charCodeAt(0) + 1)).join('');
        }};</script>""",
    "/licence": """<label>API key <input name=key id=whole></label>
        <label>Code <input name=code autocomplete=one-time-code></label><p>Its parts:</p>
        <label>One <input class=part></label><label>Two <input class=part></label>
        <label>Three <input class=part></label><label>Four <input class=part></label><script>
        const inFours = (text) => text.match(/.{{1,4}}/g) || [];
        whole.oninput = () => {{ whole.value = inFours(whole.value).join(' x '); }};
        document.querySelector('[name=code]').oninput = ({{ target }}) => {{
          document.querySelectorAll('.part').forEach((each, at) => {{
            each.value = inFours(target.value)[at] || '';
          }});
        }};</script>""",
    "/hinted": """<form action=/session method=post>
        <label>Password <input type=password name=pw></label><button>Sign in</button></form>
        <p id=hint>No hint</p><script>
        document.querySelector('[name=pw]').oninput = ({{ target: {{ value }} }}) => {{
          hint.textContent = `Begins with ${{value.slice(0, 8)}}`;
          document.title = value.slice(4, 11);
          console.log('typed', value.slice(6, 14));
          localStorage.typed = value.slice(0, 9);
          history.replaceState(null, '', '?typed=' + encodeURIComponent(value.slice(8)));
        }};</script>""",
}

_SETTINGS = """<p>Your key is <b id=shown>{key}</b> and stays yours.</p>
<label>API key <input id=field value="{key}"></label>
<label>Card <textarea id=area>{key}</textarea></label>
<div contenteditable role=textbox aria-label=Rich id=rich>{key}</div>
<label>Search <input name=q></label><label>Notes <textarea id=notes></textarea></label>"""

_AWAY = """<p>A stranger</p><form action=/collect method=post>
<label>Password <input type=password name=pw></label><button>Sign in</button></form>
<label>Say <textarea id=say></textarea></label>
<div contenteditable role=textbox aria-label=Draft>draft</div><a href={home}/login>Back</a><script>
const talk = new WebSocket('ws://' + location.host + '/talk');
const tell = (text) => {
  fetch('/piece', { method: 'POST', body: text });
  if (talk.readyState === 1) talk.send(text);
};
addEventListener('paste', (event) => tell(event.clipboardData.getData('text')));
addEventListener('drop', (event) => tell(event.dataTransfer.getData('text')));
addEventListener('input', (event) => tell(event.target.value || event.target.textContent));
</script>"""


@dataclass
class SecretSite:
    """A site with its secrets, and what a stranger's server has received."""

    site: Site
    secrets: Mapping[str, str]
    _read: dict[int, int] = field(default_factory=dict)
    _signed_in: set[str] = field(default_factory=set)
    _frames: list[str] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def serve(cls, values: Mapping[str, str]) -> AsyncIterator[SecretSite]:
        """Run both."""
        async with Site.serve() as site:
            made = cls(site, values)
            made._build()
            yield made

    @property
    def home(self) -> str:
        return self.site.url("")

    @property
    def away(self) -> str:
        # Cookies know hosts and no ports.
        return self.site.other.url("", host="localhost")

    def heard(self) -> list[str]:
        """What strangers were sent since the last look: other servers, and other names of ours."""
        own = f"127.0.0.1:{self.site.port}"
        found, pieces = self._frames[:], list[str]()
        self._frames.clear()
        for each in (self.site, self.site.other):
            new = each.requests[self._read.get(id(each), 0) :]
            self._read[id(each)] = len(each.requests)
            for request in new:
                if request.headers.get("host") == own:
                    continue
                body = request.body.decode(errors="replace")
                found.append(
                    f"{request.method} {request.path}?{request.query}\n"
                    f"{json.dumps(dict(request.headers))}\n{body}"
                )
                if request.path == "/piece":
                    pieces.append(body)
        return [*found, *(["".join(pieces)] if pieces else [])]

    def _build(self) -> None:
        site, other = self.site, self.site.other
        for path, body in PAGES.items():
            site.page(path, self._page(path[1:], body.format(away=self.away)))
        site.page("/settings", self._page("settings", _SETTINGS.format(**self._shown())))
        site.route("/session", self._sign_in)
        site.route("/profile", self._profile)
        site.route("/search", self._search)
        site.route("/echo", self._echo)
        site.route("/echo.json", self._echo_json)
        site.route("/moved", self._moved)
        site.route("/forward", self._forward)
        site.route("/turned", self._turned)
        for each in (site, other):
            each.page("/collect", "<p>Thank you")
            each.page("/piece", "")
            each.websocket("/talk", self._listen)
        stranger = _HEAD.format(title="away") + _AWAY.replace("{home}", self.home)
        other.page("/", stranger)
        other.page("/login", stranger)

    def _shown(self) -> dict[str, str]:
        return {"key": html.escape(self.secrets["API_KEY"])}

    def _page(self, title: str, body: str) -> str:
        return _HEAD.format(title=title) + _MENU.format(away=self.away) + body

    async def _listen(self, socket: WebSocket) -> None:
        while (message := await socket.receive()) is not None:
            self._frames.append(str(message))

    async def _sign_in(self, request: Request) -> Response:
        given = request.form.get("pw", "")
        if given != self.secrets["PASSWORD"]:
            shown = self._page("no", f"<p>No such password: {html.escape(given)}</p>")
            return Response(shown, 403)
        name = secrets.token_hex(8)
        self._signed_in.add(name)
        cookie = {"set-cookie": f"sid={name}; Path=/", "location": "/profile"}
        return Response("", 303, headers=cookie)

    async def _profile(self, request: Request) -> Response:
        if request.cookies.get("sid") not in self._signed_in:
            return Response(self._page("profile", "<p>Sign in first"))
        used = html.escape(self.secrets["PASSWORD"][:8])
        return Response(self._page("profile", f"<p>Signed in with {used}…</p>"))

    async def _search(self, request: Request) -> Response:
        asked = html.escape(request.params.get("q", ""))
        page = self._page(f"{asked} - search", PAGES["/search"].format(away=self.away))
        again = f"<a href='/search?q={quote(asked)}&page=2'>More of {asked}</a>"
        return Response(f"{page}<h1>Results for {asked}</h1><input value='{asked}'>{again}")

    async def _echo(self, request: Request) -> Response:
        given = {**request.params, **request.form}
        said = " ".join(given.values())
        body = (
            f"<pre>{html.escape(json.dumps(given))}</pre><p>{html.escape(said)}</p><script>"
            f"const said = {json.dumps(said).replace('<', chr(92) + 'u003c')}; localStorage.said = said;"
            "sessionStorage.said = said; console.log(said);"
            f"fetch('/echo.json?said=' + encodeURIComponent(said));</script>"
        )
        headers = {"x-echo": quote(said), "set-cookie": f"said={quote(said)}; Path=/"}
        return Response(self._page(html.escape(said), body), headers=headers)

    async def _echo_json(self, request: Request) -> Response:
        return Response(json.dumps(request.params), content_type="application/json")

    async def _moved(self, request: Request) -> Response:
        where = "&".join(f"{name}={quote(value)}" for name, value in request.params.items())
        return Response("", 302, headers={"location": f"/echo?{where}"})

    async def _forward(self, _request: Request) -> Response:
        return Response("", 307, headers={"location": f"{self.away}/collect"})

    async def _turned(self, request: Request) -> Response:
        shown = html.escape(turned(request.params.get("text", "")))
        return Response(self._page("turned", f"<p>{shown}"))
