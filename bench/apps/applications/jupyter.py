"""JupyterLab: a notebook is made, code written and run, its output read, the notebook saved."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from bench.apps.applications.flow import Flow, Hands, Step
from bench.apps.applications.server import ServerApplication
from bench.apps.driver import Driver

__all__ = ["Jupyter"]

_TRIES = 30
_PAUSE = 0.1


async def _create(hands: Hands) -> None:
    await hands.click(name=re.compile(r"^Python 3 \(ipykernel\)"), fresh=True)
    await hands.line("textbox", nth=-1, fresh=True)


async def _run(hands: Hands) -> None:
    await hands.driver.type(await hands.line("textbox", nth=-1), "sum(range(100))")
    await hands.driver.press("Shift+Enter")
    await hands.read("4950")


async def _print(hands: Hands) -> None:
    await hands.driver.type(
        await hands.line("textbox", nth=-1, fresh=True), "print('total', 6 * 7)"
    )
    await hands.driver.press("Shift+Enter")
    await hands.read("total 42")


async def _save(hands: Hands) -> None:
    await hands.click("button", name=re.compile("^Save and create checkpoint"), fresh=True)
    # A notebook that has no name of its own yet is asked for one.
    await hands.click("button", name=re.compile("^Rename"), fresh=True)


class Jupyter(ServerApplication):
    """`jupyterlab`."""

    name = "jupyter"
    package = "jupyterlab"
    flows = (
        Flow(
            "notebook",
            "Create a notebook, run two pieces of code, read what comes of them, save.",
            (
                Step("created", _create, expected=True),
                Step("result", _run, "4950"),
                Step("output", _print, "total 42"),
                Step("saved", _save, expected=True),
            ),
            first="Markdown File",
        ),
    )

    @property
    def ready(self) -> str:
        return "/api/status"

    def command(self) -> Sequence[str | Path]:
        return [
            self.bin("jupyter-lab"),
            "--allow-root",
            "--no-browser",
            "--ip=127.0.0.1",
            f"--port={self.port}",
            "--IdentityProvider.token=",
            "--ServerApp.disable_check_xsrf=True",
            f"--ServerApp.root_dir={self.folder}",
        ]

    async def begin(self, task: str) -> str:
        del task
        async with httpx.AsyncClient(base_url=self.url(""), trust_env=False) as client:
            for kind in ("sessions", "kernels"):
                for each in (await client.get(f"/api/{kind}")).json():
                    await client.delete(f"/api/{kind}/{each['id']}")
            for each in (await client.get("/api/contents")).json()["content"]:
                if each["type"] == "notebook":
                    await client.delete(f"/api/contents/{each['path']}")
        return self.url("/lab?reset")

    async def done(self, driver: Driver, task: str) -> Mapping[str, Any]:
        del driver, task
        outputs: list[dict[str, Any]] = []
        async with httpx.AsyncClient(base_url=self.url(""), trust_env=False) as client:
            for _ in range(_TRIES):
                answer = await client.get("/api/contents/Untitled.ipynb")
                if not answer.is_success:
                    return {}
                cells = answer.json()["content"]["cells"]
                outputs = [each for cell in cells for each in cell.get("outputs", [])]
                if outputs:
                    break
                # It is saved by and by.
                await asyncio.sleep(_PAUSE)
        results = ["".join(each["data"]["text/plain"]) for each in outputs if "data" in each]
        printed = ["".join(each["text"]).strip() for each in outputs if "text" in each]
        return {
            "created": True,
            "result": next(iter(results), None),
            "output": next(iter(printed), None),
            "saved": bool(outputs),
        }
