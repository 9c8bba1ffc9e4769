from __future__ import annotations

from tests.cli.commands import Home
from tests.support.site import Site


async def test_a_person_answers_on_the_command_line(home: Home, site: Site) -> None:
    site.page("/", "<title>t</title><button>Go</button>")
    home.workspace.mkdir(mode=0o700)
    settings = 'confirm_required = ["tool:click"]\napproval_wait = 0.05\n'
    (home.workspace / "stockade.toml").write_text(settings)
    async with home.server("--allow", f"127.0.0.1:{site.port}"):
        assert (await home.run("approvals", "list", cold=True)).out == ""
        went = await home.run("call", "navigate", f"url={site.url('/')}")
        assert went.code == 0, went.out
        waiting = (await home.run("call", "click", "selector=button", "--json")).data
        assert waiting["code"] == "approval_pending"
        asked = waiting["approval"]
        listed = (await home.run("approvals", "list")).out.split("\t")
        assert listed[:4] == [asked, "pending", "default", 'click button "Go"']
        shown = (await home.run("approvals", "show", asked, "--picture", "p.png")).out
        assert f"where: {site.url('')}" in shown
        assert "because of: tool:click" in shown
        said = await home.run("approvals", "approve", asked)
        assert said.out.strip() == f"{asked} is approved"
        again = await home.run("approvals", "deny", asked, "--json")
        assert (again.code, again.data["state"]) == (2, "approved")
        repeated = ("call", "click", "selector=button", f"approval={asked}", "--json")
        assert (await home.run(*repeated)).data["ok"]
        decided = (await home.run("approvals", "list", "--all", "--json")).data["approvals"]
        assert [each["state"] for each in decided] == ["used"]
        assert (await home.run("approvals", "show", "apr_none")).code == 4


async def test_without_a_server_there_are_none(home: Home) -> None:
    done = await home.run("approvals", "list")
    assert done.code == 7
    assert "stockade serve" in done.err
