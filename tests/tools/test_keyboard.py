"""Chords of keys."""

from __future__ import annotations

from typing import Any

from stockade.engines.values import World
from tests.support.callers import Caller
from tests.support.levels import only_shared

PALETTE = """
<label>Notes <textarea></textarea></label>
<script>
  addEventListener('keydown', event => {
    if (event.ctrlKey && event.key === 'k') {
      event.preventDefault();
      document.body.insertAdjacentHTML('beforeend', '<div role="dialog">Commands</div>');
    }
  });
</script>
"""
FIELDS = """<label>From <input value="4.20"></label><label>To <input></label>"""


async def held(caller: Caller) -> Any:
    session = await caller.kernel.sessions.reach(caller.principal, "default")
    page = (await session.tab()).page
    return await page.main_frame.call(
        "() => [...document.querySelectorAll('input')].map(each => each.value)", world=World.MAIN
    )


class TestHandlers:
    async def test_a_chord_that_the_page_takes(self, caller: Caller) -> None:
        await caller.show(PALETTE)
        result = await caller.ok("shortcut", keys="Control+k", selector="label=Notes")
        assert result["handled"]
        assert result["keys"] == ["Control+k"]
        assert {
            "type": "keydown",
            "key": "k",
            "defaultPrevented": True,
            "target": 'textbox "Notes"',
        } in result["events"]
        assert result["activeElement"]["target"] == 'textbox "Notes"'
        assert result["structure"]["appeared"][0]["role"] == "dialog"

    async def test_one_that_it_does_not(self, caller: Caller) -> None:
        await caller.show(PALETTE)
        result = await caller.ok("shortcut", keys=["Control+j", "Escape"])
        assert not result["handled"]
        assert [each["key"] for each in result["events"] if each["type"] == "keydown"] == [
            "Control",
            "j",
            "Escape",
        ]

    async def test_no_handler_can_hide_what_it_did(self, caller: Caller) -> None:
        await caller.show(
            """<p>x</p><script>document.addEventListener('keydown', event => {
              event.stopImmediatePropagation(); event.preventDefault(); }, true)</script>"""
        )
        assert (await caller.ok("shortcut", keys="F2"))["handled"]

    async def test_in_a_frame_of_another_origin(self, caller: Caller) -> None:
        caller.site.page("/inner", PALETTE)
        inner = caller.site.url("/inner", host="localhost")
        await caller.show(f'<iframe src="{inner}" width="600" height="300"></iframe>')
        await caller.ok("wait_for", text="Notes")
        result = await caller.ok("shortcut", keys="Control+k", selector="label=Notes")
        assert result["handled"]
        assert result["activeElement"]["ref"].startswith("f")

    async def test_a_key_that_moves_the_focus_is_no_failure(self, caller: Caller) -> None:
        await caller.show(
            """<label>From <input></label><label>To <input></label>
            <div role=menu><button role=menuitem>One</button><button role=menuitem>Two</button></div>
            <dialog id=box><button>Inside</button></dialog>
            <p id=out></p><script>
            onkeyup = event => { out.textContent += ' up:' + event.key; };
            const [one, two] = document.querySelectorAll('[role=menuitem]');
            one.onkeydown = event => { if (event.key === 'ArrowDown') two.focus(); };
            two.onclick = () => box.showModal();</script>"""
        )
        result = await caller.ok("shortcut", keys="Tab", selector="label=From")
        assert result["activeElement"]["target"] == 'textbox "To"'
        result = await caller.ok("shortcut", keys="ArrowDown", selector="role=menuitem[name=One]")
        assert result["activeElement"]["target"] == 'menuitem "Two"'
        await caller.ok("click", selector="role=menuitem[name=Two]")
        result = await caller.ok("shortcut", keys="Escape", selector="text=Inside")
        assert result["activeElement"]["target"] == 'menuitem "Two"'
        assert "up:Tab up:ArrowDown up:Escape" in await caller.text("snapshot")

    async def test_unknown_keys(self, caller: Caller) -> None:
        await caller.show(PALETTE)
        body = await caller.refused("shortcut", keys="Control+Banana")
        assert body["code"] == "invalid_argument"
        assert (await caller.refused("shortcut", keys=[]))["code"] == "invalid_argument"


class TestClipboard:
    async def test_between_fields_of_a_session(self, caller: Caller) -> None:
        await caller.show(FIELDS)
        result = await caller.ok("shortcut", keys=["Control+a", "Control+c"], selector="label=From")
        assert "clipboard capability" in result["clipboardNote"]
        assert "clipboard" not in result
        await caller.ok("shortcut", keys="Control+v", selector="label=To")
        assert await held(caller) == ["4.20", "4.20"]

    async def test_its_text_is_told_to_those_who_may_know(self, mighty: Caller) -> None:
        await mighty.show(FIELDS)
        result = await mighty.ok("shortcut", keys=["Control+a", "Control+x"], selector="label=From")
        assert result["clipboard"] == "4.20"
        assert await held(mighty) == ["", ""]

    async def test_never_between_sessions(self, caller: Caller) -> None:
        await caller.show(FIELDS)
        await caller.ok("shortcut", keys=["Control+a", "Control+c"], selector="label=From")
        other = caller.another()
        await other.show(FIELDS)
        await other.ok("press", key="Control+v", selector="label=To")
        assert await held(other) == ["4.20", ""]

    @only_shared
    async def test_reading_it_is_not_granted_where_others_copy_too(self, caller: Caller) -> None:
        await caller.show(FIELDS)
        body = await caller.refused("grant_permissions", permissions=["clipboard-read"])
        assert body["code"] == "invalid_argument"
