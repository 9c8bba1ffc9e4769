"""Captchas are handed to a service of the operator's, and nothing else is."""

from __future__ import annotations

import base64
from io import BytesIO

import PIL.Image

from tests.support.callers import Caller
from tests.support.providers import KEY, FakeSolver, configured

SECRET = "Correct-Horse-9-Battery"
PAGE = """<title>Join</title><form><div class=h-captcha data-sitekey=10000000-ffff></div>
<img id=letters alt=letters style="width:60px;height:20px;background:#0a0"></form><p id=word></p>
<script>word.textContent = location.hash.slice(1)</script>"""


def png(size: tuple[int, int] = (8, 4)) -> str:
    file = BytesIO()
    PIL.Image.new("RGB", size, "red").save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


async def test_the_key_of_the_page_is_found_and_the_solution_given(mighty: Caller) -> None:
    await mighty.show(PAGE)
    await mighty.ok("navigate", url=mighty.site.url("/page?token=abc#x"))
    fake = FakeSolver(mighty.site.other, solution="P1_" + "x" * 4000)
    with configured(mighty.kernel, **fake.settings):
        told = await mighty.ok("solve_captcha", type="hcaptcha")
        assert (told["provider"], told["taskId"]) == ("2captcha", "2122988149")
        assert told["solution"] == fake.solution
        await mighty.ok("solve_captcha", type="turnstile", siteKey="0x4AAA")
    common = {"key": KEY, "json": "1", "pageurl": mighty.site.url("/page")}
    assert fake.handed_in == [
        {"method": "hcaptcha", "sitekey": "10000000-ffff", **common},
        {"method": "turnstile", "sitekey": "0x4AAA", **common},
    ]


async def test_a_picture_is_the_element_or_the_one_given(mighty: Caller) -> None:
    await mighty.show(PAGE)
    fake = FakeSolver(mighty.site.other, solution="w4k3")
    with configured(mighty.kernel, **fake.settings):
        await mighty.ok("solve_captcha", type="image", selector="#letters")
        told = await mighty.ok(
            "solve_captcha", type="image", imageBase64=f"data:image/png;base64,{png()}"
        )
        assert told["solution"] == "w4k3"
        sent = [PIL.Image.open(BytesIO(base64.b64decode(each["body"]))) for each in fake.handed_in]
        assert [each.size for each in sent] == [(60, 20), (8, 4)]
        assert sent[0].convert("RGB").getpixel((50, 15)) == (0, 170, 0)
        # A secret that the page shows is not sent anywhere.
        await mighty.ok("register_secret", name="WORD", value=SECRET)
        await mighty.ok("navigate", url=mighty.site.url(f"/page?shown#{SECRET}"))
        await mighty.ok("solve_captcha", type="image", selector="#word")
    veiled = PIL.Image.open(BytesIO(base64.b64decode(fake.handed_in[-1]["body"])))
    colours = veiled.convert("RGB").crop((0, 0, 40, 10)).getcolors()
    assert colours is not None
    assert len(colours) == 1


async def test_what_cannot_be_handed_in_is_not(mighty: Caller) -> None:
    await mighty.show("<p>nothing")
    told = await mighty.refused("solve_captcha", type="hcaptcha")
    assert (told["code"], told["error"]) == ("not_configured", "no provider configured")
    assert "STOCKADE_CAPTCHA_PROVIDER" in told["hint"]
    fake = FakeSolver(mighty.site.other, refusals=["ERROR_CAPTCHA_UNSOLVABLE"])
    with configured(mighty.kernel, **fake.settings):
        for given, code in (
            ({"type": "hcaptcha"}, "not_found"),
            ({"type": "hcaptcha", "imageBase64": png()}, "invalid_argument"),
            ({"type": "hcaptcha", "siteKey": "a&method=x"}, "invalid_argument"),
            ({"type": "hcaptcha", "selector": "#none"}, "not_found"),
            ({"type": "image"}, "invalid_argument"),
            ({"type": "image", "imageBase64": "!"}, "invalid_argument"),
            ({"type": "image", "imageBase64": base64.b64encode(b"text").decode()}, "invalid_argument"),
            ({"type": "image", "imageBase64": png(), "selector": "p"}, "invalid_argument"),
            ({"type": "sudoku"}, "invalid_argument"),
        ):  # fmt: skip
            assert (await mighty.refused("solve_captcha", **given))["code"] == code, given
        assert fake.handed_in == []
        told = await mighty.refused("solve_captcha", type="hcaptcha", siteKey="a")
    assert (told["code"], KEY in str(told)) == ("provider_failed", False)


async def test_without_the_capability_nothing_is_handed_in(caller: Caller) -> None:
    refused = await caller.refused("solve_captcha", type="hcaptcha", siteKey="a")
    assert refused["code"] == "capability_disabled"


async def test_the_tab_is_free_while_the_service_is_at_it(mighty: Caller) -> None:
    await mighty.show(PAGE)
    fake, told = FakeSolver(mighty.site.other, unready=3), list[float | None]()

    async def progress(done: float, total: float | None, message: str) -> None:
        del done, message
        told.append(total)
        assert (await mighty.reply("click", selector="#letters")).ok

    with configured(mighty.kernel, **fake.settings):
        reply = await mighty.kernel.call(
            mighty.principal,
            "solve_captcha",
            {"type": "hcaptcha"},
            progress=progress,
        )
    assert reply.ok, reply.text
    assert told == [5.0] * 4
