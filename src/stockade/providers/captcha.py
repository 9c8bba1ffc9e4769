"""A service that solves captchas, spoken to as 2Captcha is: `in.php` takes one, `res.php` tells."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from stockade.config import Settings
from stockade.errors import InvalidArgument, NotConfigured, ProviderFailed, StockadeError

if TYPE_CHECKING:
    import httpx

__all__ = ["Kind", "Solved", "Solver", "challenge"]

Kind = Literal["recaptcha2", "recaptcha3", "hcaptcha", "turnstile", "image"]
Fields = Mapping[str, str]
Told = Callable[[float], Awaitable[None]]
"""Is told how many seconds have gone by."""

_BASES: Final = {"2captcha": "https://2captcha.com", "capmonster": "https://api.capmonster.cloud"}
_TIMEOUT: Final = 10.0
_MOST_ANSWER: Final = 65_536
_LONGEST_TASK: Final = 100
_REFUSED: Final = 300
_FAILURES_IN_A_ROW: Final = 3
_NOT_READY: Final = frozenset({"CAPCHA_NOT_READY", "CAPTCHA_NOT_READY"})
_FULL: Final = frozenset({"ERROR_NO_SLOT_AVAILABLE", "MAX_USER_TURN"})
_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]{2,59}")
_ACCOUNT: Final = re.compile(r"KEY_DOES_NOT_EXIST|USER_KEY|ZERO_BALANCE|BANNED|IP_NOT_ALLOWED")
_INPUT: Final = re.compile(r"GOOGLEKEY|SITEKEY|PAGEURL|FILESIZE|FILE_EXTENSION|IMAGE_TYPE|UPLOAD")
_BUSY: Final = re.compile(r"NO_SLOT_AVAILABLE|MAX_USER_TURN|TOO_MANY_REQUESTS|TOO_MUCH_REQUESTS")


@dataclass(frozen=True)
class Solved:
    """What the service found."""

    solution: str
    task: str


def challenge(kind: Kind, *, site_key: str = "", address: str = "", image: str = "") -> Fields:
    """What the service is told of a captcha; `image` is in base64."""
    if kind == "image":
        return {"method": "base64", "body": image}
    shared = {"pageurl": address}
    match kind:
        case "recaptcha2":
            return {"method": "userrecaptcha", "googlekey": site_key, **shared}
        case "recaptcha3":
            third = {"version": "v3", "action": "verify", "min_score": "0.3"}
            return {"method": "userrecaptcha", "googlekey": site_key, **third, **shared}
        case _:
            return {"method": kind, "sitekey": site_key, **shared}


@dataclass(frozen=True)
class Solver:
    """The service that the operator has an account with. Its key is in no error and no log."""

    name: str
    base: str
    key: str = field(repr=False)
    timeout: float
    poll: float

    @classmethod
    def of(cls, settings: Settings) -> Solver:
        """The one that the settings name."""
        name = settings.captcha_provider
        if not name or not settings.captcha_api_key:
            raise NotConfigured(
                "no provider configured",
                hint="The operator sets STOCKADE_CAPTCHA_PROVIDER and STOCKADE_CAPTCHA_API_KEY.",
            )
        return cls(
            name,
            settings.captcha_api_base or _BASES[name],
            settings.captcha_api_key,
            settings.captcha_timeout,
            settings.captcha_poll,
        )

    async def solve(self, fields: Fields, told: Told) -> Solved:
        """Hand it in, and ask until it is solved."""
        try:
            async with asyncio.timeout(self.timeout), self._client() as client:
                begun = time.monotonic()
                task = await self._handed_in(client, fields, told, begun)
                return Solved(await self._awaited(client, task, told, begun), task)
        except TimeoutError:
            raise ProviderFailed(
                f"{self.name} did not solve it within {self.timeout:g} s", hint="Try again."
            ) from None

    async def balance(self) -> str:
        """What is left of the account, which also tells that the key is good."""
        async with asyncio.timeout(_TIMEOUT), self._client() as client:
            ok, said = await self._told(client, "GET", "res.php", {"action": "getbalance"})
        if not ok:
            raise self._failure(said)
        return said[:20]

    async def _handed_in(
        self, client: httpx.AsyncClient, fields: Fields, told: Told, begun: float
    ) -> str:
        while True:
            ok, said = await self._told(client, "POST", "in.php", fields)
            if ok and 0 < len(said) <= _LONGEST_TASK:
                return said
            if ok or said not in _FULL:
                raise self._failure(said)
            await self._pause(told, begun)

    async def _awaited(self, client: httpx.AsyncClient, task: str, told: Told, begun: float) -> str:
        failures = 0
        while True:
            await self._pause(told, begun)
            try:
                ok, said = await self._told(client, "GET", "res.php", {"action": "get", "id": task})
            except ProviderFailed:
                # It is paid for: one lost answer is no reason to give it up.
                failures += 1
                if failures >= _FAILURES_IN_A_ROW:
                    raise
                continue
            failures = 0
            if ok:
                return said
            if said not in _NOT_READY | _FULL:
                raise self._failure(said)

    async def _pause(self, told: Told, begun: float) -> None:
        await told(time.monotonic() - begun)
        await asyncio.sleep(self.poll)

    def _client(self) -> httpx.AsyncClient:
        import httpx  # noqa: PLC0415

        return httpx.AsyncClient(
            timeout=_TIMEOUT,
            trust_env=False,
            follow_redirects=False,
            # To read the certificates of the world takes long, and http has no use for them.
            verify=self.base.startswith("https:"),
            headers={"accept-encoding": "identity"},
        )

    async def _told(
        self, client: httpx.AsyncClient, method: str, path: str, fields: Fields
    ) -> tuple[bool, str]:
        """Whether it says yes, and what it says."""
        import httpx  # noqa: PLC0415

        given = {"key": self.key, "json": "1", **fields}
        sent: dict[str, Any] = {"data": given} if method == "POST" else {"params": given}
        body = bytearray()
        try:
            async with client.stream(method, f"{self.base}/{path}", **sent) as response:
                status = response.status_code
                async for piece in response.aiter_raw():
                    body += piece
                    if len(body) > _MOST_ANSWER:
                        raise ProviderFailed(f"{self.name} says more than an answer can be")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # The address that it speaks of holds the key.
            kind = type(error).__name__
            raise ProviderFailed(f"{self.name} could not be reached: {kind}") from None
        if status >= _REFUSED:
            raise ProviderFailed(f"{self.name} answered with status {status}")
        return _read(bytes(body), self.name)

    def _failure(self, said: str) -> StockadeError:
        """What its own word for it means."""
        code = said if _CODE.fullmatch(said) else "an answer that is not understood"
        if _ACCOUNT.search(code):
            return NotConfigured(
                f"{self.name} does not take the operator's account: {code}",
                hint="The operator looks at the key, its balance and the addresses it allows.",
            )
        if _INPUT.search(code):
            return InvalidArgument(
                f"{self.name} cannot use what it was given: {code}",
                hint="Look at type, siteKey and the element that is pictured.",
            )
        hint = "Try again later." if _BUSY.search(code) else ""
        return ProviderFailed(f"{self.name} did not solve it: {code}", hint=hint)


def _read(body: bytes, name: str) -> tuple[bool, str]:
    """`{"status":1,"request":"…"}`, or `OK|…` where a service keeps to the older manner."""
    text = body.decode(errors="replace").strip()
    if text.startswith("OK|"):
        return True, text.removeprefix("OK|")
    if _CODE.fullmatch(text):
        return False, text
    try:
        said = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("request"), str | int | float):
        raise ProviderFailed(f"what {name} said is no answer that is known")
    return said.get("status") == 1, str(said["request"])
