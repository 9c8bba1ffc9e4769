"""Tabs that are lent: these tests look at documents, and most leave nothing else behind."""

from __future__ import annotations

from tests.page.lent import lent_bare, lent_tab, page, tab

__all__ = ["lent_bare", "lent_tab", "page", "tab"]
