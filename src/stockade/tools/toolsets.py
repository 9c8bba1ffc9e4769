"""Toolsets: which tools belong together, in the words of who chooses among them."""

from __future__ import annotations

from typing import Final

__all__ = ["APART", "TOOLSETS"]

APART: Final = frozenset({"camofox"})
"""Toolsets that say again what others say, with another system's names."""

TOOLSETS: Final = {
    "core": "What most agents need: sessions, tabs, navigation, reading pages and acting on them.",
    "web": "Reading in depth: page text, markup, data by schema, frames, names, plans, watching.",
    "forms": "Every kind of input: options, files, drag, mouse, touch, shortcuts.",
    "debug": "What went wrong: scripts of one's own, metrics, reports, settings.",
    "network": "Requests and answers: bodies, routes, WebSockets, workers, HAR.",
    "storage": "Cookies, local and session storage, caches, databases, whole states.",
    "media": "Pictures over time, films, PDF, archives, downloads and files.",
    "perf": "Traces, audits, coverage and memory.",
    "camofox": "The tab API's operations under the names of its own MCP adapter. Not in `all`.",
    "test": "Checks, recordings, clocks, devices, accessibility, differences.",
}
"""What each is for. A tool is in one of them."""
