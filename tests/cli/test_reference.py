from __future__ import annotations

from pathlib import Path

from stockade.cli.reference import PAGES, errors_page, settings_page, tools_page, write
from stockade.config import Settings
from stockade.kernel.action_result import ActionResult
from stockade.kernel.codes import CODES
from stockade.tools import registry


def test_every_setting_has_a_row() -> None:
    page = settings_page()
    for name in Settings.model_fields:
        assert f"| `{name}` | `STOCKADE_{name.upper()}` |" in page


def test_every_code_has_a_row_and_a_meaning() -> None:
    for line in errors_page().splitlines():
        if line.startswith("| `"):
            code, status, leaving = line.split(" | ")[:3]
            found = CODES[code.strip("| `")]
            assert (status, leaving) == (str(found.status), str(found.exit))
            assert line.count("|") == 6
            assert not line.endswith("|  |")
    assert sum(line.startswith("| `") for line in errors_page().splitlines()) == len(CODES)


def test_every_tool_is_told_with_its_own_arguments() -> None:
    page = tools_page()
    for tool in registry():
        part = page.partition(f"\n### {tool.name}\n")[2].partition("\n### ")[0]
        assert tool.description in part
        for name, field in tool.arguments.model_fields.items():
            assert f"`{field.alias or name}`" in part, (tool.name, name)
    navigate = page.partition("\n### navigate\n")[2].partition("\n### ")[0]
    assert "| `url` | `string` | required |" in navigate
    assert "Shared: `session`" in navigate


def test_what_actions_give_is_told() -> None:
    page = tools_page()
    results = page.partition("\n## Action results\n")[2].partition("\n## ")[0]
    for name, field in ActionResult.model_fields.items():
        assert f"| `{field.alias or name}` |" in results
    assert "A JavaScript dialog, and what became of it." in results
    click = page.partition("\n### click\n")[2].partition("\n### ")[0]
    assert "(#action-results)" in click


def test_pages_are_written(tmp_path: Path) -> None:
    write(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == set(PAGES)
    assert (tmp_path / "tools.md").read_text() == tools_page()
