"""Configuration: the one place that reads the environment.

Lowest to highest: the defaults, what `compat` changes of them, the names of other systems in the
environment, `STOCKADE_*` there, `stockade.toml` in the workspace, the command line.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource

from stockade.aliases import ALIASES, COMPAT, PROXY_VARIABLES, left_out, meanings
from stockade.errors import BadSetting
from stockade.proxies import ProxyEntry
from stockade.settings import PREFIX, Settings, variable_of

__all__ = ["Settings", "environment", "load", "unknown_variables"]

_FILE = "stockade.toml"
_THEIR_FILE = "camofox.config.json"
_THEIR_FILE_MEANS = (
    f"{_THEIR_FILE} is not read: of its keys, plugins.persistence is STOCKADE_PERSIST_SESSIONS "
    "here, plugins.youtube needs nothing, and the other plugins, interactive and newPageTimeoutMs "
    "have no counterpart"
)
_FILE_ALONE = frozenset({"disable_web_security"})


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
    _check_file_alone(stated)
    place = _only("workspace", _from_environment(compat=False) | stated)
    above = _from_file(_settings(place).workspace / _FILE) | stated
    compat = _settings(_only("compat", _from_environment(compat=False) | above)).compat
    said = _from_environment(compat=compat) | above
    if not compat:
        return _settings(said)
    below = {name: _Given(value, "by compat") for name, value in COMPAT.items()}
    settings = _settings(below | said)
    settings._by_compat = tuple(name for name in below if name not in said)  # noqa: SLF001
    return settings


def _only(name: str, given: Mapping[str, _Given]) -> dict[str, _Given]:
    return {name: given[name]} if name in given else {}


def _from_environment(*, compat: bool) -> dict[str, _Given]:
    theirs = {
        each.setting: _Given(each.value, f"by {each.variable}")
        for each in meanings(os.environ, compat=compat)
    }
    ours = EnvSettingsSource(Settings)()
    said = theirs | {name: _Given(value, f"by {variable_of(name)}") for name, value in ours.items()}
    _check_file_alone(said)
    return said


def _check_file_alone(given: Mapping[str, _Given]) -> None:
    """What takes down a wall is written down on purpose, and not inherited or typed in passing."""
    for name in _FILE_ALONE & given.keys():
        raise BadSetting(
            f"{name} can be set in {_FILE} alone",
            hint=f"It is set {given[name].source}; take it away there.",
            setting=name,
        )


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
            f"{_place(first['loc'])}: {first['msg'].removeprefix('Value error, ')}",
            hint=f"It is set {source}.",
            setting=name,
        ) from None


def _place(location: tuple[int | str, ...]) -> str:
    """Which value is meant, by names of ours alone: a wrong name may be a password."""
    shown = str(location[0])
    for part in location[1:]:
        if isinstance(part, int):
            shown += f"[{part}]"
        elif part in ProxyEntry.model_fields:
            shown += f".{part}"
    return shown


def _shown(name: str) -> str:
    return repr(name if len(name) <= 40 else f"{name[:40]}…")  # noqa: PLR2004


def _nearest(name: str) -> str | None:
    wanted = name.lower().replace("-", "_").removeprefix(PREFIX.lower())
    return next(iter(get_close_matches(wanted, Settings.model_fields, n=1)), None)


# --- the rest of the environment ------------------------------------------------------------------


def environment() -> Mapping[str, str]:
    """The environment, for the few things that are not settings (a terminal's, a child's)."""
    return os.environ


def unknown_variables(
    environment: Mapping[str, str], *, compat: bool = False, folder: Path | None = None
) -> list[str]:
    """A sentence for each variable, or file in `folder`, that looks like a setting and is none."""
    known = {variable_of(name) for name in Settings.model_fields}
    theirs = {each.variable: each.setting for each in ALIASES if compat or not each.compat}
    theirs |= dict.fromkeys(PROXY_VARIABLES, "proxies")
    found = []
    for variable in sorted(environment):
        name = variable.upper()
        if name in known or not environment[variable].strip():
            continue
        if name in theirs:
            found += _overruled(variable, theirs[name], environment)
        elif name.startswith(PREFIX):
            found.append(_mistaken(variable))
        elif (why := left_out(name, compat=compat)) is not None:
            found.append(f"{variable} is not used" + (f": {why}" if why else ""))
    if folder is not None and (folder / _THEIR_FILE).exists():
        found.append(_THEIR_FILE_MEANS)
    return found


def _overruled(variable: str, setting: str, environment: Mapping[str, str]) -> list[str]:
    """Whether another variable says the same thing with more weight."""
    ours = variable_of(setting)
    if environment.get(ours):
        return [f"{variable} is not used: {ours} is set"]
    names = [each.variable for each in ALIASES if each.setting == setting]
    above = names[names.index(variable) + 1 :] if variable in names else []
    return [f"{variable} is not used: {name} is set" for name in above if environment.get(name)]


def _mistaken(variable: str) -> str:
    near = _nearest(variable)
    return f"{variable} is not a setting" + (f"; is it {variable_of(near)}?" if near else "")
