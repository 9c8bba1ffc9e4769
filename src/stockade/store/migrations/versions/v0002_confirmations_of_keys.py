"""What waits for a person when a key calls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Keys that were made before add nothing."""
    op.add_column("keys", sa.Column("confirm", sa.JSON))
