"""Programs are told little, are not trusted, and end with the call."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from stockade.errors import NotConfigured, ProviderFailed, StockadeError
from stockade.providers import programs
from stockade.providers.programs import Program, decoded, digits_of
from tests.support.providers import PASSWORD, FakeProgram
from tests.support.waiting import until

PROGRAM = Program(
    command="stockade-vault",
    label="Vault",
    variables=("VAULT_", "ALONE"),
    fixed={"VAULT_QUIET": "1"},
    sign_in="Sign in.",
    missing="no such",
    ambiguous="several",
    locked="locked",
    codeless="no code",
)


async def failure(path: Path, *argv: str) -> StockadeError:
    with pytest.raises(StockadeError) as caught:
        await replace(PROGRAM, place=path).say(*(argv or ("get", "bank")))
    assert PASSWORD not in str(caught.value.as_dict())
    return caught.value


async def test_it_is_told_what_it_needs_and_no_more(
    program: FakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VAULT_SESSION", "ALONE", "ALONE_TOO", "VAULT_QUIET", "STOCKADE_ADMIN_KEY"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("HOME", "/home/someone")
    made = replace(PROGRAM, place=program.says("fine"))
    assert await made.say("get", "--", "a $(id) `id` ; 'b'") == "fine"
    assert program.argv == ["get", "--", "a $(id) `id` ; 'b'"]
    told = program.environment
    assert (told["HOME"], told["VAULT_SESSION"], told["ALONE"]) == ("/home/someone", "x", "x")
    assert told["VAULT_QUIET"] == "1"
    assert not {"ALONE_TOO", "STOCKADE_ADMIN_KEY", "PYTEST_CURRENT_TEST"} & set(told)


@pytest.mark.parametrize(
    ("said", "code", "word"),
    [
        ("no such thing", "not_found", "no such account"),
        ("there are several", "invalid_argument", "more than one"),
        ("it is LOCKED", "not_configured", "locked"),
        ("there is no code", "not_found", "one-time code"),
        (f"panic: {PASSWORD}", "provider_failed", "ended with code 3"),
    ],
)
async def test_complaints_are_told_in_our_own_words(
    program: FakeProgram, said: str, code: str, word: str
) -> None:
    error = await failure(program.says("", errors=f"[ERROR] {said}", code=3))
    assert error.code == code
    assert word in error.message
    # The name that was asked for is not a complaint.
    error = await failure(program.says("", errors=f'"{said}"', code=3), said)
    assert error.code == "provider_failed"


async def test_one_that_does_not_end_is_ended_with_what_it_started(
    program: FakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "TIMEOUT", 0.4)
    path = program.does(f"sleep 600 & echo $! > {program.folder}/child; wait")
    assert "did not answer" in (await failure(path)).message
    child = int((program.folder / "child").read_text())
    await until(lambda: not Path(f"/proc/{child}").exists() or _dead(child))


def _dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


async def test_one_that_says_too_much_is_ended(program: FakeProgram) -> None:
    assert "more than" in (await failure(program.does("exec yes x"))).message


async def test_one_that_is_not_there_is_named(
    program: FakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await failure(program.folder / "none")).code == "not_configured"
    broken = program.folder / "broken"
    broken.write_bytes(b"\x7fELF")
    broken.chmod(0o755)
    assert (await failure(broken)).code == "provider_failed"
    here = program.says("fine").rename(program.folder / "stockade-vault")
    # Where we happen to be is no place to look for programs.
    monkeypatch.chdir(program.folder)
    monkeypatch.setenv("PATH", f".:{os.defpath}:")
    with pytest.raises(NotConfigured, match="is not installed"):
        await PROGRAM.say("get")
    monkeypatch.setenv("PATH", f"{program.folder}:{os.defpath}")
    assert PROGRAM.path == str(here)


def test_what_is_no_item_is_none() -> None:
    for said in ("12", '"text"', "[1, null]", "[]"):
        assert list(decoded(said, "Vault")) == []
    for said in ("", "{", "never", "[" * 100_000):
        with pytest.raises(ProviderFailed, match="no item"):
            list(decoded(said, "Vault"))


def test_a_code_is_a_code() -> None:
    assert digits_of("123456\n", "Vault") == "123456"
    for said in ("", "1234", f"{PASSWORD}", "123456\n123457", "otpauth://totp/x?secret=AAAA"):
        with pytest.raises(ProviderFailed) as caught:
            digits_of(said, "Vault")
        assert not said or said not in caught.value.message
