"""Starting Chromium: its binary, its flags, its throw-away profile."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from pathlib import Path

from stockade.engines.cdp.attached import AttachedChromium, attach
from stockade.engines.cdp.browser import ChromiumBrowser
from stockade.engines.cdp.connection import Connection
from stockade.engines.cdp.pipe import open_pipe
from stockade.engines.rooms import Beside, Room
from stockade.engines.values import LaunchOptions
from stockade.errors import LaunchFailed, StockadeError
from stockade.processes import Process, spawn, unprivileged

__all__ = ["ChromiumEngine", "find_binary", "find_full_binary", "flags", "missing_browser"]

_BINARIES = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/chromium",
    "/usr/local/share/chromium/chrome",
    "/opt/google/chrome/chrome",
)
"""The real binaries, not the wrapper scripts around them, which read settings of their own."""

_USER_AGENT = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{}.0.0.0 Safari/537.36"
)
"""What Chromium with a window says on Linux, whatever the machine."""
_VERSION_PATIENCE = 5.0
_versions: dict[tuple[Path, int], str | None] = {}

_COMMANDS = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome")

_DISABLED_FEATURES = (
    "AutofillServerCommunication",
    "BackForwardCache",
    "CertificateTransparencyComponentUpdater",
    "DestroyProfileOnBrowserClose",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "HttpsUpgrades",
    "InterestFeedContentSuggestions",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "Translate",
    # Two hidden renderers per window that draw an address bar nobody sees.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)

_ISOLATED = ("--site-per-process",)
_INSECURE = ("--disable-web-security", "--disable-site-isolation-trials")

_FLAGS: tuple[str, ...] = (
    "--remote-debugging-pipe",
    "--allow-pre-commit-input",
    "--disable-back-forward-cache",
    # Each of the two binaries knows one of these names alone.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Names are looked up by the proxy; WebRTC would do so by itself.
    "--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE 127.0.0.1,EXCLUDE localhost,EXCLUDE *.localhost",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--no-startup-window",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    # Pages are told that they are automated where they are to know it, by the emulation.
    "--disable-blink-features=AutomationControlled",
    "--disable-auto-reload",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--mute-audio",
    "--window-size=1280,720",
    "--lang=en-US",
    "--accept-lang=en-US,en",
)


def find_binary() -> Path:
    """The headless shell where it is installed, else full Chromium."""
    for place in _BINARIES:
        if Path(place).is_file():
            return Path(place)
    for command in _COMMANDS:
        found = shutil.which(command)
        if found:
            return Path(found)
    raise LaunchFailed(
        "no Chromium found",
        hint="Install chromium-headless-shell (or chromium), or set STOCKADE_CHROMIUM.",
    )


def missing_browser(chosen: Path | None) -> str:
    """What keeps any browser from being started, and what to do about it; empty: nothing."""
    try:
        binary = _checked(chosen or find_binary())
    except LaunchFailed as error:
        return f"{error.message}. {error.hint}"
    if not os.access(binary, os.X_OK):
        return f"{binary} cannot be run. Set STOCKADE_CHROMIUM to another."
    return ""


def _checked(binary: Path) -> Path:
    if not binary.is_file():
        raise LaunchFailed(
            f"there is no {binary.name} where it should be",
            hint="Set STOCKADE_CHROMIUM to a Chromium that is there.",
        )
    return binary


def find_full_binary() -> Path:
    """Full Chromium, which has what the headless shell has not."""
    places = [Path(place) for place in _BINARIES]
    places += [Path(found) for command in _COMMANDS if (found := shutil.which(command))]
    for place in places:
        if place.is_file() and not is_headless_shell(place):
            return place
    raise LaunchFailed(
        "this needs full Chromium, and only the headless shell was found",
        hint="Install chromium, or set STOCKADE_CHROMIUM to it.",
    )


def is_headless_shell(binary: Path) -> bool:
    """Whether `binary` is the headless shell, which has no windows at all."""
    return "headless-shell" in binary.name or "headless_shell" in binary.name


async def major_version(binary: Path, uid: int) -> str | None:
    """The browser's major version by its own word, asked once for each file."""
    key = (binary, os.stat(binary).st_mtime_ns)  # noqa: PTH116
    if key not in _versions:
        read, write = os.pipe()
        with os.fdopen(read, encoding="utf-8", errors="replace") as said:
            try:
                process = spawn(
                    unprivileged([str(binary), "--version"], uid),
                    environment={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
                    descriptors={1: write},
                )
            finally:
                os.close(write)
            await process.end(_VERSION_PATIENCE)
            found = re.search(r"(\d+)(?:\.\d+){3}", said.read())
        _versions[key] = found[1] if found else None
    return _versions[key]


def flags(
    binary: Path, profile: Path, options: LaunchOptions, version: str | None = None
) -> list[str]:
    """The whole command line after the binary."""
    chosen = [
        *_FLAGS,
        *(_INSECURE if options.insecure else _ISOLATED),
        # Overrides reach pages and their workers; a service worker's own script request only this.
        *([f"--user-agent={_USER_AGENT.format(version)}"] if version else []),
        f"--disable-features={','.join(_DISABLED_FEATURES)}",
        f"--user-data-dir={profile}",
        *_way_out(options),
        *options.arguments,
    ]
    if options.headless and not is_headless_shell(binary):
        chosen.insert(0, "--headless=new")
    return chosen


def _way_out(options: LaunchOptions) -> list[str]:
    if options.proxy is None:
        return []
    # Without the second, Chromium goes around the proxy for loopback and link-local addresses.
    return [f"--proxy-server={options.proxy.server}", "--proxy-bypass-list=<-loopback>"]


class ChromiumEngine:
    """Starts Chromium browsers driven over the debugging pipe, or attaches to one that runs."""

    async def attach(self, address: str, *, timeout: float) -> AttachedChromium:
        """Drive a browser that somebody else started; it is never ended by us."""
        return await attach(address, timeout=timeout)

    async def launch(self, options: LaunchOptions) -> ChromiumBrowser:
        """Start a browser under its own sandbox, with an empty profile."""
        binary = options.binary or find_binary()
        if options.full and is_headless_shell(binary):
            binary = find_full_binary()
        _checked(binary)
        room = options.room or await Beside.made(options.uid, options.scratch)
        connection = Connection()
        try:
            process = await self._start(binary, room, options, connection)
        except BaseException:
            await asyncio.shield(room.destroy())
            raise
        browser = ChromiumBrowser(connection, process, room)
        try:
            await browser.begin(timeout=options.timeout)
        except StockadeError as error:
            await browser.close()
            raise LaunchFailed(
                f"{binary.name} did not answer: {error.message}",
                hint="Its own words are in the details.",
                output=process.error_output,
                code=process.returncode,
            ) from error
        except asyncio.CancelledError:
            await browser.close()
            raise
        return browser

    async def _start(
        self, binary: Path, room: Room, options: LaunchOptions, connection: Connection
    ) -> Process:
        version = await major_version(binary, options.uid) if sys.platform == "linux" else None
        pipe, theirs = await open_pipe(connection.received, connection.lost)
        connection.opened(pipe.write, pipe.close)
        environment = {
            "HOME": str(room.profile),
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            # It begins in its profile; the name of a socket there could be too long in full.
            "TMPDIR": ".",
            **options.environment,
        }
        try:
            return await room.start(
                [str(binary), *flags(binary, room.profile, options, version)],
                environment,
                {3: theirs.fileno(), 4: theirs.fileno()},
            )
        except BaseException:
            pipe.close()
            raise
        finally:
            theirs.close()
