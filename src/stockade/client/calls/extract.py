"""Calls of the tools in `extract`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Miss(TypedDict):
    """A field that was not found, or held something else than was wanted."""

    path: str
    reason: str
    actual: NotRequired[str]


class Evidence(TypedDict):
    """Where the values are from."""

    refsUsed: NotRequired[list[str]]
    selectorsUsed: NotRequired[list[str]]
    partialMisses: NotRequired[list[Miss]]
    sources: NotRequired[dict[str, str]]
    inferred: NotRequired[list[str]]
    warnings: NotRequired[list[str]]


class ExtractFailure(TypedDict):
    """Why there is no data."""

    source: Literal['app', 'caller']
    kind: Literal['enum_mismatch', 'missing', 'out_of_range', 'too_few', 'type_mismatch']
    path: str
    expected: str
    actual: str
    partialMisses: NotRequired[list[Miss]]


class Extracted(Beside):
    """Data in the shape of the schema, or why there is none."""

    ok: bool
    tokensEstimate: int
    data: NotRequired[Any]
    evidence: NotRequired[Evidence | None]
    failure: NotRequired[ExtractFailure | None]
    truncated: NotRequired[bool]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class ExtractCalls(Calls):
    """Methods that call tools."""

    async def extract(
        self,
        *,
        schema_: dict[str, Any],
        ref: str | None = None,
        scope: str | None = None,
        mode: str | None = None,
    ) -> Extracted:
        """Fill a JSON schema from the page, with evidence of where each value is from. Untrusted."""
        answer = await self._call("extract", {"schema": schema_}, {"ref": ref, "scope": scope, "mode": mode}, in_tab=True)
        return cast("Extracted", answer)
