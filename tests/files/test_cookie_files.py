"""Cookie files are read where they belong, and nowhere else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from stockade.errors import InvalidArgument, Missing
from stockade.files import cookie_files as module
from stockade.files.cookie_files import Fault, parse_cookies, read_cookie_file

NETSCAPE = (
    "\ufeff# Netscape HTTP Cookie File\r\n"
    "\r\n"
    "shop.example\tTRUE\t/\tFALSE\t0\tbasket\ttwo\tcups\r\n"
    "#HttpOnly_.shop.example\tTRUE\t/in\tTRUE\t2000000000\tsid\tS3CRET\r\n"
    "host.example\tFALSE\t/\tFALSE\t-1\tempty\r\n"
    "shop.example TRUE / FALSE 0 spaces S3CRET\r\n"
    "shop.example\tTRUE\t/\tFALSE\tsoon\tn\tS3CRET\r\n"
    "shop.example\tYES\t/\tFALSE\t0\tn\tS3CRET\r\n"
)


def test_netscape() -> None:
    found = parse_cookies(NETSCAPE.encode())
    assert found.lines == [3, 4, 5]
    basket, sid, empty = found.rows
    assert (basket["domain"], basket["value"], basket["expires"]) == (
        ".shop.example",
        "two\tcups",
        0,
    )
    assert sid == {
        "name": "sid",
        "value": "S3CRET",
        "domain": ".shop.example",
        "path": "/in",
        "expires": 2e9,
        "httpOnly": True,
        "secure": True,
    }
    assert (empty["domain"], empty["value"], empty["httpOnly"]) == ("host.example", "", False)
    assert [each.line for each in found.faults] == [6, 7, 8]
    assert found.faults[1] == Fault(7, "its fifth field is not a number of seconds")
    assert "S3CRET" not in str(found.faults)


def test_json() -> None:
    row = {"name": "n", "value": "v", "domain": "d"}
    for value in ([row], {"cookies": [row], "origins": []}):
        found = parse_cookies(json.dumps(value).encode())
        assert (found.rows, found.lines, found.faults) == ([row], None, [])
    for bad in (b"[{", b'{"cookies": 5}', b"\xff\xfe", b"[" * 100_000):
        with pytest.raises(InvalidArgument):
            parse_cookies(bad)


def test_nothing_leads_out_of_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cookies"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text(NETSCAPE)
    (folder / "sub" / "a.txt").write_text(NETSCAPE)
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "inner.txt").symlink_to("sub/a.txt")
    (folder / "way").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")

    assert len(read_cookie_file(folder, "sub/a.txt").rows) == 3
    assert len(read_cookie_file(folder, str(folder / "sub" / "a.txt")).rows) == 3
    for name in (
        "../secret.txt",
        "sub/../../secret.txt",
        str(tmp_path / "secret.txt"),
        "/dev/zero",
        "link.txt",
        "inner.txt",
        "pipe",
        "sub",
        ".",
        "a\0b",
        "/".join(["d"] * 20),
    ):
        with pytest.raises(InvalidArgument):
            read_cookie_file(folder, name)
    for name in ("none.txt", "none/a.txt", "sub/a.txt/b", "way/secret.txt", "x" * 300):
        with pytest.raises(Missing):
            read_cookie_file(folder, name)
    with pytest.raises(Missing):
        read_cookie_file(tmp_path / "none", "a.txt")
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    with pytest.raises(InvalidArgument, match="too large"):
        read_cookie_file(folder, "sub/a.txt")
