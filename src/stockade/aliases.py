"""Names of settings in other systems, what they mean here, and which mean nothing.

Everything here is a table, or reads one: who calls says what the environment holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import unquote

from stockade.errors import BadSetting

__all__ = ["ALIASES", "COMPAT", "PROXY_VARIABLES", "Alias", "Meaning", "left_out", "meanings"]

Unit = Literal["", "ms", "MB", "hours", "size"]


@dataclass(frozen=True)
class Alias:
    """A variable of another system that means one of our settings."""

    variable: str
    setting: str
    unit: Unit = ""
    """What its number counts, where ours counts something else."""
    compat: bool = False
    """Whether it is read only by a server that stands in for the other system."""


ALIASES: Final = (
    Alias("BROWX_WORKSPACE", "workspace"),
    Alias("BROWX_CAPABILITIES", "capabilities"),
    Alias("BROWX_ALLOWED_ORIGINS", "allowed_origins"),
    Alias("BROWX_BLOCKED_ORIGINS", "blocked_origins"),
    Alias("BROWX_CONFIRM_REQUIRED", "confirm_required"),
    Alias("BROWX_ATTACH_CDP", "attach_cdp"),
    Alias("BROWX_CREDENTIALS_PROVIDER", "credentials_provider"),
    Alias("BROWX_OATHTOOL_SEEDS", "credentials_seeds"),
    Alias("BROWX_CAPTCHA_PROVIDER", "captcha_provider"),
    Alias("BROWX_CAPTCHA_API_KEY", "captcha_api_key"),
    Alias("BROWX_CAPTCHA_API_BASE", "captcha_api_base"),
    Alias("BROWX_CAPTCHA_TIMEOUT_MS", "captcha_timeout", "ms"),
    Alias("BROWX_CAPTCHA_POLL_MS", "captcha_poll", "ms"),
    Alias("BROWX_DIAGNOSTICS_RETENTION_DAYS", "diagnostics_retention_days"),
    # So many platforms set it for the program they start that it says nothing by itself.
    Alias("PORT", "port", compat=True),
    Alias("CAMOFOX_PORT", "port"),
    Alias("CAMOFOX_BIND_HOST", "host"),
    Alias("CAMOFOX_ACCESS_KEY", "access_key"),
    Alias("CAMOFOX_API_KEY", "api_key"),
    Alias("CAMOFOX_ADMIN_KEY", "admin_key"),
    Alias("CAMOFOX_EVALUATE_MAX_BODY_SIZE", "evaluate_body", "size"),
    Alias("CAMOFOX_COOKIES_DIR", "cookies_dir"),
    Alias("CAMOFOX_UPLOADS_DIR", "uploads_dir"),
    Alias("CAMOFOX_TRACES_MAX_BYTES", "traces_quota"),
    Alias("CAMOFOX_TRACES_TTL_HOURS", "traces_kept", "hours"),
    Alias("HANDLER_TIMEOUT_MS", "call_deadline", "ms"),
    Alias("TAB_LOCK_TIMEOUT_MS", "tab_wait", "ms"),
    Alias("MAX_CONCURRENT_PER_USER", "calls_per_user"),
    Alias("SESSION_TIMEOUT_MS", "session_idle", "ms"),
    Alias("TAB_INACTIVITY_MS", "tab_idle", "ms"),
    Alias("MAX_SESSIONS", "max_sessions"),
    Alias("MAX_TABS_PER_SESSION", "max_tabs_per_session"),
    Alias("MAX_TABS_GLOBAL", "max_tabs"),
    Alias("BROWSER_IDLE_TIMEOUT_MS", "browser_idle", "ms"),
    Alias("BROWSER_RSS_RESTART_THRESHOLD_MB", "browser_memory", "MB"),
    Alias("PROMETHEUS_ENABLED", "public_metrics"),
)
"""Lowest to highest, where two mean the same setting."""

COMPAT: Final[Mapping[str, Any]] = {
    "capabilities": ("default", "eval", "file-io"),
    "persist_sessions": True,
}
"""What differs from our own defaults where the tab API is served as its original does."""

PROXY_VARIABLES: Final = (
    "PROXY_STRATEGY",
    "PROXY_PROVIDER",
    "PROXY_HOST",
    "PROXY_PORT",
    "PROXY_PORTS",
    "PROXY_USERNAME",
    "PROXY_PASSWORD",
    "PROXY_BACKCONNECT_HOST",
    "PROXY_BACKCONNECT_PORT",
    "PROXY_COUNTRY",
    "PROXY_STATE",
    "PROXY_CITY",
    "PROXY_ZIP",
    "PROXY_SESSION_DURATION_MINUTES",
)
"""Together they mean `proxies`, `proxy_strategy` and `proxy_provider`."""

_NO_SCREEN = "there is no screen to share"
_NO_REPORTS = "nothing is reported to anybody"
_NO_FLY = "every server stands alone"
_NO_ADAPTER = "`stockade mcp` finds its server by the workspace"
_OTHER_BROWSER = "Chromium is the browser; STOCKADE_CHROMIUM names its binary"
_IN_WORKSPACE = "it is kept in the workspace"
_DEADLINE = "every call has the one deadline, STOCKADE_CALL_DEADLINE"
_LEFT_OUT = {
    "CAMOFOX_CRASH_REPORT_": _NO_REPORTS,
    "CAMOFOX_INTERACTIVE": _NO_SCREEN,
    "CAMOFOX_DISABLE_DEFAULT_ADDONS": "no add-on is ever loaded",
    "CAMOFOX_SKIP_DOWNLOAD": "nothing is downloaded",
    "CAMOFOX_PROFILE_DIR": _IN_WORKSPACE,
    "CAMOFOX_TRACES_DIR": _IN_WORKSPACE,
    "CAMOFOX_BASE_URL": _NO_ADAPTER,
    "CAMOFOX_USER_ID": _NO_ADAPTER,
    "CAMOFOX_SESSION_KEY": _NO_ADAPTER,
    "CAMOFOX_EXECUTABLE_PATH": _OTHER_BROWSER,
    "CAMOUFOX_EXECUTABLE": _OTHER_BROWSER,
    "CAMOUFOX_EXECUTABLE_PATH": _OTHER_BROWSER,
    "ENABLE_VNC": _NO_SCREEN,
    "NOVNC_PORT": _NO_SCREEN,
}
"""Variables, or how they begin, that mean nothing here, and why."""
_LEFT_OUT_UNDER_COMPAT = {
    "VNC_": _NO_SCREEN,
    "VIEW_ONLY": _NO_SCREEN,
    "SENTRY_DSN": _NO_REPORTS,
    "FLY_MACHINE_ID": _NO_FLY,
    "FLY_APP_NAME": _NO_FLY,
    "FLY_API_TOKEN": _NO_FLY,
    "NODE_ENV": "errors say the same everywhere, and nobody is trusted for being near",
    "MAX_OLD_SPACE_SIZE": "there is no Node",
    "NATIVE_MEM_RESTART_THRESHOLD_MB": ("a browser's whole memory counts, STOCKADE_BROWSER_MEMORY"),
    "NAVIGATE_TIMEOUT_MS": _DEADLINE,
    "BUILDREFS_TIMEOUT_MS": _DEADLINE,
}
"""The same, for names that other programs use too."""
_FOREIGN = ("BROWX_", "CAMOFOX_", "CAMOUFOX_")
_YES = frozenset({"1", "true"})
_SIZE = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([kmgt]?)b?\s*", re.ASCII | re.IGNORECASE)
_MOST_PORTS = 1000


@dataclass(frozen=True)
class Meaning:
    """A setting as a variable of another system gives it."""

    setting: str
    value: Any
    variable: str


def meanings(environment: Mapping[str, str], *, compat: bool) -> Iterator[Meaning]:
    """What the names of other systems say, lowest to highest."""
    for alias in ALIASES:
        value = environment.get(alias.variable, "").strip()
        if value and (compat or not alias.compat):
            yield Meaning(alias.setting, _converted(alias, value), alias.variable)
    yield from _proxies({name: environment.get(name, "").strip() for name in PROXY_VARIABLES})


def _converted(alias: Alias, value: str) -> Any:
    """The value in our own units; what is no number is left for the setting to refuse."""
    if alias.variable == "PROMETHEUS_ENABLED":
        return value in _YES
    number = value.isascii() and value.isdigit()
    if alias.unit == "ms" and number:
        return f"{value}ms"
    if alias.unit == "hours" and number:
        return f"{value}h"
    if alias.unit == "MB" and number:
        return f"{value}MiB"
    if alias.unit == "size" and (found := _SIZE.fullmatch(value)):
        # There, a kilobyte has 1024 bytes.
        return f"{found[1]}{found[2]}iB" if found[2] else found[1]
    return value


# --- proxies --------------------------------------------------------------------------------------


def _proxies(given: Mapping[str, str]) -> Iterator[Meaning]:
    """The proxies that are meant; half of what is needed is an error, and not a direct way out."""
    sticky = given["PROXY_STRATEGY"] == "backconnect"
    host_variable = "PROXY_BACKCONNECT_HOST" if sticky else "PROXY_HOST"
    if sticky:
        _demand(given, "PROXY_BACKCONNECT_HOST", "PROXY_USERNAME", "PROXY_PASSWORD")
        ports = [given["PROXY_BACKCONNECT_PORT"] or "7000"]
    elif given["PROXY_HOST"]:
        ports = _ports(given)
    else:
        return
    host = given[host_variable].removeprefix("http://")
    common = {
        # The original takes them percent-encoded.
        "username": unquote(given["PROXY_USERNAME"]),
        "password": unquote(given["PROXY_PASSWORD"]),
        "country": given["PROXY_COUNTRY"],
        "state": given["PROXY_STATE"],
        "city": given["PROXY_CITY"],
        "zip": given["PROXY_ZIP"],
        "session_minutes": given["PROXY_SESSION_DURATION_MINUTES"],
    }
    entry = {name: value for name, value in common.items() if value}
    entries = [{"server": f"http://{host}:{port}", **entry} for port in ports]
    yield Meaning("proxies", entries, host_variable)
    strategy = "sticky" if sticky else given["PROXY_STRATEGY"]
    if strategy:
        yield Meaning("proxy_strategy", strategy, "PROXY_STRATEGY")
    if sticky:
        yield Meaning("proxy_provider", given["PROXY_PROVIDER"] or "decodo", "PROXY_PROVIDER")


def _demand(given: Mapping[str, str], *names: str) -> None:
    missing = [name for name in names if not given[name]]
    if missing:
        raise BadSetting(
            f"PROXY_STRATEGY is backconnect and {' and '.join(missing)} unset",
            hint="Set what is missing, or unset PROXY_STRATEGY.",
            setting="proxies",
        )


def _ports(given: Mapping[str, str]) -> list[str]:
    """One port, a list, or the first and last of a range."""
    text = given["PROXY_PORTS"] or given["PROXY_PORT"]
    first, dash, last = (part.strip() for part in text.partition("-"))
    if dash and first.isdecimal() and last.isdecimal():
        within = range(int(first[:6]), int(last[:6]) + 1)
        ports = [str(port) for port in within[: _MOST_PORTS + 1]]
    else:
        ports = [part.strip() for part in text.split(",") if part.strip()]
    if not ports or len(ports) > _MOST_PORTS or not all(port.isdecimal() for port in ports):
        raise BadSetting(
            f"PROXY_HOST needs a port: PROXY_PORT, or PROXY_PORTS with at most {_MOST_PORTS}",
            hint="Write 10001, 10001,10002 or 10001-10010.",
            setting="proxies",
        )
    return ports


# --- what does nothing ----------------------------------------------------------------------------


def left_out(variable: str, *, compat: bool) -> str | None:
    """Why a variable of another system does nothing here; None if it is none of theirs."""
    known = _LEFT_OUT | _LEFT_OUT_UNDER_COMPAT if compat else _LEFT_OUT
    for beginning, why in known.items():
        if variable == beginning or (beginning.endswith("_") and variable.startswith(beginning)):
            return why
    return "" if variable.startswith(_FOREIGN) else None
