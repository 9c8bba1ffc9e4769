"""Names that are refused without a lookup, and names whose answers are."""

from __future__ import annotations

WITHOUT_LOOKUP = [
    "localhost", "LOCALHOST.", "x.localhost", "a.b.localhost:8080", "localhost.localdomain",
    "%6cocalhost", "metadata.google.internal", "METADATA.google.internal.", "metadata.goog",
    "x.metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal",
    "host.docker.internal", "anything.internal", "printer.local", "router.lan", "nas.home.arpa",
    "kubernetes.default.svc", "api.ns.svc.cluster.local", "intranet", "server.corp", "db.consul",
    "metadata.tencentyun.com", "1.0.0.10.in-addr.arpa",
]  # fmt: skip

PUBLIC = ["93.184.216.34"]

HOSTILE_ANSWERS: dict[str, dict[tuple[str, str], list[str]]] = {
    "loopback": {("lvh.test", "A"): ["127.0.0.1"]},
    "unspecified": {("zero.test", "A"): ["0.0.0.0"]},
    "loopback, 6": {("six.test", "AAAA"): ["::1"]},
    "mapped": {("mapped.test", "AAAA"): ["::ffff:10.0.0.1"]},
    "nat64": {("nat.test", "AAAA"): ["64:ff9b::a00:1"]},
    "6to4": {("to4.test", "AAAA"): ["2002:7f00:1::"]},
    "isatap": {("isatap.test", "AAAA"): ["2001:470::5efe:7f00:1"]},
    "unique local": {("ula.test", "AAAA"): ["fd00:ec2::254"]},
    "metadata": {("meta.test", "A"): ["169.254.169.254"]},
    "shared": {("cgn.test", "A"): ["100.100.100.200"]},
    "own": {("own.test", "A"): ["93.184.216.200"]},
    "public first": {("mixed.test", "A"): ["93.184.216.34", "10.1.1.1"]},
    "private first": {("mixed2.test", "A"): ["10.1.1.1", "93.184.216.34"]},
    "many public": {("many.test", "A"): [*[f"93.184.216.{n}" for n in range(1, 40)], "10.1.1.1"]},
    "public 4, private 6": {("half.test", "A"): PUBLIC, ("half.test", "AAAA"): ["fd12::1"]},
    "private 4, public 6": {("half2.test", "A"): ["10.1.1.1"], ("half2.test", "AAAA"): ["2600::1"]},
    "alias of a private": {
        **{(f"c{n}.test", "CNAME"): [f"c{n + 1}.test"] for n in range(8)},
        ("c8.test", "A"): ["10.1.1.1"],
    },
    "alias of localhost": {("al.test", "CNAME"): ["localhost"], ("localhost", "A"): PUBLIC},
    "alias of metadata": {
        ("am.test", "CNAME"): ["metadata.google.internal"],
        ("metadata.google.internal", "A"): PUBLIC,
    },
    "broadcast": {("all.test", "A"): ["255.255.255.255"]},
    "multicast": {("group.test", "A"): ["239.255.255.250"]},
}
"""The first name of each is asked for."""
