"""A small file in MaxMind's format, made by the test that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmdb_writer import MMDBWriter
from netaddr import IPSet


def write_atlas(folder: Path, places: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write what is known of each network; returns the file."""
    writer = MMDBWriter(4, "GeoLite2-City", languages=["en"], description="for tests")
    for network, place in places.items():
        writer.insert_network(IPSet([network]), dict(place))
    path = folder / "places.mmdb"
    writer.to_db_file(str(path))
    return path
