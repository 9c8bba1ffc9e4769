"""A policy: what one session may do, decided when it opens and never widened."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Self, TypeVar

from stockade.errors import AddressDenied, BadSetting, CapabilityDisabled, InvalidArgument
from stockade.policy.capabilities import DEFAULT, Capability, parse_capabilities
from stockade.policy.confirming import OFF_LIST, USUAL, ConfirmRule
from stockade.policy.origins import OriginRule
from stockade.urls import WEB_SCHEMES, Address, parse

__all__ = ["Policy"]

_BLANK = "about:blank"
_MOST_SHOWN = 10
_KNOWN_SCHEMES = frozenset(
    {"about", "blob", "chrome", "chrome-untrusted", "data", "devtools", "file", "filesystem"}
    | {"ftp", "javascript", "mailto", "view-source", "ws", "wss"}
)
"""What a refusal may name; any other word before a colon is the caller's own."""

_BROWSERS_OWN = frozenset(
    {"chrome", "chrome-extension", "chrome-untrusted", "devtools", "edge", "file", "isolated-app"}
)

Read = TypeVar("Read")


@dataclass(frozen=True)
class Policy:
    """The capabilities that are on, the origins whose pages may be opened, what is confirmed."""

    capabilities: frozenset[Capability] = DEFAULT
    allowed: tuple[tuple[OriginRule, ...], ...] = ()
    """Lists that an address must each pass: the server's, the key's, the session's."""
    blocked: tuple[OriginRule, ...] = ()
    confirm: frozenset[ConfirmRule] | None = None
    """What waits for a person by the operator's settings; None where they say nothing."""
    also: frozenset[ConfirmRule] = frozenset()
    """What waits for a person by the key or the session."""
    admitted: frozenset[str] = frozenset()
    """Origins off the list that a person let in, for the documents that are there now."""

    def __post_init__(self) -> None:
        for rules in self.allowed:
            for rule in rules:
                _check_allowing(rule)

    @classmethod
    def stated(
        cls,
        *,
        capabilities: Iterable[str],
        allowed: Iterable[str],
        blocked: Iterable[str],
        confirm: Iterable[str] | None = None,
    ) -> Self:
        """The policy of an operator's settings; an entry that cannot be used is named.

        An empty `allowed` allows every origin.
        """
        switches = _read("capabilities", capabilities, lambda name: parse_capabilities([name]))
        rules = _read(
            "allowed_origins", allowed, lambda entry: _check_allowing(OriginRule.parse(entry))
        )
        return cls(
            capabilities=frozenset[Capability]().union(*switches),
            allowed=(rules,) if rules else (),
            blocked=_read("blocked_origins", blocked, OriginRule.parse),
            confirm=None
            if confirm is None
            else frozenset(_read("confirm_required", confirm, ConfirmRule.parse)),
        )

    def narrowed(
        self,
        *,
        capabilities: frozenset[Capability] | None = None,
        allowed: tuple[OriginRule, ...] = (),
        blocked: tuple[OriginRule, ...] = (),
        confirm: frozenset[ConfirmRule] = frozenset(),
    ) -> Self:
        """The same policy with less; there is no way to get one with more."""
        return replace(
            self,
            capabilities=self.capabilities
            if capabilities is None
            else self.capabilities & capabilities,
            allowed=(*self.allowed, allowed) if allowed else self.allowed,
            blocked=(*self.blocked, *blocked),
            also=self.also | confirm,
        )

    def admitting(self, origins: Iterable[str]) -> Self:
        """The same policy where a person has let those origins in."""
        new = frozenset(origins) - self.admitted
        return replace(self, admitted=self.admitted | new) if new else self

    @property
    def confirmed(self) -> frozenset[ConfirmRule]:
        """What waits for a person.

        To leave the allow list is refused unless the operator's settings let a person be asked: a
        key or a session cannot make a question of a refusal.
        """
        stated = (USUAL if self.allowed else frozenset()) if self.confirm is None else self.confirm
        return stated | (self.also - {OFF_LIST})

    def require(self, capability: Capability | None, tool: str) -> None:
        """Refuse `tool` unless its capability is on."""
        if capability is not None and capability not in self.capabilities:
            wanted = ",".join(sorted(self.capabilities | {capability}))
            raise CapabilityDisabled(
                f"{tool} needs the capability {capability}, which is off",
                hint=f"The operator can turn it on: STOCKADE_CAPABILITIES={wanted}, and in the "
                "key's own list if it has one.",
                requiredCapability=str(capability),
                activeCapabilities=sorted(self.capabilities),
            )

    def check_address(self, text: str) -> Address:
        """The address a page may be opened at, or the refusal that says why not."""
        address = parse(text)
        if address.href == _BLANK:
            return address
        if address.scheme not in WEB_SCHEMES:
            what = f", not {address.scheme}:" if address.scheme in _KNOWN_SCHEMES else ""
            raise AddressDenied(
                f"only http and https pages can be opened{what}",
                hint="Write the address in full, as in http://localhost:3000/.",
                rule="scheme",
            )
        self._check_origin(address)
        return address

    def check_shown(self, text: str) -> None:
        """Refuse a page that a tab shows but may not: by a redirect, a script, or as a blob."""
        address = parse(text.removeprefix("view-source:"))
        if address.scheme in _BROWSERS_OWN:
            raise AddressDenied(
                "the browser's own pages, and those of its extensions, are not for agents",
                hint="Go to an http or https page.",
                rule="scheme",
            )
        origin = address.origin
        if origin != "null":
            self._check_origin(parse(origin))

    def admits(self, text: str) -> bool:
        """Whether pages at that address may be shown."""
        try:
            self.check_shown(text)
        except (AddressDenied, InvalidArgument):
            return False
        return True

    def admits_cookie(self, domain: str) -> bool:
        """Whether some page that may be shown gets cookies of `domain`, whatever its port."""
        if not self.allowed and not self.blocked:
            return True
        rules = [rule for rules in self.allowed for rule in rules]
        host = domain.removeprefix(".")
        hosts = {host}
        if domain.startswith("."):
            hosts |= {f"x.{rule.host}" if rule.below else rule.host for rule in rules}
            hosts = {each for each in hosts | {f"x.{host}"} if f".{each}".endswith(f".{host}")}
        ports = {f":{rule.port}" for rule in rules if rule.port is not None} | {""}
        return any(
            self.admits(f"{scheme}://{each}{port}/")
            for scheme in WEB_SCHEMES
            for each in hosts
            for port in ports
        )

    def _check_origin(self, address: Address) -> None:
        for rule in self.blocked:
            if rule.matches(address, any_port=True):
                raise AddressDenied(
                    f"{address.origin} is blocked by the rule {rule.text}",
                    hint="Only the operator can lift it: STOCKADE_BLOCKED_ORIGINS.",
                    rule=rule.text,
                )
        if address.origin in self.admitted:
            return
        for rules in self.allowed:
            if not any(rule.matches(address) for rule in rules):
                raise AddressDenied(
                    f"{address.origin} is not among the allowed origins",
                    hint=f"Allowed here: {_listed(rules)}. The operator can allow more, in "
                    "STOCKADE_ALLOWED_ORIGINS and in the key's origins; a session keeps the "
                    "domains it was opened with.",
                    rule="allowed_origins",
                )


def _check_allowing(rule: OriginRule) -> OriginRule:
    """An allow list with such a rule would be none."""
    if rule.open_to_anyone:
        raise InvalidArgument(
            "an origin rule allows every name that anyone can register",
            hint="Name the sites themselves: *.example.com, not *.com or *.github.io.",
        )
    return rule


def _read(setting: str, entries: Iterable[str], read: Callable[[str], Read]) -> tuple[Read, ...]:
    found = []
    for entry in entries:
        try:
            found.append(read(entry))
        except InvalidArgument as error:
            raise BadSetting(
                f"{setting}: {entry[:80]!r}: {error.message}", hint=error.hint, setting=setting
            ) from None
    return tuple(found)


def _listed(rules: tuple[OriginRule, ...]) -> str:
    shown = ", ".join(rule.text for rule in rules[:_MOST_SHOWN]) or "none"
    return shown + (f" and {len(rules) - _MOST_SHOWN} more" if len(rules) > _MOST_SHOWN else "")
