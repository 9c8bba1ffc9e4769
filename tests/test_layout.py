"""Rules about the source tree that no tool knows."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "stockade"
LONGEST_MODULE = 500

MODULES = sorted(SOURCE.rglob("*.py"))
WRITTEN = SOURCE / "client" / "calls"
"""What a program wrote, and tests/cli/sdk checks."""
BY_HAND = [path for path in MODULES if WRITTEN not in path.parents]
OURS = BY_HAND + sorted(SOURCE.rglob("*.js"))

STARTS_PROCESSES = {
    "subprocess",
    "multiprocessing",
    "pty",
    "asyncio.create_subprocess_exec",
    "asyncio.create_subprocess_shell",
    "asyncio.subprocess",
    "anyio.open_process",
    "anyio.run_process",
    "concurrent.futures.ProcessPoolExecutor",
    "os.fork",
    "os.forkpty",
    "os.popen",
    "os.posix_spawn",
    "os.posix_spawnp",
    "os.system",
}
STARTS_PROCESSES_PREFIXES = ("os.exec", "os.spawn")
READS_ENVIRONMENT = {"os.environ", "os.environb", "os.getenv", "os.getenvb"}


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Every module that is imported by its full name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            yield node.module


def used_names(tree: ast.AST) -> Iterator[str]:
    """Every dotted name a module imports or mentions, with import aliases undone."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
                aliases[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            for alias in node.names:
                yield node.module
                yield f"{node.module}.{alias.name}"
                aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (dotted := _dotted(node)) is not None:
            head, _, rest = dotted.partition(".")
            yield f"{aliases.get(head, head)}.{rest}"


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (value := _dotted(node.value)) is not None:
        return f"{value}.{node.attr}"
    return None


def starts_processes(tree: ast.AST) -> set[str]:
    return {
        name
        for name in used_names(tree)
        if name in STARTS_PROCESSES or name.startswith(STARTS_PROCESSES_PREFIXES)
    }


def reads_environment(tree: ast.AST) -> set[str]:
    return READS_ENVIRONMENT & set(used_names(tree))


def only_holds_data(tree: ast.Module) -> bool:
    """Whether a module has no function to test: types, constants and imports alone."""
    return not any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not _is_stub(node)
        for node in ast.walk(tree)
    )


def _is_stub(node: ast.AST) -> bool:
    """A protocol's method: a docstring, an ellipsis, or both."""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and all(
        isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) for line in node.body
    )


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _requirements(group: str | None = None) -> list[Requirement]:
    project = tomllib.loads((TESTS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    if group is None:
        lines: list[str] = project["project"]["dependencies"]
    else:
        lines = project["dependency-groups"][group]
    return [Requirement(line) for line in lines]


def _name(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def test_only_config_reads_the_environment() -> None:
    reading = {_name(path) for path in MODULES if reads_environment(_parse(path))}
    assert reading == {"config.py"}


def test_only_processes_starts_processes() -> None:
    starting = {_name(path) for path in MODULES if starts_processes(_parse(path))}
    # The launcher starts none: it becomes one.
    assert starting == {"processes.py", "jails/launcher.py"}


def test_modules_stay_short() -> None:
    lines = {_name(path): path.read_text(encoding="utf-8").count("\n") for path in OURS}
    assert not {name: count for name, count in lines.items() if count > LONGEST_MODULE}


def test_every_module_has_its_mirror() -> None:
    missing = [
        mirror
        for path in OURS
        if not path.stem.startswith("__")
        and not (path.suffix == ".py" and only_holds_data(_parse(path)))
        and not (
            TESTS / (mirror := f"{path.relative_to(SOURCE).parent}/test_{path.stem}.py")
        ).is_file()
    ]
    assert not missing


def test_dependencies_are_what_is_imported() -> None:
    declared = {canonicalize_name(wanted.name) for wanted in _requirements()}
    imported = {name.partition(".")[0] for path in MODULES for name in imported_names(_parse(path))}
    foreign = imported - set(sys.stdlib_module_names) - {"stockade"}
    providers = packages_distributions()
    assert declared == {canonicalize_name(name) for module in foreign for name in providers[module]}


@pytest.mark.parametrize(
    ("group", "lock"), [("dev", "requirements.lock"), ("oracle", "requirements-oracle.lock")]
)
def test_the_lock_satisfies_every_range(group: str, lock: str) -> None:
    lines = (TESTS.parent / lock).read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    locked = {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}
    wanted = _requirements(group) if group != "dev" else _requirements() + _requirements(group)
    for range_ in wanted:
        assert range_.specifier.contains(locked[canonicalize_name(range_.name)])


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess",
        "from subprocess import Popen as P",
        "import os as o\no.posix_spawn('a', [], {})",
        "from os import fork",
        "import os\nos.execvp('a', [])",
        "import asyncio as aio\nawait_ = aio.create_subprocess_exec",
        "from asyncio import subprocess",
    ],
)
def test_a_started_process_is_seen(source: str) -> None:
    assert starts_processes(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.environ['A']",
        "import os\nos.environ.get('A')",
        "from os import environ",
        "from os import getenv as g",
    ],
)
def test_a_read_of_the_environment_is_seen(source: str) -> None:
    assert {"os.environ", "os.getenv"} & set(used_names(ast.parse(source)))


def test_harmless_uses_are_not_seen() -> None:
    tree = ast.parse("import os, asyncio\nos.kill(1, 2)\nasyncio.sleep(0)\nself.environ.get(1)")
    assert not starts_processes(tree)
    assert not reads_environment(tree)


def test_data_modules_are_told_from_code() -> None:
    assert only_holds_data(ast.parse("class A:\n    x: int = 1\n"))
    assert only_holds_data(ast.parse("class P:\n    def f(self) -> int:\n        '''Do.'''\n"))
    assert not only_holds_data(ast.parse("def f():\n    return 1\n"))
