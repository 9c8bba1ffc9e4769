"""What is told of an action beside that it was done."""

from __future__ import annotations

from tests.support.callers import Caller
from tests.tools.camofox.test_acting import Tab


async def test_what_passes_is_waited_for_and_what_stays_is_told(mighty: Caller) -> None:
    tab = await Tab.at(
        mighty,
        "<button onclick=window.open('/popup')>Open</button><div id=veil style='position:fixed;inset:0'>"
        "</div><button disabled>Never</button>",
    )
    mighty.site.page("/popup", "<button onclick=window.close()>Close</button>")
    await tab.ok("evaluate", expression="setTimeout(() => veil.remove(), 150)")
    (popup,) = (await tab.ok("click", selector="text=Open"))["newTabs"]
    closed = await Tab(mighty, popup).ok("click", selector="text=Close")
    assert (closed["closed"], closed["refsAvailable"]) == (True, False)
    stuck = await tab.refused("click", selector="text=Never")
    assert (stuck.code, stuck.details["reason"]) == ("not_actionable", "disabled")


async def test_questions_of_a_page_never_hold_its_tab(mighty: Caller) -> None:
    tab = await Tab.at(
        mighty, "<p role=status id=out></p><script>onbeforeunload = () => 'stay?'</script>"
    )
    lost = await tab.refused("evaluate", expression="confirm('Sure?')")
    assert lost.code == "dialog_open"
    # It may come while the script is still about to give what it gives.
    later = "setTimeout(() => { out.textContent = 'said ' + prompt('?') }, 1)"
    replies = [
        await mighty.reply("camofox_evaluate", tabId=tab.id, expression=later),
        await mighty.reply("camofox_wait_for", tabId=tab.id, text="said null"),
    ]
    [told] = [each.data or {} for each in replies if not each.ok]
    assert (told["failure"]["source"], told["failure"]["kind"]) == ("app", "prompt")
    await tab.ok("press", key="a")
    moved = await tab.ok("navigate", url=mighty.site.page("/next", "<p>Next</p>"))
    assert moved["url"] == mighty.site.url("/next")
