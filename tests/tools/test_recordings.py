"""Flows that are recorded, and the tests they become."""

from __future__ import annotations

import json

from stockade.engines.values import World
from tests.support.callers import Caller

SHOP = """
<title>Shop</title>
<form onsubmit="event.preventDefault(); document.querySelector('p').textContent =
    'Welcome ' + user.value">
  <label>User <input id="user"></label>
  <label>Password <input type="password" id="secret"></label>
  <label>Tea <select><option>Assam</option><option>Sencha</option></select></label>
  <label><input type="checkbox"> Remember me</label>
  <button>Log in</button>
</form>
<p role="status"></p>
<button onclick="this.remove()">Dismiss</button>
<button onclick="document.title = confirm('Sure?') ? 'Gone' : 'Kept'">Delete</button>
<a href="/help" target="_blank" rel="opener">Help</a>
"""


async def compiled(caller: Caller, source: str) -> str:
    """What the browser says of a program: nothing, if it is one."""
    session = await caller.kernel.sessions.reach(caller.principal, "default")
    page = (await session.tab()).page
    answer = await page.devtools[0].send(
        "Runtime.compileScript", {"expression": source, "sourceURL": "", "persistScript": False}
    )
    return str(answer.get("exceptionDetails", ""))


async def recorded(caller: Caller) -> None:
    caller.site.page("/help", "<title>Help</title><h1>How we ship</h1><button>Close</button>")
    await caller.show(SHOP)
    await caller.ok("start_recording", flowName='Log in: it\'s "easy"')
    await caller.ok("fill", selector="label=User", value="Ada O'Neil")
    await caller.ok("fill", selector="label=Password", value="hunter2!")
    await caller.ok("select", selector="label=Tea", values=["Sencha"])
    await caller.ok(
        "fill_form",
        fields=[
            {"selector": "label=Remember me", "value": True},
            {"selector": "label=Password", "value": "hunter2!"},
        ],
        submit={"selector": "text=Log in"},
    )
    await caller.ok("wait_for", text="Welcome")
    await caller.ok("verify_text", selector="role=status", text="Welcome Ada")
    await caller.ok("click", selector="text=Dismiss")


class TestRecording:
    async def test_what_was_done_is_a_flow(self, caller: Caller) -> None:
        await recorded(caller)
        await caller.ok("record_annotate", copy="It goes away", arrow="top")
        await caller.refused("click", selector="text=No such thing")
        ended = await caller.ok("end_recording")
        assert ended["stepCount"] == 7
        yaml = ended["yaml"]
        assert "hunter2!" not in yaml
        assert "<PASSWORD>" in yaml
        assert "getByRole('button', { name: 'Dismiss' })" in yaml
        assert 'copy: "It goes away"' in yaml
        assert caller.site.url("/page") in yaml

    async def test_where_it_went_is_where_it_goes_again(self, caller: Caller) -> None:
        await caller.show(SHOP)
        second = caller.site.page("/second", "<title>Second</title>")
        third = caller.site.page(
            "/third", "<title>Third</title><label>Name <input value=a></label>"
        )
        await caller.ok("start_recording", flowName="places")
        await caller.ok("navigate", url=second)
        await caller.ok("tabs")
        await caller.ok("tabs", action="new", url=third)
        await caller.ok("type", selector="label=Name", text="b")
        ended = await caller.ok("end_recording")
        assert ended["stepCount"] == 3
        lines = [line.strip() for line in ended["yaml"].splitlines()]
        first = lines[lines.index("- id: s1") :]
        assert first[1:4] == ["action: navigate", "tab: t1", f'url: "{second}"']
        assert "action: tabs" in lines
        assert f'url: "{third}"' in lines
        source = (await caller.ok("export_playwright_script"))["source"]
        assert f"await page.goto('{second}');" in source
        assert "const page2 = await page.context().newPage();" in source
        assert f"await page2.goto('{third}');" in source
        assert (
            "await page2.getByRole('textbox', { name: 'Name' }).pressSequentially('b');" in source
        )

    async def test_an_element_that_went_away_is_still_named(self, caller: Caller) -> None:
        await recorded(caller)
        script = await caller.ok("export_playwright_script")
        assert "await page.getByRole('button', { name: 'Dismiss' }).click();" in script["source"]
        assert script["stats"] == {"steps": 7, "handled": 7, "unhandled": 0, "fragile": 0}

    async def test_the_script_is_a_program_without_secrets(self, caller: Caller) -> None:
        await recorded(caller)
        source = (await caller.ok("export_playwright_script"))["source"]
        assert await compiled(caller, source) == ""
        assert "hunter2!" not in source
        assert source.count("process.env.PASSWORD") == 2
        assert f"await page.goto('{caller.site.url('/page')}');" in source
        assert "fill('Ada O\\'Neil')" in source
        assert "selectOption('Sencha')" in source
        assert "setChecked(true)" in source
        assert "expect(page.locator('role=status')).toContainText('Welcome Ada')" in source

    async def test_its_locators_find_the_same_elements_again(self, caller: Caller) -> None:
        await recorded(caller)
        yaml = (await caller.ok("end_recording"))["yaml"]
        await caller.show(SHOP)
        selectors = [
            json.loads(line.partition(": ")[2])
            for line in yaml.splitlines()
            if line.startswith("    selector:") and "status" not in line and "Welcome" not in line
        ]
        assert len(selectors) >= 7
        for selector in selectors:
            assert (await caller.ok("verify_visible", selector=selector))["ok"]

    async def test_dialogs_and_popups(self, caller: Caller) -> None:
        caller.site.page("/help", "<title>Help</title><button>Close</button>")
        await caller.show(SHOP)
        await caller.ok("start_recording", flowName="popups")
        await caller.reply("click", selector="text=Delete")
        await caller.ok("answer_dialog", accept=True)
        popup = (await caller.ok("click", selector="text=Help"))["structure"]["newTabs"][0]["tab"]
        await caller.ok("click", selector="text=Close", tab=popup)
        script = await caller.ok("export_playwright_script")
        source = script["source"]
        assert await compiled(caller, source) == ""
        delete = source.index("{ name: 'Delete' }")
        assert source.index("page.once('dialog', dialog => dialog.accept());") < delete
        assert "const page2Opens = page.waitForEvent('popup');" in source
        assert "await page2.getByRole('button', { name: 'Close' }).click();" in source

    async def test_registered_secrets_are_read_from_the_environment(self, caller: Caller) -> None:
        caller.kernel.masker.add("API_KEY", "sk-live-12345678")
        await caller.show(SHOP)
        await caller.ok("start_recording", flowName="keys")
        await caller.ok("fill", selector="label=User", value="key sk-live-12345678")
        source = (await caller.ok("export_playwright_script"))["source"]
        assert "sk-live" not in source
        assert "fill(`key ${process.env.API_KEY}`)" in source
        assert await compiled(caller, source) == ""

    async def test_a_file_of_it(self, mighty: Caller) -> None:
        await recorded(mighty)
        script = await mighty.ok("export_playwright_script", path="login.spec.js")
        session = await mighty.kernel.sessions.reach(mighty.principal, "default")
        kept = mighty.kernel.artifacts.named(session, "login.spec.js")
        assert kept.path.read_text(encoding="utf-8") == script["source"]
        assert script["bytes"] == len(script["source"].encode())

    async def test_one_at_a_time(self, caller: Caller) -> None:
        assert (await caller.refused("end_recording"))["code"] == "not_found"
        assert (await caller.refused("export_playwright_script"))["code"] == "not_found"
        await caller.ok("start_recording", flowName="one")
        assert (await caller.refused("start_recording", flowName="two"))["code"] == "conflict"
        assert (await caller.refused("record_annotate", copy="Where?"))["code"] == "not_found"

    async def test_a_changed_target_is_told_as_ever(self, caller: Caller) -> None:
        await caller.show("<button>Buy</button>")
        ref = (await caller.ok("find", query="Buy"))["candidates"][0]["ref"]
        await caller.ok("start_recording", flowName="changes")
        session = await caller.kernel.sessions.reach(caller.principal, "default")
        page = (await session.tab()).page
        change = "() => { document.querySelector('button').textContent = 'Delete all' }"
        await page.main_frame.call(change, world=World.MAIN)
        assert (await caller.refused("click", ref=ref))["code"] == "target_changed"
