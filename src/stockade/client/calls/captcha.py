"""Calls of the tools in `captcha`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class CaptchaSolved(Beside):
    """What the service found: a token for the page's own field, or the letters of the picture."""

    ok: bool
    provider: str
    solution: str
    taskId: str
    elapsedMs: int


class CaptchaCalls(Calls):
    """Methods that call tools."""

    async def solve_captcha(
        self,
        target: str | None = None,
        *,
        type_: Literal['recaptcha2', 'recaptcha3', 'hcaptcha', 'turnstile', 'image'],
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        site_key: str | None = None,
        image_base64: str | None = None,
    ) -> CaptchaSolved:
        """Have the operator's service solve a captcha; nothing is entered into the page."""
        answer = await self._call("solve_captcha", {"type": type_}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "siteKey": site_key, "imageBase64": image_base64}, in_tab=True, target=target)
        return cast("CaptchaSolved", answer)
