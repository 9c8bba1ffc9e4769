"""A proxy as the operator describes it: where it is, who may use it, and where its exit is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Self
from urllib.parse import unquote

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator
from pydantic_settings import NoDecode

from stockade.errors import InvalidArgument
from stockade.kinds import Count
from stockade.urls import parse

__all__ = ["PROVIDERS", "Proxies", "ProxyEntry", "sticky_username"]

PROVIDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "generic": ("{username}", "session-{session}"),
    "decodo": (
        "user-{username}",
        "country-{country}",
        "state-{state}",
        "city-{city}",
        "zip-{zip}",
        "session-{session}",
        "sessionduration-{minutes}",
    ),
}
"""How a provider wants the user name of a sticky session: these parts, those without a value
left out, joined by hyphens."""
_PLAIN = frozenset({"decodo"})
"""Providers that read hyphens as separators, so that values may hold none."""

_MOST = 1000
_SERVER = re.compile(
    r"(?:(?P<scheme>[a-z0-9+.-]+)://)?(?:(?P<user>[^/@]*)@)?"
    r"(?P<host>\[[0-9a-f:.]+\]|[^\s/?#@:\[\]]+):(?P<port>[0-9]{1,5})/?",
    re.ASCII | re.IGNORECASE,
)
_LOCALE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}")
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
_Word = Annotated[str, Field(max_length=100)]
_Secret = Annotated[str, Field(max_length=500, repr=False)]


class ProxyEntry(BaseModel):
    """One proxy. What it does not say about its place is not made up."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", frozen=True, str_strip_whitespace=True
    )

    server: str
    """Scheme, host and port."""
    name: _Word = ""
    """What logs call it."""
    username: _Secret = ""
    password: _Secret = ""
    country: str = Field(default="", pattern=r"^([A-Za-z]{2})?$")
    state: _Word = ""
    city: _Word = ""
    zip: _Word = ""
    session_minutes: Count = Field(default=10, ge=1, le=1440)
    """How long a sticky session is asked for, where the provider wants to know."""
    locale: str | None = None
    timezone: str | None = None
    latitude: float | None = Field(default=None, ge=-90, le=90, allow_inf_nan=False)
    longitude: float | None = Field(default=None, ge=-180, le=180, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _unpacked(cls, given: Any) -> Any:
        """A text is a server; credentials within the address are taken out of it."""
        entry = {"server": given} if isinstance(given, str) else given
        if not isinstance(entry, dict) or not isinstance(entry.get("server"), str):
            return given
        found = _SERVER.fullmatch(entry["server"].strip())
        if found is None:
            raise ValueError("server: write it as http://host:port")
        scheme = (found["scheme"] or "http").lower()
        if scheme not in {"http", "https", "socks5"}:
            raise ValueError("server: a proxy is http://, https:// or socks5://")
        parts = dict(entry)
        if found["user"]:
            username, _, password = found["user"].partition(":")
            parts = {"username": unquote(username), "password": unquote(password), **parts}
        parts["server"] = f"{scheme}://{_machine(found['host'], int(found['port']))}"
        return parts

    @field_validator("locale")
    @classmethod
    def _is_locale(cls, locale: str | None) -> str | None:
        if locale is not None and not _LOCALE.fullmatch(locale):
            raise ValueError("a language tag is wanted, such as de-DE")
        return locale

    @field_validator("timezone")
    @classmethod
    def _is_zone(cls, zone: str | None) -> str | None:
        if zone is not None and not _ZONE.fullmatch(zone):
            raise ValueError("a zone is wanted, such as Europe/Berlin")
        return zone

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.password and not self.username:
            raise ValueError("a password needs a username")
        if (self.latitude is None) != (self.longitude is None):
            raise ValueError("latitude and longitude belong together")
        return self

    @property
    def kind(self) -> Literal["http", "https", "socks5"]:
        """How it is spoken to."""
        scheme = self.server.partition("://")[0]
        return "socks5" if scheme == "socks5" else "https" if scheme == "https" else "http"

    @property
    def port(self) -> int:
        """Where it listens there."""
        return int(self.server.rpartition(":")[2])

    @property
    def host(self) -> str:
        """Its machine, without brackets."""
        return self.server.partition("://")[2].rpartition(":")[0].strip("[]")

    @property
    def label(self) -> str:
        """What it is called where its credentials must not be seen."""
        return self.name or self.server


def _machine(host: str, port: int) -> str:
    try:
        address = parse(f"http://{host}:{port}/")
    except InvalidArgument:
        raise ValueError("server: that is no host, or no port") from None
    shown = f"[{address.host}]" if ":" in address.host else address.host
    return f"{shown}:{port}"


def _listed(value: Any) -> Any:
    """A list of entries, or addresses with commas."""
    if isinstance(value, str):
        return [each.strip() for each in value.split(",") if each.strip()]
    return value


Proxies = Annotated[
    tuple[ProxyEntry, ...], NoDecode, BeforeValidator(_listed), Field(max_length=_MOST)
]


def sticky_username(entry: ProxyEntry, provider: str, session: str) -> str:
    """The user name that gets one exit for as long as `session` lasts."""
    values = {
        "username": entry.username,
        "country": entry.country,
        "state": entry.state,
        "city": entry.city,
        "zip": entry.zip,
        "session": session,
        "minutes": str(entry.session_minutes),
    }
    if provider in _PLAIN:
        values = {name: _plain(value) for name, value in values.items()}
    return "-".join(part.format(**values) for part in PROVIDERS[provider] if values[_field(part)])


def _field(part: str) -> str:
    return part.partition("{")[2].rstrip("}")


def _plain(value: str) -> str:
    """Letters, digits and single underscores."""
    return re.sub(r"[^a-z0-9]+", "_", value.strip().lower()).strip("_")
