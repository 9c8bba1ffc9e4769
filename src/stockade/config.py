"""Settings: the one place that reads the environment.

Lowest to highest: the defaults here, `STOCKADE_*` in the environment, `stockade.toml` in the
workspace, the command line.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from stockade.errors import BadSetting

__all__ = ["Described", "Settings", "describe", "environment", "load", "unknown_variables"]

_FILE = "stockade.toml"
_PREFIX = "STOCKADE_"
_ALIASES: Final = {
    "BROWX_WORKSPACE": "workspace",
    "BROWX_CAPABILITIES": "capabilities",
    "BROWX_ALLOWED_ORIGINS": "allowed_origins",
    "BROWX_BLOCKED_ORIGINS": "blocked_origins",
}
"""Names from another system, read where ours is unset."""
_FOREIGN = ("BROWX_", "CAMOFOX_")
_NOT_YET = (
    "STOCKADE_ATTACH_CDP",
    "STOCKADE_CAPTCHA_",
    "STOCKADE_CONFIRM_REQUIRED",
    "STOCKADE_CREDENTIALS_PROVIDER",
    "STOCKADE_DIAGNOSTICS_RETENTION_DAYS",
    "STOCKADE_EGRESS_",
)
"""Variables, or how they begin, that a later version will read."""
_LEVELS_TO_COME = ("bwrap", "bastille", "attached")

_QUANTITY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([a-z]*)", re.ASCII)
_SECONDS = {"": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_BYTES = {
    "": 1,
    "b": 1,
    **{f"{letter}b": 1000**power for power, letter in enumerate("kmgt", start=1)},
    **{f"{letter}ib": 1024**power for power, letter in enumerate("kmgt", start=1)},
}
_LONGEST = 10 * 365 * 86400.0
_LARGEST = 2**63 - 1
_LARGEST_UID = 2**32 - 2


# --- kinds of values ------------------------------------------------------------------------------


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a number is wanted, not true or false")  # noqa: TRY004
    return value


def _quantity(value: Any, units: Mapping[str, float], example: str) -> Any:
    if not isinstance(value, str):
        return _number(value)
    match = _QUANTITY.fullmatch(value.strip().lower())
    if match is None or match[2] not in units:
        raise ValueError(f"write {example}")
    unit = units[match[2]]
    return float(match[1]) * unit if "." in match[1] or unit < 1 else int(match[1]) * unit


def _seconds(value: Any) -> Any:
    return _quantity(value, _SECONDS, "a number of seconds, or one with its unit: 500ms, 30s, 5m")


def _bytes(value: Any) -> Any:
    found = _quantity(value, _BYTES, "a number of bytes, or one with its unit: 500MB, 1GiB")
    return int(found) if isinstance(value, str) else found


def _names(value: Any) -> Any:
    """A list, or text with commas; each name once."""
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        return value
    names = (name.strip() for part in parts for name in part.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def _place(path: Path) -> Path:
    """Where `path` is, whatever the working directory becomes."""
    if path == Path() or "\0" in str(path):
        raise ValueError("a path is wanted")
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise ValueError("there is no such home directory; write the path in full") from None


def _host(name: str) -> str:
    if not name or not name.isprintable() or " " in name:
        raise ValueError("a host name or an IP address is wanted")
    return name


def _level(value: Any) -> Any:
    if value in _LEVELS_TO_COME:
        raise ValueError("this version has no such level yet, only 'shared' and 'process'")
    return value


Count = Annotated[int, BeforeValidator(_number)]
Seconds = Annotated[float, BeforeValidator(_seconds), Field(allow_inf_nan=False, le=_LONGEST)]
Bytes = Annotated[int, BeforeValidator(_bytes), Field(le=_LARGEST)]
Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_names)]
Place = Annotated[Path, AfterValidator(_place)]
Host = Annotated[str, AfterValidator(_host)]
Level = Annotated[Literal["shared", "process"], BeforeValidator(_level)]


# --- the settings ---------------------------------------------------------------------------------


class Settings(BaseSettings):
    """Everything an operator can set. Only `load` looks at the environment and the file."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        validate_default=True,
        str_strip_whitespace=True,
    )

    workspace: Place = Field(default=Path("~/.stockade"), description="Where everything is kept.")
    host: Host = Field(default="127.0.0.1", description="The address the server listens on.")
    port: Count = Field(default=9377, ge=0, le=65535, description="The port; 0 takes a free one.")
    public_hosts: Names = Field(
        default=(), description="Names under which clients reach the server, as behind a proxy."
    )
    database_url: str = Field(
        default="", repr=False, description="The database; SQLite in the workspace when empty."
    )
    log_format: Literal["auto", "json", "text"] = Field(
        default="auto", description="Log lines as JSON or as text; by itself text on a terminal."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least important lines to log."
    )

    chromium: Place | None = Field(
        default=None, description="The browser binary; found when unset."
    )
    browser_uid: Count = Field(
        default=61001,
        gt=0,
        le=_LARGEST_UID,
        description="The uid a browser runs under when the server runs as root.",
    )
    isolation: Level = Field(
        default="process",
        description="One browser for all sessions (shared), or one for each (process).",
    )

    compat: bool = Field(
        default=False,
        description="Serve the tab API as its original does: open on loopback, its features on.",
    )
    access_key: str = Field(
        default="", repr=False, description="A token that opens the tab API, and nothing else."
    )
    api_key: str = Field(
        default="",
        repr=False,
        description="A token for the tab API's cookies, traces and storage.",
    )
    admin_key: str = Field(
        default="", repr=False, description="What `x-admin-key` must say to stop the browsers."
    )
    public_metrics: bool = Field(default=False, description="Metrics need no token.")

    capabilities: Names = Field(default=("default",), description="The switches that are on.")
    toolsets: Names = Field(default=("core",), description="The tools a client is shown.")
    allowed_origins: Names = Field(
        default=(), description="The only pages that may be opened; empty: all."
    )
    blocked_origins: Names = Field(default=(), description="Pages that may not be opened.")

    max_sessions: Count = Field(default=50, ge=1, description="Sessions at a time.")
    max_tabs: Count = Field(default=50, ge=1, description="Tabs at a time, in all.")
    max_tabs_per_session: Count = Field(
        default=10, ge=1, description="Tabs at a time in one session."
    )
    session_idle: Seconds = Field(
        default=1800, ge=0, description="Seconds until an idle session ends; 0: never."
    )
    browser_idle: Seconds = Field(
        default=300, ge=0, description="Seconds until a browser without sessions ends; 0: never."
    )
    tab_idle: Seconds = Field(
        default=0, ge=0, description="Seconds until an idle tab is closed; 0: never."
    )
    tab_freeze: Seconds = Field(
        default=30, ge=0, description="Seconds until an idle tab is frozen; 0: never."
    )
    browser_failures: Count = Field(
        default=3, ge=1, description="Failures in a row after which a browser is restarted."
    )
    browser_age: Seconds = Field(
        default=86400, ge=0, description="Seconds after which an idle browser ends; 0: never."
    )
    browser_memory: Bytes = Field(
        default=1_500_000_000,
        ge=0,
        description="Bytes above which an idle browser ends; 0: any number.",
    )
    memory_ceiling: Count = Field(
        default=90,
        ge=1,
        le=100,
        description="Percent of the memory in use above which nothing new is started.",
    )
    persist_sessions: bool = Field(
        default=False, description="Every session keeps its state under its name."
    )
    calls_per_user: Count = Field(default=3, ge=1, description="Calls at a time in one session.")
    queue_wait: Seconds = Field(default=30, gt=0, description="Seconds a call waits for its turn.")
    tab_wait: Seconds = Field(default=35, gt=0, description="Seconds a call waits for a tab.")
    call_deadline: Seconds = Field(default=30, gt=0, description="Seconds a call may take.")
    download_quota: Bytes = Field(
        default=500_000_000, ge=0, description="Bytes a session's downloads may take."
    )
    upload_quota: Bytes = Field(
        default=100_000_000, ge=0, description="Bytes a session may upload."
    )
    cookies_dir: Place | None = Field(
        default=None, description="Where cookie files are imported from."
    )
    uploads_dir: Place | None = Field(
        default=None, description="Where the tab API uploads files from; unset: `uploads` here."
    )
    traces_quota: Bytes = Field(
        default=52_428_800, ge=0, description="Bytes that the tab API's traces of a user may take."
    )
    traces_kept: Seconds = Field(
        default=86400, ge=0, description="Seconds that the tab API's traces are kept."
    )
    evaluate_body: Bytes = Field(
        default=1_048_576, ge=1, description="Bytes that a script for the tab API may have."
    )
    files_kept: Count = Field(
        default=7, ge=0, description="Days that files saved by a session stay in the workspace."
    )
    screenshot_pixels: Count = Field(
        default=1_150_000, ge=10_000, description="Pixels a picture in a result may have."
    )

    @property
    def database(self) -> str:
        """The URL of the database that is meant, also when none is set."""
        return self.database_url or f"sqlite:///{self.workspace / 'stockade.db'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given, and nothing else: `load` joins the sources, and knows which said what."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


@dataclass(frozen=True)
class Described:
    """One setting, in words."""

    name: str
    variable: str
    default: str
    """As it would be written in the environment."""
    description: str


def describe() -> list[Described]:
    """Every setting, in the order of the reference page."""
    return [
        Described(name, _variable(name), _written(field.default), field.description or "")
        for name, field in Settings.model_fields.items()
    ]


def _variable(name: str) -> str:
    return _PREFIX + name.upper()


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(value)
    return "" if value is None else str(value)


# --- where they come from -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Given:
    """A value and who gave it."""

    value: Any
    source: str


def load(**given: Any) -> Settings:
    """Settings from every source; `given` is what the command line says, None for nothing."""
    stated = {
        name: _Given(value, "on the command line")
        for name, value in given.items()
        if value is not None
    }
    below = _from_environment()
    place = {name: value for name, value in (below | stated).items() if name == "workspace"}
    return _settings(below | _from_file(_settings(place).workspace / _FILE) | stated)


def _from_environment() -> dict[str, _Given]:
    aliases = {
        name: _Given(os.environ[alias], f"by {alias}")
        for alias, name in _ALIASES.items()
        if os.environ.get(alias)
    }
    ours = EnvSettingsSource(Settings)()
    return aliases | {name: _Given(value, f"by {_variable(name)}") for name, value in ours.items()}


def _from_file(path: Path) -> dict[str, _Given]:
    try:
        with path.open("rb") as file:
            values = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadSetting(f"{path} is not TOML: {_where(error)}") from None
    if "workspace" in values:
        raise BadSetting(
            f"{path} cannot say where the workspace is, because it lies in it",
            hint="Use STOCKADE_WORKSPACE or --workspace.",
            setting="workspace",
        )
    return {name: _Given(value, f"in {path}") for name, value in values.items()}


def _where(error: Exception) -> str:
    """The place of a fault and nothing of what stands there, which may be a password."""
    found = re.search(r"at (line [0-9]+, column [0-9]+|end of document)", str(error))
    return f"look {found[0]}" if found else "it is not text, or nested too deeply"


def _settings(given: Mapping[str, _Given]) -> Settings:
    for name, value in given.items():
        if name not in Settings.model_fields:
            near = _nearest(name) or f"one of {', '.join(Settings.model_fields)}"
            raise BadSetting(
                f"{_shown(name)}, {value.source}, is not a setting", hint=f"Did you mean {near}?"
            )
    try:
        return Settings(**{name: value.value for name, value in given.items()})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        name = str(first["loc"][0])
        source = given[name].source if name in given else "by default"
        raise BadSetting(
            f"{name}: {first['msg'].removeprefix('Value error, ')}",
            hint=f"It is set {source}.",
            setting=name,
        ) from None


def _shown(name: str) -> str:
    return repr(name if len(name) <= 40 else f"{name[:40]}…")  # noqa: PLR2004


def _nearest(name: str) -> str | None:
    wanted = name.lower().replace("-", "_").removeprefix(_PREFIX.lower())
    return next(iter(get_close_matches(wanted, Settings.model_fields, n=1)), None)


# --- the rest of the environment ------------------------------------------------------------------


def environment() -> Mapping[str, str]:
    """The environment, for the few things that are not settings (a terminal's, a child's)."""
    return os.environ


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """A sentence for each variable that looks like a setting and does nothing."""
    known = {_variable(name) for name in Settings.model_fields}
    found = []
    for variable in sorted(environment):
        name = variable.upper()
        if name in known or not name.startswith((_PREFIX, *_FOREIGN)):
            continue
        if name in _ALIASES:
            ours = _variable(_ALIASES[name])
            if environment.get(ours):
                found.append(f"{variable} is not used: {ours} is set")
        elif name.startswith(_NOT_YET):
            found.append(f"{variable} is not used yet")
        elif name.startswith(_FOREIGN):
            found.append(f"{variable} is not used")
        else:
            near = _nearest(variable)
            found.append(
                f"{variable} is not a setting" + (f"; is it {_variable(near)}?" if near else "")
            )
    return found
