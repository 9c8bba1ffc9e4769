"""An attachment: the browser of a person, which one session at a time joins and leaves again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stockade.engines.port import Browser, Engine
from stockade.engines.values import Proxy
from stockade.policy.capabilities import EXPOSED
from stockade.sessions.browsers import Isolation
from stockade.telemetry.logs import get_logger

__all__ = ["Attachment"]

_log = get_logger("stockade.sessions")
_PATIENCE = 10.0


@dataclass(frozen=True)
class Attachment:
    """Gives a session the browser at one address; what a server does for its own is not done."""

    engine: Engine
    address: str
    isolation: Literal["attached"] = "attached"
    faults: dict[str, str] = field(default_factory=dict)
    """None is ended for being unfit."""

    async def acquire(
        self, user: str, own: Proxy | None = None, level: Isolation | None = None
    ) -> Browser:
        """Join the browser."""
        del own, level
        browser = await self.engine.attach(self.address, timeout=_PATIENCE)
        _log.warning("attached", session=user, product=browser.product, exposed=EXPOSED)
        return browser

    def room_of(self, browser: Browser) -> None:
        """It is in none."""

    async def release(self, user: str, browser: Browser) -> None:
        """Leave the browser, which goes on."""
        await browser.close()
        _log.info("detached", session=user)

    async def admit(self, what: str) -> None:
        """Its memory is the person's."""

    async def examine(self, browser: Browser) -> None:
        """Whether it works is for the person to say."""

    def call_ended(self, browser: Browser, error: BaseException | None) -> None:
        """It is not ended for its failures."""

    def start_ended(self, browser: Browser, error: BaseException | None = None) -> None:
        """Nor for these."""
