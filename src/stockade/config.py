"""Settings: the one place that reads the environment.

Lowest to highest: the defaults here, `STOCKADE_*` in the environment, `stockade.toml` in the
workspace, the command line.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from stockade.errors import BadSetting

__all__ = ["Settings", "load"]


def _split(value: Any) -> Any:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]


class Settings(BaseSettings):
    """Everything an operator can set."""

    model_config = SettingsConfigDict(
        env_prefix="STOCKADE_", extra="forbid", frozen=True, env_ignore_empty=True
    )

    workspace: Path = Field(Path("~/.stockade"), description="Where everything is kept.")
    host: str = Field("127.0.0.1", description="The address the server listens on.")
    port: int = Field(9377, ge=0, le=65535, description="The port; 0 takes a free one.")
    database_url: str = Field("", description="The database; SQLite in the workspace when empty.")
    log_format: Literal["auto", "json", "text"] = Field(
        "auto", description="Log lines as JSON or as text; by itself text on a terminal."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least important lines to log."
    )

    chromium: Path | None = Field(None, description="The browser binary; found when unset.")
    browser_uid: int = Field(
        61001, gt=0, description="The uid a browser runs under when the server runs as root."
    )
    isolation: Literal["shared", "process"] = Field(
        "process", description="One browser for all sessions, or one for each."
    )

    capabilities: Names = Field(("default",), description="The switches that are on.")
    toolsets: Names = Field(("core",), description="The tools a client is shown.")
    allowed_origins: Names = Field((), description="The only pages that may be opened; empty: all.")
    blocked_origins: Names = Field((), description="Pages that may not be opened.")

    max_sessions: int = Field(50, ge=1, description="Sessions at a time.")
    max_tabs: int = Field(50, ge=1, description="Tabs at a time, in all.")
    max_tabs_per_session: int = Field(10, ge=1, description="Tabs at a time in one session.")
    session_idle: float = Field(1800, ge=0, description="Seconds until an idle session ends.")
    browser_idle: float = Field(
        300, ge=0, description="Seconds until a browser without sessions ends; 0: never."
    )
    tab_freeze: float = Field(
        30, ge=0, description="Seconds until an idle tab is frozen; 0: never."
    )
    calls_per_user: int = Field(3, ge=1, description="Calls at a time in one session.")
    queue_wait: float = Field(30, gt=0, description="Seconds a call waits for its turn.")
    tab_wait: float = Field(35, gt=0, description="Seconds a call waits for a tab.")
    call_deadline: float = Field(30, gt=0, description="Seconds a call may take.")
    download_quota: int = Field(
        500_000_000, ge=0, description="Bytes a session's downloads may take."
    )
    upload_quota: int = Field(100_000_000, ge=0, description="Bytes a session may upload.")
    screenshot_pixels: int = Field(
        1_150_000, ge=10_000, description="Pixels a picture in a result may have."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given in code (the file and the command line, see `load`) stands above."""
        del settings_cls, dotenv_settings, file_secret_settings
        return init_settings, env_settings


def load(**given: Any) -> Settings:
    """Settings from every source; `given` is what the command line says."""
    stated = {name: value for name, value in given.items() if value is not None}
    try:
        workspace = Settings(**stated).workspace.expanduser()
        return Settings(**{**_file(workspace / "stockade.toml"), **stated, "workspace": workspace})
    except ValidationError as error:
        raise _bad(error) from None


def _file(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadSetting(f"{path} cannot be read: {error}") from None


def _bad(error: ValidationError) -> BadSetting:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    return BadSetting(
        f"{name.removeprefix('STOCKADE_')}: {first['msg']}",
        hint="Set it in stockade.toml, as STOCKADE_… in the environment, or on the command line.",
        setting=name,
    )


def environment() -> Mapping[str, str]:
    """The environment, for the few things that are not settings (a terminal's, a child's)."""
    return os.environ
