"""Tabs of the tab API: opened, listed, sent somewhere, closed."""

from __future__ import annotations
