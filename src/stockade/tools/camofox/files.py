"""Files of the tab API: uploads and downloads."""

from __future__ import annotations
