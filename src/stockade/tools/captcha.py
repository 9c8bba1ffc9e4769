"""Captchas, handed to a service that the operator has an account with."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
import time
from typing import Annotated, Any, Final

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.port import Frame
from stockade.engines.values import ScreenshotOptions
from stockade.errors import InvalidArgument
from stockade.kernel.arguments import RARE, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.holding import set_down
from stockade.kernel.tool import tool
from stockade.media.pixels import opened
from stockade.page.captcha import SITE_KEY, site_key
from stockade.policy.capabilities import Capability
from stockade.providers.captcha import Fields, Kind, Solver, challenge
from stockade.urls import WEB_SCHEMES, parse

__all__ = ["solve_captcha"]

_MOST_BYTES: Final = 600_000
_PREFIX: Final = re.compile(r"data:image/[a-z]{3,5};base64,")


class SolveCaptcha(OptionalTarget):
    """Which captcha."""

    type: Kind
    ref: Annotated[str | None, Field(max_length=40), RARE] = None
    selector: Annotated[str | None, Field(max_length=2000)] = None
    context_ref: Annotated[str | None, Field(max_length=40), RARE] = None
    named: Annotated[str | None, Field(max_length=100), RARE] = None
    site_key: Annotated[str | None, Field(pattern=f"^{SITE_KEY}$")] = None
    image_base64: Annotated[str | None, Field(max_length=_MOST_BYTES * 3 // 2)] = None


class CaptchaSolved(TypedDict):
    """What the service found: a token for the page's own field, or the letters of the picture."""

    ok: bool
    provider: str
    solution: str
    taskId: str
    elapsedMs: int


@tool(Capability.CAPTCHA, gives=CaptchaSolved, toolset="forms", inner=False)
async def solve_captcha(call: Call, args: SolveCaptcha) -> dict[str, Any]:
    """Have the operator's service solve a captcha; nothing is entered into the page."""
    solver = Solver.of(call.kernel.settings)
    fields = await _challenge(call, args)
    begun = time.monotonic()

    async def told(seconds: float) -> None:
        await call.report(seconds, solver.timeout, f"{solver.name} is at it")

    async with set_down(call):
        solved = await solver.solve(fields, told)
    return {
        "ok": True,
        "provider": solver.name,
        "solution": solved.solution,
        "taskId": solved.task,
        "elapsedMs": round((time.monotonic() - begun) * 1000),
    }


async def _challenge(call: Call, args: SolveCaptcha) -> Fields:
    if args.type == "image":
        return challenge("image", image=await _picture(call, args))
    if args.image_base64 is not None:
        raise InvalidArgument("imageBase64 is for type image")
    frame, key = call.tab.page.main_frame, args.site_key
    if key is None:
        key, frame = await site_key(
            call.tab.agent, args.type, call.target, caller=call.caller, timeout=call.left
        )
    return challenge(args.type, site_key=key, address=_address(call, frame))


def _address(call: Call, frame: Frame) -> str:
    """Where the captcha is, without what an address may carry beside that."""
    for url in (frame.url, call.tab.url):
        address = parse(url)
        if address.scheme in WEB_SCHEMES:
            bare = f"{address.origin}/" if address.credentials else address.href
            return call.masker.text(re.split("[?#]", bare)[0])
    raise InvalidArgument("there is no page of the web in the tab", hint="Navigate first.")


async def _picture(call: Call, args: SolveCaptcha) -> str:
    """The letters to read, in base64: those that were given, or those of an element."""
    if (args.image_base64 is None) == (call.target is None):
        raise InvalidArgument("give imageBase64, or the selector of the picture")
    if args.image_base64 is None:
        options = ScreenshotOptions(format="png")
        taken = await call.camera.element(
            call.target or "", caller=call.caller, options=options, timeout=call.left
        )
        data = taken.data
    else:
        try:
            text = _PREFIX.sub("", args.image_base64, count=1)
            data = base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            raise InvalidArgument("imageBase64 is not base64") from None
        await asyncio.to_thread(opened, data)
    if len(data) > _MOST_BYTES:
        raise InvalidArgument(f"the picture has more than {_MOST_BYTES} bytes")
    return base64.b64encode(data).decode()
