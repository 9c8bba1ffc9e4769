"""A service is handed captchas, asked until they are solved, and not trusted beyond that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stockade.config import Settings
from stockade.errors import NotConfigured, ProviderFailed, StockadeError
from stockade.providers.captcha import Solved, Solver, challenge
from tests.support.providers import KEY, FakeSolver, said
from tests.support.site import Request, Response, Site

FIELDS = challenge("turnstile", site_key="0x4AAA", address="https://shop.example/in")


async def solved(fake: FakeSolver, told: list[float] | None = None) -> Solved:
    async def tell(seconds: float) -> None:
        (told if told is not None else []).append(seconds)

    return await Solver.of(Settings(**fake.settings)).solve(FIELDS, tell)


async def failure(fake: FakeSolver) -> StockadeError:
    with pytest.raises(StockadeError) as caught:
        await solved(fake)
    assert KEY not in str(caught.value.as_dict())
    assert caught.value.__cause__ is None
    return caught.value


def test_each_kind_is_told_as_the_service_wants_it() -> None:
    def told(kind: str) -> dict[str, str]:
        return dict(challenge(kind, site_key="K", address="https://a.example/"))  # type: ignore[arg-type]

    common = {"pageurl": "https://a.example/"}
    assert told("recaptcha2") == {"method": "userrecaptcha", "googlekey": "K", **common}
    assert told("recaptcha3")["version"] == "v3"
    for kind in ("hcaptcha", "turnstile"):
        assert told(kind) == {"method": kind, "sitekey": "K", **common}
    assert challenge("image", image="aGk=") == {"method": "base64", "body": "aGk="}


async def test_it_is_handed_in_and_waited_for(site: Site) -> None:
    fake, times = FakeSolver(site, unready=2, refusals=["ERROR_NO_SLOT_AVAILABLE"]), list[float]()
    assert await solved(fake, times) == Solved("solved-token", "2122988149")
    assert len(times) == 4
    assert len(fake.handed_in) == 2
    assert fake.handed_in[0] == {"key": KEY, "json": "1", **FIELDS}


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("ERROR_ZERO_BALANCE", "not_configured"),
        ("ERROR_KEY_DOES_NOT_EXIST", "not_configured"),
        ("IP_BANNED", "not_configured"),
        ("ERROR_GOOGLEKEY", "invalid_argument"),
        ("ERROR_TOO_BIG_CAPTCHA_FILESIZE", "invalid_argument"),
        ("ERROR_CAPTCHA_UNSOLVABLE", "provider_failed"),
        (f"<b>{KEY}</b>", "provider_failed"),
    ],
)
async def test_its_words_for_failure_are_known(site: Site, word: str, code: str) -> None:
    error = await failure(FakeSolver(site, refusals=[word]))
    assert error.code == code
    assert (word in error.message) == word.isupper()


async def test_what_is_no_answer_is_an_error(site: Site) -> None:
    fake = FakeSolver(site)
    site.page("/elsewhere", "no")
    away = {"location": site.url("/elsewhere")}
    for answer in (
        Response("", status=302, headers=away),
        Response("x" * 70_000),
        Response("<html>"),
        Response("[]"),
        Response('{"status":1,"request":{"a":1}}'),
        Response("down", status=503),
        said(1, ""),
        said(1, "9" * 101),
    ):

        async def give(_request: Request, answer: Response = answer) -> Response:
            return answer

        site.route("/in.php", give)
        assert (await failure(fake)).code == "provider_failed"
    assert not site.asked("/elsewhere")


async def test_the_older_manner_is_understood_and_lost_answers_are_asked_for_again(
    site: Site,
) -> None:
    fake = FakeSolver(site)
    site.page("/in.php", "OK|2122988149")
    answers = [Response("", status=502), Response("CAPCHA_NOT_READY"), Response("OK|a|b")]

    async def give(_request: Request) -> Response:
        return answers.pop(0) if len(answers) > 1 else answers[0]

    site.route("/res.php", give)
    assert (await solved(fake)).solution == "a|b"
    answers[:] = [Response("", status=502)]
    assert "502" in (await failure(fake)).message


async def test_it_ends_in_time_and_when_nobody_is_there(site: Site) -> None:
    fake = FakeSolver(site, unready=10_000)
    solver = replace(Solver.of(Settings(**fake.settings)), timeout=0.2)

    async def tell(_seconds: float) -> None:
        return

    with pytest.raises(ProviderFailed, match="within"):
        await solver.solve(FIELDS, tell)
    nobody = replace(solver, base="http://127.0.0.1:1", timeout=5)
    with pytest.raises(ProviderFailed, match="could not be reached") as caught:
        await nobody.solve(FIELDS, tell)
    assert KEY not in str(caught.value)
    assert KEY not in repr(solver)


async def test_the_balance_tells_whether_the_key_is_good(site: Site) -> None:
    solver = Solver.of(Settings(**FakeSolver(site).settings))
    assert await solver.balance() == "2.73"
    with pytest.raises(NotConfigured):
        await replace(solver, key="another").balance()


def test_without_a_provider_there_is_none() -> None:
    for given in (Settings(captcha_provider="2captcha"), Settings(captcha_api_key=KEY)):
        with pytest.raises(NotConfigured, match="no provider configured"):
            Solver.of(given)
    found = Solver.of(Settings(captcha_provider="capmonster", captcha_api_key=KEY))
    assert found.base.startswith("https://")
