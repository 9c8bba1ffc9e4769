"""The tables, the same on SQLite and Postgres."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)

__all__ = [
    "LOCAL_TENANT",
    "ROLES",
    "Moment",
    "in_force",
    "key_names",
    "keys",
    "metadata",
    "tenants",
]

LOCAL_TENANT: Final = "local"
"""The tenant that is always there."""
ROLES: Final = ("agent", "operator", "admin")


class Moment(TypeDecorator[datetime]):
    """A point in time, kept and given back in UTC; SQLite itself knows no time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Keep it in UTC; a time that names no zone is a fault of ours."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Give it back in UTC."""
        del dialect
        if not isinstance(value, datetime):
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

tenants = Table(
    "tenants",
    metadata,
    Column("name", Text, primary_key=True),
    Column("created_at", Moment, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("tenant", Text, ForeignKey(tenants.c.name), nullable=False),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("capabilities", JSON(none_as_null=True)),
    Column("origins", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment),
    Column("last_used_at", Moment),
    Column("revoked_at", Moment),
    Column("confirm", JSON(none_as_null=True)),
    CheckConstraint(f"role IN {ROLES}", name="role"),
)

in_force = keys.c.revoked_at.is_(None)
key_names = Index("uq_keys_name", keys.c.tenant, keys.c.name, unique=True, sqlite_where=in_force)
"""The name of a revoked key is free again. Postgres is told so where it is used: naming it here
would load all of its dialect."""
