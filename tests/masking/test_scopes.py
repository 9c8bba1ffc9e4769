from __future__ import annotations

from stockade.masking.scopes import SERVER, of_session, of_tenant


def test_a_tenant_covers_its_sessions_and_nothing_else() -> None:
    mine = of_session("a", "s1")
    assert of_tenant("a").covers(mine)
    assert of_tenant("a").covers(of_tenant("a"))
    assert mine.covers(mine)
    for other in (SERVER, of_tenant("b"), of_session("b", "s1"), of_session("a", "s2")):
        assert not mine.covers(other)
        assert not other.covers(mine)
    assert not SERVER.covers(of_tenant("a"))
