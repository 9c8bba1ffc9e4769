"""The rules of a session: what it may reach, decided without a socket."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from stockade.egress import names
from stockade.egress.addresses import why_not_public
from stockade.egress.machine import Own, is_local
from stockade.egress.protocol import Rules
from stockade.errors import EgressDenied, InvalidArgument
from stockade.policy.origins import OriginRule
from stockade.urls import Address, parse

__all__ = ["Judge", "Target"]

_USUAL_PORTS = frozenset({80, 443})
_BOTH = ("https", "http")
_REMEMBERED = 1024


@dataclass(frozen=True)
class Target:
    """What a request asks for; of a tunnel it is not known at first which scheme it carries."""

    host: str
    """As `Address.machine` spells it."""
    port: int
    numeric: bool
    addresses: tuple[Address, ...]
    """One for each scheme it may turn out to be."""

    @classmethod
    def of_page(cls, authority: str) -> Self:
        """The target of a plain request."""
        return cls._of(_parsed("http", authority, None))

    @classmethod
    def of_tunnel(cls, host: str, port: int) -> Self:
        """The target of a tunnel, whose port tells the scheme where it is a usual one."""
        schemes = {80: ("http",), 443: ("https",)}.get(port, _BOTH)
        return cls._of(*(_parsed(scheme, host, port) for scheme in schemes))

    @classmethod
    def _of(cls, *addresses: Address) -> Self:
        first = addresses[0]
        return cls(first.machine, first.port or 0, first.numeric, addresses)

    def known_as(self, scheme: str) -> Target:
        """The same, now that its scheme is known."""
        return replace(self, addresses=tuple(a for a in self.addresses if a.scheme == scheme))

    @property
    def origin(self) -> str:
        """Its origin, as far as it can be told."""
        return self.addresses[0].origin if self.addresses else "null"

    @property
    def shown_host(self) -> str:
        """The host as it stands in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def place(self) -> str:
        """Host and port, as exceptions name them."""
        return f"{self.shown_host}:{self.port}"


@lru_cache(_REMEMBERED)
def _parsed(scheme: str, authority: str, port: int | None) -> Address:
    where = authority if port is None else f"{authority}:{port}"
    return parse(f"{scheme}://{where}/")


class Judge:
    """The rules, read once. An exception lifts what concerns the network, never the lists."""

    def __init__(self, rules: Rules, own: Own) -> None:
        self._closed = rules.closed
        self._allowed = tuple(tuple(map(OriginRule.parse, rows)) for rows in rules.allowed)
        self._blocked = tuple(map(OriginRule.parse, rules.blocked))
        self._ports = _USUAL_PORTS | frozenset(rules.ports)
        self._exceptions = frozenset(map(_exception, rules.exceptions))
        self._own = own
        self._admitted: frozenset[str] = frozenset()

    def admit(self, origins: Iterable[str]) -> None:
        """Let these origins through beyond the allow lists, and no others."""
        self._admitted = frozenset(origins)

    def excepted(self, target: Target) -> bool:
        """Whether neither its name nor its port nor its addresses are judged."""
        if not self._exceptions:
            return False
        hosts = {target.host} if target.numeric else {target.host, *_above(target.host)}
        return any({(host, target.port), (host, None)} & self._exceptions for host in hosts)

    def off_list(self, target: Target) -> bool:
        """Whether it is on no allow list, where there are any."""
        return not any(self._listed(address) for address in target.addresses)

    def _listed(self, address: Address) -> bool:
        return all(any(rule.matches(address) for rule in rules) for rules in self._allowed)

    # --- before anything is looked up -----------------------------------------------------------

    def check(self, target: Target) -> None:
        """Refuse what may not be asked for, by its name, its origin or its port."""
        if self._closed:
            raise EgressDenied(
                "nothing gets out this way",
                hint="It is for what a browser does by itself, and stays closed.",
                rule="closed",
            )
        if not self.excepted(target):
            self._check_name(target)
        self._check_lists(target)
        if not self.excepted(target):
            self._check_port(target)

    def _check_name(self, target: Target) -> None:
        why = "" if target.numeric else names.why_denied(target.host)
        if why:
            raise EgressDenied(f"{target.host} {why}", hint=_exception_remedy(target), rule="name")

    def _check_lists(self, target: Target) -> None:
        """At least one scheme must pass: which one it is will be seen before anything is sent."""
        found: EgressDenied | None = None
        for address in target.addresses:
            denied = self._why_off_lists(address)
            if denied is None:
                return
            found = found or denied
        raise found or EgressDenied(
            "it is neither http nor https", hint="Use one of them.", rule="tls"
        )

    def _why_off_lists(self, address: Address) -> EgressDenied | None:
        for rule in self._blocked:
            if rule.matches(address, any_port=True):
                return EgressDenied(
                    f"{address.origin} is blocked by the rule {rule.text}",
                    hint="Only the operator can lift it: STOCKADE_BLOCKED_ORIGINS.",
                    rule=rule.text,
                )
        if self._listed(address) or address.origin in self._admitted:
            return None
        return EgressDenied(
            f"{address.origin} is not among the allowed origins",
            hint=f"The operator can add {address.origin} to STOCKADE_ALLOWED_ORIGINS, and to the "
            "key's origins and the session's domains where these have a list.",
            rule="allowed_origins",
        )

    def _check_port(self, target: Target) -> None:
        if target.port in self._ports or any(map(self._names_port, target.addresses)):
            return
        raise EgressDenied(
            f"port {target.port} is not one that pages use",
            hint=f"The operator can open it: STOCKADE_EGRESS_PORTS={target.port}, or for this host "
            f"alone with `stockade serve --allow {target.place}`.",
            rule="port",
        )

    def _names_port(self, address: Address) -> bool:
        return address.origin in self._admitted or any(
            rule.port == address.port and rule.matches(address)
            for rules in self._allowed
            for rule in rules
        )

    # --- before anything is dialled -------------------------------------------------------------

    def check_addresses(self, target: Target, addresses: Sequence[str]) -> None:
        """Refuse a target of whose addresses a single one may not be dialled."""
        excepted = self.excepted(target)
        for address in addresses:
            if self._own.holds(address, target.port):
                raise EgressDenied(
                    f"{target.place} is a part of this server",
                    hint="It is never reached from a page.",
                    rule="own",
                    address=address,
                )
            if excepted:
                continue
            why = why_not_public(address) or ("is this machine" if is_local(address) else "")
            if why:
                named = "" if target.numeric else f"{target.host} leads to "
                raise EgressDenied(
                    f"{named}{address}{',' if named else ''} {'which ' if named else ''}{why}",
                    hint=_exception_remedy(target),
                    rule="address",
                    address=address,
                )


def _exception_remedy(target: Target) -> str:
    return (
        f"If it is meant to be reached, the operator can allow it: `stockade serve --allow "
        f"{target.place}` or STOCKADE_EGRESS_ALLOW={target.place}."
    )


def _above(host: str) -> list[str]:
    """What exceptions for all names below another would say of it."""
    parts = host.split(".")
    return [f"*.{'.'.join(parts[at:])}" for at in range(1, len(parts))]


def _exception(text: str) -> tuple[str, int | None]:
    """`host:port` or `host:*`, in the spelling that targets have; `*.host` is all below it."""
    host, _, port = text.strip().rpartition(":")
    if host.startswith("*."):
        below, number = _exception(f"{host.removeprefix('*.')}:{port}")
        return f"*.{below}", number
    any_port = port == "*"
    if not host or not (any_port or (port.isascii() and port.isdigit())):
        raise InvalidArgument("an exception is written host:port or host:*")
    found = parse(f"ws://{host}:{0 if any_port else port}/")
    return found.machine, None if any_port else found.port
