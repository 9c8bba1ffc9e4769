"""What operators change while the server runs: less for the sessions that are opened from then on.

The server's own settings are the ceiling. What an operator sets here is kept in the workspace, for
each tenant in two layers (`user`, and `project` above it), and narrows the policy with which a
session begins; sessions that are open keep theirs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from stockade.errors import InvalidArgument
from stockade.policy.capabilities import parse_capabilities
from stockade.policy.confirming import parse_confirmations
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.telemetry.logs import get_logger
from stockade.workspace import Workspace

__all__ = ["KEYS", "LAYERS", "Layer", "Overlay"]

Layer = Literal["user", "project"]
LAYERS: Final[tuple[Layer, ...]] = ("user", "project")
"""The lowest first."""
KEYS: Final = ("capabilities", "confirmRequired", "allowedOrigins", "blockedOrigins")
_FILE: Final = "config.json"

_log = get_logger("stockade.config")

_Layers = dict[str, dict[str, list[str]]]


class Overlay:
    """The layers of every tenant."""

    def __init__(self, workspace: Path) -> None:
        self._place = workspace
        self._read: dict[str, _Layers] | None = None

    @property
    def _tenants(self) -> dict[str, _Layers]:
        if self._read is None:
            self._read = _kept(Workspace(self._place).read(_FILE))
        return self._read

    def layer(self, tenant: str, layer: Layer) -> dict[str, list[str]]:
        """What was set in one layer."""
        return dict(self._tenants.get(tenant, {}).get(layer, {}))

    def resolved(self, tenant: str) -> dict[str, list[str]]:
        """What holds: a list in a higher layer stands in the place of the lower one's."""
        found: dict[str, list[str]] = {}
        for each in LAYERS:
            found |= self.layer(tenant, each)
        return found

    def set(self, tenant: str, layer: Layer, patch: Mapping[str, list[str]]) -> None:
        """Change a layer; what cannot be used changes nothing."""
        wanted = {**self.layer(tenant, layer), **{key: list(patch[key]) for key in patch}}
        _narrowed(Policy(), wanted)
        self._keep(tenant, layer, wanted)

    def reset(self, tenant: str, layer: Layer) -> None:
        """Forget a layer."""
        self._keep(tenant, layer, {})

    def _keep(self, tenant: str, layer: Layer, values: dict[str, list[str]]) -> None:
        tenants = {**self._tenants, tenant: {**self._tenants.get(tenant, {}), layer: values}}
        Workspace.open(self._place).write(_FILE, json.dumps(tenants, indent=1).encode())
        self._read = tenants

    def narrowed(self, tenant: str, policy: Policy) -> Policy:
        """The policy of a session that opens now."""
        wanted = self.resolved(tenant)
        return _narrowed(policy, wanted) if wanted else policy

    def pending(self, tenant: str, policy: Policy) -> list[str]:
        """Capabilities that were asked for here and that only the server's settings can give."""
        wanted = self.resolved(tenant).get("capabilities")
        if wanted is None:
            return []
        return sorted(parse_capabilities(wanted) - policy.capabilities)


def _narrowed(policy: Policy, wanted: Mapping[str, list[str]]) -> Policy:
    capabilities = wanted.get("capabilities")
    return policy.narrowed(
        capabilities=None if capabilities is None else parse_capabilities(capabilities),
        allowed=tuple(map(OriginRule.parse, wanted.get("allowedOrigins", ()))),
        blocked=tuple(map(OriginRule.parse, wanted.get("blockedOrigins", ()))),
        confirm=parse_confirmations(wanted.get("confirmRequired", ())),
    )


def _kept(content: bytes | None) -> dict[str, _Layers]:
    """What the file says; one that makes no sense would let more through than was meant."""
    if content is None:
        return {}
    try:
        tenants: Any = json.loads(content)
        for layers in tenants.values():
            for layer in layers.values():
                _narrowed(Policy(), layer)
                if set(layer) - set(KEYS):
                    raise InvalidArgument("unknown key")  # noqa: TRY301
    except (ValueError, AttributeError, TypeError, InvalidArgument):
        _log.error("config.json in the workspace makes no sense: no session opens until it does")
        raise InvalidArgument(
            "config.json in the workspace makes no sense",
            hint="The operator can put it right, or remove it.",
        ) from None
    return dict(tenants)
