"""The operator's secrets: used by name, in the right place, by agents that never see them."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from stockade.errors import InvalidArgument, RoleRequired, UnknownSecret
from stockade.files.secrets import KeptSecrets
from stockade.kernel.secrets import Secrets
from stockade.masking.masker import Masker
from stockade.masking.scopes import of_tenant
from stockade.policy.principal import Principal, Role
from stockade.telemetry import logs
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
    reply = await keeper.reply("fill", selector="textarea", value="<PASSWORD>")
    assert reply.ok, reply.text
    assert "horse" not in reply.text
    assert "<PASSWORD>" in await keeper.text("snapshot")
    assert (await keeper.refused("eval_js", expr="1"))["code"] == "document_tainted"
    told = await keeper.refused("register_secret", name="PASSWORD", value="another-value")
    assert told["code"] == "conflict"


async def test_a_document_that_the_agent_scripted_gets_none(keeper: Caller) -> None:
    await keeper.show(FORM)
    spy = "document.oninput = (e) => { document.title = [...e.target.value].reverse().join('') }"
    await keeper.ok("eval_js", expr=spy)
    told = await keeper.refused("fill", selector="textarea", value="<PASSWORD>")
    assert told["code"] == "secret_refused"
    await keeper.ok("reload")
    await keeper.ok("fill", selector="textarea", value="<PASSWORD>")


async def test_another_tenant_has_neither_the_name_nor_the_mask(keeper: Caller) -> None:
    stranger = keeper.another(tenant="another")
    await stranger.show(f"<p>{VALUE}</p>{FORM}")
    assert VALUE in await stranger.text("snapshot")
    told = await stranger.refused("fill", selector="textarea", value="<PASSWORD>")
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
