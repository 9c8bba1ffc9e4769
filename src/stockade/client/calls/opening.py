"""Calls of the tools in `opening`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class ViewportSize(TypedDict):
    """A size in CSS pixels."""

    width: int
    height: int


class GivenRule(TypedDict):
    """What becomes of requests for permissions."""

    mode: NotRequired[Literal['allow', 'deny', 'raise', 'ask-human']]
    perPermission: NotRequired[dict[str, Literal['allow', 'deny', 'raise', 'ask-human']]]


class GivenPickerRule(TypedDict):
    """What becomes of pickers."""

    mode: NotRequired[Literal['allow', 'deny', 'raise', 'ask-human']]
    perAPI: NotRequired[dict[str, Literal['allow', 'deny', 'raise', 'ask-human']]]


class HarRecording(TypedDict):
    """What of the traffic is recorded, and where it is kept."""

    path: NotRequired[str | None]
    mode: NotRequired[Literal['full', 'minimal']]
    content: NotRequired[Literal['embed', 'attach', 'omit'] | None]
    urlFilter: NotRequired[str | None]


class FilmSize(TypedDict):
    """The size of the film in pixels."""

    width: int
    height: int


class VideoOptions(TypedDict):
    """Where a film goes, and how large it is."""

    path: NotRequired[str | None]
    size: NotRequired[FilmSize | None]


class OpenedSession(Beside):
    """A session that has just been opened."""

    id: str
    session_id: str
    mode: str
    engine: str
    isolation: str
    running: bool
    url: str | None
    pages: int
    openedAt: str
    ok: bool
    session: str
    credential_mode: str
    record: str
    started_at: str
    capabilities: list[str]
    dialogPolicy: str
    permissionPolicy: dict[str, Any]
    notificationPolicy: str
    fsPickerPolicy: dict[str, Any]
    profile: NotRequired[str]
    device: NotRequired[str]
    warning: NotRequired[str]
    warnings: NotRequired[list[str]]


class OpeningServerCalls(Calls):
    """Methods that call tools."""

    async def open_session(
        self,
        *,
        session: str | None = None,
        mode: Literal['incognito', 'persistent', 'attached'] | None = None,
        engine: Literal['chromium', 'firefox', 'webkit', 'android', 'safari'] | None = None,
        profile: str | None = None,
        device: str | None = None,
        viewport: ViewportSize | None = None,
        dialog_policy: str | None = None,
        permission_policy: Literal['allow', 'deny', 'raise', 'ask-human'] | GivenRule | None = None,
        notification_policy: Literal['allow', 'deny', 'raise', 'ask-human'] | None = None,
        fs_picker_policy: Literal['allow', 'deny', 'raise', 'ask-human'] | GivenPickerRule | None = None,
        storage_state: dict[str, Any] | str | None = None,
        auth_state: str | None = None,
        har: HarRecording | None = None,
        hars: list[str] | None = None,
        record_video: VideoOptions | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        confirm: list[str] | None = None,
        domains: list[str] | None = None,
        isolation: Literal['process', 'bwrap'] | None = None,
        credential_mode: Literal['clean'] | None = None,
        record: Literal['transient'] | None = None,
    ) -> OpenedSession:
        """Open a named, isolated browser session. `default` needs no opening."""
        answer = await self._call("open_session", {}, {"session": session, "mode": mode, "engine": engine, "profile": profile, "device": device, "viewport": viewport, "dialogPolicy": dialog_policy, "permissionPolicy": permission_policy, "notificationPolicy": notification_policy, "fsPickerPolicy": fs_picker_policy, "storageState": storage_state, "authState": auth_state, "har": har, "hars": hars, "recordVideo": record_video, "locale": locale, "timezone": timezone, "confirm": confirm, "domains": domains, "isolation": isolation, "credential_mode": credential_mode, "record": record}, in_tab=False)
        return cast("OpenedSession", answer)
