"""What the tab API does to a page."""

from __future__ import annotations
