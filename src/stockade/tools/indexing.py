"""The index of the tools, written from their modules: `python -m stockade.tools.indexing`."""

from __future__ import annotations

import json
from pathlib import Path

from stockade.tools import INDEX, MODULES, defined

__all__ = ["write", "written"]


def written() -> str:
    """The index as it must be."""
    index = {
        module: {
            tool.name: [tool.toolset, tool.capability, tool.role]
            for tool in defined(module).values()
        }
        for module in MODULES
    }
    return json.dumps(index, indent=1) + "\n"


def write() -> None:
    """Put it beside the modules."""
    (Path(__file__).parent / INDEX).write_text(written(), encoding="utf-8")


if __name__ == "__main__":
    write()
