"""Names that lead into a network of one's own, whatever a resolver says of them."""

from __future__ import annotations

__all__ = ["LOCALHOST", "is_localhost", "why_denied"]

LOCALHOST = ("127.0.0.1", "::1")
"""What `localhost` means; no resolver is asked."""

_PRIVATE = {
    "localhost": "means this machine",
    "localdomain": "means this machine",
    "local": "is a name of the local network",
    "internal": "is a name within a private network",
    "intranet": "is a name within a private network",
    "private": "is a name within a private network",
    "corp": "is a name within a private network",
    "home": "is a name of the local network",
    "lan": "is a name of the local network",
    "arpa": "is a name of the network's own machinery",
    "svc": "is a name within a cluster",
    "consul": "is a name within a cluster",
    "metadata.goog": "is a cloud's own service for its machines",
    "metadata.tencentyun.com": "is a cloud's own service for its machines",
    "metadata.packet.net": "is a cloud's own service for its machines",
    "metadata.platformequinix.com": "is a cloud's own service for its machines",
    "api.metadata.cloud.ibm.com": "is a cloud's own service for its machines",
}
"""Each with all names below it."""


def is_localhost(name: str) -> bool:
    """Whether it is `localhost` or below it."""
    return name == "localhost" or name.endswith(".localhost")


def why_denied(name: str) -> str:
    """What a name is instead of public; empty for one that may be looked up.

    `name` is in lower case and ASCII, without a dot at its end.
    """
    labels = name.split(".")
    for at in range(len(labels)):
        why = _PRIVATE.get(".".join(labels[at:]))
        if why:
            return why
    if len(labels) == 1:
        return "is a name without a domain, as only a local network has them"
    return ""
