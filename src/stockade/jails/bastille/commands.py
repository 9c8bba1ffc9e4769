"""Commands: every command line that is run on the host. None goes through a shell."""

from __future__ import annotations

from collections.abc import Sequence

from stockade.jails.bastille.names import Clone, Ground

__all__ = ["Argv", "Commands"]

Argv = tuple[str, ...]

_BASTILLE = "/usr/local/bin/bastille"
_IFCONFIG = "/sbin/ifconfig"
_JEXEC = "/usr/sbin/jexec"
_PFCTL = "/sbin/pfctl"
_RCTL = "/usr/bin/rctl"
_TEE = "/usr/bin/tee"
_ZFS = "/sbin/zfs"

_SERVICE = "stockade_browser"
_PID_FILE = "/var/run/stockade_browser.pid"
_ANYWHERE = "0.0.0.0/0"


class Commands:
    """The command lines for one host. Their variable parts are names that have been checked."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    # --- looking --------------------------------------------------------------------------------

    def datasets(self) -> Argv:
        """All datasets and snapshots of jails."""
        kinds = "filesystem,snapshot"
        return (_ZFS, "list", "-H", "-r", "-t", kinds, "-o", "name", self._ground.jails)

    def jails(self) -> Argv:
        """The names of the jails that run."""
        return ("/usr/sbin/jls", "name")

    def mounts(self) -> Argv:
        """What is mounted, as in fstab."""
        return ("/sbin/mount", "-p")

    def epairs(self) -> Argv:
        """The cables whose ends are on the host."""
        return (_IFCONFIG, "-g", "epair")

    def rules(self) -> Argv:
        """All limits."""
        return (_RCTL,)

    def addresses(self) -> Argv:
        """The addresses in the table of the packet filter."""
        return (_PFCTL, "-q", "-t", self._ground.table, "-T", "show")

    # --- making ---------------------------------------------------------------------------------

    def take_snapshot(self, name: str) -> Argv:
        """Keep the template as it is now."""
        return (_ZFS, "snapshot", "-r", f"{self._ground.dataset()}@{name}")

    def clone_datasets(self, clone: Clone, snapshot: str) -> list[Argv]:
        """Clone what a thick jail consists of; the first is limited, and with it what is below."""
        ours, theirs = self._ground.dataset(clone), self._ground.dataset()
        quota = f"quota={self._ground.quotas.disk}"
        return [
            (_ZFS, "clone", "-o", quota, f"{theirs}@{snapshot}", ours),
            (_ZFS, "clone", f"{theirs}/root@{snapshot}", f"{ours}/root"),
        ]

    def write_configuration(self, clone: Clone) -> list[tuple[Argv, bytes]]:
        """Write the clone's own files for Bastille, in place of the template's.

        Nothing of the host is mounted in it, it has no limits and ways in but ours, and it does not
        start with the host.
        """
        texts = {
            "jail.conf": self._configuration(clone),
            "fstab": "",
            "rctl.conf": "",
            "rdr.conf": "",
            "boot.conf": 'boot="off"\npriority="99"\n',
        }
        place = self._ground.place(clone)
        return [((_TEE, f"{place}/{name}"), text.encode()) for name, text in texts.items()]

    def plug_in(self, clone: Clone) -> list[Argv]:
        """Make the clone's cable and plug it into the bridge, where it meets the host alone.

        Bastille rewrites a jail.conf that does this in its own way, and with other names.
        """
        host, pair = clone.host_end, clone.pair
        return [
            (_IFCONFIG, pair, "create"),
            (_IFCONFIG, f"{pair}a", "up", "name", host),
            (_IFCONFIG, f"{pair}b", "up", "name", clone.jail_end),
            (_IFCONFIG, self._ground.bridge, "addm", host, "private", host),
        ]

    def add_limits(self, clone: Clone) -> list[Argv]:
        """Limit the jail, which need not be there yet."""
        quotas = self._ground.quotas
        limits = {
            "memoryuse": quotas.memory,
            "openfiles": quotas.open_files,
            "maxproc": quotas.processes,
            "pcpu": quotas.cpu,
        }
        return [
            (_RCTL, "-a", f"jail:{clone.name}:{resource}:deny={most}")
            for resource, most in limits.items()
        ]

    def open_way(self, clone: Clone) -> Argv:
        """Let the clone's address out."""
        return self._table("add", clone)

    def start(self, clone: Clone) -> Argv:
        """Start the jail."""
        return (_BASTILLE, "start", clone.name)

    def enter(self, clone: Clone, argv: Sequence[str]) -> Argv:
        """Become a program in the jail, as its user and in no other group, without a new process.

        `jexec -U` would keep the groups of whoever calls it; chroot sets them all.
        """
        user = self._ground.user
        return (
            _JEXEC, clone.name,
            "/usr/sbin/chroot", "-u", user, "-g", user, "-G", user, "/",
            *argv,
        )  # fmt: skip

    def keep_pid(self, clone: Clone, pid: int) -> tuple[Argv, bytes]:
        """Write down which process the browser is, in the jail and seen from there."""
        return (_JEXEC, clone.name, _TEE, _PID_FILE), f"{pid}\n".encode()

    # --- clearing away --------------------------------------------------------------------------

    def stop_service(self, clone: Clone) -> Argv:
        """Stop the browser as the jail's own system does."""
        return (_JEXEC, clone.name, "/usr/sbin/service", _SERVICE, "onestop")

    def read_pid(self, clone: Clone) -> Argv:
        """Which process the browser is."""
        return (_JEXEC, clone.name, "/bin/cat", _PID_FILE)

    def signal(self, clone: Clone, name: str, pid: int) -> Argv:
        """Signal one process. It is done in the jail, so that no other can be meant."""
        return (_JEXEC, clone.name, "/bin/kill", f"-{name}", str(pid))

    def await_end(self, clone: Clone, seconds: int, pid: int) -> Argv:
        """Wait until a process of the jail has ended; 124 if it does not in time."""
        return (_JEXEC, clone.name, "/bin/pwait", "-t", str(seconds), str(pid))

    def unmount(self, path: str, *, force: bool) -> Argv:
        """Unmount something that is no dataset."""
        return ("/sbin/umount", *(("-f",) if force else ()), path)

    def unmount_dataset(self, dataset: str) -> Argv:
        """Unmount a dataset, whoever uses it."""
        return (_ZFS, "unmount", "-f", dataset)

    def stop(self, clone: Clone) -> Argv:
        """Stop the jail."""
        return (_BASTILLE, "stop", clone.name)

    def remove_jail(self, clone: Clone) -> Argv:
        """Remove the jail and end all that runs in it, whatever its configuration says."""
        return ("/usr/sbin/jail", "-R", clone.name)

    def remove_limits(self, clone: Clone) -> Argv:
        """Remove all limits of the jail."""
        return (_RCTL, "-r", f"jail:{clone.name}")

    def close_way(self, clone: Clone) -> Argv:
        """Let the clone's address out no more."""
        return self._table("delete", clone)

    def forget_connections(self, clone: Clone) -> list[Argv]:
        """End what is open to and from the address, so that the next to have it inherits none."""
        address = str(self._ground.address(clone))
        return [(_PFCTL, "-q", "-k", address), (_PFCTL, "-q", "-k", _ANYWHERE, "-k", address)]

    def destroy_datasets(self, clone: Clone) -> Argv:
        """Destroy the clone's datasets and their snapshots."""
        return (_ZFS, "destroy", "-r", self._ground.dataset(clone))

    def destroy_snapshot(self, name: str) -> Argv:
        """Destroy one snapshot."""
        return (_ZFS, "destroy", name)

    def destroy_epair(self, end: str) -> Argv:
        """Destroy a cable, by one of its ends."""
        return (_IFCONFIG, end, "destroy")

    # --- their parts ----------------------------------------------------------------------------

    def _table(self, change: str, clone: Clone) -> Argv:
        address = str(self._ground.address(clone))
        return (_PFCTL, "-q", "-t", self._ground.table, "-T", change, address)

    def _configuration(self, clone: Clone) -> str:
        """All that is the clone's own is said here, outside of what the jail can see."""
        ground, place = self._ground, self._ground.place(clone)
        address = f"{ground.address(clone)}/{ground.network.prefixlen}"
        return f"""\
{clone.name} {{
  path = "{place}/root";
  host.hostname = "{clone.name}";
  mount.devfs;
  mount.fstab = "{place}/fstab";
  devfs_ruleset = 13;
  enforce_statfs = 2;
  securelevel = 2;
  children.max = 0;
  vnet;
  vnet.interface = "{clone.jail_end}";
  exec.clean;
  exec.consolelog = "{place}/console.log";
  exec.start = "{_IFCONFIG} lo0 inet 127.0.0.1/8 up";
  exec.start += "{_IFCONFIG} {clone.jail_end} inet {address} up";
  exec.start += "/sbin/route -n add -inet default {ground.gateway}";
  exec.start += "/bin/sh /etc/rc";
  exec.stop = "/bin/sh /etc/rc.shutdown jail";
}}
"""
