"""Files of a session: saved, listed, read back, and read as text."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from stockade.tools import artifacts as module
from tests.support.callers import Caller

# --- saving and getting -------------------------------------------------------------------------


async def test_what_is_saved_is_got_back(caller: Caller) -> None:
    saved = await caller.ok("artifact_save", name="notes/ü.txt", content="grüße 🌍")
    got = await caller.ok("artifact_get", name="notes/ü.txt")
    assert (got["content"], got["encoding"], got["size"]) == ("grüße 🌍", "utf-8", saved["size"])
    assert got["mtime"] == saved["mtime"]
    raw = bytes(range(256))
    content = base64.b64encode(raw).decode()
    await caller.ok("artifact_save", name="raw.bin", content=content, encoding="base64")
    got = await caller.ok("artifact_get", name="raw.bin")
    assert (got["encoding"], base64.b64decode(got["content"])) == ("base64", raw)
    assert (await caller.refused("artifact_get", name="raw.bin", encoding="utf-8"))["code"]
    got = await caller.ok("artifact_get", name=saved["uri"], encoding="base64")
    assert base64.b64decode(got["content"]).decode() == "grüße 🌍"


async def test_a_large_file_comes_in_whole_parts(caller: Caller) -> None:
    text = "äöü€🌍" * 20_000
    await caller.ok("artifact_save", name="big.txt", content=text)
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        got = await caller.ok("artifact_get", name="big.txt", offset=offset, maxBytes=100_001)
        parts.append(got["content"])
        offset = got.get("nextOffset")
    assert "".join(parts) == text
    assert len(parts) == 3


async def test_the_list_has_pictures_downloads_and_saved_files(mighty: Caller) -> None:
    mighty.site.page("/f", "x", headers={"content-disposition": "attachment; filename=f.csv"})
    await mighty.show("<a href=/f>Get</a>")
    assert (await mighty.ok("artifact_list"))["artifacts"] == []
    await mighty.ok("screenshot")
    await mighty.ok("click", selector="text=Get")
    await mighty.ok("artifact_save", name="a.json", content="{}")
    listed = await mighty.ok("artifact_list")
    assert listed["count"] == 3
    assert [(each["kind"], each["mimeType"]) for each in listed["artifacts"]] == [
        ("screenshot", "image/jpeg"),
        ("download", "text/csv"),
        ("file", "application/json"),
    ]
    for each in listed["artifacts"]:
        assert (await mighty.ok("artifact_get", name=each["uri"]))["size"] == each["size"]


async def test_the_oldest_makes_room(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    for name in "abc":
        await caller.ok("artifact_save", name=name, content=name * 10)
    await caller.ok("artifact_save", name="a", content="again")
    saved = await caller.ok("artifact_save", name="d", content="x")
    assert saved["evicted"] == ["b"]
    saved = await caller.ok("artifact_save", name="e", content="x" * 98)
    assert saved["evicted"] == ["c", "a", "d"][: len(saved["evicted"])]
    names = [each["name"] for each in (await caller.ok("artifact_list"))["artifacts"]]
    assert names == ["d", "e"]
    refusal = await caller.refused("artifact_save", name="f", content="x" * 101)
    assert refusal["code"] == "quota_exceeded"


async def test_names_that_lead_out_are_refused(caller: Caller) -> None:
    for name in ("../a", "/etc/passwd", "a/../../b", ".hidden", "a\nb", ""):
        refusal = await caller.refused("artifact_save", name=name, content="x")
        assert refusal["code"] == "invalid_argument"
    refusal = await caller.refused("artifact_save", name="a", content="%", encoding="base64")
    assert refusal["code"] == "invalid_argument"
    assert (await caller.refused("artifact_get", name="missing"))["code"] == "artifact_not_found"


# --- reading ------------------------------------------------------------------------------------

PAGES = """<title>Report</title><h1>Annual report</h1><p>First things first.</p>
<h2 style='break-before:page'>Numbers</h2><p>Forty-two apples</p>
<h2 style='break-before:page'>End</h2><p>Grüße</p>"""


async def printed(caller: Caller, html: str = PAGES) -> str:
    await caller.show(html)
    path: str = (await caller.ok("pdf_save", path="report.pdf"))["path"]
    return path


async def test_a_pdf_is_read_page_by_page(mighty: Caller) -> None:
    name = await printed(mighty)
    read = await mighty.ok("read_file", name=name)
    assert (read["pageCount"], read["mimeType"]) == (3, "application/pdf")
    assert [each["page"] for each in read["pages"]] == [1, 2, 3]
    assert "Forty-two apples" in read["pages"][1]["text"]
    assert "Grüße" in read["pages"][2]["text"]
    later = await mighty.ok("read_file", name=name, page=3)
    assert [each["page"] for each in later["pages"]] == [3]
    refusal = await mighty.refused("read_file", name=name, page=4)
    assert "3 pages" in refusal["error"]


async def test_a_long_pdf_is_gone_through_without_a_gap(mighty: Caller) -> None:
    words = [f"word{number}" for number in range(900)]
    name = await printed(mighty, f"<p>{' '.join(words)}</p>")
    said = ""
    ask: dict[str, int] | None = {"page": 1, "offset": 0}
    while ask:
        read = await mighty.ok("read_file", name=name, maxResultTokens=400, **ask)
        said += " ".join(each["text"] for each in read["pages"]) + " "
        ask = read.get("next")
    assert said.split() == words


async def test_a_scanned_or_empty_pdf_says_so(mighty: Caller) -> None:
    name = await printed(mighty, "<canvas></canvas><script>document.querySelector('canvas')"
                         ".getContext('2d').fillRect(0, 0, 90, 90)</script>")  # fmt: skip
    read = await mighty.ok("read_file", name=name)
    assert "scanned" in read["warnings"][0]


async def test_text_in_any_usual_encoding(mighty: Caller) -> None:
    for content, encoding in (
        ("naïve €".encode(), "utf-8"),
        ("naïve €".encode("cp1252"), "cp1252"),
        ("naïve €".encode("utf-16"), "utf-16"),
        ("\ufeffnaïve €".encode(), "utf-8"),
    ):
        given = base64.b64encode(content).decode()
        await mighty.ok("artifact_save", name="t.txt", content=given, encoding="base64")
        read = await mighty.ok("read_file", name="t.txt")
        assert (read["text"], read["encoding"]) == ("naïve €", encoding)


async def test_html_is_read_as_words_unless_asked(mighty: Caller) -> None:
    html = "<html><head><title>T</title><script>x()</script></head><h1>Hello</h1><p>a <b>b</b></p>"
    await mighty.ok("artifact_save", name="p.html", content=html)
    assert (await mighty.ok("read_file", name="p.html"))["text"] == "T\nHello\na b"
    assert (await mighty.ok("read_file", name="p.html", raw=True))["text"] == html


async def test_a_long_text_is_gone_through_without_a_gap(caller: Caller) -> None:
    text = "".join(f'line {number}: "quoted" ü\n' for number in range(2000))
    await caller.ok("artifact_save", name="long.log", content=text)
    said, offset = "", 0
    while True:
        read = await caller.ok("read_file", name="long.log", offset=offset, maxResultTokens=5000)
        said += read["text"]
        assert read["tokensEstimate"] < 6000
        if "next" not in read:
            break
        offset = read["next"]["offset"]
    assert said == text


async def test_a_download_is_read_by_its_id(mighty: Caller) -> None:
    path = await printed(mighty)
    pdf = (await mighty.ok("artifact_get", name=path, encoding="base64"))["content"]
    mighty.site.page("/r.pdf", base64.b64decode(pdf), content_type="application/pdf")
    await mighty.show("<a href=/r.pdf download=report.pdf>Get</a>")
    row = (await mighty.ok("click", selector="text=Get"))["downloads"][0]
    assert "Annual report" in str(await mighty.ok("read_file", name=row["id"]))
    # In this browser a PDF that is gone to is a download.
    await mighty.reply("navigate", url=mighty.site.url("/r.pdf"))
    assert "Annual report" in str(await mighty.ok("read_file", name=mighty.site.url("/r.pdf")))


async def test_the_text_that_a_tab_shows(caller: Caller) -> None:
    for path, kind in (
        ("/a.txt", "text/plain; charset=iso-8859-1"),
        ("/a.json", "application/json"),
    ):
        body: Any = '{"naïve": 1}'.encode("latin-1" if "txt" in path else "utf-8")
        url = caller.site.page(path, body, content_type=kind)
        await caller.ok("navigate", url=url)
        read = await caller.ok("read_file")
        assert (read["text"], read["name"]) == ('{"naïve": 1}', url)
    await caller.show("<p>page</p>")
    assert (await caller.refused("read_file"))["reason"] == "web-page"


async def test_what_is_no_text_is_refused(caller: Caller) -> None:
    for content, reason in (
        (b"\x89PNG\r\n\x1a\n\0\0\0", "binary"),
        (b"%PDF-1.7 nothing", "damaged"),
    ):
        given = base64.b64encode(content).decode()
        await caller.ok("artifact_save", name="x", content=given, encoding="base64")
        refusal = await caller.refused("read_file", name="x")
        assert (refusal["code"], refusal["reason"]) == ("invalid_argument", reason)
