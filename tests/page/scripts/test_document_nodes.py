"""The document as rows."""

from __future__ import annotations

import json
from typing import Any

from stockade.page.reach import look
from tests.support.tabs import Tab


async def rows(tab: Tab, frame: Any = None) -> list[dict[str, Any]]:
    said = await look(
        tab.agent, frame or tab.page.main_frame, "document_nodes.js markup.js", includeShadow=True
    )
    return [json.loads(line) for line in said["html"].split("\n")]


async def test_every_node_has_its_place(tab: Tab) -> None:
    await tab.show(
        "<!DOCTYPE html><p id=a title='x\ny'>one<!--two--></p><input type=password value=secret>"
        "<template><i></i></template><script>a.attachShadow({mode:'open'}).innerHTML = '<b>in</b>'</script>"
    )
    found = await rows(tab)
    assert found[0] == {"id": 1, "type": "doctype", "name": "html"}
    by_tag = {row["tag"]: row for row in found if "tag" in row}
    assert by_tag["p"]["attributes"] == {"id": "a", "title": "x\ny"}
    assert by_tag["input"]["attributes"] == {"type": "password"}
    (root,) = [row for row in found if row["type"] == "shadow-root"]
    assert (root["parent"], root["mode"]) == (by_tag["p"]["id"], "open")
    assert by_tag["b"]["parent"] == root["id"]
    assert by_tag["i"]["parent"] == by_tag["template"]["id"]
    assert [
        row["text"] for row in found if row.get("parent") == by_tag["p"]["id"] and "text" in row
    ] == [
        "one",
        "two",
    ]


async def test_rows_of_frames_say_which(tab: Tab) -> None:
    tab.site.page("/inner", "<p>Inner")
    await tab.show("<iframe src=/inner></iframe>")
    found = await rows(tab, await tab.frame("/inner"))
    assert {row["frame"] for row in found} == {"f1"}
