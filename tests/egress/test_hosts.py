"""The machine's own files about names."""

from __future__ import annotations

from pathlib import Path

from stockade.egress.hosts import NameFiles, hosts_of, servers_of


def test_name_servers() -> None:
    text = "# x\nsearch a.test\nnameserver 10.0.0.1\nnameserver nonsense\nnameserver ::1\n"
    assert servers_of(text) == ("10.0.0.1", "::1")
    assert servers_of("") == ("127.0.0.1",)


def test_hosts() -> None:
    text = "127.0.0.1 localhost A.test # mine\n::1 localhost\nnonsense b.test\n10.0.0.1\n"
    assert hosts_of(text) == {"localhost": ("127.0.0.1", "::1"), "a.test": ("127.0.0.1",)}


def test_a_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "hosts"
    files = NameFiles(path, tmp_path / "resolv.conf")
    assert files.content == ("", "")
    for text in ("10.0.0.1 a.test\n", "10.0.0.22 a.test\n"):
        path.write_text(text, encoding="utf-8")
        assert files.content == (text, "")
    path.unlink()
    assert files.content == ("", "")
