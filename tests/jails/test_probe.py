"""From inside a jail there is nothing to be got that is not the jail's own."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from tests.jails.probe import PROBES
from tests.support.alone import report_of

_ALONE = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts", "--ipc")
_SOMEBODY = 61003
_SYSTEM = (
    "/dev/null",
    "/dev/urandom",
    "/memfd:",
    "/proc",
    "/tmp/",
    "/usr/lib/chromium/",
    "/dev/shm",
)

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make such a machine")


@pytest.fixture(scope="module", params=[0, _SOMEBODY], ids=["root", "ordinary"])
async def report(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """What came of every attempt, on both sides of the wall, by who runs the server."""
    file = tmp_path_factory.mktemp("probe") / "report.json"
    found: dict[str, Any] = await report_of(
        "tests.jails.probe", str(file), str(request.param), report=file, namespaces=_ALONE
    )
    return {**found, "root": request.param == 0}


def test_inside_nothing_is_got(report: dict[str, Any]) -> None:
    answers = report["inside"]["answers"]
    assert len(answers) >= 60
    assert [each for each in answers if each["got"] is not None] == []
    assert [each for each in answers if each["why"] == "no answer"] == []


def test_outside_the_same_attempts_succeed(report: dict[str, Any]) -> None:
    got = {each["name"] for each in report["outside"]["answers"] if each["got"] is not None}
    # Some need what not every machine has.
    certain = {
        each["name"]
        for each in json.loads(PROBES.read_text(encoding="utf-8"))
        if each.get("outside", True)
    }
    # Others only root can do.
    assert certain <= got or not report["root"]
    assert len(got) >= 50


def test_the_attempts_were_made_by_what_the_browser_is(report: dict[str, Any]) -> None:
    attempted, browser = report["inside"]["state"], report["browser"]
    for name in ("Uid", "Gid"):
        # The same, by its name in the jail.
        assert set(attempted.pop(name)) == {"1000"}
        assert len(set(browser[name])) == 1
    assert attempted == {name: value for name, value in browser.items() if name in attempted}
    assert int(browser["CapBnd"][0], 16) == int(browser["CapPrm"][0], 16) == 0
    assert (browser["Groups"], browser["NoNewPrivs"], browser["Seccomp"]) == ([], ["1"], ["2"])
    # Its renderers have filters of their own beside that of the jail.
    assert browser["Seccomp_filters"] == ["1"]
    assert (browser["Uid"][0] != report["server"]["Uid"][0]) is report["root"]


def test_no_namespace_is_shared(report: dict[str, Any]) -> None:
    everyone = (report["browser"], report["neighbour"], report["server"])
    for name in report["browser"]["namespaces"]:
        assert len({each["namespaces"][name] for each in everyone}) == len(everyone), name


def test_no_process_of_a_jail_holds_anything_else(report: dict[str, Any]) -> None:
    held = {place for places in report["held"].values() for place in places}
    assert held
    assert [place for place in held if not place.startswith(_SYSTEM)] == []


def test_the_browser_calls_itself_adequately_sandboxed(report: dict[str, Any]) -> None:
    assert "You are adequately sandboxed." in report["sandbox"]
    assert "Seccomp-BPF sandbox\tYes" in report["sandbox"]
