"""What Chromium tells of requests: the fields we read, and no others."""

from __future__ import annotations

import msgspec

from stockade.engines.events import Timing

__all__ = [
    "Failed",
    "Finished",
    "Named",
    "Raw",
    "Received",
    "Response",
    "Sent",
    "SocketClosed",
    "SocketCreated",
    "SocketFailed",
    "SocketHandshake",
]


class Outgoing(msgspec.Struct):
    """A request as the page made it."""

    url: str = ""
    method: str = "GET"
    headers: dict[str, str] = {}
    urlFragment: str = ""
    hasPostData: bool = False


class Initiator(msgspec.Struct):
    """Who asked; for a preflight, the request that needs it."""

    type: str = ""
    requestId: str = ""


class ResourceTiming(msgspec.Struct):
    """Milliseconds since the request began at which each phase began and ended, or -1."""

    dnsStart: float = -1
    dnsEnd: float = -1
    connectStart: float = -1
    connectEnd: float = -1
    sslStart: float = -1
    sslEnd: float = -1
    sendStart: float = -1
    sendEnd: float = -1
    receiveHeadersEnd: float = -1

    def phases(self) -> Timing:
        """How long each phase took."""
        first = [each for each in (self.dnsStart, self.connectStart, self.sendStart) if each >= 0]
        return Timing(
            blocked=min(first, default=-1),
            dns=_between(self.dnsStart, self.dnsEnd),
            connect=_between(self.connectStart, self.connectEnd),
            ssl=_between(self.sslStart, self.sslEnd),
            send=_between(self.sendStart, self.sendEnd),
            wait=_between(self.sendEnd, self.receiveHeadersEnd),
        )


def _between(start: float, end: float) -> float:
    return max(end - start, 0) if start >= 0 and end >= 0 else -1


class Response(msgspec.Struct):
    """The head of an answer."""

    status: int = 0
    statusText: str = ""
    protocol: str = ""
    remoteIPAddress: str = ""
    remotePort: int = 0
    timing: ResourceTiming | None = None
    headers: dict[str, str] = {}
    mimeType: str = ""
    fromDiskCache: bool = False
    fromPrefetchCache: bool = False
    fromServiceWorker: bool = False
    encodedDataLength: float = 0


class Sent(msgspec.Struct):
    """`Network.requestWillBeSent`."""

    requestId: str
    request: Outgoing
    timestamp: float
    wallTime: float
    initiator: Initiator
    loaderId: str = ""
    type: str = "Other"
    frameId: str = ""
    redirectResponse: Response | None = None
    redirectHasExtraInfo: bool = False


class Raw(msgspec.Struct):
    """`Network.requestWillBeSentExtraInfo` and `Network.responseReceivedExtraInfo`."""

    requestId: str
    headers: dict[str, str] = {}


class Received(msgspec.Struct):
    """`Network.responseReceived` and `Network.webSocketHandshakeResponseReceived`."""

    requestId: str
    timestamp: float
    response: Response
    hasExtraInfo: bool = False


class Named(msgspec.Struct):
    """An event that says no more than which request it is about."""

    requestId: str


class Finished(msgspec.Struct):
    """`Network.loadingFinished`."""

    requestId: str
    timestamp: float
    encodedDataLength: float = 0


class CorsError(msgspec.Struct):
    """Why the page may not read the answer."""

    corsError: str = ""


class Failed(msgspec.Struct):
    """`Network.loadingFailed`."""

    requestId: str
    timestamp: float
    errorText: str = ""
    canceled: bool = False
    blockedReason: str = ""
    corsErrorStatus: CorsError | None = None


class SocketCreated(msgspec.Struct):
    """`Network.webSocketCreated`."""

    requestId: str
    url: str


class SocketHandshake(msgspec.Struct):
    """`Network.webSocketWillSendHandshakeRequest`."""

    requestId: str
    request: Outgoing


class SocketFailed(msgspec.Struct):
    """`Network.webSocketFrameError`."""

    requestId: str
    errorMessage: str = ""


class SocketClosed(msgspec.Struct):
    """`Network.webSocketClosed`."""

    requestId: str
    timestamp: float
