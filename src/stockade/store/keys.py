"""Keys: who may call, and as what."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from typing import Any, Self

from sqlalchemy import Row, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from stockade.errors import Conflict, InvalidArgument, Missing, Unauthenticated
from stockade.store.database import Database
from stockade.store.schema import LOCAL_TENANT, ROLES, keys, tenants
from stockade.store.tenants import is_tenant_name
from stockade.store.tokens import Token, is_key_id

__all__ = ["KeyRecord", "Keys"]

_LONGEST_NAME = 100
_LONGEST_ENTRY = 300
_MOST_ENTRIES = 1000
_USE_NOTED_EVERY = timedelta(minutes=1)
_NOBODY = bytes(32)
"""Compared with where there is no such key, so that this takes as long."""


@dataclass(frozen=True)
class KeyRecord:
    """A key, without what proves that one has it."""

    id: str
    tenant: str
    name: str
    role: str
    capabilities: tuple[str, ...] | None
    """The only ones it may use; None for all that the server allows."""
    origins: tuple[str, ...]
    """The only pages it may open; empty for all that the server allows."""
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None
    confirm: tuple[str, ...] = ()
    """What waits for a person, beside what does on the whole server."""

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """The record that a row of the table holds."""
        return cls(
            id=row.id,
            tenant=row.tenant,
            name=row.name,
            role=row.role,
            capabilities=None if row.capabilities is None else tuple(row.capabilities),
            origins=tuple(row.origins),
            confirm=tuple(row.confirm or ()),
            created_at=row.created_at,
            expires_at=row.expires_at,
            last_used_at=row.last_used_at,
            revoked_at=row.revoked_at,
        )

    def valid_at(self, moment: datetime) -> bool:
        """Whether it opens anything then."""
        return self.revoked_at is None and (self.expires_at is None or moment < self.expires_at)


def _now() -> datetime:
    return datetime.now(UTC)


class Keys:
    """The keys of a server. What is given here as text is checked for its shape alone."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = _now) -> None:
        self._database = database
        self._now = now

    async def create(
        self,
        *,
        name: str,
        role: str,
        tenant: str = LOCAL_TENANT,
        capabilities: Sequence[str] | None = None,
        origins: Sequence[str] = (),
        confirm: Sequence[str] = (),
        expires_at: datetime | None = None,
    ) -> tuple[KeyRecord, str]:
        """Make a key; the token that comes with it is not kept and cannot be had again."""
        token = Token.new()
        now = self._now()
        record = KeyRecord(
            id=token.id,
            tenant=tenant,
            name=_checked_name(name),
            role=_checked_role(role),
            capabilities=None
            if capabilities is None
            else _checked_list("capabilities", capabilities),
            origins=_checked_list("origins", origins),
            confirm=_checked_list("confirm", confirm),
            created_at=now,
            expires_at=_checked_expiry(expires_at, now),
        )

        async def insert_key(connection: AsyncConnection) -> None:
            known = select(tenants.c.name).where(tenants.c.name == tenant)
            if not is_tenant_name(tenant) or await connection.scalar(known) is None:
                raise Missing("there is no such tenant")
            await connection.execute(insert(keys).values(secret_hash=token.digest, **vars(record)))

        try:
            await self._database.write(insert_key)
        except IntegrityError:
            raise Conflict(
                "there is a key of that name already",
                hint="Choose another name, or revoke that key first.",
            ) from None
        return record, token.text

    async def authenticate(self, token: str) -> KeyRecord:
        """The key that `token` proves; whatever is wrong with a token, the error is the same."""
        shown = Token.parse(token)
        if shown is None:
            raise _refusal()
        rows = await self._database.fetch(select(keys).where(keys.c.id == shown.id))
        row = rows[0] if rows else None
        proven = compare_digest(shown.digest, _NOBODY if row is None else row.secret_hash)
        now = self._now()
        if row is None or not proven or not (record := KeyRecord.of(row)).valid_at(now):
            raise _refusal()
        return await self._used(record, now)

    async def _used(self, record: KeyRecord, now: datetime) -> KeyRecord:
        before = now - _USE_NOTED_EVERY
        if record.last_used_at is not None and record.last_used_at > before:
            return record
        # Of several calls that come here at once, one writes.
        noted = keys.c.last_used_at
        note = (
            update(keys)
            .where(keys.c.id == record.id, or_(noted.is_(None), noted <= before))
            .values(last_used_at=now)
        )
        await self._database.write(lambda connection: connection.execute(note))
        return replace(record, last_used_at=now)

    async def list(self, tenant: str | None = None) -> tuple[KeyRecord, ...]:
        """Every key, of one tenant if it is named, the oldest first; also those that are over."""
        wanted = select(keys).order_by(keys.c.created_at, keys.c.id)
        if tenant is not None:
            if not is_tenant_name(tenant):
                return ()
            wanted = wanted.where(keys.c.tenant == tenant)
        return tuple(KeyRecord.of(row) for row in await self._database.fetch(wanted))

    async def revoke(self, id: str, *, tenant: str | None = None) -> KeyRecord:
        """End a key for good; one of another tenant than that named is as good as none."""
        if not is_key_id(id) or not (tenant is None or is_tenant_name(tenant)):
            raise _missing()
        meant = [keys.c.id == id] if tenant is None else [keys.c.id == id, keys.c.tenant == tenant]
        end = update(keys).where(*meant, keys.c.revoked_at.is_(None)).values(revoked_at=self._now())

        async def revoke_key(connection: AsyncConnection) -> Row[Any] | None:
            await connection.execute(end)
            return (await connection.execute(select(keys).where(*meant))).one_or_none()

        row = await self._database.write(revoke_key)
        if row is None:
            raise _missing()
        return KeyRecord.of(row)


def _missing() -> Missing:
    return Missing("there is no such key")


def _refusal() -> Unauthenticated:
    return Unauthenticated("the token is not valid")


# --- what a key is made of ------------------------------------------------------------------------


def _checked_name(name: str) -> str:
    if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise InvalidArgument(
            f"a key's name has 1 to {_LONGEST_NAME} printable characters,"
            " with no space at either end"
        )
    return name


def _checked_role(role: str) -> str:
    if role not in ROLES:
        raise InvalidArgument("there is no such role", hint=f"There are: {', '.join(ROLES)}.")
    return role


def _checked_list(what: str, entries: Sequence[str]) -> tuple[str, ...]:
    """Each entry once; what the entries mean is decided where they are used."""
    if isinstance(entries, str):
        raise InvalidArgument(f"{what} are a list")
    found = tuple(dict.fromkeys(entries))
    if len(found) > _MOST_ENTRIES or not all(
        0 < len(entry) <= _LONGEST_ENTRY and re.fullmatch(r"\S+", entry) and entry.isprintable()
        for entry in found
    ):
        raise InvalidArgument(
            f"{what} are at most {_MOST_ENTRIES} words of at most {_LONGEST_ENTRY} characters"
        )
    return found


def _checked_expiry(moment: datetime | None, now: datetime) -> datetime | None:
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise InvalidArgument("the time at which a key expires needs a time zone")
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:
        raise InvalidArgument("the time at which a key expires is out of range") from None
    if moment <= now:
        raise InvalidArgument("the time at which a key expires is past")
    return moment
