"""`stockade keys`: who may call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from stockade.cli import completion, options, output

if TYPE_CHECKING:
    from stockade.store.keys import KeyRecord, Keys

__all__ = ["app"]

T = TypeVar("T")

app = typer.Typer(
    help="Make, list and revoke the keys that programs call with.", no_args_is_help=True
)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="What the key is for, in your words.")],
    role: Annotated[
        str,
        typer.Option(
            "--role",
            help="agent, operator or admin.",
            metavar="ROLE",
            autocompletion=completion.roles,
        ),
    ] = "agent",
    capabilities: options.Capabilities = None,
    allowed_origins: options.Origins = None,
    confirm: Annotated[
        str | None,
        typer.Option("--confirm", help="What waits for a person.", metavar="ITEM,…"),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option("--days", help="The key ends after so many days.", metavar="NUMBER", min=1),
    ] = None,
    tenant: Annotated[
        str, typer.Option("--tenant", help="Whose data it reaches.", metavar="NAME")
    ] = "local",
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """Make a key. Its token is shown once and cannot be shown again.

    Capabilities and origins can only be fewer than those of the server, confirmations only more.
    """
    from stockade.policy.capabilities import parse_capabilities
    from stockade.policy.confirming import parse_confirmations
    from stockade.policy.origins import OriginRule
    from stockade.policy.policy import Policy

    wanted = _names(capabilities)
    origins = _names(allowed_origins) or []
    Policy().narrowed(allowed=tuple(map(OriginRule.parse, origins)))
    confirmed = _names(confirm) or []
    parse_confirmations(confirmed)
    ends = datetime.now(UTC) + timedelta(days=days) if days is not None else None

    async def made(keys: Keys) -> tuple[KeyRecord, str]:
        return await keys.create(
            name=name,
            role=role,
            tenant=tenant,
            capabilities=None if wanted is None else sorted(parse_capabilities(wanted)),
            origins=origins,
            confirm=confirmed,
            expires_at=ends,
        )

    record, token = _with_keys(workspace, made)
    if json:
        output.print_json({**_as_data(record), "token": token})
        return
    output.note(
        f"key {record.id} for {record.name}, role {record.role}; its token, shown this once:"
    )
    output.say(token)


@app.command("list")
def list_(
    tenant: Annotated[
        str | None, typer.Option("--tenant", help="Only those of one tenant.", metavar="NAME")
    ] = None,
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """List the keys, without their tokens."""

    async def listed(keys: Keys) -> list[KeyRecord]:
        return list(await keys.list(tenant))

    records = _with_keys(workspace, listed)
    if json:
        output.print_json({"keys": [_as_data(record) for record in records]})
        return
    output.print_table(
        ("id", "name", "role", "tenant", "made", "last used", "state"),
        [
            (
                record.id,
                record.name,
                record.role,
                record.tenant,
                _day(record.created_at),
                _day(record.last_used_at),
                _state(record),
            )
            for record in records
        ],
    )


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(help="The id of the key.", metavar="ID")],
    workspace: options.WorkspacePath = None,
    json: output.Json = False,
) -> None:
    """End a key: whoever calls with it is refused from now on."""

    async def revoked(keys: Keys) -> None:
        await keys.revoke(key)

    _with_keys(workspace, revoked)
    if json:
        output.print_json({"ok": True, "id": key})
    else:
        output.say(f"key {key} is revoked")


def _with_keys(workspace: object, work: Callable[[Keys], Awaitable[T]]) -> T:
    """Do something with the keys of the workspace's database."""
    import asyncio

    from stockade.store.database import Database
    from stockade.store.keys import Keys
    from stockade.workspace import Workspace

    settings = options.settings(workspace=workspace)
    Workspace.open(settings.workspace)

    async def within() -> T:
        async with await Database.open(settings.database) as database:
            return await work(Keys(database))

    return asyncio.run(within())


def _names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    return [name.strip() for name in text.split(",") if name.strip()]


def _as_data(record: KeyRecord) -> dict[str, Any]:
    moments = ("created_at", "expires_at", "last_used_at", "revoked_at")
    return {
        "id": record.id,
        "name": record.name,
        "role": record.role,
        "tenant": record.tenant,
        "capabilities": None if record.capabilities is None else list(record.capabilities),
        "origins": list(record.origins),
        "confirm": list(record.confirm),
        **{name: _moment(getattr(record, name)) for name in moments},
        "state": _state(record),
    }


def _moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="seconds") if at is not None else None


def _day(at: datetime | None) -> str:
    return at.astimezone().strftime("%Y-%m-%d") if at is not None else "never"


def _state(record: KeyRecord) -> str:
    if record.revoked_at is not None:
        return "revoked"
    return "valid" if record.valid_at(datetime.now(UTC)) else "expired"
