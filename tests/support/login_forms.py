"""Login forms as sites have them: a password first, then a one-time code; each knows who is right."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyotp

from tests.support.site import Request, Response, Site

USER, PASSWORD, SEED = "ada", "Tr0ub4dor&3-xkcd", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
EMAIL = "ada@shop.example"
WELCOME = "Welcome back, ada"

_DJANGO = """<!DOCTYPE html><html lang="en-us" dir="ltr"><head><title>Log in | Django site admin</title>
</head><body class=" login"><div id="container"><header id="header"><div id="site-name">
<a href="/admin/">Django administration</a></div></header><main id="content-start" class="content"
tabindex="-1"><div id="content-main">
<form action="/first" method="post" id="login-form"><input type="hidden" name="csrfmiddlewaretoken"
value="jM6RmRtaOyBQQFQEcSakwTF8PZei4txjt6NtvtHHIn3RpwNyXrTJNlYjrgZ5N251">
<div class="form-row"><label for="id_username" class="required">Username:</label>
<input type="text" name="username" autofocus autocapitalize="none" autocomplete="username"
maxlength="150" required id="id_username"></div>
<div class="form-row"><label for="id_password" class="required">Password:</label>
<input type="password" name="password" autocomplete="current-password" required id="id_password">
<input type="hidden" name="next" value="/admin/"></div>
<div class="submit-row"><input type="submit" value="Log in"></div></form></div></main></div></body></html>"""
_DJANGO_CODE = """<form action="/second" method="post"><div class="form-row">
<label for="id_otp_token">OTP Token:</label><input type="text" name="code" autocomplete="off"
id="id_otp_token"></div><div class="submit-row"><input type="submit" value="Log in"></div></form>"""

_KEYCLOAK = """<div id="kc-content"><form id="kc-form-login" onsubmit="login.disabled = true; return true;"
action="/first" method="post"><div class="form-group"><label for="username">Username or email</label>
<input tabindex="2" id="username" name="username" value="" type="text" autofocus
autocomplete="username" aria-invalid=""></div><div class="form-group">
<label for="password">Password</label><div class="pf-c-input-group"><input tabindex="3" id="password"
name="password" type="password" autocomplete="current-password" aria-invalid="">
<button type="button" aria-label="Show password" aria-controls="password">👁</button></div></div>
<input tabindex="7" name="login" id="kc-login" type="submit" value="Sign In"></form></div>"""
_KEYCLOAK_CODE = """<form id="kc-otp-login-form" action="/second" method="post"><div class="form-group">
<label for="otp">One-time code</label><input id="otp" name="code" autocomplete="off" type="text"
autofocus aria-invalid=""></div><input name="login" id="kc-login" type="submit" value="Sign In"></form>"""

_IDENTIFIER = """<form action="/identified"><label>Email or phone <input type="text" id="identifierId" name="username"
autocomplete="username webauthn"></label><button>Next</button></form>"""
_CHALLENGE = """<form action="/first" method="post"><p>ada</p><input type="hidden" name="username" value="ada">
<label>Enter your password <input type="password" name="password" autocomplete="current-password"
></label><button>Next</button></form>"""
_CODE = """<form action="/second" method="post"><label>Verification code
<input name="code" inputmode="numeric" autocomplete="one-time-code"></label><button>Verify</button></form>"""

_CONTROLLED = """<div id="root"></div><script>
// What a framework with controlled inputs does: every input event sets the state, the state is drawn.
const state = { username: '', password: '', code: '', step: 'first', error: '' };
const root = document.getElementById('root');
const drawn = new Map();
const set = (change) => { Object.assign(state, change); queueMicrotask(draw); };
const input = (name, type, label) => {
  if (!drawn.has(name)) {
    const line = document.createElement('label');
    const field = document.createElement('input');
    Object.assign(field, { type, name });
    field.addEventListener('input', () => set({ [name]: field.value }));
    line.append(label, field);
    drawn.set(name, [line, field]);
  }
  const [line, field] = drawn.get(name);
  if (field.value !== state[name]) field.value = state[name];
  return line;
};
const send = async (event) => {
  event.preventDefault();
  const answer = await fetch('/api/' + state.step, { method: 'POST', body: JSON.stringify(state) });
  const { next } = await answer.json();
  set(next ? { step: next } : { error: 'wrong' });
};
const button = document.createElement('button');
const form = document.createElement('form');
form.onsubmit = send;
root.append(form);
const draw = () => {
  const ready = state.step === 'first' ? state.username && state.password : state.code.length === 6;
  button.textContent = state.step === 'first' ? 'Continue' : 'Verify';
  button.disabled = !ready;
  const shown = state.step === 'first' ? [input('username', 'text', 'User'), input('password', 'password', 'Password'), button]
    : state.step === 'second' ? [input('code', 'text', 'Authentication code'), button]
      : [Object.assign(document.createElement('h1'), { textContent: 'Welcome back, ada' })];
  if (shown.some((each, at) => form.children[at] !== each) || form.children.length !== shown.length) form.replaceChildren(...shown);
};
draw();
</script>"""

_SHADOW = """<login-form></login-form><script>
customElements.define('login-form', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = `FORM`;
  }
});
</script>"""
_PLAIN = """<form action="/first" method="post"><label>User <input name="username"></label>
<label>Password <input type="password" name="password"></label><button>Sign in</button></form>"""
_BOXES = """<form action="/second" method="post" id="f"><p>Enter the 6-digit code from your app</p>
<div role="group" aria-label="Code">BOXES</div><input type="hidden" name="code"><button>Verify</button></form>
<script>
const boxes = [...document.querySelectorAll('.box')];
boxes.forEach((box, at) => {
  box.addEventListener('input', () => {
    box.value = box.value.replace(/\\D/g, '').slice(0, 1);
    if (box.value && boxes[at + 1]) boxes[at + 1].focus();
    document.querySelector('[name=code]').value = boxes.map((each) => each.value).join('');
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Backspace' && !box.value && boxes[at - 1]) boxes[at - 1].focus();
  });
});
</script>""".replace(
    "BOXES",
    "".join(
        f'<input class="box" maxlength="1" inputmode="numeric" aria-label="Digit {n}">'
        for n in range(1, 7)
    ),
)
_TOGGLE = """<form action="/first" method="post"><label>User <input name="username"></label>
<label>Password <input type="password" name="password" id="pw"></label>
<label><input type="checkbox" onchange="pw.type = this.checked ? 'text' : 'password'"> Show password</label>
<button>Sign in</button></form>"""
_MODAL = f"""<h1>A shop</h1><p>Things to buy</p><dialog id=d aria-label="Sign in">{_PLAIN}</dialog>
<script>d.showModal()</script>"""
_BARE = """<form action=/first method=post><input name=u placeholder=User><input type=password name=p>
<input type=submit></form>"""
_BARE_CODE = (
    "<form action=/second method=post>Token code: <input name=totp><input type=submit></form>"
)


@dataclass(frozen=True)
class LoginForm:
    """What a site shows, and what somebody calls who logs in there."""

    first: str
    second: str
    calls: tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]
    between: str = ""
    """A page between the name and the password."""
    framed: bool = False

    def install(self, site: Site) -> str:
        """Serve it; the address to begin at."""
        site.page("/login", f"<!doctype html><title>Log in</title>{self.first}")
        site.page("/identified", f"<!doctype html>{self.between}")
        site.route("/first", self._first)
        site.route("/second", self._second)
        site.route("/api/first", _api_first)
        site.route("/api/second", _api_second)
        if self.framed:
            inner = site.url("/login", host="localhost")
            frame = f"<h1>A shop</h1><iframe src='{inner}' width=600 height=400></iframe>"
            return site.page("/shop", frame)
        return site.url("/login")

    async def _first(self, request: Request) -> Response:
        given = request.form
        user = given.get("username", given.get("u"))
        password = given.get("password", given.get("p"))
        if (user, password) != (USER, PASSWORD):
            return Response("<p>Wrong name or password", 403)
        return Response(f"<!doctype html><title>Second step</title>{self.second}")

    async def _second(self, request: Request) -> Response:
        code = request.form.get("code", request.form.get("totp", ""))
        return Response(f"<h1>{WELCOME}</h1>" if _is_right(code) else "<p>Wrong code")


async def _api_first(request: Request) -> Response:
    right = USER.encode() in request.body and PASSWORD.encode() in request.body
    return Response('{"next": "second"}' if right else "{}", content_type="application/json")


async def _api_second(request: Request) -> Response:
    totp = pyotp.TOTP(SEED)
    right = any(
        totp.at(0, totp.timecode(datetime.now(UTC)) + n).encode() in request.body for n in (-1, 0)
    )
    return Response('{"next": "done"}' if right else "{}", content_type="application/json")


def _is_right(code: str) -> bool:
    return pyotp.TOTP(SEED).verify(code, valid_window=1)


def fill_form_call(fields: dict[str, str], submit: str) -> tuple[str, dict[str, Any]]:
    given = [{"selector": selector, "value": value} for selector, value in fields.items()]
    return "fill_form", {"fields": given, "submit": {"selector": submit}}


def _usual(user: str, password: str, submit: str, code: str, verify: str) -> Any:
    return fill_form_call({user: USER, password: "<PASSWORD>"}, submit), fill_form_call(
        {code: "<CODE>"}, verify
    )


_NAMED = _usual(
    "label=User",
    "label=Password",
    "role=button[name=Sign in]",
    "label=Verification code",
    "role=button",
)
FORMS = {
    "django": LoginForm(
        _DJANGO,
        _DJANGO_CODE,
        _usual("#id_username", "#id_password", "[type=submit]", "#id_otp_token", "[type=submit]"),
    ),
    "keycloak": LoginForm(
        _KEYCLOAK,
        _KEYCLOAK_CODE,
        _usual("#username", "#password", "#kc-login", "#otp", "#kc-login"),
    ),
    "two steps": LoginForm(
        _IDENTIFIER,
        _CODE,
        (
            (
                "batch",
                {
                    "calls": [
                        {"tool": tool, "args": args}
                        for tool, args in (
                            fill_form_call({"#identifierId": USER}, "role=button[name=Next]"),
                            fill_form_call(
                                {"[type=password]": "<PASSWORD>"}, "role=button[name=Next]"
                            ),
                        )
                    ]
                },
            ),
            fill_form_call({"[name=code]": "<CODE>"}, "role=button[name=Verify]"),
        ),
        between=_CHALLENGE,
    ),
    "one-page app": LoginForm(
        _CONTROLLED,
        "",
        _usual(
            "[name=username]",
            "[name=password]",
            "role=button[name=Continue]",
            "label=Authentication code",
            "role=button[name=Verify]",
        ),
    ),
    "frame": LoginForm(_PLAIN, _CODE, _NAMED, framed=True),
    "shadow root": LoginForm(_SHADOW.replace("FORM", _PLAIN), _CODE, _NAMED),
    "boxes": LoginForm(
        _PLAIN,
        _BOXES,
        _usual(
            "label=User", "label=Password", "button", ".box >> nth=0", "role=button[name=Verify]"
        ),
    ),
    "toggle": LoginForm(
        _TOGGLE, _CODE, _usual("[name=username]", "#pw", "button", "[name=code]", "button")
    ),
    "modal": LoginForm(_MODAL, _CODE, _NAMED),
    "bare": LoginForm(
        _BARE,
        _BARE_CODE,
        _usual("[name=u]", "[type=password]", "[type=submit]", "[name=totp]", "[type=submit]"),
    ),
}
