"""Try worked examples and record what comes of them: `make examples [ONLY=tool,tool]`."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from stockade.config import load
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from stockade.tools import examples as data
from tests.examples.trying import recorded, tried
from tests.support.callers import Caller
from tests.support.site import LOOPBACK, Site

FOLDER = Path(data.__file__).parent


async def record(only: set[str]) -> None:
    """Try the examples, and write down their results where they stand."""
    known = data.examples()
    with tempfile.TemporaryDirectory() as workspace:
        settings = load(
            workspace=Path(workspace),
            isolation="shared",
            max_sessions=1000,
            egress_allow=LOOPBACK,
        )
        async with running_kernel(settings) as kernel, Site.serve() as site:
            for path in sorted(FOLDER.glob("*.json")):
                written: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
                wanted = [tool for tool in written if not only or tool in only]
                for tool in wanted:
                    parts = written[tool]
                    policy = Policy(capabilities=frozenset(Capability))
                    caller = Caller(kernel, Principal(f"key_{tool}", policy=policy), site)
                    arguments, reply = await tried(caller, known[tool])
                    parts["shown"] = recorded(caller, arguments, reply)
                    sys.stdout.write(f"{tool}\n")
                    for session in kernel.sessions.all():
                        await kernel.sessions.close(session)
                if wanted:
                    text = json.dumps(written, indent=1, ensure_ascii=False) + "\n"
                    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(record({each for each in ",".join(sys.argv[1:]).split(",") if each}))
