"""Settings come from four places, and a wrong one is named without being shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.config import Settings, describe, environment, load, unknown_variables
from stockade.errors import BadSetting

SECRET = "hunter2hunter2"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment without settings, and a home of our own."""
    for name in os.environ:
        if name.upper().startswith(("STOCKADE_", "BROWX_", "CAMOFOX_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


def in_file(folder: Path, text: str) -> None:
    (folder / ".stockade").mkdir(exist_ok=True)
    (folder / ".stockade" / "stockade.toml").write_text(text, encoding="utf-8")


def refused(**given: Any) -> BadSetting:
    with pytest.raises(BadSetting) as caught:
        load(**given)
    return caught.value


def attempt(**given: Any) -> Settings | BadSetting:
    try:
        return load(**{"workspace": "/nonexistent", **given})
    except BadSetting as error:
        return error


def test_defaults_without_any_source(tmp_path: Path) -> None:
    settings = load()
    assert settings == Settings()
    assert settings.workspace == tmp_path / ".stockade"
    assert settings.database == f"sqlite:///{tmp_path}/.stockade/stockade.db"


# --- precedence -----------------------------------------------------------------------------------


def test_each_source_stands_above_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [load().port]
    monkeypatch.setenv("STOCKADE_PORT", "1001")
    seen.append(load().port)
    in_file(tmp_path, "port = 1002")
    seen.append(load().port)
    seen.append(load(port=1003).port)
    assert seen == [9377, 1001, 1002, 1003]


def test_a_source_that_says_nothing_leaves_the_ones_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STOCKADE_PORT", "1001")
    monkeypatch.setenv("STOCKADE_MAX_TABS", "")
    in_file(tmp_path, "max_sessions = 4")
    settings = load(port=None, host="::1")
    assert (settings.port, settings.max_tabs, settings.max_sessions) == (1001, 50, 4)
    assert settings.host == "::1"


def test_settings_made_in_code_see_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOCKADE_PORT", "1001")
    assert Settings().port == 9377


def test_a_wrong_value_that_is_overruled_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOCKADE_PORT", "many")
    assert load(port=5).port == 5


def test_the_file_of_the_workspace_that_is_named_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_file(tmp_path, "port = 1")
    for name, port in (("a", 2), ("b", 3)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "stockade.toml").write_text(f"port = {port}", encoding="utf-8")
    monkeypatch.setenv("STOCKADE_WORKSPACE", str(tmp_path / "a"))
    assert load().port == 2
    assert load(workspace=tmp_path / "b").port == 3


def test_the_environment_names_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in describe():
        monkeypatch.setenv(row.variable, row.default)
    assert load() == Settings()


def test_every_setting_is_described_in_a_sentence() -> None:
    rows = describe()
    assert [row.name for row in rows] == list(Settings.model_fields)
    assert all(row.description.endswith(".") and row.description[0].isupper() for row in rows)


# --- aliases and variables that do nothing --------------------------------------------------------


def test_names_of_another_system_are_read_where_ours_is_unset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWX_WORKSPACE", str(tmp_path / "theirs"))
    monkeypatch.setenv("BROWX_CAPABILITIES", "read,action")
    monkeypatch.setenv("BROWX_ALLOWED_ORIGINS", "a.example, b.example")
    monkeypatch.setenv("BROWX_BLOCKED_ORIGINS", "c.example")
    monkeypatch.setenv("STOCKADE_BLOCKED_ORIGINS", "d.example")
    settings = load()
    assert settings.workspace == tmp_path / "theirs"
    assert settings.capabilities == ("read", "action")
    assert settings.allowed_origins == ("a.example", "b.example")
    assert settings.blocked_origins == ("d.example",)


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"STOCKADE_PROT": "1"}, ["STOCKADE_PROT is not a setting; is it STOCKADE_PORT?"]),
        ({"STOCKADE_QZQZQZQZ": "1"}, ["STOCKADE_QZQZQZQZ is not a setting"]),
        ({"STOCKADE_PORT": "x", "stockade_host": "", "HOME": "/", "STOCKADES": "1"}, []),
        ({"STOCKADE_EGRESS_ALLOW": "a:1"}, ["STOCKADE_EGRESS_ALLOW is not used yet"]),
        ({"STOCKADE_CAPTCHA_API_KEY": "a"}, ["STOCKADE_CAPTCHA_API_KEY is not used yet"]),
        ({"STOCKADE_CONFIRM_REQUIRED": "a"}, ["STOCKADE_CONFIRM_REQUIRED is not used yet"]),
        ({"CAMOFOX_PORT": "1", "BROWX_HEADLESS": "1"}, ["BROWX_HEADLESS is not used", "CAMOFOX_PORT is not used"]),
        ({"BROWX_WORKSPACE": "/a"}, []),
        ({"BROWX_WORKSPACE": "/a", "STOCKADE_WORKSPACE": ""}, []),
        (
            {"BROWX_WORKSPACE": "/a", "STOCKADE_WORKSPACE": "/b"},
            ["BROWX_WORKSPACE is not used: STOCKADE_WORKSPACE is set"],
        ),
    ],
)  # fmt: skip
def test_variables_that_do_nothing_are_named(variables: dict[str, str], said: list[str]) -> None:
    assert unknown_variables(variables) == said


def test_the_values_of_unknown_variables_are_not_told() -> None:
    names = ["STOCKADE_DATABSE_URL", "STOCKADE_CAPTCHA_API_KEY", "CAMOFOX_API_KEY", "BROWX_X"]
    said = unknown_variables(dict.fromkeys(names, SECRET))
    assert len(said) == len(names)
    assert SECRET not in "".join(said)


def test_the_environment_is_the_present_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOCKADE_PROT", "1")
    assert unknown_variables(environment())


# --- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 30),
        ("1.5", 1.5),
        ("30s", 30),
        (" 5 m ", 300),
        ("1H", 3600),
        ("0.5h", 1800),
        ("250ms", 0.25),
        ("2d", 172800),
        (7, 7),
        (0.25, 0.25),
    ],
)
def test_durations_have_units(text: object, seconds: float) -> None:
    assert load(tab_wait=text).tab_wait == seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("1024", 1024),
        ("500MB", 500_000_000),
        ("1GiB", 2**30),
        ("1.5 kib", 1536),
        ("2tb", 2 * 10**12),
        ("7B", 7),
        ("0.3kB", 300),
        (12, 12),
    ],
)
def test_sizes_have_units(text: object, size: int) -> None:
    assert load(download_quota=text).download_quota == size


@given(st.integers(0, 10**6), st.sampled_from(["ms", "s", "m", "h", "d", ""]))
def test_a_unit_is_a_factor(count: int, unit: str) -> None:
    factor = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "": 1}[unit]
    if 0 < count * factor <= 10 * 365 * 86400:
        assert Settings(tab_wait=f"{count}{unit}").tab_wait == pytest.approx(count * factor)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    ["", "s", "-1", "1x", "1 m 2", "1e3", "nan", "inf", "٣", "9" * 5000, "0", True, [], float("nan"), float("inf"), 1e300, "99999d"],
)  # fmt: skip
def test_what_is_not_a_duration_is_refused(value: object) -> None:
    assert refused(tab_wait=value).details["setting"] == "tab_wait"


@pytest.mark.parametrize(
    "value", ["", "GB", "-1", "1 zb", "1g", 1.5, True, -1, 2**63, "99999999tb"]
)
def test_what_is_not_a_size_is_refused(value: object) -> None:
    assert refused(download_quota=value).details["setting"] == "download_quota"


@given(st.one_of(st.text(), st.floats(), st.integers(), st.booleans(), st.none()))
def test_any_duration_is_a_number_or_refused_by_name(value: object) -> None:
    outcome = attempt(tab_wait=value)
    if isinstance(outcome, BadSetting):
        assert outcome.details == {"setting": "tab_wait"}
    else:
        assert 0 < outcome.tab_wait <= 10 * 365 * 86400


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("a,b", ("a", "b")),
        (" a , ,b,", ("a", "b")),
        (["a", "b,c", "a"], ("a", "b", "c")),
        (("a",), ("a",)),
        ([], ()),
    ],
)
def test_lists_are_written_with_commas_or_as_lists(value: object, names: tuple[str, ...]) -> None:
    assert load(capabilities=value).capabilities == names


@pytest.mark.parametrize("value", [5, [5], ["a", ["b"]], {"a": "b"}])
def test_what_is_not_a_list_of_names_is_refused(value: object) -> None:
    assert refused(capabilities=value).details["setting"] == "capabilities"


def test_paths_are_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(workspace="ws", chromium="~/bin/chromium")
    assert settings.workspace == tmp_path / "ws"
    assert settings.chromium == tmp_path / "bin" / "chromium"


@pytest.mark.parametrize("value", ["", ".", "~nobody-of-that-name/x", "a\0b", 5])
def test_what_is_not_a_place_is_refused(value: object) -> None:
    assert refused(workspace=value).details["setting"] == "workspace"


@pytest.mark.parametrize("level", ["bwrap", "bastille", "attached"])
def test_levels_to_come_are_refused_with_those_of_today(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STOCKADE_ISOLATION", level)
    error = refused()
    assert "'shared' and 'process'" in error.message
    assert "STOCKADE_ISOLATION" in error.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", 65536),
        ("port", -1),
        ("port", True),
        ("port", "http"),
        ("host", ""),
        ("host", "two words"),
        ("host", "a\nb"),
        ("isolation", "prison"),
        ("browser_uid", 0),
        ("browser_uid", 2**32 - 1),
        ("max_sessions", 0),
        ("log_level", "loud"),
        ("database_url", 5),
    ],
)
def test_other_values_out_of_range_are_refused(name: str, value: object) -> None:
    assert refused(**{name: value}).details["setting"] == name


# --- the file -------------------------------------------------------------------------------------


def test_an_unknown_name_in_the_file_is_refused_with_the_nearest_one(tmp_path: Path) -> None:
    in_file(tmp_path, "max-session = 3")
    error = refused()
    assert "'max-session'" in error.message
    assert "stockade.toml" in error.message
    assert error.hint == "Did you mean max_sessions?"


def test_an_unknown_name_that_is_near_nothing_is_refused_with_all_of_them(tmp_path: Path) -> None:
    in_file(tmp_path, f"{'q' * 300} = 3")
    error = refused()
    assert len(error.message) < 200 + len(str(tmp_path))
    assert "screenshot_pixels" in error.hint


def test_a_table_in_the_file_is_an_unknown_name(tmp_path: Path) -> None:
    in_file(tmp_path, "[server]\nport = 3")
    assert "'server'" in refused().message


def test_the_file_cannot_move_the_workspace_it_lies_in(tmp_path: Path) -> None:
    in_file(tmp_path, 'workspace = "/elsewhere"')
    assert refused().details["setting"] == "workspace"


def test_a_wrong_value_is_traced_to_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "command line" in refused(port="x").hint
    monkeypatch.setenv("BROWX_WORKSPACE", "~nobody-of-that-name")
    assert "BROWX_WORKSPACE" in refused().hint
    monkeypatch.delenv("BROWX_WORKSPACE")
    monkeypatch.setenv("STOCKADE_PORT", "x")
    assert "STOCKADE_PORT" in refused().hint
    in_file(tmp_path, "port = 'x'")
    assert "stockade.toml" in refused().hint


@pytest.mark.parametrize(
    "content",
    [
        f"database_url = 'postgres://u:{SECRET}@h/d".encode(),
        f"database_url = ['postgres://u:{SECRET}@h/d']".encode(),
        f"database_url = {SECRET}".encode(),
        f"{SECRET}".encode(),
        f"database_url = '{SECRET}'\ndatabase_url = '{SECRET}'".encode(),
        f"database_url = '{SECRET}' \xff".encode("latin-1"),
        f"database_url = '{SECRET}'\nport = 1979-05-27".encode(),
        b"port = " + b"[" * 100_000,
    ],
)
def test_a_broken_file_is_refused_without_being_quoted(tmp_path: Path, content: bytes) -> None:
    in_file(tmp_path, "")
    (tmp_path / ".stockade" / "stockade.toml").write_bytes(content)
    error = refused()
    assert SECRET not in str(error.as_dict())


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".stockade" / "stockade.toml").mkdir(parents=True)
    assert "cannot be read" in refused().message


# --- secrets --------------------------------------------------------------------------------------


def test_settings_can_be_printed() -> None:
    settings = load(database_url=f"postgres://u:{SECRET}@h/d")
    assert settings.database == settings.database_url
    assert SECRET not in repr(settings)
    assert SECRET not in str(settings)


@given(
    st.sampled_from(sorted(Settings.model_fields)),
    st.sampled_from([f"\0 {SECRET}", [[SECRET]], {SECRET: SECRET}]),
)
def test_no_wrong_value_is_echoed(name: str, value: object) -> None:
    outcome = attempt(**{name: value})
    if isinstance(outcome, BadSetting):
        assert SECRET not in str(outcome.as_dict())
        assert outcome.__suppress_context__
    else:
        assert isinstance(value, str)


def test_it_can_be_imported_alone() -> None:
    """What only needs a setting should not have to wait for a database or a web framework."""
    code = "import sys, stockade.config; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert not {"sqlalchemy", "alembic", "fastapi", "mcp", "httpx"} & set(loaded.stdout.split())
