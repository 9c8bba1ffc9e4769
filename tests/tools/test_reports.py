"""What a session did, what it cost, and what holds for it."""

from __future__ import annotations

from dataclasses import replace

from stockade.policy.origins import OriginRule
from tests.support.callers import Caller
from tests.support.levels import LEVEL

PAGE = """<nav aria-label="Main"><a href="/">Home</a></nav>
<script>console.warn('careful'); fetch('/nothing-here'); setTimeout(() => { throw Error('no') })
</script>"""


class TestMetrics:
    async def test_everything_is_counted(self, caller: Caller) -> None:
        await caller.show("<button>Buy</button>")
        await caller.ok("click", selector="text=Buy")
        await caller.refused("click", selector="text=Sell")
        await caller.refused("eval_js", expr="1")
        told = await caller.ok("session_metrics")
        assert told["callsByTool"] == {"navigate": 1, "click": 2, "eval_js": 1}
        assert told["errorsByTool"] == {"click": 1, "eval_js": 1}
        assert told["capabilityDenials"] == 1
        assert told["durationMsByTool"]["click"] > 0
        assert told["tokensEstimateSum"] > 50
        assert told["sessionDurationMs"] > 0
        again = await caller.ok("session_metrics")
        assert again["callsByTool"]["session_metrics"] == 1

    async def test_each_session_has_its_own(self, caller: Caller) -> None:
        await caller.show("<p>x</p>")
        other = caller.another()
        assert (await other.ok("session_metrics"))["callsByTool"] == {}


class TestReport:
    async def test_a_session_at_a_glance(self, caller: Caller) -> None:
        await caller.show(PAGE)
        await caller.site.wait_asked("/nothing-here")
        await caller.ok("wait_for", selector="role=navigation")
        told = await caller.ok("export_session_report", note="It broke here")
        assert told["url"] == caller.site.url("/page")
        assert told["note"] == "It broke here"
        assert told["console"]["warnings"] == 1
        assert told["console"]["errors"] >= 1
        assert "careful" in [row["text"] for row in told["console"]["last"]]
        assert told["network"]["summary"]["total"] >= 2
        assert [row["status"] for row in told["network"]["failed"]] == [404]
        assert told["regions"][0]["role"] == "navigation"
        assert [row["id"] for row in told["sessions"]] == ["default"]
        assert told["mode"] == "incognito"

    async def test_a_page_that_is_held_by_a_dialog(self, caller: Caller) -> None:
        await caller.show("<button onclick=\"confirm('?')\">Ask</button>")
        await caller.reply("click", selector="text=Ask")
        told = await caller.ok("export_session_report")
        assert told["regions"] == []
        await caller.ok("answer_dialog", accept=False)


class TestConfig:
    async def test_what_holds_for_the_caller(self, caller: Caller) -> None:
        await caller.show("<p>x</p>")
        await caller.ok("set_viewport", width=700, height=500)
        await caller.ok("set_dialog_policy", mode="dismiss")
        told = await caller.ok("get_config")
        assert told["scope"] == "resolved"
        config = told["config"]
        assert config["capabilities"] == ["action", "human", "navigation", "read"]
        assert config["viewport"] == {"width": 700, "height": 500}
        assert config["dialogPolicy"] == "dismiss"
        assert config["isolation"] == LEVEL
        assert config["limits"]["callDeadlineMs"] == 30_000

    async def test_origins_as_they_were_stated(self, caller: Caller) -> None:
        rules = (OriginRule.parse("https://*.shop.example"),)
        policy = caller.principal.policy.narrowed(allowed=rules)
        kept = replace(caller, principal=replace(caller.principal, policy=policy))
        told = await kept.ok("get_config")
        assert told["config"]["allowedOrigins"] == [["https://*.shop.example"]]

    async def test_nothing_of_the_server_itself(self, mighty: Caller) -> None:
        for scope in ("resolved", "defaults", "session", "env", "user", "project"):
            text = await mighty.text("get_config", scope=scope)
            assert str(mighty.kernel.settings.workspace) not in text
            assert "database" not in text

    async def test_a_session_that_is_not_open_is_not_opened(self, caller: Caller) -> None:
        told = await caller.ok("get_config", scope="session")
        assert told["config"] == {}
        assert (await caller.ok("list_sessions"))["sessions"] == []
