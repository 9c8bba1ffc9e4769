"""Every public name of the SDK has a type that checkers agree on."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
BIN = ROOT / ".venv" / "bin"


def pyright(*arguments: str) -> dict[str, object]:
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [BIN / "pyright", "--outputjson", *arguments],
        check=False, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PATH": path},
    )  # fmt: skip
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_types_are_complete() -> None:
    told = pyright("--verifytypes", "stockade.client", "--ignoreexternal")["typeCompleteness"]
    assert isinstance(told, dict)
    assert told["completenessScore"] == 1, [
        (each["name"], each["diagnostics"])
        for each in told["symbols"]
        if not each["isTypeKnown"] or each["isTypeAmbiguous"]
    ]


def test_a_wrong_program_is_found_out(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from stockade.client import Stockade\n\n"
        "async def main(stockade: Stockade) -> None:\n"
        "    tab = await stockade.open('https://example.com')\n"
        "    await tab.click('e3', button='centre')\n"
        "    result = await tab.fill('e3', value=4)\n"
        "    print(result['navigatoin'])\n"
        "    print(result.get('navigation', {}).get('changed'))\n",
        encoding="utf-8",
    )
    found = pyright(str(program))["generalDiagnostics"]
    assert isinstance(found, list)
    assert [each["range"]["start"]["line"] for each in found if each["severity"] == "error"] == [
        4,
        5,
        6,
    ]
