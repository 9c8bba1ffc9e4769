"""Tenants and their keys."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables, and the tenant that is always there."""
    moment = sa.DateTime(timezone=True)
    tenants = op.create_table(
        "tenants",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_tenants"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("tenant", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("capabilities", sa.JSON),
        sa.Column("origins", sa.JSON, nullable=False),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("expires_at", moment),
        sa.Column("last_used_at", moment),
        sa.Column("revoked_at", moment),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
        sa.ForeignKeyConstraint(["tenant"], ["tenants.name"], name="fk_keys_tenant"),
        sa.CheckConstraint("role IN ('agent', 'operator', 'admin')", name=op.f("ck_keys_role")),
    )
    op.create_index(
        "uq_keys_name",
        "keys",
        ["tenant", "name"],
        unique=True,
        sqlite_where=sa.text("revoked_at IS NULL"),
        postgresql_where=sa.text("revoked_at IS NULL"),
    )
    op.bulk_insert(tenants, [{"name": "local", "created_at": datetime.now(UTC)}])
