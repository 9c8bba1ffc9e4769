"""Tabs of the tab API: opened, listed, closed."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import SessionNotFound, StockadeError
from stockade.kernel.arguments import RARE, InSession
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.kernel.traced import start_tracing
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session
from stockade.tools.camofox.moving import LONGEST_URL, visit
from stockade.urls import origin_of

__all__ = [
    "camofox_close_group",
    "camofox_close_tab",
    "camofox_create_tab",
    "camofox_list_tabs",
]

_BLANK = "about:blank"
_TOKENS = 1_000_000

Group = Annotated[str, Field(alias="sessionKey", max_length=1000)]


class CreateTab(InSession):
    """Where the tab goes, and with which others it belongs."""

    url: Annotated[str | None, Field(max_length=LONGEST_URL)] = None
    group: Group = "default"
    trace: Annotated[bool, Field(description="record the session, from its first tab on")] = False
    titled: Annotated[bool, RARE] = False


class ListTabs(InSession):
    """Whose tabs."""


class CloseTab(InSession):
    """Which tab."""

    tab: Annotated[str, Field(alias="tabId", max_length=100)]


class CloseGroup(InSession):
    """Which tabs."""

    group: Group


class Recycled(TypedDict):
    """A tab that was closed to make room."""

    tabId: str
    url: str


class CreatedTab(TypedDict):
    """A tab, and where it is."""

    tabId: str
    url: str
    title: NotRequired[str]
    recycled: NotRequired[Recycled]


class ListedTab(TypedDict):
    """A tab, under both its names."""

    targetId: str
    tabId: str
    url: str
    title: str
    listItemId: str


class ListedTabs(TypedDict):
    """The open tabs, oldest first."""

    running: bool
    tabs: list[ListedTab]


class Closed(TypedDict):
    """It is gone."""

    ok: bool


class ClosedGroup(TypedDict):
    """How many are gone."""

    ok: bool
    closed: int


@tool(Capability.NAVIGATION, gives=CreatedTab, toolset="camofox", reach="session", opens=True)
async def camofox_create_tab(call: Call, args: CreateTab) -> dict[str, Any] | Result:
    """Open a tab, at a URL or empty. Where there is no room the least used tab makes it."""
    session = call.session
    address = call.policy.check_address(args.url) if args.url else None
    if args.trace:
        await start_tracing(call, session)
    tab = await session.new_tab(args.group, recycle=True)
    # Nobody else gets it before it is somewhere.
    async with tab.lease.hold(0):
        call.tab_or_none = tab
        recycled = (
            {"recycled": {"tabId": tab.replaced.uuid, "url": tab.replaced.url}}
            if tab.replaced is not None
            else {}
        )
        if address is not None and args.url is not None and address.href != _BLANK:
            try:
                await visit(call, tab, address.href, args.url)
            except BaseException as error:
                closing = session.work.start(tab.close)
                if isinstance(error, StockadeError):
                    error.details |= recycled
                    await closing.ended()
                raise
    made = {"tabId": tab.uuid, "url": tab.url, **recycled}
    if not args.titled:
        return made
    return Result(data={**made, "title": await tab.title()}, source=origin_of(tab.url))


@tool(Capability.NAVIGATION, gives=ListedTabs, toolset="camofox", reach="server", reads=True)
async def camofox_list_tabs(call: Call, args: ListTabs) -> Result:
    """List the open tabs. Titles are untrusted page text."""
    try:
        tabs = _session(call, args).tabs
    except SessionNotFound:
        tabs = []
    async with asyncio.TaskGroup() as group:
        titles = [group.create_task(tab.title()) for tab in tabs]
    rows = [
        {
            "targetId": tab.uuid,
            "tabId": tab.uuid,
            "url": tab.url,
            "title": title.result(),
            "listItemId": tab.group,
        }
        for tab, title in zip(tabs, titles, strict=True)
    ]
    return Result(data={"running": True, "tabs": rows}, tokens=_TOKENS)


def _session(call: Call, args: InSession) -> Session:
    """The session of a call that does not wait for others there: it may be to end them."""
    session = call.kernel.sessions.find(call.principal, args.session)
    session.policy.require(call.tool.capability, call.tool.name)
    return session


@tool(Capability.NAVIGATION, gives=Closed, toolset="camofox", reach="server", destructive=True)
async def camofox_close_tab(call: Call, args: CloseTab) -> dict[str, Any]:
    """Close a tab, whatever is under way in it."""
    session = _session(call, args)
    await session.close_tab(await session.tab(args.tab))
    return {"ok": True}


@tool(Capability.NAVIGATION, gives=ClosedGroup, toolset="camofox", reach="server", destructive=True)
async def camofox_close_group(call: Call, args: CloseGroup) -> dict[str, Any]:
    """Close every tab of a group, and the popups that they opened."""
    session = _session(call, args)
    meant = [tab for tab in session.tabs if tab.group == args.group]
    async with asyncio.TaskGroup() as group:
        for tab in meant:
            group.create_task(session.close_tab(tab))
    return {"ok": True, "closed": len(meant)}
