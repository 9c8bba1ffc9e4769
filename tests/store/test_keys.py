"""Keys: made once, proven by their token alone, ended for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select

from stockade.errors import Conflict, InvalidArgument, Missing, StockadeError, Unauthenticated
from stockade.store.database import Database
from stockade.store.keys import KeyRecord, Keys, _checked_list, _checked_name
from stockade.store.schema import keys as table
from stockade.store.tenants import Tenants
from stockade.store.tokens import Token
from tests.store.connections import reading
from tests.support.soak import Soak

START = datetime(2031, 1, 1, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **units: float) -> None:
        self.now += timedelta(**units)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(database: Database, clock: Clock) -> Keys:
    return Keys(database, now=clock)


async def refusal(keys: Keys, token: str) -> dict[str, Any]:
    with pytest.raises(Unauthenticated) as caught:
        await keys.authenticate(token)
    assert caught.value.__cause__ is None
    return caught.value.as_dict()


def other_secret(token: str) -> str:
    return f"{token[:21]}{Token.new().secret}"


# --- making them ----------------------------------------------------------------------------------


async def test_a_key_is_what_was_asked_for(keys: Keys) -> None:
    await Tenants(keys._database).create("acme")
    record, token = await keys.create(
        name="Crawler 1 — é",
        role="operator",
        tenant="acme",
        capabilities=["read", "action", "read"],
        origins=["https://example.com", "*.example.org"],
        expires_at=START.astimezone(timezone(timedelta(hours=5))) + timedelta(days=1),
    )
    assert record == KeyRecord(
        id=token[4:20],
        tenant="acme",
        name="Crawler 1 — é",
        role="operator",
        capabilities=("read", "action"),
        origins=("https://example.com", "*.example.org"),
        created_at=START,
        expires_at=START + timedelta(days=1),
    )
    assert await keys.list() == (record,)


async def test_none_and_nothing_are_told_apart(keys: Keys) -> None:
    free, _ = await keys.create(name="free", role="agent")
    bound, _ = await keys.create(name="bound", role="agent", capabilities=())
    assert (free.capabilities, bound.capabilities) == (None, ())
    assert set(await keys.list()) == {free, bound}


async def test_the_database_never_sees_the_secret(keys: Keys) -> None:
    _, token = await keys.create(name="one", role="agent")
    async with reading(keys._database) as connection:
        row = (await connection.execute(select(table))).one()
    secret = token[21:]
    assert row.secret_hash == Token.parse(token).digest  # type: ignore[union-attr]
    assert not any(
        secret in str(value) or secret.encode() in bytes(str(value), "utf-8") for value in row
    )


WRONG: list[dict[str, Any]] = [
    {"name": ""},
    {"name": " a"},
    {"name": "a\n"},
    {"name": "a\0b"},
    {"name": "a\u202eb"},
    {"name": "\ud800"},
    {"name": "a" * 101},
    {"role": ""},
    {"role": "root"},
    {"role": "Admin"},
    {"capabilities": "read"},
    {"capabilities": [""]},
    {"capabilities": ["a b"]},
    {"capabilities": ["a\0"]},
    {"capabilities": ["x" * 301]},
    {"origins": "example.com"},
    {"origins": ["\ud800"]},
    {"origins": [str(number) for number in range(1001)]},
    {"expires_at": START},
    {"expires_at": START - timedelta(microseconds=1)},
    {"expires_at": datetime(2032, 1, 1)},  # noqa: DTZ001
    {"expires_at": datetime.max.replace(tzinfo=timezone(timedelta(hours=-5)))},
    {"expires_at": datetime.min.replace(tzinfo=timezone(timedelta(hours=5)))},
]


async def test_what_cannot_be_a_key_is_refused(keys: Keys) -> None:
    for wrong in WRONG:
        with pytest.raises(InvalidArgument) as caught:
            await keys.create(**{"name": "one", "role": "agent", **wrong})
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert await keys.list() == ()


async def test_an_unknown_tenant_has_no_keys(keys: Keys) -> None:
    for tenant in ("nobody", "", "\0", "Local", "a'; DROP TABLE keys; --"):
        with pytest.raises(Missing):
            await keys.create(name="one", role="agent", tenant=tenant)
        assert await keys.list(tenant) == ()
    assert await keys.list() == ()


async def test_a_name_is_given_once_in_a_tenant(keys: Keys) -> None:
    await Tenants(keys._database).create("acme")
    first, _ = await keys.create(name="one", role="agent")
    with pytest.raises(Conflict):
        await keys.create(name="one", role="admin")
    await keys.create(name="one", role="agent", tenant="acme")
    await keys.create(name="One", role="agent")
    await keys.revoke(first.id)
    await keys.create(name="one", role="agent")
    assert len(await keys.list()) == 4


async def test_of_several_at_once_one_gets_the_name(keys: Keys) -> None:
    outcomes = await asyncio.gather(
        *(keys.create(name="one", role="agent") for _ in range(8)), return_exceptions=True
    )
    made = [outcome for outcome in outcomes if isinstance(outcome, tuple)]
    assert len(made) == 1
    assert all(isinstance(outcome, tuple | Conflict) for outcome in outcomes)
    assert await keys.list() == (made[0][0],)


@given(st.text(max_size=120))
def test_a_name_is_printable_or_refused(name: str) -> None:
    try:
        checked = _checked_name(name)
    except InvalidArgument:
        return
    assert checked == name == name.strip()
    assert name.encode()
    assert not any(character in name for character in "\0\n\r\x1b\u2028\u202e\u200b")


@given(st.lists(st.text(max_size=20)))
def test_a_list_is_made_of_words_or_refused(entries: list[str]) -> None:
    try:
        checked = _checked_list("origins", entries)
    except InvalidArgument:
        return
    assert set(checked) == set(entries)
    assert len(checked) == len(set(checked))
    assert all(entry.split() == [entry] for entry in checked)


# --- proving one ----------------------------------------------------------------------------------


async def test_a_token_proves_its_key(keys: Keys) -> None:
    made = [await keys.create(name=str(number), role="agent") for number in range(3)]
    for record, token in made:
        assert (await keys.authenticate(token)).id == record.id


async def test_every_wrong_token_gets_the_same_answer(keys: Keys, clock: Clock) -> None:
    _, good = await keys.create(name="good", role="admin")
    _, short = await keys.create(name="short", role="admin", expires_at=START + timedelta(hours=1))
    dead, dead_token = await keys.create(name="dead", role="admin")
    await keys.revoke(dead.id)
    clock.forward(hours=1)
    flipped = good[:-1] + ("A" if good[-1] != "A" else "B")
    answers = [
        await refusal(keys, token)
        for token in (
            "",
            "nonsense",
            good[:-1],
            good + "A",
            good.upper(),
            flipped,
            other_secret(good),
            other_secret(short),
            other_secret(dead_token),
            Token.new().text,
            short,
            dead_token,
            "stk_' OR 1=1 --",
            "\0",
            "\ud800" * 64,
        )
    ]
    assert all(answer == answers[0] for answer in answers)
    assert (await keys.authenticate(good)).name == "good"


async def test_secrets_are_compared_in_constant_time_also_for_unknown_keys(
    keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def watched(left: bytes, right: bytes) -> bool:
        compared.append((left, right))
        return left == right

    monkeypatch.setattr("stockade.store.keys.compare_digest", watched)
    _, token = await keys.create(name="one", role="agent")
    await keys.authenticate(token)
    for wrong in (other_secret(token), Token.new().text):
        await refusal(keys, wrong)
    assert [(len(left), len(right)) for left, right in compared] == [(32, 32)] * 3


async def test_a_key_ends_at_its_moment(keys: Keys, clock: Clock) -> None:
    end = START + timedelta(seconds=10)
    _, token = await keys.create(name="one", role="agent", expires_at=end)
    clock.now = end - timedelta(microseconds=1)
    assert (await keys.authenticate(token)).expires_at == end
    clock.now = end
    await refusal(keys, token)


async def test_a_key_of_the_far_future_lasts(keys: Keys, clock: Clock) -> None:
    end = datetime.max.replace(tzinfo=UTC)
    _, token = await keys.create(name="one", role="agent", expires_at=end)
    clock.forward(days=365 * 1000)
    assert (await keys.authenticate(token)).expires_at == end


# --- its use --------------------------------------------------------------------------------------


async def noted(keys: Keys) -> datetime | None:
    (record,) = await keys.list()
    return record.last_used_at


async def test_use_is_noted_at_most_once_a_minute(keys: Keys, clock: Clock) -> None:
    _, token = await keys.create(name="one", role="agent")
    assert await noted(keys) is None
    seen = []
    for _ in range(7):
        record = await keys.authenticate(token)
        seen.append(await noted(keys))
        assert record.last_used_at == seen[-1]
        clock.forward(seconds=20)
    expected = [0, 0, 0, 60, 60, 60, 120]
    assert seen == [START + timedelta(seconds=second) for second in expected]


async def test_a_wrong_token_notes_no_use(keys: Keys, clock: Clock) -> None:
    record, token = await keys.create(name="one", role="agent")
    await refusal(keys, other_secret(token))
    await keys.revoke(record.id)
    await refusal(keys, token)
    assert await noted(keys) is None


async def test_many_calls_at_once_write_once(
    keys: Keys, clock: Clock, statements: Callable[[str], int]
) -> None:
    _, token = await keys.create(name="one", role="agent")
    for minute in range(3):
        clock.forward(minutes=1)
        records = await asyncio.gather(*(keys.authenticate(token) for _ in range(10)))
        assert {record.last_used_at for record in records} == {clock.now}
        assert statements("changed") == minute + 1


@pytest.fixture
def statements(database: Database) -> Callable[[str], int]:
    """How many rows updates have changed."""
    changed: list[int] = []

    def count(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("UPDATE"):
            changed.append(cursor.rowcount)

    event.listen(database._writer.sync_engine, "after_cursor_execute", count)
    return lambda _: sum(changed)


# --- listing and ending them ----------------------------------------------------------------------


async def test_lists_are_of_one_tenant_or_all_the_oldest_first(keys: Keys, clock: Clock) -> None:
    await Tenants(keys._database).create("acme")
    for name, tenant in (("c", "local"), ("b", "acme"), ("a", "local")):
        await keys.create(name=name, role="agent", tenant=tenant)
        clock.forward(seconds=1)
    assert [record.name for record in await keys.list()] == ["c", "b", "a"]
    assert [record.name for record in await keys.list("local")] == ["c", "a"]
    assert [record.name for record in await keys.list(tenant="acme")] == ["b"]
    assert await keys.list("nobody") == ()


async def test_a_revoked_key_stays_revoked(keys: Keys, clock: Clock) -> None:
    record, token = await keys.create(name="one", role="agent")
    await keys.authenticate(token)
    clock.forward(hours=1)
    ended = await keys.revoke(record.id)
    assert ended.revoked_at == START + timedelta(hours=1)
    clock.forward(hours=1)
    assert await keys.revoke(record.id) == ended
    assert await keys.list() == (ended,)
    await refusal(keys, token)


async def test_an_unknown_key_cannot_be_revoked(keys: Keys) -> None:
    record, _ = await keys.create(name="one", role="agent")
    for unknown in ("", "nothing", "0" * 16, "%", "' OR 1=1 --", "\ud800", "\0"):
        with pytest.raises(Missing):
            await keys.revoke(unknown)
    assert await keys.list() == (record,)


async def test_a_key_of_another_tenant_is_as_good_as_none(keys: Keys) -> None:
    await Tenants(keys._database).create("acme")
    record, token = await keys.create(name="one", role="agent")
    answers: list[StockadeError] = []
    for key, tenant in (
        (record.id, "acme"),
        (record.id, "\0"),
        ("0" * 16, "acme"),
        ("0" * 16, None),
    ):
        with pytest.raises(Missing) as caught:
            await keys.revoke(key, tenant=tenant)
        answers.append(caught.value)
    assert len({str(answer.as_dict()) for answer in answers}) == 1
    assert (await keys.authenticate(token)).revoked_at is None
    assert (await keys.revoke(record.id, tenant="local")).revoked_at is not None


async def test_keys_last_longer_than_the_server(url: str) -> None:
    async with await Database.open(url) as database:
        record, token = await Keys(database).create(name="one", role="agent")
    async with await Database.open(url) as database:
        assert (await Keys(database).authenticate(token)).id == record.id


# --- all of it together ---------------------------------------------------------------------------


class Model:
    """What the keys should be, kept in the simplest way there is."""

    def __init__(self) -> None:
        self.records: dict[str, KeyRecord] = {}
        self.tokens: dict[str, str] = {}

    def taken(self, tenant: str, name: str) -> bool:
        return any(
            (record.tenant, record.name) == (tenant, name) and record.revoked_at is None
            for record in self.records.values()
        )

    def opens(self, id: str, now: datetime) -> bool:
        record = self.records[id]
        over = record.expires_at is not None and record.expires_at <= now
        return record.revoked_at is None and not over


async def test_any_course_of_events_ends_as_in_the_model(
    keys: Keys, clock: Clock, soak: Soak
) -> None:
    await Tenants(keys._database).create("acme")
    model = Model()
    random = soak.random
    for _ in range(soak.rounds(4000)):
        clock.forward(seconds=random.choice([0, 1, 30, 60, 3600]))
        known = random.choice(list(model.records)) if model.records else None
        tenant = random.choice(["local", "acme"])
        match random.randrange(4):
            case 0:
                name = random.choice("abcdef")
                life = random.choice([None, timedelta(seconds=45), timedelta(hours=2)])
                ends = None if life is None else clock.now + life
                given = {"name": name, "role": "agent", "tenant": tenant, "expires_at": ends}
                if model.taken(tenant, name):
                    with pytest.raises(Conflict):
                        await keys.create(**given)  # type: ignore[arg-type]
                else:
                    record, token = await keys.create(**given)  # type: ignore[arg-type]
                    model.records[record.id], model.tokens[record.id] = record, token
            case 1 if known is not None:
                record = model.records[known]
                if record.tenant == tenant:
                    ended = await keys.revoke(known, tenant=tenant)
                    model.records[known] = replace(
                        record, revoked_at=record.revoked_at or clock.now
                    )
                    assert ended == model.records[known]
                else:
                    with pytest.raises(Missing):
                        await keys.revoke(known, tenant=tenant)
            case 2 if known is not None:
                record = model.records[known]
                if model.opens(known, clock.now):
                    used = record.last_used_at
                    if used is None or clock.now - used >= timedelta(minutes=1):
                        used = clock.now
                    model.records[known] = replace(record, last_used_at=used)
                    assert await keys.authenticate(model.tokens[known]) == model.records[known]
                else:
                    await refusal(keys, model.tokens[known])
            case _ if known is not None:
                await refusal(keys, other_secret(model.tokens[known]))
        expected = {record for record in model.records.values() if record.tenant == tenant}
        assert set(await keys.list(tenant)) == expected
