"""The composition root: the parts of a server, put together."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

# First, because it imports structlog without what structlog would drag in.
import stockade.telemetry.logs as logs  # noqa: PLR0402
from stockade.audit.trail import LogTrail
from stockade.config import Settings
from stockade.engines.cdp import ChromiumEngine
from stockade.engines.cdp.launch import missing_browser
from stockade.errors import BadSetting, Conflict, InvalidArgument, Unauthenticated
from stockade.files.artifacts import Artifacts
from stockade.files.diagnostics import Diagnostics
from stockade.files.profiles import Profiles
from stockade.files.secrets import KeptSecrets
from stockade.files.states import States
from stockade.files.traces import Traces
from stockade.files.uploads import Uploads
from stockade.flows.plugins import Plugins
from stockade.jails.support import support
from stockade.kernel.dispatch import Kernel
from stockade.kernel.webhook import Webhook
from stockade.masking.masker import Masker
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from stockade.scratch import Scratch, reaches
from stockade.sessions.changes import SessionOpened
from stockade.sessions.devices import Devices
from stockade.sessions.manager import Sessions
from stockade.sessions.roster import Roster
from stockade.sessions.work import Work
from stockade.telemetry.metrics import Metrics
from stockade.telemetry.watchdog import watched_loop
from stockade.tools import registry
from stockade.workspace import Workspace

if TYPE_CHECKING:
    from stockade.store.keys import Keys

__all__ = ["Ready", "base_policy", "run", "running_kernel", "serve"]

_GRACE_SECONDS = 5.0
"""How long calls under way may take when the server is told to stop."""

_SWITCH_SECONDS = 0.0005
_ANNOUNCEMENT = "server.json"
_TOKEN = "admin.token"  # noqa: S105

_log = logs.get_logger("stockade.server")


@dataclass(frozen=True)
class Ready:
    """What whoever started the server wants to know once it answers."""

    url: str
    login_url: str
    """Logs a browser in to the console, once."""
    token_file: Path
    """Where the admin's token is."""
    settings: Settings
    """As they turned out to be."""
    loopback: bool = True
    """Whether nobody but this machine can reach it."""
    trouble: str = ""
    """Why no session can be opened, and what to do about it."""


def base_policy(settings: Settings) -> Policy:
    """What the operator's settings allow; keys and sessions can only have less."""
    return Policy.stated(
        capabilities=settings.capabilities,
        allowed=settings.allowed_origins,
        blocked=settings.blocked_origins,
        confirm=settings.confirm_required,
    )


@asynccontextmanager
async def running_kernel(
    settings: Settings, *, masker: Masker | None = None, own: Iterable[str] = ()
) -> AsyncIterator[Kernel]:
    """A kernel with everything below it; what it started ends with it.

    `own` are the places where we listen ourselves: no page gets there, whatever it is allowed.
    """
    settings = await leveled(settings)
    masker = masker or Masker()
    _mask_keys(masker, settings)
    _check_tools(base_policy(settings))
    workspace = cache(lambda: Workspace.open(settings.workspace))
    under = await _scratch_place(workspace(), settings.browser_uid)
    # Ours alone: whoever owns the directory could put links in the place of what we keep.
    scratch = Scratch(os.geteuid(), under)
    try:
        artifacts = Artifacts(
            scratch.path,
            lambda: workspace().directory("files"),
            quota=settings.download_quota,
            days=settings.files_kept,
        )
        uploads = Uploads(settings.upload_quota, settings.browser_uid, under)
        traces = Traces(
            workspace, settings.workspace, quota=settings.traces_quota, kept=settings.traces_kept
        )
        diagnostics = Diagnostics(
            workspace, settings.workspace, days=settings.diagnostics_retention_days
        )
        await asyncio.to_thread(traces.sweep)
        await asyncio.to_thread(diagnostics.sweep)
        profiles = Profiles(workspace)
        async with Sessions(
            ChromiumEngine(),
            settings,
            profiles=profiles.open,
            own=own,
            scratch=under,
            roster=Roster(workspace()),
        ) as sessions:
            sessions.changes.on(SessionOpened, Devices.follow)
            sessions.on_end += [artifacts.forget, uploads.forget, lambda _: diagnostics.tidy()]
            kernel = Kernel(
                registry(),
                sessions,
                settings,
                artifacts,
                uploads,
                states=States(workspace),
                profiles=profiles,
                traces=traces,
                kept_secrets=KeptSecrets(workspace, settings.workspace),
                diagnostics=diagnostics,
                plugins=Plugins.load(settings.plugins, base_policy(settings).capabilities),
                trail=LogTrail(),
                masker=masker,
                metrics=Metrics(version("stockade")),
            )
            await kernel.secrets.load()
            async with _heralded(kernel, lambda: workspace().key):
                yield kernel
    finally:
        scratch.remove()


async def leveled(settings: Settings) -> Settings:
    """With the level that `auto` means on this machine."""
    if settings.isolation != "auto":
        return settings
    found = await support(settings.browser_uid)
    if not found.works:
        _log.warning(
            "sessions are not jailed: a browser that is taken over can reach what this user can",
            why=found.reason,
            remedy=found.remedy,
        )
    return settings.model_copy(update={"isolation": "bwrap" if found.works else "process"})


def run(
    settings: Settings, *, no_auth: bool = False, ready: Callable[[Ready], None] | None = None
) -> None:
    """Serve, on the fastest loop there is, until a signal ends it."""
    import uvloop  # noqa: PLC0415

    def settled(now: Ready) -> None:
        # What is here now stays; the collector need not look at it again.
        gc.freeze()
        gc.enable()
        if ready is not None:
            ready(now)

    # A thread that computes gives way to the loop after so long: a call waits for that many times.
    sys.setswitchinterval(_SWITCH_SECONDS)
    # A quarter of the start would be the collector going over modules that nobody lets go of.
    gc.disable()
    try:
        uvloop.run(serve(settings, no_auth=no_auth, ready=settled))
    finally:
        gc.enable()


async def serve(
    settings: Settings, *, no_auth: bool = False, ready: Callable[[Ready], None] | None = None
) -> None:
    """Run the server of a workspace until SIGTERM, SIGINT or SIGHUP, or until it is cancelled.

    `ready` is called once it answers. Calls under way have a few seconds when it ends; a second
    signal takes those away.
    """
    # Only a server needs these, and they take as long to import as everything above.
    from stockade.store.database import Database  # noqa: PLC0415
    from stockade.store.keys import Keys  # noqa: PLC0415
    from stockade.surfaces import listener  # noqa: PLC0415
    from stockade.surfaces.app import Parts, web_application  # noqa: PLC0415
    from stockade.surfaces.logins import Logins  # noqa: PLC0415
    from stockade.surfaces.mcp.http import McpEndpoint  # noqa: PLC0415
    from stockade.surfaces.mcp.socket import listening  # noqa: PLC0415
    from stockade.surfaces.stopping import on_signals  # noqa: PLC0415

    masker = Masker()
    logs.configure(settings.log_format, settings.log_level, mask=masker.value, journal=True)
    settings = await leveled(settings)
    policy = base_policy(settings)
    with on_signals() as stop:
        async with AsyncExitStack() as stack:
            workspace = stack.enter_context(_locked(settings))
            socket = await listener.bind(settings.host, settings.port, loopback_only=no_auth)
            stack.callback(socket.close)
            database = await stack.enter_async_context(await Database.open(settings.database))
            keys = Keys(database)
            token_file = await _admin_token(workspace, keys)
            kernel = await stack.enter_async_context(
                running_kernel(
                    settings, masker=masker, own=[listener.url_of(socket).removeprefix("http://")]
                )
            )
            await stack.enter_async_context(
                listening(
                    kernel,
                    workspace.path / "mcp.sock",
                    lambda client: Principal(
                        "local", policy=policy, client=client, name="mcp", nearby=True
                    ),
                )
            )
            loopback = listener.is_loopback(socket)
            endpoint = await stack.enter_async_context(McpEndpoint(kernel))
            logins = Logins()
            app = web_application(
                Parts(
                    kernel=kernel,
                    settings=settings,
                    policy=policy,
                    keys=keys,
                    logins=logins,
                    mcp=endpoint,
                    port=socket.getsockname()[1],
                    version=version("stockade"),
                    no_auth=no_auth,
                    loopback=loopback,
                )
            )
            await stack.enter_async_context(
                listener.serving(app, socket, grace=_GRACE_SECONDS, hurry=stop.hurry)
            )
            # Before the connections close: a stream ends with its last word.
            stack.push_async_callback(kernel.news.end)
            url = listener.url_of(socket)
            await listener.prove(url)
            stack.enter_context(_announced(workspace, url))
            trouble = missing_browser(settings.chromium)
            if trouble:
                _log.error("no session can be opened", why=trouble)
            # Nobody waits for anything before this.
            stack.enter_context(watched_loop(kernel.metrics))
            _log.info("ready", url=url, isolation=settings.isolation, no_auth=no_auth)
            if ready is not None:
                login = f"{url}/login?code={logins.issue()}"
                ready(Ready(url, login, token_file, settings, loopback=loopback, trouble=trouble))
            await stop.asked.wait()
            _log.info("stopping")


async def _scratch_place(workspace: Workspace, uid: int) -> Path | None:
    """Where throw-away files lie: in the workspace, if browsers can be let in there."""
    place = workspace.scratch()
    if await reaches(uid, place):
        return place
    _log.warning("browsers cannot be let into the workspace; their profiles are temporary files")
    return None


@asynccontextmanager
async def _heralded(kernel: Kernel, key: Callable[[], bytes]) -> AsyncIterator[None]:
    """Tell the operator's webhook of every question, if there is one."""
    url = kernel.settings.approval_webhook
    if not url:
        yield
        return
    async with Work() as work:
        webhook = Webhook(url, key, work)
        kernel.approvals.heralds.append(webhook.tell)
        try:
            yield
        finally:
            webhook.close()


def _check_tools(policy: Policy) -> None:
    """A rule about a tool that there is not would never ask anybody."""
    known = registry()
    for rule in policy.confirmed:
        if rule.kind == "tool" and not known.knows(rule.name):
            raise BadSetting(
                f"confirm_required: {rule.text!r}: there is no such tool",
                hint="`stockade call --help` lists the tools.",
                setting="confirm_required",
            )


def _mask_keys(masker: Masker, settings: Settings) -> None:
    """What the settings keep secret never leaves, where it is long enough to be told apart."""
    for name, secret in settings.secrets.items():
        with suppress(InvalidArgument):
            masker.add(name, secret)


@contextmanager
def _locked(settings: Settings) -> Iterator[Workspace]:
    """The workspace, for this server alone, without what a killed one left lying about."""
    workspace = Workspace.open(settings.workspace)
    workspace.lock()
    try:
        workspace.remove(_ANNOUNCEMENT)
        # Made now rather than when it is first wanted, so that a backup of the workspace has it.
        _ = workspace.key
        yield workspace
    finally:
        workspace.unlock()


@contextmanager
def _announced(workspace: Workspace, url: str) -> Iterator[None]:
    """Tell other programs of the same user where the server is, while it is."""
    about = {"url": url, "pid": os.getpid(), "version": version("stockade")}
    workspace.write(_ANNOUNCEMENT, json.dumps(about).encode())
    try:
        yield
    finally:
        workspace.remove(_ANNOUNCEMENT)


async def _admin_token(workspace: Workspace, keys: Keys) -> Path:
    """The file with the admin's token; a token that opens nothing is replaced."""
    kept = workspace.read(_TOKEN)
    if kept is not None:
        try:
            await keys.authenticate(kept.decode(errors="replace").strip())
        except Unauthenticated:
            _log.warning("the admin's token opened nothing; a new one was made")
        else:
            return workspace.path / _TOKEN
    try:
        _, token = await keys.create(name="admin", role=Role.ADMIN)
    except Conflict:
        # The file was lost, or the database serves another server too.
        _, token = await keys.create(name=f"admin-{secrets.token_hex(3)}", role=Role.ADMIN)
    return workspace.write(_TOKEN, f"{token}\n".encode())
