"""The tab API's cookies, traces and storage of a user."""

from __future__ import annotations
