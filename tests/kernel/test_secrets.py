"""The operator's secrets: used by name, in the right place, by agents that never see them."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stockade.errors import InvalidArgument, RoleRequired, UnknownSecret
from stockade.files.secrets import KeptSecrets
from stockade.kernel.secrets import Secrets
from stockade.masking.masker import Masker
from stockade.masking.scopes import of_tenant
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Principal, Role
from stockade.telemetry import logs
from stockade.tools import registry
from stockade.workspace import Workspace
from tests.support.callers import Caller
from tests.support.serving import logging_restored

VALUE = "correct horse battery"
FORM = "<form><label>Password <input type=password></label><textarea></textarea></form>"


@pytest.fixture
async def keeper(mighty: Caller) -> Caller:
    """An agent of a tenant whose operator keeps a secret."""
    tenant = f"tenant-of-{mighty.principal.id}"
    operator = Principal("op", tenant=tenant, role=Role.OPERATOR)
    await mighty.kernel.secrets.keep(operator, "PASSWORD", VALUE, [mighty.site.url("")])
    return replace(mighty, principal=replace(mighty.principal, tenant=tenant))


async def test_an_agent_fills_it_in_and_never_sees_it(keeper: Caller) -> None:
    await keeper.show(FORM)
    reply = await keeper.reply("fill", selector="[type=password]", value="<PASSWORD>")
    assert reply.ok, reply.text
    assert "horse" not in reply.text
    assert "<PASSWORD>" in await keeper.text("snapshot")
    assert (await keeper.refused("eval_js", expr="1"))["code"] == "document_tainted"
    told = await keeper.refused("register_secret", name="PASSWORD", value="another-value")
    assert told["code"] == "conflict"


DATABASE = "<script>indexedDB.open('d').onupgradeneeded = (e) => e.target.result.createObjectStore('s')</script>"
ROUTE = {"urlPattern": "*/never", "body": "made up"}
HANDS: list[tuple[str, dict[str, Any]]] = [
    ("eval_js", {"expr": "1"}),
    ("poll_eval", {"expr": "1"}),
    ("route", ROUTE),
    ("route_queue", {"urlPattern": "*/never", "responses": [{"body": "made up"}]}),
    ("ws_intercept", {"pattern": "*", "response": "echo"}),
    ("localstorage_set", {"key": "a", "value": "b"}),
    ("sessionstorage_set", {"key": "a", "value": "b"}),
    ("caches_put", {"cacheName": "c", "url": "/x", "response": {"body": "y"}}),
    ("idb_put", {"dbName": "d", "storeName": "s", "key": "k", "value": "v"}),
    ("sw_intercept_fetch", {"pattern": "*/never", "response": {"body": "made up"}}),
    ("camofox_evaluate", {"expression": "1"}),
    ("inject_storage_state", {"state": {"cookies": [], "origins": []}}),
    (
        "batch",
        {"calls": [{"tool": "route", "args": ROUTE}]},
    ),
]


@pytest.mark.parametrize(("tool", "given"), HANDS, ids=[tool for tool, _ in HANDS])
async def test_none_is_filled_in_where_the_agent_had_a_hand_in_it(
    keeper: Caller, tool: str, given: dict[str, Any]
) -> None:
    await keeper.show(FORM + DATABASE, path="/login")
    if tool == "camofox_evaluate":
        (session,) = keeper.kernel.sessions.all()
        given = {**given, "tabId": session.tabs[0].id}
    done = await keeper.reply(tool, **given)
    assert done.ok, done.text
    for _ in range(2):
        told = await keeper.refused("fill", selector="[type=password]", value="<PASSWORD>")
        assert told["code"] == "secret_refused"
        by = "route" if tool == "batch" else tool
        assert by in told["error"], "which call it was is told"
        # What it left behind may still act in another document.
        await keeper.ok("reload")
    await keeper.ok("open_session", session="clean")
    await keeper.ok("navigate", url=keeper.site.url("/login"), session="clean")
    await keeper.ok("fill", selector="[type=password]", value="<PASSWORD>", session="clean")


async def test_the_mark_goes_with_what_is_kept_of_a_session(keeper: Caller) -> None:
    await keeper.show(FORM, path="/login")
    await keeper.ok("localstorage_set", key="a", value="b")
    await keeper.ok("auth_save", name="tainted")
    await keeper.ok("profile_snapshot", snapshot="tainted")
    for name, tool, given in (
        ("one", "auth_load", {"name": "tainted"}),
        ("two", "profile_restore", {"snapshot": "tainted"}),
    ):
        await keeper.ok("open_session", session=name)
        await keeper.ok(tool, session=name, **given)
        await keeper.ok("navigate", url=keeper.site.url("/login"), session=name)
        told = await keeper.refused(
            "fill", selector="[type=password]", value="<PASSWORD>", session=name
        )
        assert "localstorage_set" in told["error"]


async def test_the_mark_goes_with_a_profile(keeper: Caller) -> None:
    keeper.site.page("/login", FORM)
    for tool in ("localstorage_set", ""):
        await keeper.ok("open_session", session="kept", mode="persistent", profile="kept")
        await keeper.ok("navigate", url=keeper.site.url("/login"), session="kept")
        if tool:
            await keeper.ok(tool, key="a", value="b", session="kept")
        told = await keeper.refused(
            "fill", selector="[type=password]", value="<PASSWORD>", session="kept"
        )
        assert "localstorage_set" in told["error"]
        await keeper.ok("close_session", session="kept")


async def test_a_secret_that_the_agent_knows_goes_where_it_wants(keeper: Caller) -> None:
    await keeper.show(FORM)
    await keeper.ok("register_secret", name="MINE", value="hunter2-of-mine")
    await keeper.ok("eval_js", expr="1")
    await keeper.ok("fill", selector="textarea", value="<MINE>")


def test_what_reaches_pages_says_so() -> None:
    """Who may run scripts or install extensions has a hand in what pages are."""
    tools = [registry().find(name) for name in registry()._tools]
    reaching = (Capability.EVAL, Capability.EXTENSIONS)
    silent = {each.name for each in tools if each.capability in reaching and not each.alters}
    assert silent <= {"extensions_list", "extensions_uninstall"}


async def test_another_tenant_has_neither_the_name_nor_the_mask(keeper: Caller) -> None:
    stranger = keeper.another(tenant="another")
    await stranger.show(f"<p>{VALUE}</p>{FORM}")
    assert VALUE in await stranger.text("snapshot")
    told = await stranger.refused("fill", selector="[type=password]", value="<PASSWORD>")
    assert told["code"] == "unknown_secret"
    assert "PASSWORD" not in told["hint"]
    await keeper.show(f"<p>{VALUE}</p>")
    assert VALUE not in await keeper.text("snapshot")


async def test_only_operators_keep_secrets(keeper: Caller) -> None:
    secrets = keeper.kernel.secrets
    with pytest.raises(RoleRequired):
        secrets.kept(keeper.principal)
    with pytest.raises(RoleRequired):
        await secrets.keep(keeper.principal, "S", VALUE, ["https://a.test"])
    operator = replace(keeper.principal, role=Role.OPERATOR)
    for origins in ([], ["*.com"], ["nonsense here"]):
        with pytest.raises(InvalidArgument):
            await secrets.keep(operator, "S", VALUE, origins)
    assert [each.name for each in secrets.kept(operator)] == ["PASSWORD"]
    await secrets.remove(operator, "PASSWORD")
    with pytest.raises(UnknownSecret):
        secrets.find_kept(operator, "PASSWORD")
    # It may still be on pages.
    masker = keeper.kernel.masker.within(of_tenant(operator.tenant))
    assert masker.text(VALUE) == "<PASSWORD>"


async def test_what_is_kept_outlasts_the_server(tmp_path: Path) -> None:
    path = tmp_path / "workspace"
    kept = KeptSecrets(lambda: Workspace.open(path), path)
    operator = Principal("op", role=Role.OPERATOR)
    await Secrets(Masker(), kept).keep(operator, "PASSWORD", VALUE, ["https://shop.test"])
    masker = Masker()
    later = Secrets(masker, kept)
    await later.load()
    assert [each.scope for each in later.kept(operator)] == ["https://shop.test"]
    assert masker.text(VALUE) == "<PASSWORD>"


async def test_a_secret_is_looked_for_as_long_as_its_session_lasts(mighty: Caller) -> None:
    masker = mighty.kernel.masker_of(mighty.principal)
    await mighty.ok("register_secret", name="CODE", value="492039")
    assert masker.text("492039") == "<CODE>"
    await mighty.ok("close_session")
    assert masker.text("492039") == "492039"


async def test_if_masking_fails_nothing_leaves(
    mighty: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    await mighty.ok("register_secret", name="PASSWORD", value=VALUE)
    await mighty.show(f"<title>{VALUE}</title><button>{VALUE}</button>")
    lines = io.StringIO()

    def broken(*_: object) -> None:
        raise ValueError(VALUE)

    with logging_restored(), monkeypatch.context() as patch:
        masker = mighty.kernel.masker
        logs.configure("json", "debug", mask=masker.value, stream=lines, journal=True)
        patch.setattr("stockade.masking.search.Search.hits", broken)
        with mighty.kernel.news.listen(mighty.principal):
            for tool, given in (
                ("snapshot", {}),
                ("click", {"selector": "button"}),
                ("click", {"selector": "#none", "timeoutMs": 50}),
                ("list_sessions", {}),
            ):
                told = await mighty.refused(tool, **given)
                assert told["code"] == "masking_failed"
                assert "horse" not in str(told)
            heard = [each.facts for each in mighty.kernel.news._kept]
    assert "horse" not in lines.getvalue() + str(heard)
    assert "withheld" in lines.getvalue()
