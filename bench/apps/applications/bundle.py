"""Pages with libraries from npm: installed, bundled with esbuild, and served on loopback."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from abc import ABC
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from bench.apps.applications.flow import CONTROLS, FlowSuite
from bench.apps.driver import Driver
from bench.npm import cache_folder, install_packages
from tests.support.site import Request, Response, Site

__all__ = ["BundledPage"]

_PATIENCE = 5.0
_SOURCES = Path(__file__).with_name("pages")
_SHELL = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
    '{styles}<div id="root"></div>'
    '<script src="/bundle/{name}.js"></script></html>'
)
_STYLES = '<link rel="stylesheet" href="/bundle/{name}.css">'
_MORE = "/controls"
_LOADERS = ("ttf", "svg", "png", "gif")


class BundledPage(FlowSuite, ABC):
    """One page that shows every control of a library and records what is done to them."""

    title: ClassVar[str]
    source: ClassVar[str]
    """The page's module."""
    packages: ClassVar[Sequence[str]]
    workers: ClassVar[Sequence[tuple[str, str]]] = ()
    """Further bundles by name, as paths below node_modules."""

    def __init__(self) -> None:
        self._site: Site | None = None
        self._visits = count()
        self._visit = ""
        self._told: dict[str, dict[str, Any]] = {}
        self._news = asyncio.Condition()

    def install(self, *, fresh: bool) -> str | None:
        folder = cache_folder() / "libraries"
        names = ("esbuild", *self.packages)
        packages = install_packages(names, folder, fresh=fresh)
        if packages is None or not all(map(packages.has, names)):
            return "its packages are not to be had from npm"
        out = folder / "bundles"
        out.mkdir(exist_ok=True)
        entries = [str(_SOURCES / each) for each in self._sources.values()]
        entries += [f"{name}={packages.path(path)}" for name, path in self.workers]
        return _bundle(packages.path("esbuild", "bin", "esbuild"), packages.folder, out, entries)

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[None]:
        async with Site.serve() as site:
            self._site = site
            bundles = cache_folder() / "libraries" / "bundles"
            site.files("/bundle", bundles)
            for path, source in self._sources.items():
                name = Path(source).stem
                styles = _STYLES.format(name=name) if (bundles / f"{name}.css").is_file() else ""
                site.page(path, _SHELL.format(title=self.title, name=name, styles=styles))
            site.page("/away", "<title>Away</title>")
            site.route("/told", self._hear)
            yield

    async def begin(self, task: str) -> str:
        assert self._site is not None
        self._visit = str(next(self._visits))
        return self._site.url(f"{_MORE if task == CONTROLS else '/'}?visit={self._visit}")

    @property
    def _sources(self) -> Mapping[str, str]:
        """The modules of its pages: of the flows, and of controls that are in none."""
        if not self.controls:
            return {"/": self.source}
        source = Path(self.source)
        return {"/": self.source, _MORE: f"{source.stem}_controls{source.suffix}"}

    async def done(self, driver: Driver, task: str) -> Mapping[str, Any]:
        del task
        assert self._site is not None
        # The page tells when it is left, which is no part of the flow.
        await driver.who.open(self._site.url("/away"))
        try:
            async with asyncio.timeout(_PATIENCE), self._news:
                await self._news.wait_for(lambda: self._visit in self._told)
        except TimeoutError:
            return {}
        return dict(self._told[self._visit]["recorded"])

    def false_failures(self, driver: Driver) -> int:
        inputs = self._told.get(self._visit, {}).get("inputs", [])
        # What a page asked for and did not get is told by a failure, whatever else came of the call.
        failed = [
            call
            for call in driver.log
            if call.result.is_error and '"code":"page_asked"' not in call.result.text
        ]
        return sum(any(call.started < at < call.ended for at in inputs) for call in failed)

    async def _hear(self, request: Request) -> Response:
        async with self._news:
            self._told[request.params["visit"]] = json.loads(request.body)
            self._news.notify_all()
        return Response(status=204)


def _bundle(esbuild: Path, packages: Path, out: Path, entries: Sequence[str]) -> str | None:
    node = shutil.which("node")
    assert node is not None
    done = subprocess.run(
        [
            node,
            esbuild,
            *entries,
            "--bundle",
            "--minify",
            f"--outdir={out}",
            "--entry-names=[name]",
            "--jsx=automatic",
            "--log-level=error",
            '--define:process.env.NODE_ENV="production"',
            *(f"--loader:.{kind}=dataurl" for kind in _LOADERS),
        ],
        env={**os.environ, "NODE_PATH": str(packages / "node_modules")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(done.stderr[-1000:], file=sys.stderr)
        return "its page could not be bundled"
    return None
