"""Names of other systems: what they mean here, in our own units, and which mean nothing."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.aliases import ALIASES, PROXY_VARIABLES, left_out, meanings
from stockade.config import Settings
from stockade.errors import BadSetting


def read(environment: dict[str, str], *, compat: bool = False) -> dict[str, Any]:
    return {each.setting: each.value for each in meanings(environment, compat=compat)}


@pytest.mark.parametrize(
    ("variable", "value", "setting", "meant"),
    [
        ("CAMOFOX_PORT", "9000", "port", 9000),
        ("CAMOFOX_BIND_HOST", " 0.0.0.0 ", "host", "0.0.0.0"),
        ("CAMOFOX_ACCESS_KEY", "k", "access_key", "k"),
        ("CAMOFOX_API_KEY", "k", "api_key", "k"),
        ("CAMOFOX_ADMIN_KEY", "k", "admin_key", "k"),
        ("CAMOFOX_EVALUATE_MAX_BODY_SIZE", "1mb", "evaluate_body", 1 << 20),
        ("CAMOFOX_EVALUATE_MAX_BODY_SIZE", "512kb", "evaluate_body", 512 << 10),
        ("CAMOFOX_EVALUATE_MAX_BODY_SIZE", "2048", "evaluate_body", 2048),
        ("CAMOFOX_COOKIES_DIR", "/c", "cookies_dir", "/c"),
        ("CAMOFOX_UPLOADS_DIR", "/u", "uploads_dir", "/u"),
        ("CAMOFOX_TRACES_MAX_BYTES", "1000", "traces_quota", 1000),
        ("CAMOFOX_TRACES_TTL_HOURS", "2", "traces_kept", 7200),
        ("HANDLER_TIMEOUT_MS", "45000", "call_deadline", 45),
        ("MAX_CONCURRENT_PER_USER", "5", "calls_per_user", 5),
        ("SESSION_TIMEOUT_MS", "500", "session_idle", 0.5),
        ("TAB_INACTIVITY_MS", "300000", "tab_idle", 300),
        ("MAX_SESSIONS", "2", "max_sessions", 2),
        ("MAX_TABS_PER_SESSION", "3", "max_tabs_per_session", 3),
        ("MAX_TABS_GLOBAL", "4", "max_tabs", 4),
        ("BROWSER_IDLE_TIMEOUT_MS", "0", "browser_idle", 0),
        ("TAB_LOCK_TIMEOUT_MS", "1500", "tab_wait", 1.5),
        ("BROWSER_RSS_RESTART_THRESHOLD_MB", "1500", "browser_memory", 1500 << 20),
        ("PROMETHEUS_ENABLED", "1", "public_metrics", True),
        ("PROMETHEUS_ENABLED", "yes", "public_metrics", False),
    ],
)
def test_a_name_of_theirs_means_a_setting_of_ours(
    variable: str, value: str, setting: str, meant: object
) -> None:
    found = read({variable: value})
    assert list(found) == [setting]
    settings = Settings(**found)
    is_place = setting.endswith("_dir")
    assert (str(getattr(settings, setting)) if is_place else getattr(settings, setting)) == meant


def test_every_alias_is_of_a_setting_there_is() -> None:
    assert {each.setting for each in ALIASES} <= set(Settings.model_fields)


def test_of_two_names_the_plainer_one_gives_way() -> None:
    assert read({"PORT": "1", "CAMOFOX_PORT": "2"}, compat=True) == {"port": "2"}
    assert read({"PORT": "1"}, compat=True) == {"port": "1"}
    assert read({"PORT": "1"}) == {}
    assert read({"MAX_SESSIONS": " "}) == {}


@pytest.mark.parametrize("value", ["soon", "-1", "1.5.2", "٣"])
def test_what_is_no_number_is_left_for_the_setting_to_refuse(value: str) -> None:
    assert read({"SESSION_TIMEOUT_MS": value}) == {"session_idle": value}


# --- proxies --------------------------------------------------------------------------------------

NAMED = {"PROXY_HOST": "gate.example", "PROXY_USERNAME": "u", "PROXY_PASSWORD": "p%40ss"}


@pytest.mark.parametrize(
    ("ports", "meant"),
    [
        ({"PROXY_PORT": "80"}, [80]),
        ({"PROXY_PORT": "80", "PROXY_PORTS": "10001-10003"}, [10001, 10002, 10003]),
        ({"PROXY_PORTS": "1, 2,"}, [1, 2]),
    ],
)
def test_one_machine_may_have_many_ports(ports: dict[str, str], meant: list[int]) -> None:
    settings = Settings(**read({**NAMED, **ports}))
    assert [each.server for each in settings.proxies] == [
        f"http://gate.example:{port}" for port in meant
    ]
    assert {(each.username, each.password) for each in settings.proxies} == {("u", "p@ss")}
    assert settings.proxy_strategy == "round_robin"


def test_a_back_connect_machine_has_sticky_sessions() -> None:
    settings = Settings(
        **read(
            {
                "PROXY_STRATEGY": "backconnect",
                "PROXY_BACKCONNECT_HOST": "gate.example",
                "PROXY_USERNAME": "u",
                "PROXY_PASSWORD": "p",
                "PROXY_COUNTRY": "de",
                "PROXY_CITY": "Bad Homburg",
                "PROXY_SESSION_DURATION_MINUTES": "30",
            }
        )
    )
    (entry,) = settings.proxies
    assert (settings.proxy_strategy, settings.proxy_provider) == ("sticky", "decodo")
    assert (entry.server, entry.country, entry.city) == (
        "http://gate.example:7000",
        "de",
        "Bad Homburg",
    )
    assert entry.session_minutes == 30


@pytest.mark.parametrize(
    "environment",
    [
        {"PROXY_HOST": "h"},
        {"PROXY_HOST": "h", "PROXY_PORT": "x"},
        {"PROXY_HOST": "h", "PROXY_PORTS": "1-99999"},
        {"PROXY_HOST": "h", "PROXY_PORTS": "9-1"},
        {"PROXY_STRATEGY": "backconnect", "PROXY_HOST": "h", "PROXY_PORT": "1"},
    ],
)
def test_half_a_proxy_is_an_error_and_not_a_direct_way_out(environment: dict[str, str]) -> None:
    with pytest.raises(BadSetting) as caught:
        read(environment)
    assert caught.value.details == {"setting": "proxies"}


def test_without_a_machine_there_is_no_proxy() -> None:
    assert read({"PROXY_USERNAME": "u", "PROXY_PORT": "1"}) == {}


# --- what does nothing ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "compat", "said"),
    [
        ("CAMOFOX_CRASH_REPORT_URL", False, True),
        ("CAMOUFOX_EXECUTABLE_PATH", False, True),
        ("ENABLE_VNC", False, True),
        ("NODE_ENV", False, None),
        ("NODE_ENV", True, True),
        ("VNC_RESOLUTION", True, True),
        ("NODE_ENVIRONMENT", True, None),
        ("CAMOFOX_NEW", False, False),
        ("HOME", True, None),
    ],
)
def test_what_means_nothing_is_told_why(variable: str, compat: bool, said: bool | None) -> None:
    why = left_out(variable, compat=compat)
    assert (None if why is None else bool(why)) == said


def test_what_is_read_is_not_left_out() -> None:
    for name in (*(each.variable for each in ALIASES), *PROXY_VARIABLES):
        assert not left_out(name, compat=True)
