"""Settings: everything an operator can set, whoever says it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from pydantic import Field, PrivateAttr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from stockade.kinds import (
    Bytes,
    Count,
    Debugging,
    Endpoint,
    Exceptions,
    Host,
    Level,
    Macros,
    Names,
    Place,
    Ports,
    Seconds,
    Seeds,
    Service,
    Site,
)
from stockade.proxies import PROVIDERS, Proxies, ProxyEntry

__all__ = ["PREFIX", "Described", "Settings", "describe", "variable_of", "written"]

PREFIX: Final = "STOCKADE_"
"""How the variables of settings begin."""
_LARGEST_UID = 2**32 - 2
_SHORTEST_SECRET = 8


class Settings(BaseSettings):
    """Everything an operator can set. Only `load` looks at the environment and the file."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix=PREFIX,
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
        default="auto",
        description="One browser for all sessions (shared), one for each (process), or each in a "
        "jail of its own (bwrap); by itself a jail where this machine can make one.",
    )
    jail_memory: Bytes = Field(
        default=1 << 30, ge=0, description="Bytes of memory a jail may take; 0 is no limit."
    )
    jail_tasks: Count = Field(
        default=512, ge=0, description="Processes and threads in a jail; 0 is no limit."
    )
    jail_cpu: float = Field(
        default=1, ge=0, le=1024, description="Cores a jail may keep busy; 0 is no limit."
    )
    jail_open_files: Count = Field(
        default=4096, ge=128, description="Files that one process of a jail may have open."
    )
    jail_disk: Bytes = Field(
        default=1 << 30,
        ge=64 << 20,
        description="Bytes a jail may write: its profile, downloads and uploads.",
    )
    jail_life: Seconds = Field(
        default=3600, ge=0, description="Seconds a jail may be unused; 0 is no limit."
    )
    jail_age: Seconds = Field(
        default=86400,
        ge=0,
        description="Seconds a jail may last in all, which results say before; 0 is no limit.",
    )
    jails: Count = Field(default=50, ge=0, description="Jails at a time; 0 is no limit.")
    jails_per_tenant: Count = Field(
        default=0, ge=0, description="Jails at a time of one tenant; 0 is no limit."
    )
    jail_pool: Count = Field(
        default=0, ge=0, le=100, description="Jails kept ready for the next sessions."
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

    proxies: Proxies = Field(
        default=(),
        description="The proxies that sessions go out through, as addresses or tables.",
    )
    proxy_strategy: Literal["simple", "round_robin", "sticky"] = Field(
        default="round_robin",
        description="The first proxy for all, the next for each new session, or a name for each.",
    )
    proxy_provider: str = Field(
        default="generic",
        description="How the user name of a sticky session is made: generic or decodo.",
    )
    geoip_database: Place | None = Field(
        default=None,
        description="A file in MaxMind's format that says where a proxy is, if it does not.",
    )

    capabilities: Names = Field(default=("default",), description="The switches that are on.")
    toolsets: Names = Field(default=("core",), description="The tools a client is shown.")
    allowed_origins: Names = Field(
        default=(), description="The only pages that may be opened; empty: all."
    )
    blocked_origins: Names = Field(default=(), description="Pages that may not be opened.")
    egress_allow: Exceptions = Field(
        default=(),
        description="Hosts that may be reached although their address or port may not: "
        "localhost:3000, 10.0.0.7:*.",
    )
    egress_ports: Ports = Field(
        default=(), description="Ports that may be reached beside 80, 443 and allowed origins'."
    )
    egress_resolver: Endpoint = Field(
        default="", description="The DNS server to ask, as ip:port; the machine's when empty."
    )
    egress_uid: Count = Field(
        default=61002,
        gt=0,
        le=_LARGEST_UID,
        description="The uid the egress process runs under when the server runs as root.",
    )
    confirm_required: Names | None = Field(
        default=None,
        description="What waits for a person; unset: leaving the allow list and byob_action, "
        "when there is an allow list.",
    )
    approval_timeout: Seconds = Field(
        default=300, gt=0, description="Seconds until a question that nobody answers is a no."
    )
    approval_wait: Seconds = Field(
        default=20, gt=0, description="Seconds a call waits before it answers approval_pending."
    )
    approval_webhook: str = Field(
        default="", repr=False, description="An address that is told of every question."
    )
    approval_elicitation: bool = Field(
        default=False, description="The person behind an MCP client may answer for the operator."
    )
    disable_web_security: bool = Field(
        default=False,
        description="Browsers run without the same-origin rule; in the file alone.",
    )
    attach_cdp: Debugging = Field(
        default="", description="The debugging address of a browser to attach to, on loopback."
    )
    credentials_provider: Literal[
        "local", "oathtool", "1password", "bitwarden", "lastpass", "none"
    ] = Field(default="local", description="Who knows logins and one-time codes.")
    credentials_seeds: Seeds = Field(
        default={},
        repr=False,
        description="Seeds of one-time codes: account=SEED, with commas, or a table.",
    )
    credentials_program: Place | None = Field(
        default=None, description="The provider's program; found when unset."
    )
    captcha_provider: Literal["", "2captcha", "capmonster"] = Field(
        default="", description="Who solves captchas; nobody when empty."
    )
    captcha_api_key: str = Field(
        default="", repr=False, description="What that service knows us by."
    )
    captcha_api_base: Service = Field(
        default="", description="Its address; its usual one when empty."
    )
    captcha_timeout: Seconds = Field(
        default=120, gt=0, description="Seconds a captcha may take to be solved."
    )
    captcha_poll: Seconds = Field(
        default=5, gt=0, description="Seconds between two looks whether it is solved."
    )
    diagnostics_retention_days: Count = Field(
        default=30, ge=0, description="Days that diagnostics are kept."
    )
    plugins: Names = Field(
        default=(), description="Canvas adapters to load, by the names of their entry points."
    )

    max_sessions: Count = Field(default=50, ge=1, description="Sessions at a time.")
    max_tabs: Count = Field(default=50, ge=1, description="Tabs at a time, in all.")
    max_tabs_per_session: Count = Field(
        default=10, ge=1, description="Tabs at a time in one session."
    )
    session_idle: Seconds = Field(
        default=1800, ge=0, description="Seconds until an idle session ends; 0: never."
    )
    browser_idle: Seconds = Field(
        default=300,
        ge=0,
        description="Seconds until a browser without sessions ends; 0: one is always ready.",
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
        default=52_428_800,
        ge=0,
        description="Bytes that the tab API's traces of a user may take; 0: any number.",
    )
    traces_kept: Seconds = Field(
        default=86400, ge=0, description="Seconds that the tab API's traces are kept; 0: for ever."
    )
    evaluate_body: Bytes = Field(
        default=1_048_576, ge=1, description="Bytes that a script for the tab API may have."
    )
    macros: Macros = Field(
        default={},
        description="Macros of the tab API beside its own: a name, and an address with `{q}`.",
    )
    files_kept: Count = Field(
        default=7, ge=0, description="Days that files saved by a session stay in the workspace."
    )
    yt_dlp: Place | None = Field(
        default=None, description="The program that fetches transcripts; found when unset."
    )
    youtube_address: Site = Field(
        default="https://www.youtube.com", description="Where videos are watched: it, or a mirror."
    )
    screenshot_pixels: Count = Field(
        default=1_150_000, ge=10_000, description="Pixels a picture in a result may have."
    )

    _by_compat: tuple[str, ...] = PrivateAttr(default=())

    @property
    def database(self) -> str:
        """The URL of the database that is meant, also when none is set."""
        return self.database_url or f"sqlite:///{self.workspace / 'stockade.db'}"

    @property
    def by_compat(self) -> dict[str, str]:
        """The settings that are as they are because of `compat` alone, as they would be written."""
        return {name: written(getattr(self, name)) for name in self._by_compat}

    @property
    def secrets(self) -> dict[str, str]:
        """What must never be shown, by name; one so short that it is in every text is not here."""
        named = {
            "ACCESS_KEY": self.access_key,
            "API_KEY": self.api_key,
            "ADMIN_KEY": self.admin_key,
            "CAPTCHA_API_KEY": self.captcha_api_key,
            "APPROVAL_WEBHOOK": self.approval_webhook,
            **{f"SEED_{n}": each for n, each in enumerate(self.credentials_seeds.values(), 1)},
            **{f"PROXY_PASSWORD_{n}": each.password for n, each in enumerate(self.proxies, 1)},
        }
        return {name: value for name, value in named.items() if len(value) >= _SHORTEST_SECRET}

    @field_validator("proxy_strategy")
    @classmethod
    def _can_be_sticky(cls, strategy: str, info: ValidationInfo) -> str:
        entries: tuple[ProxyEntry, ...] = info.data.get("proxies", ())
        if strategy == "sticky" and not all(entry.username for entry in entries):
            raise ValueError("a sticky session is a user name's: every proxy needs a username")
        return strategy

    @field_validator("proxy_provider")
    @classmethod
    def _is_provider(cls, name: str) -> str:
        if name not in PROVIDERS:
            raise ValueError(f"write one of {', '.join(PROVIDERS)}")
        return name

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
        Described(name, variable_of(name), written(field.default), field.description or "")
        for name, field in Settings.model_fields.items()
    ]


def variable_of(name: str) -> str:
    """The environment variable that a setting is read from."""
    return PREFIX + name.upper()


def written(value: Any) -> str:
    """A value as it would be written in the environment."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "" if value is None else str(value)
