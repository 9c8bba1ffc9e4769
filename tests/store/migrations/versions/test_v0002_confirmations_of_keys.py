"""Keys that were made before keep working, and add nothing to what waits."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from stockade.store.migrations.versions import v0002_confirmations_of_keys as revision


def test_a_key_of_before_has_no_confirmations(tmp_path: Path) -> None:
    place = tmp_path / "before.db"
    with sqlite3.connect(place) as before:
        before.execute("create table keys (id text)")
        before.execute("insert into keys values ('old')")
    before.close()
    engine = sa.create_engine(f"sqlite:///{place}")
    try:
        with engine.begin() as connection:
            with Operations.context(MigrationContext.configure(connection)):
                revision.upgrade()
            found = connection.execute(sa.text("select id, confirm from keys")).all()
    finally:
        engine.dispose()
    assert [tuple(row) for row in found] == [("old", None)]
