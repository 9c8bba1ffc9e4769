"""What the server and the egress process tell each other, over a socket that only they have.

Each message is one datagram of a `SOCK_SEQPACKET` pair: JSON of one of the structs below, sent and
received by `egress/datagrams.py`, since it may be larger than a socket takes. With `Open` goes the
listening socket of the session, so that a process that dies takes no address with it: what connects
meanwhile waits for the next one.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "Admit",
    "Close",
    "Count",
    "Counters",
    "Failed",
    "FromProcess",
    "Names",
    "Open",
    "Ready",
    "Rules",
    "Start",
    "ToProcess",
    "Upstream",
    "Verdict",
    "decode_from_process",
    "decode_to_process",
    "encode",
]

Label = Literal["page", "browser"]
"""Whose traffic it is: what pages do, or what the browser does by itself."""


class Upstream(msgspec.Struct, frozen=True):
    """A proxy that everything of a session goes through after it was judged."""

    kind: Literal["http", "https", "socks5"]
    host: str
    port: int
    username: str = ""
    password: str = ""

    @property
    def by_http(self) -> bool:
        """Whether it speaks HTTP, over TLS or not."""
        return self.kind != "socks5"


class Rules(msgspec.Struct, frozen=True):
    """What a session may reach, as texts that `OriginRule.parse` reads."""

    allowed: tuple[tuple[str, ...], ...] = ()
    """Lists that an origin must each pass; none: every origin."""
    blocked: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    """Ports beside 80, 443 and those that allowed origins name."""
    exceptions: tuple[str, ...] = ()
    """`host:port` and `host:*`, by the host as it is asked for: addresses are not judged there."""
    upstream: Upstream | None = None
    label: Label = "page"
    closed: bool = False
    """Nothing at all gets out: the way of a browser's own traffic."""


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Before all else: what holds for every session."""

    resolver: str = ""
    """`ip:port` of a DNS server; empty: those of the machine."""
    own: tuple[str, ...] = ()
    """`ip:port` that must never be dialled, whatever the rules: ours."""
    hosts: str = ""
    """What `/etc/hosts` says: the process opens no files."""
    conf: str = ""
    """What `/etc/resolv.conf` says."""


class Names(msgspec.Struct, frozen=True, tag="names"):
    """One of those files says something else now."""

    hosts: str
    conf: str


class Open(msgspec.Struct, frozen=True, tag="open"):
    """A session's way out; its listening socket comes along."""

    session: str
    rules: Rules
    elsewhere: bool = False
    """Whether that socket is in another network namespace: its address says nothing here."""


class Admit(msgspec.Struct, frozen=True, tag="admit"):
    """The origins that are allowed to a session beyond its lists; replaces those of before."""

    session: str
    origins: tuple[str, ...] = ()


class Close(msgspec.Struct, frozen=True, tag="close"):
    """A session is over: its listener and every connection of it go."""

    session: str


class Count(msgspec.Struct, frozen=True, tag="count"):
    """Asks for the counters of a session."""

    session: str


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The process has taken in a message: `what` is its tag."""

    what: str
    session: str = ""


class Verdict(msgspec.Struct, frozen=True, tag="verdict"):
    """A request that was refused, or that went off the allow list because that was admitted."""

    session: str
    denied: bool
    off_list: bool
    """Whether its origin is on no allow list."""
    rule: str
    """Which rule: `allowed_origins`, an entry of a block list, `address`, `name`, `port`, `tls`…"""
    reason: str
    """In words, without anything secret."""
    remedy: str
    """What the operator would have to set."""
    origin: str
    """Such as `https://10.1.1.1:8443`; of a CONNECT as far as it can be told."""
    host: str
    port: int
    method: str = ""
    label: Label = "page"
    address: str = ""
    """The address that was judged, where a name was looked up."""
    times: int = 1
    """How many of the same it stands for: a storm is told in sums."""


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A request that was allowed and came to nothing: a browser cannot tell why."""

    session: str
    kind: Literal["name", "resolver", "refused", "unreachable", "timeout", "broken", "upstream"]
    """No such name; no answer about it; nobody listens; no way there; no answer; cut off or
    nonsense; or the session's own proxy did not do it."""
    reason: str
    origin: str
    host: str
    port: int
    label: Label = "page"


class Counters(msgspec.Struct, frozen=True, tag="counters"):
    """What went through a session's way out so far."""

    session: str
    requests: int = 0
    denied: int = 0
    off_list: int = 0
    sent: int = 0
    """Bytes to servers."""
    received: int = 0
    """Bytes from servers."""


ToProcess = Start | Names | Open | Admit | Close | Count
FromProcess = Ready | Verdict | Failed | Counters

_encoder = msgspec.json.Encoder()
_to_process = msgspec.json.Decoder(ToProcess)
_from_process = msgspec.json.Decoder(FromProcess)


def encode(message: ToProcess | FromProcess) -> bytes:
    """A message as bytes."""
    return _encoder.encode(message)


def decode_to_process(data: bytes) -> ToProcess:
    """What the server says."""
    message: ToProcess = _to_process.decode(data)
    return message


def decode_from_process(data: bytes) -> FromProcess:
    """What the process says."""
    message: FromProcess = _from_process.decode(data)
    return message
