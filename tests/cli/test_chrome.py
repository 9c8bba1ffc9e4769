"""`stockade chrome`: started, found again, and ended with all it started."""

from __future__ import annotations

from pathlib import Path

from stockade.engines.cdp.attached import attach
from tests.cli.commands import Home
from tests.support.waiting import until


async def test_from_start_to_stop(home: Home) -> None:
    nothing = await home.run("chrome", "status", "--json", cold=True)
    assert (nothing.code, nothing.data) == (1, {"running": False})
    started = await home.run("chrome", "start", "--port", "0", "--insecure", "--json")
    about = started.data
    assert "WARNING every program of this machine" in started.err
    assert "WARNING --insecure: every page can read" in started.err
    command = Path(f"/proc/{about['pid']}/cmdline").read_text(encoding="utf-8").split("\0")
    assert "--disable-web-security" in command
    assert not any("no-sandbox" in each for each in command)
    children = Path(f"/proc/{about['pid']}/task/{about['pid']}/children").read_text("utf-8").split()

    browser = await attach(about["address"], timeout=10)
    await browser.close()
    found = await home.run("chrome", "status")
    assert f"STOCKADE_ATTACH_CDP={about['address']}" in found.out
    again = await home.run("chrome", "start")
    assert again.code != 0
    assert about["address"] in again.err

    assert (await home.run("chrome", "stop", "--json")).data == {"stopped": True}
    assert children
    await until(lambda: all(map(_ended, [*children, str(about["pid"])])))
    assert not Path(about["profile"]).exists() or about["profile"].startswith(str(home.workspace))


def _ended(pid: str) -> bool:
    try:
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return True


async def test_on_a_port_of_ones_choice(home: Home, free_tcp_port: int) -> None:
    """Chromium tells of no port but of one that it chose itself."""
    started = await home.run("chrome", "start", "--port", str(free_tcp_port), "--json")
    try:
        assert started.data["port"] == free_tcp_port
        browser = await attach(f"http://127.0.0.1:{free_tcp_port}", timeout=10)
        await browser.close()
    finally:
        assert (await home.run("chrome", "stop", "--json")).data == {"stopped": True}
