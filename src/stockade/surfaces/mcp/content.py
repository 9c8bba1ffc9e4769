"""Replies as MCP results."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any, Final

from mcp import types
from mcp.types.version import is_version_at_least

from stockade.kernel.results import Link, Reply, compact

__all__ = ["result_of"]

_LINKS_SINCE: Final = "2025-06-18"


def result_of(reply: Reply, version: str) -> types.CallToolResult:
    """The result that a client of that protocol version can read."""
    text, data = _sendable(reply)
    content: list[types.ContentBlock] = [
        types.TextContent(text=each) for each in (text, reply.aside) if each
    ]
    content += [
        types.ImageContent(data=b64encode(each.data).decode(), mime_type=each.mime_type)
        for each in reply.images
    ]
    content += [_link(each, version) for each in reply.links]
    return types.CallToolResult(
        content=content,
        structured_content=data if reply.structured else None,
        is_error=not (reply.ok or reply.verdict),
    )


def _sendable(reply: Reply) -> tuple[str, dict[str, Any] | None]:
    """Text and data; half a character that a page left behind becomes a question mark."""
    whole = reply.text.encode(errors="replace").decode()
    if whole == reply.text or reply.data is None:
        return whole, reply.data
    return whole, json.loads(compact(reply.data).encode(errors="replace"))


def _link(link: Link, version: str) -> types.ContentBlock:
    """Clients from before there were links are told in words."""
    if is_version_at_least(version, _LINKS_SINCE):
        return types.ResourceLink(
            uri=link.uri, name=link.name, mime_type=link.mime_type, size=link.size
        )
    return types.TextContent(text=f"{link.name} ({link.mime_type}): {link.uri}")
