"""Workers: who runs, what they post, and fetches that go through them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, JsonValue
from typing_extensions import TypedDict

from stockade.kernel.arguments import AddressPattern, InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.sanitise import shown_url
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.tools.routes import CannedResponse, answer_of
from stockade.traffic.fetches import FetchRules
from stockade.traffic.workers import Workers, service_state

__all__ = [
    "sw_intercept_fetch",
    "sw_unintercept_fetch",
    "worker_message_send",
    "worker_messages_read",
    "workers_list",
]

_TYPES = {"worker": "web", "shared_worker": "shared", "service_worker": "service"}
_SOURCE = "workers of the session"
_WorkerId = Annotated[str, Field(max_length=20)]


class WorkersList(InSession):
    """Which kind; shared workers are among those of the web."""

    type: Literal["web", "service", "all"] = "all"


class WorkerMessagesRead(InSession):
    """Whose messages."""

    worker_id: _WorkerId | None = None


class WorkerMessageSend(InSession):
    """What to post to whom."""

    worker_id: _WorkerId
    message: JsonValue


class SwInterceptFetch(InSession):
    """Which fetches, and what they get."""

    pattern: AddressPattern
    response: CannedResponse


class SwUninterceptFetch(InSession):
    """Which rule to remove: all, unless a pattern is given."""

    pattern: AddressPattern | None = None


class WorkerRow(TypedDict):
    """A worker that runs."""

    workerId: str
    type: str
    url: str
    state: str
    status: NotRequired[str]


class WorkerRows(TypedDict):
    """The workers of the session, oldest first."""

    ok: bool
    workers: list[WorkerRow]


class WorkerMessage(TypedDict):
    """A message that a worker posted."""

    workerId: str
    data: Any
    at: str
    truncated: NotRequired[bool]


class WorkerMessages(TypedDict):
    """What was posted since the last time, oldest first."""

    ok: bool
    messages: list[WorkerMessage]


class WorkerMessageSent(TypedDict):
    """A worker was given a message."""

    ok: bool
    workerId: str
    type: str
    url: str
    bytes: int


class SwIntercepted(TypedDict):
    """A rule was added."""

    ok: bool
    pattern: str
    status: int
    active: list[str]


class SwReleased(TypedDict):
    """Rules were removed."""

    ok: bool
    removed: int
    active: list[str]


@tool(Capability.READ, gives=WorkerRows, toolset="network", reach="session", reads=True)
async def workers_list(call: Call, args: WorkersList) -> Result:
    """The dedicated, shared and service workers of the session; their messages are kept since."""
    workers = await Workers.of(call.session, timeout=call.left)
    rows: list[dict[str, Any]] = []
    for name, worker in workers.running:
        service = worker.kind == "service_worker"
        if args.type != "all" and service != (args.type == "service"):
            continue
        row = {
            "workerId": name,
            "type": _TYPES[worker.kind],
            "url": shown_url(worker.url),
            "state": "running",
        }
        status = await service_state(worker) if service else None
        rows.append({**row, "status": status} if status is not None else row)
    return Result(data={"ok": True, "workers": rows}, source=_SOURCE)


@tool(Capability.READ, gives=WorkerMessages, toolset="network", reach="session")
async def worker_messages_read(call: Call, args: WorkerMessagesRead) -> Result:
    """What workers posted since the last read, or since workers_list. It is untrusted."""
    workers = await Workers.of(call.session, timeout=call.left)
    rows = [
        {
            "workerId": each.worker,
            "data": each.data,
            "at": instant(each.at),
            **({"truncated": True} if each.truncated else {}),
        }
        for each in workers.drain(args.worker_id)
    ]
    return Result(data={"ok": True, "messages": rows}, source=_SOURCE, tokens=20_000)


@tool(
    Capability.ACTION, gives=WorkerMessageSent, toolset="network", reach="session", alters="session"
)
async def worker_message_send(call: Call, args: WorkerMessageSend) -> dict[str, Any]:
    """Post a message to a worker, as a page would."""
    workers = await Workers.of(call.session, timeout=call.left)
    worker = await workers.send(args.worker_id, args.message, timeout=call.left)
    text = args.message if isinstance(args.message, str) else compact(args.message)
    return {
        "ok": True,
        "workerId": args.worker_id,
        "type": _TYPES[worker.kind],
        "url": shown_url(worker.url),
        "bytes": len(text.encode("utf-8", "replace")),
    }


@tool(
    Capability.ACTION,
    gives=SwIntercepted,
    toolset="network",
    reach="session",
    idempotent=True,
    raw=True,
    alters="session",
)
async def sw_intercept_fetch(call: Call, args: SwInterceptFetch) -> dict[str, Any]:
    """Answer fetches that service workers handle or make, in place of them."""
    rules = FetchRules.of(call.session)
    await rules.add(args.pattern, answer_of(call, args.response), timeout=call.left)
    return {
        "ok": True,
        "pattern": args.pattern,
        "status": args.response.status,
        "active": list(rules.rules),
    }


@tool(Capability.ACTION, gives=SwReleased, toolset="network", reach="session", idempotent=True)
async def sw_unintercept_fetch(call: Call, args: SwUninterceptFetch) -> dict[str, Any]:
    """Let service workers answer fetches again: those of a pattern, or all."""
    rules = FetchRules.of(call.session)
    removed = await rules.remove(args.pattern, timeout=call.left)
    return {"ok": True, "removed": removed, "active": list(rules.rules)}
