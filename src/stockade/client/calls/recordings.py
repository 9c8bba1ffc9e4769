"""Calls of the tools in `recordings`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Started(Beside):
    """A recording that runs."""

    ok: bool
    name: str
    startedAt: str
    url: str


class AnnotatedStep(Beside):
    """A step with its annotation."""

    ok: bool
    stepId: str
    copy: str
    arrow: NotRequired[str]
    target: NotRequired[str]


class Ended(Beside):
    """A flow as YAML; where it is, when it is too long to be shown."""

    ok: bool
    name: str
    yaml: str
    stepCount: int
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    tokensEstimate: int


class Stats(TypedDict):
    """How much of the flow is in the script."""

    steps: int
    handled: int
    unhandled: int
    fragile: int


class Exported(Beside):
    """A flow as a Playwright test."""

    ok: bool
    name: str
    source: str
    stats: Stats
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    tokensEstimate: int


class RecordingsCalls(Calls):
    """Methods that call tools."""

    async def start_recording(
        self,
        *,
        flow_name: str,
    ) -> Started:
        """Record what is done in this session from now on."""
        answer = await self._call("start_recording", {"flowName": flow_name}, {}, in_tab=False)
        return cast("Started", answer)

    async def record_annotate(
        self,
        *,
        copy_: str,
        arrow: str | None = None,
        target: str | None = None,
        step_id: str | None = None,
    ) -> AnnotatedStep:
        """Tell a reader of the recording something at a step."""
        answer = await self._call("record_annotate", {"copy": copy_}, {"arrow": arrow, "target": target, "stepId": step_id}, in_tab=False)
        return cast("AnnotatedStep", answer)

    async def end_recording(
        self,
    ) -> Ended:
        """End the recording; gives it as YAML. Names in it are untrusted page text."""
        answer = await self._call("end_recording", {}, {}, in_tab=False)
        return cast("Ended", answer)

    async def export_playwright_script(
        self,
        *,
        path: str | None = None,
    ) -> Exported:
        """The running or last recording as a Playwright test. Names in it are untrusted."""
        answer = await self._call("export_playwright_script", {}, {"path": path}, in_tab=False)
        return cast("Exported", answer)
