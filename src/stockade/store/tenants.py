"""Tenants: who owns data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from stockade.errors import Conflict, InvalidArgument
from stockade.store.database import Database
from stockade.store.schema import tenants

__all__ = ["TenantRecord", "Tenants", "is_tenant_name"]

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}", re.ASCII)


def is_tenant_name(text: str) -> bool:
    """Whether a tenant could have that name; nothing else is worth asking the database about."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True)
class TenantRecord:
    """One tenant."""

    name: str
    created_at: datetime


class Tenants:
    """The tenants of a server; `local` is always among them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, name: str) -> TenantRecord:
        """Add a tenant. Its name will stand in paths and addresses."""
        if not is_tenant_name(name):
            raise InvalidArgument(
                "a tenant's name has 1 to 63 small letters, digits and hyphens,"
                " and begins with a letter or digit"
            )
        record = TenantRecord(name, datetime.now(UTC))
        try:
            await self._database.write(
                lambda connection: connection.execute(insert(tenants).values(vars(record)))
            )
        except IntegrityError:
            raise Conflict("there is a tenant of that name already") from None
        return record

    async def list(self) -> tuple[TenantRecord, ...]:
        """Every tenant, in the order of their names."""
        rows = await self._database.fetch(select(tenants).order_by(tenants.c.name))
        return tuple(TenantRecord(row.name, row.created_at) for row in rows)
