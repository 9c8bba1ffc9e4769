"""What each browser state is made with."""

from __future__ import annotations

from tests.support.callers import Caller

LOOK = "[navigator.webdriver, typeof (window.chrome || {}).runtime, navigator.plugins.length > 0]"


async def test_stealth_is_a_capability(mighty: Caller, caller: Caller) -> None:
    """Pages are lied to where that is allowed, and nowhere else."""
    page = f"<p id=seen></p><script>seen.textContent = JSON.stringify({LOOK})</script>"
    quiet, plain = mighty.another(), caller.another()
    await quiet.show(page)
    assert '[false,"object",true]' in await quiet.text("snapshot")
    await plain.show(page)
    assert '[true,"undefined",false]' in await plain.text("snapshot")
