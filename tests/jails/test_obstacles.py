from __future__ import annotations

import errno

import pytest

from stockade.jails.obstacles import Facts, Failure, remedy

DENIED = "Operation not permitted"
APPARMOR = Facts(switches={"kernel.apparmor_restrict_unprivileged_userns": "1"})
DEBIAN = Facts(switches={"kernel.unprivileged_userns_clone": "0"})
DOCKER = Facts(container=True, filtered=True, profile="docker-default")
SERVICE = Facts(filtered=True)


@pytest.mark.parametrize(
    ("step", "number", "facts", "part"),
    [
        ("namespaces", errno.EPERM, DEBIAN, "sysctl -w kernel.unprivileged_userns_clone=1"),
        ("identity", errno.EPERM, APPARMOR, "docs/jails/apparmor-stockade"),
        ("loopback", errno.EPERM, APPARMOR, "docs/jails/apparmor-stockade"),
        ("mounts", errno.EACCES, APPARMOR, "docs/jails/apparmor-stockade"),
        ("namespaces", errno.EPERM, DOCKER, "seccomp=docs/jails/seccomp.json."),
        ("mounts", errno.EACCES, DOCKER, "--security-opt apparmor=stockade"),
        ("mounts", errno.EACCES, Facts(profile="snap.it"), "The AppArmor profile snap.it"),
        ("namespaces", errno.EPERM, SERVICE, "RestrictNamespaces="),
        ("namespaces", errno.EPERM, Facts(), "as a chroot does"),
        ("namespaces", errno.ENOSPC, Facts(), "Raise user.max_user_namespaces"),
        ("namespaces", errno.EINVAL, Facts(), "CONFIG_USER_NS"),
        ("filter", errno.ENOSYS, Facts(), "CONFIG_SECCOMP_FILTER"),
        ("folders", errno.ENOMEM, Facts(), "docs/jails.md"),
        ("listener", errno.EADDRINUSE, DOCKER, "docs/jails.md"),
        ("rights", errno.EPERM, DOCKER, "CAP_SETUID"),
        ("something new", 0, Facts(), "docs/jails.md"),
    ],
)
def test_every_obstacle_has_its_remedy(step: str, number: int, facts: Facts, part: str) -> None:
    assert part in remedy(Failure(step, DENIED, number), facts)


def test_a_text_tells_the_error() -> None:
    told = Failure.told("bubblewrap", f"Creating new namespace failed: {DENIED}")
    assert told.number == errno.EPERM
    assert told.reason == f"bubblewrap makes no jail: Creating new namespace failed: {DENIED}"
    assert Failure.told("bubblewrap", "No idea").number == 0


def test_the_facts_of_this_machine() -> None:
    found = Facts.read()
    assert found.switches["user.max_net_namespaces"].isdigit()
    assert isinstance(found.filtered, bool)
