"""Sessions and their tabs."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.values import Viewport
from stockade.errors import InvalidArgument
from stockade.kernel.arguments import Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.policy.origins import OriginRule
from stockade.sessions.options import DialogPolicy, SessionOptions
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab

__all__ = ["close_session", "list_sessions", "open_session", "tabs"]


class ViewportSize(Arguments):
    """A size in CSS pixels."""

    width: int = Field(ge=100, le=7680)
    height: int = Field(ge=100, le=4320)


class OpenSession(InSession):
    """How a session is opened."""

    mode: Literal["incognito"] = "incognito"
    viewport: ViewportSize | None = None
    dialog_policy: Annotated[
        str | None, Field(max_length=1000, description="raise|accept|dismiss|accept-prompt-with:…")
    ] = None
    domains: Annotated[
        tuple[str, ...], Field(max_length=100, description="the only origins to allow")
    ] = ()
    credential_mode: Annotated[Literal["clean"], Field(alias="credential_mode")] = "clean"
    record: Literal["transient"] = "transient"


class CloseSession(InSession):
    """Which session ends."""


class Nothing(Arguments):
    """No arguments."""


class Tabs(InSession):
    """What to do with which tab."""

    action: Literal["list", "new", "select", "close"] = "list"
    tab: Annotated[str | None, Field(max_length=20)] = None
    url: Annotated[str | None, Field(max_length=65536, description="for new")] = None


def parse_dialog_policy(text: str | None) -> DialogPolicy:
    """A policy as one text, the words for a prompt after a colon."""
    if text is None:
        return DialogPolicy()
    if text in {"raise", "accept", "dismiss"}:
        return DialogPolicy(text)  # type: ignore[arg-type]
    mode, colon, words = text.partition(":")
    if mode == "accept-prompt-with" and colon:
        return DialogPolicy("accept-prompt-with", words)
    raise InvalidArgument("dialogPolicy is raise, accept, dismiss or accept-prompt-with:<text>")


class SessionRow(TypedDict):
    """A session as listings show it."""

    id: str
    session_id: str
    mode: str
    engine: str
    isolation: str
    running: bool
    url: str | None
    pages: int
    openedAt: str


class OpenedSession(SessionRow):
    """A session that has just been opened."""

    ok: bool
    session: str
    credential_mode: str
    record: str
    started_at: str
    capabilities: list[str]


class ClosedSession(TypedDict):
    """A session that is gone."""

    ok: bool
    session: str
    session_id: str
    closed_at: str


class SessionList(TypedDict):
    """The open sessions."""

    sessions: list[SessionRow]


class TabRow(TypedDict):
    """A tab as listings show it."""

    tab: str
    url: str
    title: str
    current: NotRequired[bool]
    opener: NotRequired[str]
    dialog: NotRequired[str]


class TabList(TypedDict):
    """The open tabs."""

    ok: bool
    tabs: list[TabRow]


def describe(session: Session) -> dict[str, Any]:
    """A session as listings show it."""
    current = session.current
    return {
        "id": session.name,
        "session_id": session.id,
        "mode": "incognito",
        "engine": "chromium",
        "isolation": session.isolation,
        "running": session.running,
        "url": current.url if current is not None else None,
        "pages": len(session.tabs),
        "openedAt": instant(session.opened_at),
    }


@tool(None, gives=OpenedSession, reach="server", structured=True, inner=False)
async def open_session(call: Call, args: OpenSession) -> dict[str, Any]:
    """Open a named, isolated browser session. `default` needs no opening."""
    size = args.viewport
    options = SessionOptions(
        viewport=Viewport(size.width, size.height) if size is not None else Viewport(),
        dialogs=parse_dialog_policy(args.dialog_policy),
    )
    rules = tuple(map(OriginRule.parse, args.domains))
    policy = call.principal.policy.narrowed(allowed=rules)
    session = call.kernel.sessions.open(
        call.principal, args.session, options=options, policy=policy
    )
    return {
        "ok": True,
        "session": session.name,
        **describe(session),
        "credential_mode": args.credential_mode,
        "record": args.record,
        "started_at": instant(session.opened_at),
        "capabilities": sorted(policy.capabilities),
    }


@tool(
    None,
    gives=ClosedSession,
    reach="server",
    structured=True,
    inner=False,
    idempotent=True,
    destructive=True,
)
async def close_session(call: Call, args: CloseSession) -> dict[str, Any]:
    """Close a session with its tabs, cookies and storage."""
    session = call.kernel.sessions.find(call.principal, args.session)
    await call.kernel.sessions.close(session)
    return {
        "ok": True,
        "session": session.name,
        "session_id": session.id,
        "closed_at": instant(),
    }


@tool(None, gives=SessionList, reach="server", reads=True, structured=True)
async def list_sessions(call: Call, args: Nothing) -> dict[str, Any]:
    """List the open sessions."""
    del args
    return {
        "sessions": [describe(each) for each in call.kernel.sessions.visible_to(call.principal)]
    }


async def tab_row(tab: Tab, current: Tab | None) -> dict[str, Any]:
    """A tab as listings show it."""
    row: dict[str, Any] = {"tab": tab.id, "url": tab.url, "title": await tab.title()}
    if tab is current:
        row["current"] = True
    if tab.page.opener is not None and (opener := tab.session.tab_of(tab.page.opener)) is not None:
        row["opener"] = opener.id
    if tab.page.dialog is not None:
        row["dialog"] = tab.page.dialog.kind
    return row


@tool(Capability.NAVIGATION, gives=TabList, reach="session", structured=True)
async def tabs(call: Call, args: Tabs) -> dict[str, Any]:
    """List, open, select or close tabs. Titles are untrusted page text."""
    session = call.session
    if args.action == "new":
        tab = await session.new_tab()
        if args.url is not None:
            address = call.policy.check_address(args.url)
            await tab.page.navigate(address.href, timeout=call.left)
    elif args.action in {"select", "close"}:
        if args.tab is None:
            raise InvalidArgument(f"{args.action} needs the id of a tab")
        chosen = await session.tab(args.tab)
        if args.action == "select":
            session.select(chosen.id)
            await chosen.page.activate(timeout=call.left)
        else:
            await session.close_tab(chosen)
    current = session.current
    return {"ok": True, "tabs": [await tab_row(each, current) for each in session.tabs]}
