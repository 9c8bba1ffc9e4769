"""A policy: what one session may do, decided when it opens and never widened."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from stockade.errors import AddressDenied, CapabilityDisabled
from stockade.policy.capabilities import DEFAULT, Capability
from stockade.policy.origins import OriginRule
from stockade.urls import Address, parse

__all__ = ["Policy"]

_BLANK = "about:blank"


@dataclass(frozen=True)
class Policy:
    """The capabilities that are on, and the origins whose pages may be opened."""

    capabilities: frozenset[Capability] = DEFAULT
    allowed: tuple[tuple[OriginRule, ...], ...] = ()
    """Lists that an address must each pass: the server's, the key's, the session's."""
    blocked: tuple[OriginRule, ...] = ()

    def narrowed(
        self,
        *,
        capabilities: frozenset[Capability] | None = None,
        allowed: tuple[OriginRule, ...] = (),
        blocked: tuple[OriginRule, ...] = (),
    ) -> Self:
        """The same policy with less; there is no way to get one with more."""
        return replace(
            self,
            capabilities=self.capabilities
            if capabilities is None
            else self.capabilities & capabilities,
            allowed=(*self.allowed, allowed) if allowed else self.allowed,
            blocked=(*self.blocked, *blocked),
        )

    def require(self, capability: Capability | None, tool: str) -> None:
        """Refuse `tool` unless its capability is on."""
        if capability is not None and capability not in self.capabilities:
            raise CapabilityDisabled(
                f"{tool} needs the capability {capability}, which is off",
                hint=f"The operator can turn it on: STOCKADE_CAPABILITIES=default,{capability}",
                requiredCapability=str(capability),
                activeCapabilities=sorted(self.capabilities),
            )

    def check_address(self, text: str) -> Address:
        """The address a page may be opened at, or the refusal that says why not."""
        address = parse(text)
        if address.href == _BLANK:
            return address
        if address.scheme not in {"http", "https"}:
            raise AddressDenied(
                f"only http and https pages can be opened, not {address.scheme}:",
                rule="scheme",
            )
        for rule in self.blocked:
            if rule.matches(address, any_port=True):
                raise AddressDenied(f"{address.origin} is blocked", rule=rule.text)
        for rules in self.allowed:
            if not any(rule.matches(address) for rule in rules):
                raise AddressDenied(
                    f"{address.origin} is not among the allowed origins",
                    rule="allowed_origins",
                    hint=f"Allowed are: {', '.join(rule.text for rule in rules)[:400]}",
                )
        return address
