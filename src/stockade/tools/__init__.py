"""The tools, one module per family, each loaded when one of its tools is first wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module, resources
from typing import Final

from stockade.kernel.registry import Listed, Registry
from stockade.kernel.tool import Tool
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Role
from stockade.tools.toolsets import APART

__all__ = ["INDEX", "MODULES", "defined", "registry"]

INDEX: Final = "index.json"
"""What is known of every tool without loading it; `make docs` writes it."""
MODULES: Final = (
    "opening",
    "control",
    "navigation",
    "read",
    "pictures",
    "actions",
    "forms",
    "secrets",
    "credentials",
    "captcha",
    "waiting",
    "dialogs",
    "pointer",
    "touch",
    "keyboard",
    "files",
    "structure",
    "probes",
    "texts",
    "extract",
    "names",
    "plans",
    "sampling",
    "effects",
    "verify",
    "accessibility",
    "flakes",
    "recordings",
    "reports",
    "human",
    "configuration",
    "scripts",
    "emulation",
    "permissions",
    "pickers",
    "determinism",
    "extensions",
    "cookies",
    "web_storage",
    "caches",
    "databases",
    "states",
    "network",
    "routes",
    "streams",
    "workers",
    "har",
    "series",
    "differences",
    "video",
    "exports",
    "artifacts",
    "tracing",
    "audit",
    "coverage",
    "heap",
    "devices",
    "canvas",
    "plugins",
    "diagnostics",
    "batch",
    "camofox.pages",
    "camofox.moving",
    "camofox.pressure",
    "camofox.reading",
    "camofox.acting",
    "camofox.files",
    "camofox.state",
    "camofox.storage",
    "camofox.browser",
    "camofox.transcripts",
)
"""In the order in which their tools are listed."""


def registry() -> Registry:
    """Every tool there is."""
    return Registry(_listed(), apart=APART)


def _listed() -> Iterator[Listed]:
    index = json.loads((resources.files(__package__) / INDEX).read_bytes())
    for module in MODULES:
        for name, (toolset, capability, role) in index[module].items():
            known = Capability(capability) if capability is not None else None
            yield Listed(name, toolset, known, Role(role), partial(_load, module, name))


def _load(module: str, name: str) -> Tool:
    return defined(module)[name]


@cache
def defined(module: str) -> dict[str, Tool]:
    """The tools that a module defines, in the order they stand there, by name."""
    loaded = import_module(f"{__package__}.{module}")
    return {
        value.name: value
        for value in vars(loaded).values()
        if isinstance(value, Tool) and value.run.__module__ == loaded.__name__
    }
