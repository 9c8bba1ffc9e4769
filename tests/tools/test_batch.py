"""Batches: in order, until one fails, within one slot and one budget."""

from __future__ import annotations

from tests.support.callers import Caller

FORM = "<label>Name <input></label><button onclick=\"out.textContent='sent'\">Send</button><p role=status id=out></p>"


async def test_calls_run_in_order(caller: Caller) -> None:
    caller.site.page("/form", FORM)
    done = await caller.ok(
        "batch",
        calls=[
            {"tool": "navigate", "args": {"url": caller.site.url("/form"), "mode": "none"}},
            {"tool": "fill", "args": {"selector": "label=Name", "value": "Z"}, "label": "name"},
            {"tool": "click", "args": {"selector": "role=button"}},
            {"tool": "snapshot"},
        ],
    )
    assert done["completed"] == 4
    assert "failedAt" not in done
    assert done["results"][1]["label"] == "name"
    assert done["results"][1]["result"]["element"]["value"] == "Z"
    assert "sent" in done["results"][3]["result"]


async def test_it_stops_at_the_first_failure_or_goes_on(caller: Caller) -> None:
    await caller.show(FORM)
    calls = [
        {"tool": "click", "args": {"selector": "role=button[name=None]"}},
        {"tool": "click", "args": {"selector": "role=button[name=Send]"}},
    ]
    reply = await caller.reply("batch", calls=calls)
    assert not reply.ok
    assert reply.data is not None
    assert (reply.data["completed"], reply.data["failedAt"]) == (0, 0)
    assert reply.data["results"][0]["error"]["code"] == "not_found"
    assert len(reply.data["results"]) == 1
    reply = await caller.reply("batch", calls=calls, stopOnError=False)
    assert reply.data is not None
    assert (reply.data["completed"], reply.data["failedAt"]) == (1, 0)


async def test_an_expectation_that_is_not_met_fails_the_call(caller: Caller) -> None:
    await caller.show("<label>Age <input oninput=\"this.value = '7'\"></label>")
    fill = {"tool": "fill", "args": {"selector": "label=Age", "value": "8"}}
    reply = await caller.reply("batch", calls=[{**fill, "expect": {"valueEquals": "8"}}])
    assert reply.data is not None
    assert reply.data["results"][0]["error"]["code"] == "expectation_failed"
    assert (await caller.reply("batch", calls=[{**fill, "expect": {"valueEquals": "7"}}])).ok


async def test_pictures_come_through(caller: Caller) -> None:
    await caller.show(FORM)
    reply = await caller.reply("batch", calls=[{"tool": "screenshot"}, {"tool": "screenshot"}])
    assert len(reply.images) == 2


async def test_what_cannot_be_inside(caller: Caller) -> None:
    for tool in ("batch", "open_session", "close_session"):
        refusal = await caller.refused("batch", calls=[{"tool": tool, "args": {}}])
        assert refusal["code"] == "invalid_argument"
    assert (await caller.refused("batch", calls=[]))["code"] == "invalid_argument"
    many = [{"tool": "snapshot"}] * 33
    assert (await caller.refused("batch", calls=many))["code"] == "invalid_argument"


async def test_inner_calls_are_refused_by_the_same_rules(caller: Caller) -> None:
    reply = await caller.reply("batch", calls=[{"tool": "nonsense"}])
    assert reply.data is not None
    assert reply.data["results"][0]["error"]["code"] == "unknown_tool"
    reply = await caller.reply(
        "batch", calls=[{"tool": "navigate", "args": {"url": "file:///etc/passwd"}}]
    )
    assert reply.data is not None
    assert reply.data["results"][0]["error"]["code"] == "address_denied"


async def test_a_batch_stays_within_its_budget(caller: Caller) -> None:
    rows = "".join(f"<p>Paragraph {index} says something</p>" for index in range(2000))
    await caller.show(rows, mode="none")
    reply = await caller.reply("batch", calls=[{"tool": "snapshot"}] * 5, maxResultTokens=1500)
    assert len(reply.text) / 4 <= 1600
    assert reply.data is not None
    assert reply.data["truncated"]


async def test_batches_across_tabs_do_not_wait_for_each_other(caller: Caller) -> None:
    await caller.show(FORM)
    await caller.ok("tabs", action="new", url=caller.site.url("/page"))
    done = await caller.ok(
        "batch",
        tab="t1",
        calls=[
            {"tool": "fill", "args": {"selector": "label=Name", "value": "one"}},
            {"tool": "fill", "args": {"selector": "label=Name", "value": "two", "tab": "t2"}},
        ],
    )
    assert done["completed"] == 2


async def test_expectations_of_what_is_around(caller: Caller) -> None:
    await caller.show(
        '<ul><li>Tea <b>0</b> <button onclick="this.previousElementSibling.textContent = 1">Add'
        "</button></li></ul><label>Delivery <select><option>Post<option>Bike</select></label>"
        "<button onclick=\"this.textContent = 'Following'\">Follow</button>"
    )
    add = {"tool": "click", "args": {"selector": "text=Add"}}
    choose = {"tool": "select", "args": {"selector": "select", "values": ["Bike"]}}
    follow = {"tool": "click", "args": {"selector": "text=Follow"}}
    await caller.ok(
        "batch",
        calls=[
            {**add, "expect": {"containerTextIncludes": "Tea 1"}},
            {**choose, "expect": {"controlDisplayTextIncludes": "Bike", "controlChanged": True}},
            {**choose, "expect": {"controlChanged": False}},
            {**follow, "expect": {"displayTextIncludes": "Following"}},
            {**add, "expect": {"displayTextIncludes": "Add"}},
        ],
    )
    for call, expect in (
        (add, {"containerTextIncludes": "Coffee"}),
        (choose, {"controlDisplayTextIncludes": "Plane"}),
        (choose, {"controlChanged": True}),
        (add, {"displayTextIncludes": "Sub"}),
    ):
        reply = await caller.reply("batch", calls=[{**call, "expect": expect}])
        assert reply.data is not None
        assert reply.data["results"][0]["error"]["code"] == "expectation_failed", expect


async def test_tools_that_know_no_session_are_given_none(caller: Caller) -> None:
    await caller.show("<p>hello</p>")
    done = await caller.ok("batch", calls=[{"tool": "list_sessions"}, {"tool": "snapshot"}])
    assert done["completed"] == 2


async def test_it_goes_on_after_keys_and_presses_that_move_the_focus(caller: Caller) -> None:
    await caller.show(
        "<body style='margin:0'><input aria-label=From><input aria-label=To>"
        "<button onmousedown='list.hidden = false'>Size</button>"
        "<ul id=list hidden style='margin:0;position:fixed;inset:0'><li>Small</ul>"
    )
    done = await caller.ok(
        "batch",
        calls=[
            {"tool": "press", "args": {"selector": "label=From", "key": "Tab"}},
            {"tool": "shortcut", "args": {"selector": "label=To", "keys": ["Shift+Tab", "Tab"]}},
            {"tool": "click", "args": {"selector": "role=button"}},
        ],
    )
    assert done["completed"] == 3
    assert "Small" in str(done["results"][2]["result"])


async def test_what_a_call_makes_appear_later_is_there_for_the_next(caller: Caller) -> None:
    await caller.show(
        '<button onclick="setTimeout(() => { pop.hidden = false; pop.style.opacity = 1 }, 400)">Open</button>'
        "<style>#pop { opacity: 0; transition: opacity .5s, transform .5s; transform: translateX(40px) }"
        "#pop:not([hidden]) { transform: none }</style>"
        "<div id=pop hidden><button onclick=\"out.textContent = 'sent'\">Send</button></div><p id=out></p>"
        "<button onclick=\"setTimeout(() => { late.innerHTML = '<button>More</button>' }, 500)\">Load</button>"
        "<div id=late></div>"
    )
    done = await caller.ok(
        "batch",
        calls=[
            {"tool": "click", "args": {"selector": "role=button[name=Open]"}},
            {"tool": "click", "args": {"selector": "text='Send'"}},
            {"tool": "click", "args": {"selector": "role=button[name=Load]"}},
            {"tool": "click", "args": {"selector": "text='More'"}},
        ],
    )
    assert done["completed"] == 4
    assert "sent" in str(done["results"][1]["result"])
