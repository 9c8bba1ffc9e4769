"""Approvals: what agents wait for a person with. For operators and admins."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal, NotRequired

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from stockade.kernel.approvals import Approvals, Decision
from stockade.kernel.questions import Kind, Question, State
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.paging import Paged, paged
from stockade.surfaces.v1.statuses import LIST, ONE, documented

__all__ = ["routes"]

_Id = Annotated[str, Path(description="The id of a question.", max_length=100)]


class Wanted(Paged):
    """Which questions."""

    state: State | None = Field(default=None, description="Only those that are so.")


class Answered(BaseModel):
    """What was decided."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    decision: Decision
    value: bool | Annotated[str, Field(max_length=10_000)] | None = Field(
        None, description="With decision=answer: what a choice or a text is answered with."
    )
    note: str = Field("", max_length=1000, description="Told to the agent.")


class ApprovalRow(TypedDict):
    """A question, and what became of it."""

    id: str
    kind: Kind
    state: State
    askedBy: str
    askedAt: str
    expiresInMs: int
    picture: bool
    session: NotRequired[str]
    tab: NotRequired[str]
    url: NotRequired[str]
    tool: NotRequired[str]
    arguments: NotRequired[dict[str, Any]]
    rules: NotRequired[list[str]]
    origin: NotRequired[str]
    within: NotRequired[str]
    target: NotRequired[dict[str, Any]]
    form: NotRequired[dict[str, Any]]
    files: NotRequired[list[dict[str, Any]]]
    prompt: NotRequired[str]
    choices: NotRequired[list[str]]
    answeredBy: NotRequired[str]
    answeredAt: NotRequired[str]
    note: NotRequired[str]
    value: NotRequired[Any]


class ApprovalPage(TypedDict):
    """The questions there are, the oldest first; also those that are over."""

    ok: bool
    approvals: list[ApprovalRow]
    next: str | None


class Portrait(TypedDict):
    """The element in its surroundings."""

    mimeType: Literal["image/png"]
    data: str


class OneApproval(TypedDict):
    """A question, with the picture of what it is about."""

    ok: bool
    approval: ApprovalRow
    image: NotRequired[Portrait]


def routes(approvals: Approvals) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["approvals"], dependencies=[Depends(json_only)])

    @router.get(
        "/approvals",
        summary="What waits for a person, and what was decided",
        responses=documented(ApprovalPage, LIST),
    )
    async def get_approvals(request: Request, wanted: Annotated[Wanted, Query()]) -> Response:
        found = approvals.listed(caller(request), wanted.state)
        rows, following = paged("approvals", found, _place, wanted)
        shown = [each.description for each in rows]
        return answer({"ok": True, "approvals": shown, "next": following})

    @router.get(
        "/approvals/{id}",
        summary="One question, with its picture",
        responses=documented(OneApproval, ONE),
    )
    async def get_approval(request: Request, id: _Id) -> Response:
        question = approvals.find(caller(request), id)
        body: dict[str, Any] = {"ok": True, "approval": question.description}
        if question.picture is not None:
            data = base64.b64encode(question.picture.data).decode()
            body["image"] = {"mimeType": "image/png", "data": data}
        return answer(body)

    @router.post(
        "/approvals/{id}",
        summary="Say yes or no, or answer; the first decision stands",
        responses=documented(OneApproval, ONE, {409}),
    )
    async def post_approval(request: Request, id: _Id, given: Answered) -> Response:
        question = await approvals.answer(
            caller(request), id, given.decision, value=given.value, note=given.note
        )
        return answer({"ok": True, "approval": question.description})

    return router


def _place(question: Question) -> tuple[float, str]:
    return question.asked_at, question.id
