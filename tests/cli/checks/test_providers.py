"""What the doctor says of those who are asked for logins, codes and captchas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stockade.cli.checks.finding import Finding
from stockade.cli.checks.providers import providers
from stockade.config import Settings
from tests.support.providers import KEY, FakeProgram, FakeSolver
from tests.support.site import Site

SEED = "JBSWY3DPEHPK3PXP"


async def found(**given: Any) -> list[Finding]:
    return [each async for each in providers(Settings(**given))]


async def test_where_nothing_is_set_there_is_nothing_to_say() -> None:
    assert await found() == []
    assert await found(credentials_provider="none") == []
    said = await found(capabilities=("default", "credentials", "captcha"))
    assert [(each.name, each.state) for each in said] == [
        ("credentials", "warning"),
        ("captcha", "warning"),
    ]


async def test_seeds_and_programs_are_tried(tmp_path: Path) -> None:
    assert (await found(credentials_seeds={"shop": SEED}))[0].state == "ok"
    broken = f"otpauth://totp/x?secret={SEED}&digits=11"
    (said,) = await found(credentials_seeds={"shop": SEED, "bank": broken})
    assert (said.state, SEED in said.said) == ("problem", False)
    path = FakeProgram(tmp_path).says("2.30.3\n")
    (said,) = await found(credentials_provider="1password", credentials_program=path)
    assert (said.state, said.said) == ("ok", f"1Password: {path} 2.30.3")
    (said,) = await found(credentials_provider="lastpass", credentials_program=tmp_path / "no")
    assert said.state == "problem"
    path = FakeProgram(tmp_path).says("", errors="no", code=2)
    (said,) = await found(credentials_provider="bitwarden", credentials_program=path)
    assert said.state == "warning"


async def test_the_service_is_asked(site: Site) -> None:
    given = FakeSolver(site).settings
    (said,) = await found(**given)
    assert (said.state, "2.73" in said.said) == ("ok", True)
    for changes in ({"captcha_api_key": "another-key"}, {"captcha_api_base": "http://127.0.0.1:1"}):
        (said,) = await found(**{**given, **changes})
        assert said.state == "warning"
        assert KEY not in str(said)
