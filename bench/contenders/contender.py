"""A contender: an MCP server over stdio that opens pages, shows them and acts on them.

Everything is timed at the client, from the call to the parsed answer.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import anyio
from mcp import ClientSession, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import ListToolsRequest, PaginatedRequestParams
from mcp_types import Result as Answer

from bench.contenders.result import Result
from bench.machine import Tree, Usage
from bench.npm import Packages

__all__ = ["Arena", "Contender", "ContenderFailed"]

_PATIENCE = 60.0


class ContenderFailed(Exception):
    """It did not start, or did not do what it was asked for."""


@dataclass(frozen=True)
class Arena:
    """What all contenders share."""

    browser: Path
    packages: Packages | None
    allowed: str
    """Host and port of the site."""
    stockade: Path
    """The command."""


class _Listing(Answer):
    """Tools as they came, not as the client knows them."""

    tools: list[dict[str, Any]]
    next_cursor: str | None = None


class Contender(ABC):
    """One server. Elements are named as a user would name them, by role and name."""

    name: ClassVar[str]
    ref: ClassVar[str]
    """A pattern for the ref of an element, with places for `role` and `name`."""
    uid: int | None = None
    """Whom it runs as, if not as us."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.ready_after = 0.0
        """Seconds from the start of the process to the answer to `tools/list`."""
        self.ended_after = 0.0
        """Seconds from the end of its use until the last of its processes was gone."""
        self.left_behind: list[str] = []
        self._session: ClientSession | None = None
        self._tree: Tree | None = None
        self._seen = ""
        self.calls = 0
        """How many calls it has had."""

    # --- what each one says of itself -------------------------------------------------------------

    @property
    @abstractmethod
    def version(self) -> str: ...

    @abstractmethod
    def command(self, home: Path) -> tuple[Sequence[str | Path], Mapping[str, str]]:
        """The command line and the environment, for a home directory of its own."""

    @abstractmethod
    async def open(self, url: str) -> Result:
        """Go to a page."""

    @abstractmethod
    async def look(self) -> Result:
        """The page as it is shown by default."""

    @abstractmethod
    async def controls(self) -> Result:
        """Every interactive element of the page, in as many calls as that takes."""

    @abstractmethod
    async def everything(self) -> Result:
        """All of the page, its text too, in as many calls as that takes."""

    @abstractmethod
    async def click_ref(self, ref: str) -> Result: ...

    @abstractmethod
    async def fill_ref(self, ref: str, text: str) -> Result: ...

    @abstractmethod
    async def screenshot(self) -> Result:
        """The viewport as JPEG."""

    async def click_and_look(self, name: str) -> Result:
        """Click, and learn what came of it."""
        return (await self.click(name)).then(await self.look())

    async def locate(self, name: str) -> Result:
        """Ask for an element by its name, in the way this contender has for that."""
        del name
        return await self.everything()

    def located(self, name: str) -> str | None:
        """The ref that `locate` found, where it is told apart from a snapshot."""
        del name
        return None

    async def search(self, words: str) -> Result:
        """Ask for a piece of text, in the way this contender has for that."""
        del words
        return await self.everything()

    async def farewell(self) -> None:  # noqa: B027 - most want nothing
        """What it wants before its input ends."""

    # --- what all have in common ------------------------------------------------------------------

    async def snapshot(self) -> Result:
        """Look, and remember the refs."""
        result = await self.look()
        self._seen = result.text
        return result

    async def click(self, name: str) -> Result:
        """Click the button of that name, with whatever answer is given by default."""
        return await self.click_ref(self._ref("button", name))

    async def fill(self, name: str, text: str) -> Result:
        """Put text into the field of that name."""
        return await self.fill_ref(self._ref("textbox", name), text)

    async def tools(self) -> list[dict[str, Any]]:
        """What `tools/list` answers, all its pages together, with fields the client ignores."""
        assert self._session is not None
        found: list[dict[str, Any]] = []
        place: PaginatedRequestParams | None = None
        while True:
            page = await self._session.send_request(ListToolsRequest(params=place), _Listing)
            found += page.tools
            if not page.next_cursor:
                return found
            place = PaginatedRequestParams(cursor=page.next_cursor)

    def usage(self) -> Usage:
        """What its processes take now."""
        assert self._tree is not None
        return self._tree.usage()

    def sandboxed(self) -> bool | None:
        """Whether its browser keeps its own sandbox."""
        assert self._tree is not None
        return self._tree.sandboxed()

    async def call(self, tool: str, **arguments: Any) -> Result:
        """Call a tool; an answer that says it failed is a failure."""
        result = await self.ask(tool, arguments)
        if result.is_error:
            raise ContenderFailed(f"{tool}: {result.text[:300]}")
        return result

    async def ask(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Call a tool; what it says is the result, also where it says that it failed."""
        assert self._session is not None
        start = time.perf_counter()
        try:
            answer = await self._session.call_tool(tool, dict(arguments))
        except (MCPError, RuntimeError, anyio.ClosedResourceError) as error:
            raise ContenderFailed(f"{tool}: {error}") from error
        self.calls += 1
        return Result.of(answer, time.perf_counter() - start)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """A fresh server, ended with everything it started."""
        mark = secrets.token_hex(8)
        with self._home() as home:
            self._tree = Tree(f"BENCH_CONTENDER={mark}", self.arena.browser)
            command, environment = self.command(home)
            server = StdioServerParameters(
                command=str(command[0]),
                args=[str(part) for part in command[1:]],
                env={**_environment(home), **environment, "BENCH_CONTENDER": mark},
                cwd=home,
            )
            errors = home / "errors.txt"
            start = ending = time.perf_counter()
            try:
                with errors.open("w", encoding="utf-8") as log:
                    async with (
                        stdio_client(server, errlog=log) as (read, write),
                        ClientSession(read, write, read_timeout_seconds=_PATIENCE) as session,
                    ):
                        self._session = session
                        try:
                            await session.initialize()
                            await session.list_tools()
                        except MCPError as error:
                            said = errors.read_text(encoding="utf-8", errors="replace")
                            raise ContenderFailed(f"{error}: {said[-500:].strip()}") from error
                        self.ready_after = time.perf_counter() - start
                        self._tree.members()
                        try:
                            yield
                        finally:
                            # Known from here on, however they are orphaned.
                            self._tree.members()
                            ending = time.perf_counter()
                        with suppress(ContenderFailed):
                            await self.farewell()
            except ExceptionGroup as group:
                raise _cause(group) from group
            finally:
                self._session = None
                self.left_behind = self._tree.end()
                self.ended_after = time.perf_counter() - ending

    @contextmanager
    def _home(self) -> Iterator[Path]:
        home = Path(tempfile.mkdtemp(prefix="stockade-bench-home-"))
        try:
            # A browser may run under another uid, with its profile below here.
            home.chmod(0o711)
            if self.uid is not None:
                os.chown(home, self.uid, self.uid)
            yield home
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def _ref(self, role: str, name: str) -> str:
        found = re.search(self.ref.format(role=role, name=re.escape(name)), self._seen)
        if found is None:
            raise ContenderFailed(f'no {role} "{name}" in {self._seen[:300]!r}')
        return found[1]


def _cause(error: Exception) -> Exception:
    """The first of the errors that task groups have wrapped."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _environment(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "TMPDIR": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_RUNTIME_DIR": str(home),
        "USER": "bench",
        "LOGNAME": "bench",
    }
