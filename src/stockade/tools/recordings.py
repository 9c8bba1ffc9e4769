"""Recording what is done, to do it again."""

from __future__ import annotations

import re
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import Conflict, Missing
from stockade.flows.flow_file import as_yaml
from stockade.flows.playwright_script import as_playwright
from stockade.flows.recording import Note, Recording, Recordings
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.tokens import cut, estimate
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["end_recording", "export_playwright_script", "record_annotate", "start_recording"]

_MOST_TOKENS = 12_000


class StartRecording(InSession):
    """What the flow is called."""

    flow_name: str = Field(min_length=1, max_length=200)


class Annotate(InSession):
    """What to tell a reader, at which step."""

    copy_: Annotated[str, Field(alias="copy", min_length=1, max_length=5000)]
    arrow: Annotated[str | None, Field(max_length=50)] = None
    target: Annotated[str | None, Field(max_length=2000)] = None
    step_id: Annotated[str | None, Field(max_length=20, description="the last, unless said")] = None


class Export(InSession):
    """Where to keep it."""

    path: Annotated[str | None, Field(max_length=200, description="needs file-io")] = None


class Started(TypedDict):
    """A recording that runs."""

    ok: bool
    name: str
    startedAt: str
    url: str


class AnnotatedStep(TypedDict):
    """A step with its annotation."""

    ok: bool
    stepId: str
    copy: str
    arrow: NotRequired[str]
    target: NotRequired[str]


class Ended(TypedDict):
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


class Exported(TypedDict):
    """A flow as a Playwright test."""

    ok: bool
    name: str
    source: str
    stats: Stats
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    tokensEstimate: int


def _recordings(call: Call) -> Recordings:
    return call.session.parts.of(Recordings, Recordings)


def _running(call: Call) -> Recording:
    running = _recordings(call).running
    if running is None:
        raise Missing("no recording runs", hint="Begin one with `start_recording`.")
    return running


def _file(name: str, ending: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60] + ending


@tool(Capability.HUMAN, gives=Started, reach="session", toolset="test")
async def start_recording(call: Call, args: StartRecording) -> dict[str, Any]:
    """Record what is done in this session from now on."""
    recordings = _recordings(call)
    if recordings.running is not None:
        raise Conflict("a recording runs already", hint="End it with `end_recording`.")
    tab = call.session.current
    url = tab.url if tab is not None and origin_of(tab.url) else ""
    recordings.running = Recording(args.flow_name, call.masker.text(url))
    return {
        "ok": True,
        "name": args.flow_name,
        "startedAt": instant(recordings.running.started_at),
        "url": url,
    }


@tool(Capability.HUMAN, gives=AnnotatedStep, reach="session", toolset="test")
async def record_annotate(call: Call, args: Annotate) -> dict[str, Any]:
    """Tell a reader of the recording something at a step."""
    step = _running(call).step(args.step_id)
    if step is None:
        raise Missing("the recording has no such step", hint="Steps are s1, s2, …; act first.")
    step.note = Note(args.copy_, args.arrow, args.target)
    data = {"ok": True, "stepId": step.id, "copy": args.copy_}
    if args.arrow is not None:
        data["arrow"] = args.arrow
    if args.target is not None:
        data["target"] = args.target
    return data


@tool(Capability.HUMAN, gives=Ended, reach="session", toolset="test")
async def end_recording(call: Call, args: InSession) -> Result:
    """End the recording; gives it as YAML. Names in it are untrusted page text."""
    del args
    recording = _running(call)
    recordings = _recordings(call)
    recordings.running, recordings.last = None, recording
    text = await call.masked(as_yaml(recording))
    return await _given(
        call,
        {"ok": True, "name": recording.name, "stepCount": len(recording.steps)},
        "yaml",
        text,
        _file(recording.name, ".yaml"),
        None,
    )


@tool(Capability.READ, gives=Exported, reach="session", toolset="test")
async def export_playwright_script(call: Call, args: Export) -> Result:
    """The running or last recording as a Playwright test. Names in it are untrusted."""
    recordings = _recordings(call)
    recording = recordings.running or recordings.last
    if recording is None:
        raise Missing("nothing was recorded", hint="Begin with `start_recording`.")
    script = as_playwright(recording)
    head = {
        "ok": True,
        "name": recording.name,
        "stats": {
            "steps": script.steps,
            "handled": script.handled,
            "unhandled": script.unhandled,
            "fragile": script.fragile,
        },
    }
    source = await call.masked(script.source)
    file = _file(recording.name, ".spec.js")
    return await _given(call, head, "source", source, file, args.path)


async def _given(
    call: Call, head: dict[str, Any], key: str, text: str, file: str, path: str | None
) -> Result:
    """A text whole: in the result, or, when it is too long, in a file."""
    data = {**head, key: text}
    long = estimate(text) > _MOST_TOKENS
    if long or path is not None:
        artifact = await save(
            call, text.encode(), path=path, default=file, mime_type="text/plain; charset=utf-8"
        )
        data |= saved(call, artifact)
    if long:
        data[key] = cut(text, 100)
    data["tokensEstimate"] = estimate(compact(data))
    tab = call.session.current
    source = origin_of(tab.url) if tab is not None else ""
    return Result(data=data, source=source, tokens=_MOST_TOKENS * 2)
