"""A program that joins a running server, as `stockade mcp` does."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from stockade.surfaces.mcp.bridge import join

if __name__ == "__main__":
    path, *toolsets = sys.argv[1:]
    if toolsets == ["--imports"]:
        sys.stdout.write("\n".join(sys.modules))
    else:
        sys.exit(asyncio.run(join(Path(path), {"toolsets": toolsets} if toolsets else {})))
