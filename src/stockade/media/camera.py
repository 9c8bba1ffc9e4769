"""The camera: the one way to pictures of a tab, on which no secret is to be seen.

Where secrets are shown is read before a picture is taken and once more after it. If both looks
agree, the places are painted over; if not, the picture is taken again, and in the end not given.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from stockade.engines.port import DEADLINE
from stockade.engines.values import Box, PdfOptions, ScreenshotOptions
from stockade.errors import InvalidArgument, PictureWithheld
from stockade.masking.masker import Masker
from stockade.media.pdfs import words_of
from stockade.media.picture import Picture
from stockade.media.veil import veiled
from stockade.page.agent import PageAgent
from stockade.page.picture import element_clip, window_clip
from stockade.page.sight import Sight
from stockade.sessions.tab import Tab
from stockade.sessions.taint import Taint

__all__ = ["Camera"]

_TRIES: Final = 5
_PLAIN: Final = ScreenshotOptions()


@dataclass(frozen=True)
class Camera:
    """Pictures one tab for one who must not see certain secrets."""

    tab: Tab
    masker: Masker

    @property
    def _agent(self) -> PageAgent:
        return self.tab.agent

    @property
    def distrusts_drawings(self) -> bool:
        """Whether scripts of the tab know a secret, and may have drawn it."""
        taint = self.tab.session.parts.get(Taint)
        return taint is not None and taint.holds(self.tab)

    def _sight(self) -> Sight:
        return Sight(self._agent, self.masker.spans, drawings=self.distrusts_drawings)

    async def element(
        self,
        ref: str,
        *,
        caller: str,
        options: ScreenshotOptions = _PLAIN,
        timeout: float = DEADLINE,
    ) -> Picture:
        """Bring an element into view and picture it alone."""
        clip = await element_clip(self._agent, ref, caller=caller, timeout=timeout)
        return await self.take(replace(options, clip=clip), timeout=timeout)

    async def window(
        self, box: Box, *, options: ScreenshotOptions = _PLAIN, timeout: float = DEADLINE
    ) -> Picture:
        """Picture a box of the window."""
        clip = await window_clip(self._agent, box, timeout=timeout)
        return await self.take(replace(options, clip=clip), timeout=timeout)

    async def take(
        self, options: ScreenshotOptions = _PLAIN, *, timeout: float = DEADLINE
    ) -> Picture:
        """Picture the tab as the options say; what is too large for a picture is scaled down."""
        page, options = self.tab.page, replace(options, fit=True)
        if self.masker.idle:
            return Picture(await page.screenshot(options, timeout=timeout), options.format)
        sight, loop = self._sight(), asyncio.get_running_loop()
        ends = loop.time() + timeout
        for _ in range(_TRIES):
            before = await sight.look(timeout=ends - loop.time())
            area = Box(0, 0, 1, 1)
            if before.present:
                area = await page.pictured_area(options, timeout=ends - loop.time())
            wish = replace(options, lossless=before.present)
            pixels = await page.screenshot(wish, timeout=ends - loop.time())
            after = await sight.look(again=True, timeout=ends - loop.time())
            hidden = before.boxes | after.passing
            if after.missed or (before.boxes, before.scroll) != (after.boxes, after.scroll):
                continue
            if before.present:
                return await asyncio.to_thread(
                    veiled, pixels, area, hidden, options.format, options.quality
                )
            if not hidden:
                return Picture(pixels, options.format)
        raise PictureWithheld("a secret moves on the page, and no picture of it can be given")

    async def pdf(self, options: PdfOptions, *, timeout: float = DEADLINE) -> bytes:
        """Print the tab; what holds a secret stays blank, and the file is searched for more."""
        page = self.tab.page
        if self.masker.idle:
            return await page.pdf(options, timeout=timeout)
        loop = asyncio.get_running_loop()
        ends = loop.time() + timeout
        async with self._sight().unprinted(timeout=timeout):
            content = await page.pdf(options, timeout=ends - loop.time())
        try:
            words = await words_of(content, timeout=ends - loop.time())
        except InvalidArgument:
            raise PictureWithheld(
                "the PDF is too large to be searched for secrets", hint="Print fewer pages."
            ) from None
        if self.masker.spans("\n".join(words)):
            raise PictureWithheld(
                "the PDF would hold a secret that cannot be taken out",
                hint="It is in the title, in a link, or only there in print. Use `screenshot`.",
            )
        return content
