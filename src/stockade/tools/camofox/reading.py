"""What the tab API tells of a page."""

from __future__ import annotations
