"""Extensions in a session: installed, used, judged by the same egress, and gone again."""

from __future__ import annotations

import os
import signal

from tests.support.callers import Caller
from tests.support.extension import write_extension
from tests.support.levels import LEVEL
from tests.support.waiting import until


async def shown(caller: Caller, expression: str) -> object:
    return (await caller.ok("eval_js", expr=expression, session="s"))["value"]


async def test_from_install_to_uninstall(mighty: Caller) -> None:
    site, offered = mighty.site, mighty.kernel.settings.workspace / "extensions"
    folder = write_extension(offered / "tint")
    site.page("/near", "near")
    site.other.page("/far", "far")
    origin = site.url("").rstrip("/")
    opened = await mighty.ok("open_session", session="s", mode="persistent", domains=[origin])
    assert opened["isolation"] == LEVEL
    await mighty.show("<p>hello</p>", session="s")
    await shown(mighty, "(localStorage.note = 'kept', document.cookie = 'who=ada; max-age=900')")

    installed = await mighty.ok("extensions_install", session="s", path="tint")
    tint = {"session": "s", "id": installed["id"]}
    assert (installed["name"], installed["commands"], installed["rebuilt"]) == (
        "Tint", ["paint"], True,
    )  # fmt: skip
    page = f"{site.url('/page')}?far={site.other.url('/far')}"
    await mighty.ok("navigate", session="s", url=page)
    # What it had is still there, in a browser of its own.
    assert await shown(mighty, "[document.cookie, localStorage.note]") == ["who=ada", "kept"]
    assert await shown(mighty, "document.documentElement.dataset.tint") == "on"
    assert (await mighty.ok("list_sessions"))["sessions"][0]["isolation"] == (
        "process" if LEVEL == "shared" else LEVEL
    )

    # Its worker is under the session's rules like any page.
    await mighty.ok("extensions_trigger", **tint)
    await until(lambda: titled(mighty, "pressed 200 refused"))
    assert site.asked("/near")
    assert site.other.requests == []
    await mighty.ok("extensions_trigger", **tint, command="paint")
    await until(lambda: titled(mighty, "command paint"))
    refusal = await mighty.refused("extensions_trigger", **tint, command="hunter2hunter2")
    assert "paint" in refusal["hint"]
    assert "hunter2" not in str(refusal)

    write_extension(folder, version="1.1")
    again = await mighty.ok("extensions_reload", **tint)
    assert (again["id"], again["version"], again["rebuilt"]) == (tint["id"], "1.1", False)
    [row] = (await mighty.ok("extensions_list", session="s"))["extensions"]
    assert (row["version"], row["path"]) == ("1.1", "tint")

    # The next browser has it too.
    context = mighty.kernel.sessions.find(mighty.principal, "s").context
    assert context is not None
    os.kill(context.browser.pid, signal.SIGKILL)
    await until(lambda: not context.browser.alive)
    assert (await mighty.refused("navigate", session="s", url=page))["code"] == "browser_gone"
    await mighty.ok("navigate", session="s", url=page)
    assert await shown(mighty, "document.documentElement.dataset.tint") == "on"

    await mighty.ok("extensions_uninstall", **tint)
    await mighty.ok("navigate", session="s", url=page)
    assert await shown(mighty, "document.documentElement.dataset.tint") is None
    assert (await mighty.refused("extensions_trigger", **tint))["code"] == "not_found"
    assert (await mighty.ok("extensions_list", session="s"))["count"] == 0


async def titled(caller: Caller, title: str) -> bool:
    return await shown(caller, "document.title") == title


async def test_where_there_can_be_none(mighty: Caller, caller: Caller) -> None:
    offered = mighty.kernel.settings.workspace / "extensions"
    write_extension(offered / "tint")
    write_extension(offered / "tunnel", permissions=["proxy"])
    await mighty.ok("open_session", session="p", mode="persistent")
    refusals = [
        await mighty.refused("extensions_install", session=session, path=path)
        for session, path in (
            ("default", "tint"), ("p", "tunnel"), ("p", "../tint"), ("p", "/etc"), ("p", "none"),
        )
    ]  # fmt: skip
    assert [each["code"] for each in refusals] == ["unsupported", *["invalid_argument"] * 4]
    assert "persistent" in refusals[0]["hint"]
    assert "proxy" in refusals[1]["error"]
    for tool in ("install", "list", "reload", "trigger", "uninstall"):
        arguments = {"path": "tint"} if tool == "install" else {"id": "a" * 32}
        given = {} if tool == "list" else arguments
        refusal = await caller.refused(f"extensions_{tool}", **given)
        assert refusal["requiredCapability"] == "extensions"
    assert not any(each.running for each in mighty.kernel.sessions.all())
