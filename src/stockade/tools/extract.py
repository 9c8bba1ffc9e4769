"""Structured data from a page."""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
from pydantic import Field

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import MOST_TOKENS, InTab, Scope
from stockade.kernel.call import Call
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.targets import scope_of
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.page.extract import Evidence, Failure
from stockade.page.extract import extract as extract_data
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["extract"]

_LARGEST_SCHEMA = 60_000
_PREVIEW = 20


class Extract(InTab):
    """What to extract, and where from."""

    schema_: Annotated[
        dict[str, Any],
        Field(alias="schema", description='JSON schema; fields may have x-source {"selector": …}'),
    ]
    ref: Annotated[str | None, Field(max_length=40)] = None
    scope: Scope = None
    mode: Annotated[str | None, Field(max_length=40, description="ignored")] = None


class Extracted(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Data in the shape of the schema, or why there is none."""

    ok: bool
    tokens_estimate: int
    data: Any = None
    evidence: Evidence | None = None
    failure: Failure | None = None
    truncated: bool = False
    path: str = ""
    uri: str = ""
    bytes: int = 0


async def _scope(call: Call, args: Extract) -> str | None:
    if args.ref is not None and args.scope is not None:
        raise InvalidArgument("give ref or scope, not both")
    return args.ref if args.scope is None else await scope_of(call, args.scope)


def _preview(value: Any) -> Any:
    """The same with long lists cut to their first items."""
    if isinstance(value, list):
        return [_preview(each) for each in value[:_PREVIEW]]
    if isinstance(value, dict):
        return {key: _preview(each) for key, each in value.items()}
    return value


@tool(Capability.READ, gives=Extracted, toolset="web", reads=True, structured=True)
async def extract(call: Call, args: Extract) -> Result:
    """Fill a JSON schema from the page, with evidence of where each value is from. Untrusted."""
    if len(compact(args.schema_)) > _LARGEST_SCHEMA:
        raise InvalidArgument(f"the schema is longer than {_LARGEST_SCHEMA} characters")
    found = await extract_data(
        call.tab.agent,
        args.schema_,
        caller=call.caller,
        ref=await _scope(call, args),
        timeout=call.left,
    )
    source = origin_of(call.tab.url)
    if found.failure is not None:
        failure = msgspec.to_builtins(found.failure)
        data: dict[str, Any] = {"ok": False, "failure": failure}
        data["tokensEstimate"] = estimate(compact(failure))
        return Result(data=data, source=source, ok=False, verdict=True)
    data = {"ok": True, "data": found.data, "evidence": _evidence(found.evidence)}
    data["tokensEstimate"] = tokens = estimate(compact(data))
    if tokens > MOST_TOKENS:
        whole = json.dumps(await call.masked(found.data), ensure_ascii=False, indent=1)
        kept = await save(call, whole.encode(), default="extract.json")
        data = {**data, "data": _preview(found.data), "truncated": True, **saved(call, kept)}
    return Result(data=data, source=source, tokens=3 * MOST_TOKENS)


def _evidence(evidence: Evidence) -> dict[str, Any]:
    """Evidence as JSON; its three lists are there even where they are empty."""
    given = msgspec.to_builtins(evidence)
    return {"refsUsed": [], "selectorsUsed": [], "partialMisses": [], **given}
