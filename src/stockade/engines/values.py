"""Plain values that cross the engine port."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from stockade.engines.rooms import Room
from stockade.errors import StockadeError

if TYPE_CHECKING:
    from stockade.engines.inside import Frame

__all__ = [
    "DEADLINE",
    "LONGEST_SIDE",
    "MOST_PIXELS",
    "Box",
    "ContextOptions",
    "Cookie",
    "Credentials",
    "Emulation",
    "Explained",
    "ExtensionInfo",
    "Geolocation",
    "HistoryEntry",
    "ImageFormat",
    "InitScript",
    "LaunchOptions",
    "MouseButton",
    "Navigation",
    "NetworkConditions",
    "PdfOptions",
    "Point",
    "Proxy",
    "ScreenshotOptions",
    "StorageKey",
    "Until",
    "UserAgent",
    "Viewport",
    "World",
    "largest_scale",
]

DEADLINE = 30.0
"""Seconds a call may take when its caller does not say."""

Until = Literal["commit", "domcontentloaded", "load"]
MouseButton = Literal["left", "middle", "right", "back", "forward"]
ImageFormat = Literal["jpeg", "png", "webp"]


class World(StrEnum):
    """Which script world of a frame code runs in."""

    AGENT = "agent"
    """Our isolated world: sees the document, is not seen by the page."""
    MAIN = "main"
    """The page's own world."""


class Point(NamedTuple):
    """A place in CSS pixels of the tab's viewport."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Viewport:
    """The size of the page area, and how it is scaled."""

    width: int = 1280
    height: int = 720
    scale: float = 1.0
    mobile: bool = False
    touch: bool = False


@dataclass(frozen=True)
class Geolocation:
    """A position the page is told."""

    latitude: float
    longitude: float
    accuracy: float = 10.0


@dataclass(frozen=True)
class UserAgent:
    """What the browser says it is, in the header and in client hints alike."""

    value: str
    accept_language: str | None = None
    platform: str | None = None
    client_hints: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class NetworkConditions:
    """How good the emulated line is; -1 is unlimited."""

    offline: bool = False
    latency_ms: float = 0.0
    download_bytes_per_second: float = -1.0
    upload_bytes_per_second: float = -1.0
    packet_loss_percent: float = 0.0


@dataclass(frozen=True)
class Emulation:
    """What the page is told about the device; `None` leaves the browser's own."""

    viewport: Viewport = field(default_factory=Viewport)
    user_agent: UserAgent | None = None
    locale: str | None = None
    timezone: str | None = None
    geolocation: Geolocation | None = None
    color_scheme: Literal["light", "dark"] | None = None
    reduced_motion: bool | None = None
    media: Literal["screen", "print"] | None = None
    network: NetworkConditions = field(default_factory=NetworkConditions)
    cpu_slowdown: float = 1.0


class Explained(NamedTuple):
    """Why a request came to nothing, by whoever runs the proxy."""

    failure: str
    """In the place of what the browser says."""
    error: StockadeError | None = None
    """What a navigation there fails with, where that has an error of its own."""


@dataclass(frozen=True)
class Proxy:
    """The proxy all traffic of a context goes through, loopback included."""

    server: str
    explain: Callable[[str, str], Explained] | None = field(default=None, repr=False, compare=False)
    """Asked about an address that the browser did not get, and what the browser says of it."""


@dataclass(frozen=True)
class Credentials:
    """What to answer an HTTP authentication challenge with."""

    username: str
    password: str
    origin: str | None = None
    """The only origin that may have them, scheme and port included; `None` is any."""


@dataclass(frozen=True)
class InitScript:
    """Code that runs in every new document before the page's own."""

    source: str
    world: World = World.AGENT
    heard: Callable[[Frame, str], None] | None = None
    """Is told what the code says. It is then a function, and is given the one to say it with.

    Whoever runs scripts in the world may have got hold of that: what is heard is a claim.
    """


@dataclass(frozen=True)
class LaunchOptions:
    """How a browser process is started."""

    binary: Path | None = None
    """Chromium or its headless shell; found among the usual places when unset."""
    full: bool = False
    """Whether it must be full Chromium: the headless shell has no extensions."""
    headless: bool = True
    uid: int = 61001
    """The unprivileged uid to run under when we are root."""
    scratch: Path | None = None
    """Where its profile is made; where the system keeps what is temporary when unset."""
    room: Room | None = None
    """What it runs in; without one it runs beside us."""
    proxy: Proxy | None = None
    """Of what the browser does by itself, and of its own state, beside every context."""
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    insecure: bool = False
    """Whether pages may read what belongs to other origins."""
    timeout: float = 20.0


@dataclass(frozen=True)
class ExtensionInfo:
    """An extension that a browser has."""

    id: str
    name: str
    version: str
    enabled: bool


@dataclass(frozen=True)
class ContextOptions:
    """One isolated browser state: its own cookies, storage, cache and way out."""

    proxy: Proxy | None = None
    emulation: Emulation = field(default_factory=Emulation)
    init_scripts: tuple[InitScript, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    credentials: Credentials | None = None
    downloads: Path | None = None
    """Where downloads are written, as the browser names the place; refused when unset."""
    common_browser: bool = False
    """Whether states of others live in the same browser."""
    keep_bodies: bool = False
    """Whether bodies of answers outlive their documents, within limits."""
    watch_storage: bool = False
    """Whether changes of local storage and databases are told."""
    stealth: bool = False
    """Whether pages are kept from hearing that a program drives the browser."""
    attended: bool = False
    """Whether a person uses the same tabs: they keep their device, and their file choosers."""


@dataclass(frozen=True)
class Navigation:
    """How a navigation ended."""

    url: str
    document: str
    """Names the new document; the same as before when only the fragment or state changed."""
    same_document: bool = False
    status: int | None = None


@dataclass(frozen=True)
class HistoryEntry:
    """One entry of a tab's history."""

    url: str
    title: str
    current: bool


@dataclass(frozen=True)
class ScreenshotOptions:
    """What to picture: the viewport unless a clip (page coordinates) or the full page is asked."""

    format: ImageFormat = "jpeg"
    quality: int = 80
    clip: Box | None = None
    full_page: bool = False
    scale: float = 1.0
    transparent: bool = False
    lossless: bool = False
    """Give a PNG, of no more pixels than the format could have."""
    fit: bool = False
    """Scale down what is larger than a picture can be, rather than refuse it."""


LONGEST_SIDE: Final[Mapping[ImageFormat, int]] = {
    "jpeg": 65_500,
    "png": 1_000_000,
    "webp": 16_383,
}
"""What the encoders can do; beyond it they give an empty picture."""
MOST_PIXELS: Final = 64_000_000
"""The browser holds four bytes for each, more than once."""


def largest_scale(format: ImageFormat, width: float, height: float) -> float:
    """How far something of so many pixels has to be scaled down to be one picture; at most 1."""
    width, height = math.ceil(width), math.ceil(height)
    side = LONGEST_SIDE[format] / max(width, height)
    return min(1.0, side, math.sqrt(MOST_PIXELS / (width * height)))


@dataclass(frozen=True)
class PdfOptions:
    """How a page is printed; lengths in inches."""

    width: float = 8.27
    height: float = 11.69
    landscape: bool = False
    scale: float = 1.0
    background: bool = True
    margin: float = 0.4
    pages: str = ""


@dataclass(frozen=True)
class Cookie:
    """A cookie, by its usual names; `expires` is -1 for one that ends with the session."""

    name: str
    value: str
    domain: str | None = None
    path: str = "/"
    url: str | None = None
    expires: float = -1.0
    http_only: bool = False
    secure: bool = False
    same_site: Literal["Strict", "Lax", "None"] | None = None
    partition: str | None = None
    """The top-level site a partitioned cookie is kept for."""
    cross_site_ancestor: bool = False
    """Whether that partition is of frames below another site."""


@dataclass(frozen=True)
class StorageKey:
    """Whose storage it is: an origin's own, or what it has as a frame below another site."""

    origin: str
    site: str = ""
