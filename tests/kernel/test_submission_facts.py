"""What a person is shown of a request that waits."""

from __future__ import annotations

from tests.support.callers import Caller
from tests.support.desk import Desk


async def test_names_that_no_field_has_and_what_is_no_list(hasty: Caller) -> None:
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(
        "<form id=f action=/pay method=post><input name=a value=1></form><p id=go onclick=f.submit()>"
        "Go</p><script>addEventListener('formdata', (e) => { e.formData.set('made', 'up');"
        "e.formData.set('long', 'x'.repeat(2000)) })</script><p id=raw onclick=\"fetch('/raw',"
        "{method: 'POST', body: new Uint8Array(7)})\">Raw</p>"
    )
    await desk.waits("click", selector="#go")
    [a, made, long] = desk.pending[0].facts["form"]["fields"]
    assert a == {"name": "a", "value": "1"}
    assert made == {"name": "made", "value": "up", "added": True}
    assert "2000 characters, SHA-256" in long["value"]
    await desk.say("deny")
    await desk.waits("click", selector="#raw")
    form = desk.pending[0].facts["form"]
    assert (form["sizeBytes"], len(form["sha256"])) == (7, 64)


async def test_secrets_are_not_shown_under_any_name(hasty: Caller) -> None:
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(
        "<input type=password id=p value=hunter2hunter2><p id=go onclick=\"fetch('/pay', {method:"
        "'POST', body: new URLSearchParams({renamed: p.value})})\">Go</p>"
    )
    await desk.waits("click", selector="#go")
    told = desk.pending[0].description
    assert told["form"]["fields"] == [{"name": "renamed", "value": "(secret)", "added": True}]
    assert "hunter2" not in str(told)
