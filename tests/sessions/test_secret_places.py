"""Where secrets were filled in: an origin, and the tabs that were there."""

from __future__ import annotations

from stockade.masking.scopes import of_place
from stockade.sessions.secret_places import SecretPlaces, scopes_of_places
from tests.support.callers import Caller


async def test_what_a_tab_was_told_stays_with_it(caller: Caller) -> None:
    caller.site.page("/login", "<a href='/popup' target=popup>Open</a>")
    caller.site.page("/popup", "<p>popup")
    caller.site.other.page("/", "<p>other")
    await caller.ok("navigate", url=caller.site.url("/login"))
    (session,) = caller.kernel.sessions.all()
    (tab,) = session.tabs
    assert scopes_of_places(session) == []
    origin = caller.site.url("")
    places = session.parts.of(SecretPlaces, SecretPlaces)
    places.note(tab, origin, "PIN")
    expected = [of_place(session.owner.tenant, session.id, origin)]
    assert scopes_of_places(session) == scopes_of_places(session, tab) == expected
    await caller.ok("navigate", url=caller.site.other.url("/"))
    assert scopes_of_places(session, tab) == expected
    await caller.ok("tabs", action="new", url=caller.site.other.url("/"))
    another = next(each for each in session.tabs if each is not tab)
    assert scopes_of_places(session, another) == []
    await caller.ok("navigate", url=caller.site.url("/popup"), tab=another.id)
    assert scopes_of_places(session, another) == expected
