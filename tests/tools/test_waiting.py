"""Waiting: woken by the page, told what came, ended by the deadline."""

from __future__ import annotations

from time import monotonic

import pytest

from tests.support.callers import Caller

LATER = """<button onclick="setTimeout(() => { out.innerHTML = '<b>Arrived</b>' }, 600)">Go</button>
<p id=out></p><p id=spin>Loading</p>"""


async def test_text_that_comes_later(caller: Caller) -> None:
    await caller.show(LATER)
    await caller.ok("click", selector="role=button", mode="none")
    done = await caller.ok("wait_for", text="Arrived")
    assert "Arrived" in done["snapshotDelta"]["tree"]


async def test_what_is_there_already_is_not_waited_for(caller: Caller) -> None:
    await caller.show(LATER)
    assert (await caller.ok("wait_for", selector="role=button[name=Go]"))["ok"]


async def test_until_it_is_gone(caller: Caller) -> None:
    await caller.show(LATER + "<script>setTimeout(() => spin.remove(), 400)</script>")
    await caller.ok("wait_for", text="Loading", gone=True)
    assert "Loading" not in await caller.text("snapshot")


async def test_an_element_in_a_frame_that_loads_later(caller: Caller) -> None:
    caller.site.other.page("/inner", "<button>Inner</button>")
    await caller.show(
        f"""<script>setTimeout(() => {{ const f = document.createElement('iframe');
        f.src = '{caller.site.other.url("/inner")}'; document.body.append(f) }}, 300)</script><body>"""
    )
    done = await caller.ok("wait_for", selector="role=button[name=Inner]", mode="none")
    assert done["ok"]


async def test_an_address(caller: Caller) -> None:
    caller.site.page("/next", "<h1>Next</h1>")
    await caller.show("<script>setTimeout(() => location.assign('/next'), 300)</script>")
    done = await caller.ok("wait_for", urlContains="/next")
    assert "Next" in str(done)


async def test_the_deadline_ends_it(caller: Caller) -> None:
    await caller.show(LATER)
    refusal = await caller.refused("wait_for", text="Never", timeoutMs=300)
    assert (refusal["code"], refusal["retryable"]) == ("timeout", True)


async def test_one_thing_at_a_time(caller: Caller) -> None:
    await caller.show(LATER)
    assert (await caller.refused("wait_for"))["code"] == "invalid_argument"
    refusal = await caller.refused("wait_for", text="a", selector="b")
    assert refusal["code"] == "invalid_argument"


@pytest.mark.parametrize("field", ["<input id=f>", "<textarea id=f></textarea>"])
async def test_what_was_typed_is_no_text_of_the_page(caller: Caller, field: str) -> None:
    await caller.show(
        f"{field}<p id=out></p><script>f.oninput = () =>"
        " setTimeout(() => { out.textContent = 'Found Green Tea'; }, 60000)</script>"
    )
    await caller.ok("fill", selector="#f", value="green tea")
    late = await caller.refused("wait_for", text="green tea", timeoutMs=400)
    assert late["code"] == "timeout"
    gone = await caller.ok("wait_for", text="green tea", gone=True)
    assert gone["ok"]


async def test_text_in_any_case_unless_exactly_that_is_wanted(caller: Caller) -> None:
    await caller.show("<p>Order Received</p>")
    assert (await caller.ok("wait_for", text="order received"))["ok"]
    assert (await caller.ok("wait_for", text="Order Received", exact=True))["ok"]
    late = await caller.refused("wait_for", text="order received", exact=True, timeoutMs=300)
    assert late["code"] == "timeout"


async def test_an_element_is_named_as_in_every_tool(mighty: Caller) -> None:
    caller = mighty
    await caller.show(
        """<style>body { margin: 0 } button { display: block; height: 40px }</style>
        <button id=go>Go</button><section aria-label=Cart>Empty</section>
        <p><button>Pay</button></p><script>
        go.onclick = () => setTimeout(() => {
          document.querySelector('section').innerHTML = '<button>Pay</button>'; go.remove(); }, 300);
        </script>"""
    )
    await caller.ok("name_ref", name="start", selector="text=Go")
    cart = (await caller.ok("inspect", selector="section"))["ref"]
    point = {"x": 5, "y": 20}
    assert (await caller.ok("wait_for", named="start"))["ok"]
    assert (await caller.ok("wait_for", coords=point))["ok"]
    await caller.ok("click", named="start", mode="none")
    assert (await caller.ok("wait_for", selector="text=Pay", contextRef=cart))["ok"]
    assert (await caller.ok("wait_for", named="start", gone=True))["ok"]
    refusal = await caller.refused("wait_for", named="nobody")
    assert refusal["code"] == "not_found"
    refusal = await caller.refused("wait_for", named="start", ref=cart)
    assert refusal["code"] == "invalid_argument"


async def test_the_first_look_is_not_put_off(caller: Caller) -> None:
    """Waiting for something to go is over at once where it is not there."""
    await caller.show(LATER)
    await caller.ok("click", selector="role=button", mode="none")
    began = monotonic()
    assert (await caller.ok("wait_for", selector="#nothing", gone=True, mode="none"))["ok"]
    assert monotonic() - began < 1
