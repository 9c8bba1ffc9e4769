"""Packages with plugins, as an installer leaves them, on the path of this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugins" / "tiny-draw"


def install(site: Path, name: str, source: str, *, module: str = "", version: str = "1.0") -> None:
    """What `pip install` would put there: a module, and the words by which it is found."""
    module = module or name.replace("-", "_")
    (site / f"{module}.py").write_text(source)
    about = site / f"{module}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (about / "entry_points.txt").write_text(f"[stockade.canvas]\n{name} = {module}:adapter\n")


def install_all(site: Path, packages: Mapping[str, str]) -> None:
    for name, source in packages.items():
        install(site, name, source)


@contextmanager
def on_path(site: Path) -> Iterator[None]:
    """Let what is there be found; what was imported from there is forgotten afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(site))
    try:
        yield
    finally:
        sys.path.remove(str(site))
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None) or ""
            if origin.startswith(str(site)):
                del sys.modules[name]
