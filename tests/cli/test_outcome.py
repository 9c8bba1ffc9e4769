from __future__ import annotations

import base64
import json
import stat
from pathlib import Path

from stockade.cli.outcome import Outcome
from stockade.cli.remote import Answer
from stockade.errors import StaleRef
from stockade.kernel.codes import error_body
from stockade.kernel.results import Link, Reply
from stockade.media.picture import Picture

PNG = b"\x89PNG..."


def test_both_ways_give_the_same() -> None:
    here = Outcome.of(Reply("c", ok=True, text="{}", data={"a": 1}, images=(Picture(PNG, "png"),)))
    picture = {"mimeType": "image/png", "data": base64.b64encode(PNG).decode()}
    there = Outcome.told(Answer(200, {"ok": True, "a": 1, "images": [picture]}))
    assert here == there == Outcome({"ok": True, "a": 1}, ((PNG, "image/png"),))
    assert here.exit == 0


def test_text_is_shown_as_it_is() -> None:
    assert Outcome.of(Reply("c", ok=True, text="page")).text == "page"
    linked = Reply("c", ok=True, text="page", links=(Link("stockade://x", "x", "text/plain"),))
    assert Outcome.of(linked).text == "page"
    assert Outcome.of(linked).body["links"] == [{"uri": "stockade://x", "name": "x"}]
    assert json.loads(Outcome({"ok": True, "a": 1}).text) == {"ok": True, "a": 1}


def test_several_lines_are_shown_as_lines() -> None:
    text = Outcome({"ok": True, "delta": {"tree": "- a\n- b"}, "end": "x"}).text
    shown, _, block = text.partition("\n\n")
    assert json.loads(shown) == {"ok": True, "delta": {"tree": "(below)"}, "end": "x"}
    assert block == "delta.tree:\n- a\n- b"


def test_exit_codes() -> None:
    assert Outcome(error_body(StaleRef("gone"))).exit == 6
    assert Outcome({"ok": False}).exit == 6
    assert Outcome({"ok": False, "code": "from the future"}).exit == 6
    assert Outcome({"sessions": []}).exit == 0


def test_pictures_go_to_the_workspace_or_where_they_are_wanted(tmp_path: Path) -> None:
    outcome = Outcome({}, ((PNG, "image/png"), (b"x", "image/jpeg")))
    files = outcome.write_pictures(tmp_path / "w", None)
    assert [Path(file).suffix for file in files] == [".png", ".jpeg"]
    assert Path(files[0]).read_bytes() == PNG
    assert stat.S_IMODE((tmp_path / "w").stat().st_mode) == 0o700
    wanted = tmp_path / "a.png"
    assert outcome.write_pictures(tmp_path, wanted) == [str(wanted), str(tmp_path / "a-2.png")]
    assert Outcome({}).write_pictures(tmp_path / "none", None) == []
    assert not (tmp_path / "none").exists()
