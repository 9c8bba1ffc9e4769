"""The history of the schema: an Alembic environment that travels with the package.

A new version is a module `versions/vNNNN_what_changed.py` and a new `HEAD`; a test holds that all
versions together give the tables of `schema.py`.
"""

from __future__ import annotations

from typing import Final

HEAD: Final = "0002"
"""The newest version. Numbers rise, so that an older program knows a newer database."""
VERSION_TABLE: Final = "stockade_version"
