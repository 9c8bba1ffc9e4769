"""Traffic recorded as HAR archives, and replayed from them."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from importlib.metadata import version
from mimetypes import guess_extension
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import ArtifactNotFound, Conflict, InvalidArgument, Missing
from stockade.files.artifacts import Artifact
from stockade.files.names import relative_name
from stockade.kernel.arguments import AddressPattern, Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.dispatch import Kernel
from stockade.kernel.downloads import link_to
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import future_path, saved
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.masking.background import run_in_background
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session
from stockade.traffic.bodies import masked
from stockade.traffic.har import HarOptions, archive, entry
from stockade.traffic.recording import Recording
from stockade.traffic.replaying import Replay, attachments
from stockade.traffic.routing import Routing

__all__ = ["HarRecording", "begin_har", "replay_hars", "start_har", "stop_har"]

_DEFAULT_NAME = "traffic.har"
_MOST_INLINE = 262_144
_MOST_TOKENS = 60_000
_LARGEST_ARCHIVE = 100 << 20
_STOP_PATIENCE = 15.0


class HarRecording(Arguments):
    """What of the traffic is recorded, and where it is kept."""

    path: Annotated[str | None, Field(max_length=500)] = None
    mode: Literal["full", "minimal"] = "full"
    content: Annotated[
        Literal["embed", "attach", "omit"] | None,
        Field(description="bodies; they need network-body"),
    ] = None
    url_filter: AddressPattern | None = None


class StartHar(HarRecording, InSession):
    """The same, in a session."""


class StopHar(InSession):
    """Whose recording ends."""

    inline: Annotated[bool, Field(description="give small archives in the result")] = True


class HarStarted(TypedDict):
    """A recording runs."""

    ok: bool
    recording: bool
    mode: str
    content: str
    path: str
    urlFilter: NotRequired[str]
    warning: NotRequired[str]


class HarStopped(TypedDict):
    """A recording has become a file."""

    ok: bool
    wasActive: bool
    path: str
    uri: str
    bytes: int
    entries: int
    har: NotRequired[dict[str, Any]]
    attachments: NotRequired[int]
    dropped: NotRequired[int]


class _Running:
    """The recording that a session has under way."""

    def __init__(self, recording: Recording, name: str, *, chosen: bool) -> None:
        self.recording = recording
        self.name = name
        self.chosen = chosen
        """Whether the caller named it, so that it takes the place of a file of that name."""


class _Kept:
    """What a recording has become."""

    def __init__(self, artifact: Artifact, har: dict[str, Any], attached: int) -> None:
        self.artifact = artifact
        self.har = har
        self.attached = attached


async def begin_har(call: Call, session: Session, options: HarRecording) -> dict[str, Any]:
    """Record the traffic of a session from now on, until `stop_har` or its end."""
    if session.parts.get(_Running) is not None:
        raise Conflict("this session is being recorded already", hint="`stop_har` ends that.")
    kernel = call.kernel
    if options.path is not None:
        call.policy.require(Capability.FILE_IO, "a recording with a path")
        name = relative_name(options.path, kernel.artifacts.folder(session))
    else:
        name = kernel.artifacts.unused_name(session, _DEFAULT_NAME)
    if options.content not in {None, "omit"}:
        call.policy.require(Capability.NETWORK_BODY, "a recording with bodies")
    allowed = session.policy.capabilities & call.policy.capabilities
    private = Capability.NETWORK_BODY not in allowed
    content = options.content or ("omit" if private else "embed")
    recording = Recording(
        session,
        HarOptions(options.mode, content, options.url_filter, private),
    )
    running = _Running(recording, name, chosen=options.path is not None)
    session.parts.of(_Running, lambda: running)
    try:
        await recording.begin()
    except BaseException:
        session.parts.drop(_Running)
        raise

    async def at_the_end() -> None:
        if session.parts.get(_Running) is not None:
            await _finish(kernel, session, _STOP_PATIENCE)

    session.before_end.append(at_the_end)
    started: dict[str, Any] = {
        "ok": True,
        "recording": True,
        "mode": options.mode,
        "content": content,
        "path": future_path(call, session, name),
    }
    if options.url_filter is not None:
        started["urlFilter"] = options.url_filter
    if private:
        started["warning"] = "without network-body, bodies and credentials are left out"
    return started


async def replay_hars(call: Call, session: Session, names: tuple[str, ...]) -> int:
    """Answer what these archives know from them; how many exchanges that are."""
    # An archive can be written by its reader, and brings its scripts with it.
    call.policy.require(Capability.EVAL, "an answer from an archive")
    replays = [await _replay(call, session, name) for name in names]
    await Routing.of(session).replay(replays, timeout=call.left)
    return sum(map(len, replays))


async def _replay(call: Call, session: Session, name: str) -> Replay:
    path = await asyncio.to_thread(_found, call, session, name)
    if path.stat().st_size > _LARGEST_ARCHIVE:
        raise InvalidArgument("that archive is too large to be replayed")
    content = await asyncio.to_thread(path.read_bytes)
    parts: dict[str, bytes] = {}
    for each in attachments(content):
        with suppress(InvalidArgument, FileNotFoundError):
            part = path.parent / relative_name(each, path.parent)
            parts[each] = await asyncio.to_thread(part.read_bytes)
    return Replay(content, parts.get)


def _found(call: Call, session: Session, name: str) -> Path:
    """An archive by its name or address: of a session that the caller sees, or saw before."""
    artifacts = call.kernel.artifacts
    visible = call.kernel.sessions.visible_to(call.principal)
    for each in (session, *reversed([other for other in visible if other is not session])):
        try:
            return artifacts.readable(call.principal, each, name).path
        except (ArtifactNotFound, InvalidArgument):
            continue
    try:
        return artifacts.recalled(session.owner, name)
    except (ArtifactNotFound, InvalidArgument):
        raise ArtifactNotFound(
            "no session has such an archive", hint="Give the uri or path that `stop_har` gave."
        ) from None


async def _finish(kernel: Kernel, session: Session, timeout: float) -> _Kept:
    """End the recording and write it down, without secrets."""
    running = session.parts.drop(_Running)
    if running is None:
        raise Missing("nothing is being recorded", hint="`start_har` begins a recording.")
    recording = running.recording
    exchanges = await recording.stop(timeout=timeout)
    name = running.name
    if not running.chosen:
        name = kernel.artifacts.unused_name(session, name)
    attached: set[str] = set()
    masker = kernel.masker_in(session)
    for each in exchanges:
        each.sent = await masked(masker, each.sent)
        if each.received is None:
            continue
        each.received = await masked(masker, each.received)
        if recording.options.content == "attach" and each.received:
            ending = guess_extension(each.request.mime_type) or ".bin"
            digest = hashlib.sha256(each.received).hexdigest()[:32]
            each.file = f"{PurePosixPath(name).stem}-bodies/{digest}{ending}"
            if each.file not in attached:
                place = str(PurePosixPath(name).parent / each.file)
                await asyncio.to_thread(
                    kernel.artifacts.save, session, place, each.received, each.request.mime_type
                )
                attached.add(each.file)
    rows = [entry(each, recording.options) for each in exchanges]
    pages = recording.pages() if recording.options.mode == "full" else []
    whole = archive(recording.browser, pages, rows, version("stockade"))
    har: dict[str, Any] = await run_in_background(lambda: masker.exact_value(whole))
    artifact = await asyncio.to_thread(
        kernel.artifacts.save, session, name, compact(har).encode("utf-8", "replace"), ""
    )
    return _Kept(artifact, har, len(attached))


@tool(Capability.ACTION, gives=HarStarted, toolset="network", reach="session")
async def start_har(call: Call, args: StartHar) -> dict[str, Any]:
    """Record the traffic of all tabs as a HAR archive, until stop_har."""
    return await begin_har(call, call.session, args)


@tool(Capability.ACTION, gives=HarStopped, toolset="network", reach="session", raw=True)
async def stop_har(call: Call, args: StopHar) -> Result:
    """End the recording and keep it as a file; small ones come inline. It is untrusted."""
    session, kernel = call.session, call.kernel
    running = session.parts.get(_Running)
    kept = await session.work.finish(
        lambda: _finish(kernel, session, min(_STOP_PATIENCE, call.left / 2))
    )
    data: dict[str, Any] = {
        "ok": True,
        "wasActive": True,
        **saved(call, kept.artifact),
        "entries": len(kept.har["log"]["entries"]),
    }
    if kept.attached:
        data["attachments"] = kept.attached
    if running is not None and running.recording.dropped:
        data["dropped"] = running.recording.dropped
    text = compact(kept.har)
    if args.inline and len(text) <= _MOST_INLINE and estimate(text) < _MOST_TOKENS - 1000:
        data["har"] = kept.har
    return Result(
        data=data,
        source="recorded traffic",
        links=(link_to(kept.artifact),),
        tokens=_MOST_TOKENS,
    )
