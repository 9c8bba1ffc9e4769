"""Opening a session, with everything it is to begin with."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field

from stockade.engines.device_presets import preset
from stockade.engines.values import Emulation, Viewport
from stockade.errors import InvalidArgument, Unsupported
from stockade.kernel.arguments import RARE, Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.policy.confirming import parse_confirmations
from stockade.policy.origins import OriginRule
from stockade.sessions.browsers import LEVELS, Isolation
from stockade.sessions.options import DIALOG_SYNONYMS, AskingMode, DialogPolicy, SessionOptions
from stockade.sessions.session import Session
from stockade.tools.control import SessionRow, describe
from stockade.tools.har import HarRecording, replay_hars
from stockade.tools.permissions import GivenRule, use_notification_mode, use_permission_rule
from stockade.tools.pickers import GivenPickerRule, use_picker_rule
from stockade.tools.reports import event_policies
from stockade.tools.video import FilmSize

__all__ = ["open_session"]

_NOTHING_PROMISED = (
    "isolation attached promises nothing: it is a person's browser with their logins, its traffic "
    "does not pass the egress proxy, and only its own tabs are closed when the session ends"
)


class ViewportSize(Arguments):
    """A size in CSS pixels."""

    width: int = Field(ge=100, le=7680)
    height: int = Field(ge=100, le=4320)


class VideoOptions(Arguments):
    """Where a film goes, and how large it is."""

    path: Annotated[str | None, Field(min_length=1, max_length=1000)] = None
    size: FilmSize | None = None


class OpenSession(InSession):
    """How a session is opened."""

    mode: Annotated[
        Literal["incognito", "persistent", "attached"] | None,
        Field(description="persistent: its profile is kept as it changes"),
    ] = None
    engine: Annotated[Literal["chromium", "firefox", "webkit", "android", "safari"], RARE] = (
        "chromium"
    )
    profile: Annotated[str | None, Field(min_length=1, max_length=50), RARE] = None
    device: Annotated[str | None, Field(max_length=100, description="such as iPhone 15")] = None
    viewport: ViewportSize | None = None
    dialog_policy: Annotated[
        str | None, Field(max_length=1000, description="raise|accept|dismiss|accept-prompt-with:…")
    ] = None
    permission_policy: Annotated[AskingMode | GivenRule | None, RARE] = None
    notification_policy: Annotated[AskingMode | None, RARE] = None
    fs_picker_policy: Annotated[AskingMode | GivenPickerRule | None, RARE] = None
    storage_state: Annotated[
        dict[str, Any] | str | None, Field(description="as dump_storage_state gives it"), RARE
    ] = None
    auth_state: Annotated[str | None, Field(max_length=100), RARE] = None
    har: Annotated[HarRecording | None, RARE] = None
    hars: Annotated[
        tuple[Annotated[str, Field(max_length=500)], ...],
        Field(max_length=20, description="archives to answer from"),
        RARE,
    ] = ()
    record_video: Annotated[VideoOptions | None, RARE] = None
    locale: Annotated[str | None, Field(max_length=50), RARE] = None
    timezone: Annotated[str | None, Field(max_length=100), RARE] = None
    confirm: Annotated[
        tuple[Annotated[str, Field(max_length=300)], ...],
        Field(max_length=50, description="what waits for a person, beside what does anyway"),
        RARE,
    ] = ()
    domains: Annotated[
        tuple[str, ...], Field(max_length=100, description="the only origins to allow")
    ] = ()
    isolation: Annotated[
        Literal["process", "bwrap"] | None,
        Field(description="more than the server's own level, never less"),
        RARE,
    ] = None
    credential_mode: Annotated[Literal["clean"], Field(alias="credential_mode")] = "clean"
    record: Literal["transient"] = "transient"


class OpenedSession(SessionRow):
    """A session that has just been opened."""

    ok: bool
    session: str
    credential_mode: str
    record: str
    started_at: str
    capabilities: list[str]
    dialogPolicy: str  # noqa: N815
    permissionPolicy: dict[str, Any]  # noqa: N815
    notificationPolicy: str  # noqa: N815
    fsPickerPolicy: dict[str, Any]  # noqa: N815
    profile: NotRequired[str]
    device: NotRequired[str]
    warning: NotRequired[str]
    warnings: NotRequired[list[str]]


def parse_dialog_policy(text: str | None) -> DialogPolicy:
    """A policy as one text, the words for a prompt after a colon."""
    if text is None:
        return DialogPolicy()
    text = DIALOG_SYNONYMS.get(text, text)
    if text in {"raise", "accept", "dismiss", "ask-human"}:
        return DialogPolicy(text)  # type: ignore[arg-type]
    mode, colon, words = text.partition(":")
    if mode == "accept-prompt-with" and colon:
        return DialogPolicy("accept-prompt-with", words)
    raise InvalidArgument(
        "dialogPolicy is raise, accept, dismiss, ask-human or accept-prompt-with:<text>"
    )


def _isolation(args: OpenSession, least: Isolation) -> Literal["process", "bwrap"] | None:
    """What a session wants beyond what every session of the server has."""
    if args.isolation is None or args.isolation == least:
        return None
    if args.mode == "attached":
        raise InvalidArgument("a session that is attached has no isolation")
    if LEVELS.index(args.isolation) < LEVELS.index(least):
        raise InvalidArgument(
            f"sessions of this server are at {least}; one can have more, and not less"
        )
    return args.isolation


@tool(None, gives=OpenedSession, reach="server", structured=True, inner=False)
async def open_session(call: Call, args: OpenSession) -> dict[str, Any]:
    """Open a named, isolated browser session. `default` needs no opening."""
    if args.engine != "chromium":
        raise Unsupported(f"this server drives Chromium, not {args.engine}")
    attached = args.mode == "attached"
    if attached:
        call.policy.require(Capability.BYOB_ATTACH, "mode attached")
        _check_attached(args)
    usual = args.profile is not None or call.kernel.settings.persist_sessions
    persistent = args.mode == "persistent" or (args.mode is None and usual)
    if args.profile is not None and not persistent:
        raise InvalidArgument("a profile is for mode persistent")
    device = preset(args.device) if args.device is not None else None
    options = SessionOptions(
        emulation=Emulation(
            viewport=_viewport(args, device.viewport if device is not None else Viewport()),
            user_agent=device.user_agent if device is not None else None,
            locale=args.locale,
            timezone=args.timezone,
        ),
        dialogs=parse_dialog_policy(args.dialog_policy),
        profile=(args.profile or args.session) if persistent else None,
        attached=attached,
        isolation=_isolation(args, call.kernel.sessions.browsers.isolation),
    )
    policy = call.principal.policy.narrowed(
        allowed=tuple(map(OriginRule.parse, args.domains)),
        confirm=parse_confirmations(args.confirm),
    )
    sessions = call.kernel.sessions
    session = sessions.open(call.principal, args.session, options=options, policy=policy)
    try:
        if attached:
            # At once, so that who opened it hears whether there is such a browser.
            await session.started()
        await _prepare(call, session, args)
    except BaseException:
        await sessions.close(session, "it could not be set up")
        raise
    opened: dict[str, Any] = {
        "ok": True,
        "session": session.name,
        **describe(session),
        "credential_mode": args.credential_mode,
        "record": args.record,
        "started_at": instant(session.opened_at),
        "capabilities": sorted(session.policy.capabilities),
        **event_policies(session),
    }
    if options.profile is not None:
        opened["profile"] = options.profile
    if device is not None:
        opened["device"] = device.name
    if attached:
        opened["warning"] = _NOTHING_PROMISED
    news = session.news()
    if news:
        opened["warnings"] = news
    return opened


def _check_attached(args: OpenSession) -> None:
    """A person's browser keeps the device and the state that it has."""
    wanted = {
        "profile": args.profile,
        "device": args.device,
        "viewport": args.viewport,
        "locale": args.locale,
        "timezone": args.timezone,
    }
    for name, value in wanted.items():
        if value is not None:
            raise InvalidArgument(f"mode attached takes no {name}: the browser keeps its own")


def _viewport(args: OpenSession, usual: Viewport) -> Viewport:
    if args.viewport is None:
        return usual
    size = args.viewport
    return Viewport(size.width, size.height, usual.scale, usual.mobile, usual.touch)


async def _prepare(call: Call, session: Session, args: OpenSession) -> None:
    """Give the session what it is to begin with, by the same tools that a caller would use."""
    if args.permission_policy is not None:
        rule = args.permission_policy
        rule = GivenRule(mode=rule) if isinstance(rule, str) else rule
        await use_permission_rule(call, session, rule)
    if args.notification_policy is not None:
        await use_notification_mode(session, args.notification_policy)
    if args.fs_picker_policy is not None:
        pickers = args.fs_picker_policy
        pickers = GivenPickerRule(mode=pickers) if isinstance(pickers, str) else pickers
        use_picker_rule(session, pickers)
    if args.auth_state is not None:
        await _called(call, session, "auth_load", {"name": args.auth_state})
    if args.storage_state is not None:
        given = {"state": args.storage_state, "mode": "merge"}
        await _called(call, session, "inject_storage_state", given)
    if args.hars:
        await replay_hars(call, session, args.hars)
    if args.har is not None:
        wanted = args.har.model_dump(by_alias=True, exclude_none=True)
        await _called(call, session, "start_har", wanted)
    if args.record_video is not None:
        wanted = args.record_video.model_dump(by_alias=True, exclude_none=True)
        await _called(call, session, "start_video", wanted)


async def _called(call: Call, session: Session, tool: str, given: dict[str, Any]) -> None:
    reply = await call.inner(tool, {**given, "session": session.name}, shown=False)
    if reply.error is not None:
        raise reply.error
