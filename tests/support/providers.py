"""Programs and services that stand in for those that know logins, codes and captchas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stockade.kernel.dispatch import Kernel
from tests.support.site import Request, Response, Site

PASSWORD = 'Zq7!pa"ss<w&rd>\\x9K'
KEY = "captcha-key-0123456789"


@contextmanager
def configured(kernel: Kernel, **changes: Any) -> Iterator[None]:
    """A kernel whose operator has set something else for a while."""
    before = kernel.settings
    kernel.settings = before.model_copy(update=changes)
    try:
        yield
    finally:
        kernel.settings = before


@dataclass(frozen=True)
class FakeProgram:
    """A program that writes down how it was started, and says what it is told to say."""

    folder: Path

    def says(self, answer: Any, *, errors: str = "", code: int = 0) -> Path:
        """Write it; a text is said as it is, anything else as JSON."""
        text = answer if isinstance(answer, str) else json.dumps(answer, indent=2)
        (self.folder / "answer").write_text(text, encoding="utf-8")
        (self.folder / "errors").write_text(errors, encoding="utf-8")
        here = self.folder
        return self.does(f"cat {here}/answer; cat {here}/errors >&2; exit {code}")

    def does(self, script: str) -> Path:
        """Write it, whatever it does."""
        path, here = self.folder / "program", self.folder
        noted = f"printf '%s\\n' \"$@\" > {here}/argv; env > {here}/env"
        path.write_text(f"#!/bin/sh\n{noted}\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    @property
    def argv(self) -> list[str]:
        """How it was started last."""
        return (self.folder / "argv").read_text(encoding="utf-8").splitlines()

    @property
    def environment(self) -> dict[str, str]:
        """What it was told of ours."""
        lines = (self.folder / "env").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)


@dataclass
class FakeSolver:
    """A service that is spoken to as 2Captcha is."""

    site: Site
    solution: str = "solved-token"
    refusals: list[str] = field(default_factory=list)
    """What it says instead, one at a time, when something is handed in."""
    unready: int = 1
    """How often it is asked in vain."""
    handed_in: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.site.route("/in.php", self._in)
        self.site.route("/res.php", self._res)

    @property
    def settings(self) -> dict[str, Any]:
        """What an operator sets to use it."""
        return {
            "captcha_provider": "2captcha",
            "captcha_api_key": KEY,
            "captcha_api_base": self.site.url(""),
            "captcha_timeout": 5.0,
            "captcha_poll": 0.02,
        }

    async def _in(self, request: Request) -> Response:
        self.handed_in.append(request.form)
        if request.form.get("key") != KEY:
            return said(0, "ERROR_WRONG_USER_KEY")
        return said(0, self.refusals.pop(0)) if self.refusals else said(1, "2122988149")

    async def _res(self, request: Request) -> Response:
        if request.params["action"] == "getbalance":
            good = request.params["key"] == KEY
            return said(1, "2.73") if good else said(0, "ERROR_KEY_DOES_NOT_EXIST")
        assert request.params["id"] == "2122988149"
        if self.unready:
            self.unready -= 1
            return said(0, "CAPCHA_NOT_READY")
        return said(0, self.refusals.pop(0)) if self.refusals else said(1, self.solution)


def said(status: int, request: str) -> Response:
    """An answer in JSON."""
    return Response(
        json.dumps({"status": status, "request": request}), content_type="application/json"
    )


def operator_of(tool: str, kernel: Kernel, site: Site) -> AbstractContextManager[None]:
    """An operator who has set what the worked example of a tool needs."""
    if tool == "solve_captcha":
        return configured(kernel, **FakeSolver(site.other).settings)
    if tool not in {"get_totp", "get_credential"}:
        return nullcontext()
    folder = kernel.settings.workspace / "programs"
    folder.mkdir(exist_ok=True)
    fields = [
        {"purpose": "USERNAME", "value": "ada@example.com"},
        {"purpose": "PASSWORD", "value": PASSWORD},
    ]
    path = FakeProgram(folder).says({"urls": [{"href": site.url("/")}], "fields": fields})
    return configured(
        kernel,
        credentials_provider="1password",
        credentials_program=path,
        credentials_seeds={"shop": "JBSWY3DPEHPK3PXP"},
    )
