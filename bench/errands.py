"""The pages that errands are run on."""

from __future__ import annotations

__all__ = ["ERRAND_PAGES"]

_NAMES = [
    "Assam",
    "Bancha",
    "Ceylon",
    "Darjeeling",
    "Earl-Grey",
    "Fujian",
    "Gunpowder",
    "Hojicha",
    "Irish",
    "Jasmine",
    "Keemun",
    "Lapsang",
    "Matcha",
    "Nilgiri",
    "Oolong",
    "Pu-erh",
    "Qimen",
    "Rooibos",
    "Sencha",
    "Tieguanyin",
]


def _sign_up() -> str:
    fields = "".join(
        f"<label>{label} <input name={name}></label><br>"
        for label, name in (("Full name", "name"), ("Email", "email"), ("Phone", "phone"),
                            ("City", "city"), ("Company", "company"))
    )  # fmt: skip
    terms = "".join(
        f"<p>Clause {n}. {'We keep what you tell us safe. ' * 6}</p>" for n in range(1, 21)
    )
    return (
        f"<title>Sign up</title><h1>Create your account</h1><form>{fields}"
        "<label><input type=checkbox> Send me news</label><br><button>Create account</button></form>"
        f"<p role=status id=out></p><h2>Terms</h2>{terms}"
        "<script>document.forms[0].onsubmit = (event) => { event.preventDefault();"
        " out.textContent = 'Welcome, ' + event.target.name.value; };</script>"
    )


def _list() -> str:
    rows = "".join(
        f"<li><h3>{name}</h3><p>{'A fine tea, picked by hand. ' * 3}</p>"
        f"<a href='#{name}'>Details of {name}</a> <button aria-label='Add {name} to basket'>Buy</button></li>"
        for name in [*_NAMES, *(f"{name} Reserve" for name in _NAMES)]
    )
    return (
        f"<title>Teas</title><h1>Teas</h1><p role=status id=out>Your basket is empty</p><ul>{rows}</ul>"
        "<script>for (const button of document.querySelectorAll('li button')) button.onclick = () => {"
        " out.textContent = '1 item in your basket: ' + button.closest('li').querySelector('h3').textContent; };</script>"
    )


def _orders(page: int) -> str:
    rows = "".join(
        f"<tr><td>Order {n}</td><td>{['Ada', 'Charles', 'Grace'][n % 3]}</td>"
        f"<td>total {'1234.56' if n == 57 else f'{n * 3}.00'}</td></tr>"
        for n in range(page * 20 + 1, page * 20 + 21)
    )
    onward = f"<a href='/orders-{page + 1}'>Next page</a>" if page < 4 else ""
    menu = "".join(f"<a href='#{n}'>Section {n}</a> " for n in range(1, 16))
    return (
        f"<title>Orders {page}</title><nav>{menu}</nav><h1>Orders, page {page + 1}</h1>"
        f"<table>{rows}</table>{onward}"
    )


_LOG_IN = (
    "<title>Log in</title><h1>Log in</h1><form action='/orders-0'><label>User <input name=user></label>"
    "<button>Log in</button></form>"
)

_RESERVE = (
    "<title>Reserve</title><h1>Where to?</h1><label>Destination <input id=where></label>"
    "<ul id=found></ul><section id=panel></section><p role=status id=out></p>"
    "<script>where.oninput = () => setTimeout(() => { found.innerHTML = '';"
    " for (const city of ['Lisbon', 'Lille', 'Lima'].filter((c) => c.startsWith(where.value))) {"
    "  const item = document.createElement('li'); const button = document.createElement('button');"
    "  button.textContent = city; item.append(button); found.append(item);"
    "  button.onclick = () => { found.innerHTML = ''; panel.innerHTML = '<h2>' + city + '</h2><p>From 120 a night</p>"
    "<button id=go>Reserve</button>'; go.onclick = () => { const box = document.createElement('dialog');"
    " box.setAttribute('aria-label', 'Are you sure?'); box.innerHTML = '<p>Reserve ' + city + '?</p>"
    "<button>Yes, reserve</button><button>No</button>'; document.body.append(box); box.showModal();"
    " box.querySelector('button').onclick = () => { box.close(); box.remove();"
    " out.textContent = 'Reserved for ' + city; }; }; }; } }, 50);</script>"
)

ERRAND_PAGES = {
    "/sign-up": _sign_up(),
    "/list": _list(),
    "/log-in": _LOG_IN,
    "/reserve": _RESERVE,
    **{f"/orders-{page}": _orders(page) for page in range(5)},
}
