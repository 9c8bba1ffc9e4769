from __future__ import annotations

from pathlib import Path

import pytest

from stockade.cli.checks import gate
from stockade.config import load
from tests.support.persons import Person


def test_who_is_kept_where_and_who_is_asked(tmp_path: Path) -> None:
    usual = load(workspace=tmp_path)
    assert "STOCKADE_ALLOWED_ORIGINS" in gate.origins(usual).remedy
    assert "STOCKADE_CONFIRM_REQUIRED" in gate.confirmations(usual).remedy
    narrow = load(
        workspace=tmp_path,
        allowed_origins="example.com",
        approval_webhook="http://127.0.0.1:1/hook-of-ours",
        approval_elicitation=True,
    )
    assert gate.origins(narrow).said == "pages of example.com and no others"
    found = gate.confirmations(narrow)
    assert found.state == "ok"
    assert found.said == (
        "byob_action, navigate_off_allowlist; a webhook is told, MCP clients may answer, "
        "after 300 s it is a no"
    )


async def test_the_browser_to_attach_to(tmp_path: Path, person: Person) -> None:
    address = person.browser.address
    assert await gate.attached(load(workspace=tmp_path)) is None
    idle = await gate.attached(load(workspace=tmp_path, attach_cdp=address))
    assert idle is not None
    assert "does nothing" in idle.said
    on = {"workspace": tmp_path, "capabilities": "default,byob-attach"}
    nameless = await gate.attached(load(**on))
    assert nameless is not None
    assert "stockade chrome start" in nameless.remedy
    found = await gate.attached(load(**on, attach_cdp=address))
    assert found is not None
    assert (found.state, found.said) == ("ok", f"a browser answers at {address}")
    gone = await gate.attached(load(**on, attach_cdp="http://127.0.0.1:1"))
    assert gone is not None
    assert gone.state == "problem"


async def test_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await gate.egress(load(workspace=tmp_path))).state == "ok"
    set_by_hand = load(workspace=tmp_path, egress_resolver="127.0.0.1:5353")
    assert gate.name_server(set_by_hand).said == "127.0.0.1:5353, as set; not tried"
    conf = tmp_path / "resolv.conf"
    monkeypatch.setattr(gate, "_RESOLVER_FILE", conf)
    assert gate.name_server(load(workspace=tmp_path)).state == "warning"
    conf.write_text("# nameserver 192.0.2.1\nsearch lan\nnameserver 192.0.2.2\n", encoding="utf-8")
    assert gate.name_server(load(workspace=tmp_path)).said.startswith("192.0.2.2, as ")


async def test_a_process_that_does_not_answer_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "_PATIENCE", 0.0)
    found = await gate.egress(load(workspace=tmp_path))
    assert found.state == "problem"
    assert "nothing would get out" in found.said
