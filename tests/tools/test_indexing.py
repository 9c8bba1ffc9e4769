"""The index of the tools says what their modules say."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources

from stockade import tools
from stockade.tools.indexing import written


def test_it_is_up_to_date() -> None:
    kept = (resources.files(tools) / tools.INDEX).read_text(encoding="utf-8")
    assert kept == written(), "make docs writes it"


def test_modules_are_loaded_when_a_tool_of_theirs_is_wanted() -> None:
    program = (
        "import sys; from stockade.tools import registry; tools = registry();"
        "assert tools.knows('coverage_start');"
        "assert 'stockade.tools.coverage' not in sys.modules;"
        "tools.find('click');"
        "assert 'stockade.tools.actions' in sys.modules;"
        "assert 'stockade.tools.coverage' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
