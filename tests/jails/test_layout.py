"""What a jail sees is little, and what of it can be written to is limited."""

from __future__ import annotations

from pathlib import Path

from stockade.jails.layout import DOWNLOADS, HOME, UPLOADS, bubblewrap
from tests.support.browsers import HEADLESS_SHELL


def words() -> list[str]:
    argv = [str(HEADLESS_SHELL), "--flag"]
    return bubblewrap(Path("/usr/bin/bwrap"), argv, {"HOME": str(HOME)}, 1 << 20, HEADLESS_SHELL)


def after(option: str) -> list[str]:
    found = words()
    return [found[at + 1] for at, word in enumerate(found) if word == option]


def test_nothing_of_the_machine_is_bound_but_what_a_browser_needs() -> None:
    seen = after("--ro-bind")
    assert str(HEADLESS_SHELL.parent) in seen
    for wide in (
        "/",
        "/usr",
        "/usr/bin",
        "/usr/lib",
        "/usr/local",
        "/etc",
        "/home",
        "/root",
        "/var",
    ):
        assert wide not in seen
    assert after("--bind") == [str(DOWNLOADS)]
    assert str(UPLOADS) in seen


def test_every_folder_in_memory_has_a_size() -> None:
    found = words()
    for at, word in enumerate(found):
        if word == "--tmpfs":
            assert "--size" in found[at - 4 : at], found[at + 1]
    assert found.index("--remount-ro") > max(at for at, word in enumerate(found) if word == "--dir")


def test_no_namespace_but_the_network_is_shared_and_no_right_is_kept() -> None:
    found = words()
    for wall in ("user", "pid", "ipc", "uts", "cgroup-try"):
        assert f"--unshare-{wall}" in found
    assert "--share-net" not in found
    assert after("--cap-drop") == ["ALL"]
    assert "--die-with-parent" in found
    assert found.index("--clearenv") < found.index("--setenv")
    assert found[found.index("--") + 1 :] == [str(HEADLESS_SHELL), "--flag"]
