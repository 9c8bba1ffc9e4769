"""The peers' packages: installed by name with npm, into a cache outside the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Packages", "cache_folder", "install", "install_packages"]

NAMES = ("@playwright/mcp", "chrome-devtools-mcp", "agent-browser")


@dataclass(frozen=True)
class Packages:
    """Where the peers lie."""

    node: Path
    folder: Path

    def path(self, name: str, *below: str) -> Path:
        return self.folder.joinpath("node_modules", *name.split("/"), *below)

    def has(self, name: str) -> bool:
        return self.path(_bare(name), "package.json").is_file()

    def version(self, name: str) -> str:
        text = self.path(name, "package.json").read_text(encoding="utf-8")
        return str(json.loads(text)["version"])

    def command(self, name: str, command: str) -> Path:
        """The script behind a command of a package."""
        described = json.loads(self.path(name, "package.json").read_text(encoding="utf-8"))
        return self.path(name, described["bin"][command])


def install(*, fresh: bool) -> Packages | None:
    """The peers, installed unless they are there; None where that is impossible."""
    packages = install_packages(NAMES, cache_folder(), fresh=fresh)
    if packages is None:
        _say("measuring without peers")
        return None
    return packages if any(map(packages.has, NAMES)) else None


def install_packages(names: Sequence[str], folder: Path, *, fresh: bool) -> Packages | None:
    """Packages, each with a version after `@` if the latest is not meant; None without node and npm.

    `Packages.has` tells which of them were to be had.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        _say("node and npm are not installed")
        return None
    folder.mkdir(mode=0o755, exist_ok=True)
    packages = Packages(Path(node), folder)
    if not fresh and all(map(packages.has, names)):
        return packages
    _say(f"installing {', '.join(names)} with npm")
    done = subprocess.run(
        [
            npm,
            "install",
            f"--prefix={packages.folder}",
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
            # Their scripts download browsers and binaries; what we need is in the packages.
            "--ignore-scripts",
            "--loglevel=error",
            # By tag: for a bare name npm takes an old release whose stated Node suits, though
            # that field is about building the package.
            *(name if name != _bare(name) else f"{name}@latest" for name in names),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        _say(f"npm failed: {done.stderr.strip()[-500:]}")
    return packages


def _bare(name: str) -> str:
    before, _, _ = name.rpartition("@")
    return before or name


def cache_folder() -> Path:
    """A place that an unprivileged uid can read too, which a home directory may not be."""
    folder = Path(tempfile.gettempdir()) / f"stockade-bench-{os.getuid()}"
    folder.mkdir(mode=0o755, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        sys.exit(f"{folder} belongs to somebody else")
    return folder


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
