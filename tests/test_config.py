"""Settings come from four places, and a wrong one is named without being shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.aliases import ALIASES
from stockade.config import Settings, environment, load, unknown_variables
from stockade.errors import BadSetting
from stockade.settings import describe
from tests.support.loading import attempt, refused

SECRET = "hunter2hunter2"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment without settings, and a home of our own."""
    for name in os.environ:
        if name.upper().startswith(("STOCKADE_", "BROWX_", "CAMOFOX_", "PROXY_")):
            monkeypatch.delenv(name)
    for alias in ALIASES:
        monkeypatch.delenv(alias.variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def in_file(folder: Path, text: str) -> None:
    (folder / ".stockade").mkdir(exist_ok=True)
    (folder / ".stockade" / "stockade.toml").write_text(text, encoding="utf-8")


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
        if row.name != "disable_web_security":
            monkeypatch.setenv(row.variable, row.default)
    assert load() == Settings()


# --- compat -----------------------------------------------------------------------------------------


def test_compat_stands_above_the_defaults_and_below_everything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORT", "1001")
    plain = load()
    assert (plain.port, plain.by_compat) == (9377, {})
    settings = load(compat=True)
    assert (settings.port, settings.persist_sessions) == (1001, True)
    assert settings.by_compat == {
        "capabilities": "default,eval,file-io",
        "persist_sessions": "true",
    }
    monkeypatch.setenv("BROWX_CAPABILITIES", "read")
    monkeypatch.setenv("CAMOFOX_PORT", "1002")
    in_file(tmp_path, "compat = true\npersist_sessions = false")
    settings = load()
    assert (settings.port, settings.capabilities, settings.persist_sessions) == (
        1002,
        ("read",),
        False,
    )
    assert settings.by_compat == {}
    assert not load(compat=False).compat
    monkeypatch.setenv("STOCKADE_COMPAT", "perhaps")
    in_file(tmp_path, "")
    assert refused().details["setting"] == "compat"


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
        ({"CAMOFOX_PORT": "1", "BROWX_HEADLESS": "1"}, ["BROWX_HEADLESS is not used"]),
        ({"CAMOFOX_PORT": "1", "STOCKADE_PORT": "2"}, ["CAMOFOX_PORT is not used: STOCKADE_PORT is set"]),
        ({"PROXY_PASSWORD": "1", "STOCKADE_PROXIES": "2"}, ["PROXY_PASSWORD is not used: STOCKADE_PROXIES is set"]),
        ({"CAMOUFOX_EXECUTABLE": "", "PORT": "1", "NODE_ENV": "production", "VNC_PORT": "1"}, []),
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


def test_under_compat_more_is_read_and_more_is_named(tmp_path: Path) -> None:
    names = [
        "PORT",
        "CAMOFOX_PORT",
        "NODE_ENV",
        "VNC_PASSWORD",
        "SENTRY_DSN",
        "CAMOFOX_INTERACTIVE",
    ]
    (tmp_path / "camofox.config.json").write_text("{")
    said = unknown_variables(dict.fromkeys(names, SECRET), compat=True, folder=tmp_path)
    assert [each.partition(":")[0] for each in said] == [
        "CAMOFOX_INTERACTIVE is not used",
        "NODE_ENV is not used",
        "PORT is not used",
        "SENTRY_DSN is not used",
        "VNC_PASSWORD is not used",
        "camofox.config.json is not read",
    ]
    assert "CAMOFOX_PORT is set" in said[2]
    assert SECRET not in str(said)


def test_the_values_of_unknown_variables_are_not_told() -> None:
    names = ["STOCKADE_DATABSE_URL", "STOCKADE_CAPTCHA_KEY", "CAMOFOX_API_K", "BROWX_X"]
    said = unknown_variables(dict.fromkeys(names, SECRET))
    assert len(said) == len(names)
    assert SECRET not in "".join(said)


def test_the_environment_is_the_present_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOCKADE_PROT", "1")
    assert unknown_variables(environment())


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
    settings = load(
        database_url=f"postgres://u:{SECRET}@h/d",
        proxies=f"http://u:{SECRET}@h:1",
        **dict.fromkeys(("access_key", "api_key", "admin_key"), SECRET),
    )
    assert settings.database == settings.database_url
    assert set(settings.secrets) == {"ACCESS_KEY", "API_KEY", "ADMIN_KEY", "PROXY_PASSWORD_1"}
    assert SECRET not in repr(settings)
    assert SECRET not in str(settings)


@given(
    st.sampled_from(sorted(Settings.model_fields)),
    st.sampled_from([f"\0 {SECRET}", [[SECRET]], [{SECRET: SECRET}], {SECRET: SECRET}]),
)
def test_no_wrong_value_is_echoed(name: str, value: object) -> None:
    outcome = attempt(**{name: value})
    if isinstance(outcome, BadSetting):
        assert SECRET not in str(outcome.as_dict())
        assert outcome.__suppress_context__ or outcome.__context__ is None
    else:
        # Of all of these, one could be the seed of an account.
        assert isinstance(value, str) or name == "credentials_seeds"


def test_it_can_be_imported_alone() -> None:
    """What only needs a setting should not have to wait for a database or a web framework."""
    code = "import sys, stockade.config; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert not {"sqlalchemy", "alembic", "fastapi", "mcp", "httpx"} & set(loaded.stdout.split())


# --- walls that are taken down on purpose ---------------------------------------------------------


def test_web_security_is_turned_off_in_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = refused(disable_web_security=True)
    assert "stockade.toml alone" in refusal.message
    assert "command line" in refusal.hint
    monkeypatch.setenv("STOCKADE_DISABLE_WEB_SECURITY", "true")
    in_file(tmp_path, "disable_web_security = true")
    assert "STOCKADE_DISABLE_WEB_SECURITY" in refused().hint
    monkeypatch.delenv("STOCKADE_DISABLE_WEB_SECURITY")
    assert load().disable_web_security
