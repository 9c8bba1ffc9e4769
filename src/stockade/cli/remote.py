"""A running server, as the command line talks to it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from stockade.errors import SetupError
from stockade.kernel.codes import error_of
from stockade.workspace import Workspace

__all__ = ["Answer", "Server"]

_PATIENCE = 10.0
_CALL_PATIENCE = 3700.0
"""A call has a deadline of its own, which the server keeps; this is for a server that hangs."""


@dataclass(frozen=True)
class Answer:
    """What the server said."""

    status: int
    body: dict[str, Any]

    def or_fail(self) -> dict[str, Any]:
        """The body, unless it tells of a failure."""
        if self.status < httpx.codes.BAD_REQUEST:
            return self.body
        raise error_of(self.body)


@dataclass(frozen=True)
class Server:
    """Where the server of a workspace listens, and the token that opens it."""

    url: str
    token: str

    @classmethod
    def find(cls, path: Path) -> Server | None:
        """The server that holds the workspace, if one does."""
        workspace = Workspace(path)
        if not workspace.locked_by_another:
            return None
        about, token = workspace.read("server.json"), workspace.read("admin.token")
        try:
            if about is None or token is None:
                raise ValueError  # noqa: TRY301
            return cls(json.loads(about)["url"], token.decode("ascii").strip())
        except (ValueError, KeyError, TypeError):
            raise SetupError(
                "a server holds the workspace but is not ready",
                hint="Wait a moment; if it stays so, restart the server.",
            ) from None

    def schema(self, tool: str) -> dict[str, Any] | None:
        """What a tool takes, if there is such a tool and we may call it."""
        tools = self._ask("GET", "/v1/tools").or_fail().get("tools", [])
        return next((each["inputSchema"] for each in tools if each["name"] == tool), None)

    def call(self, session: str, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool in a session."""
        path = f"/v1/sessions/{_quoted(session)}/tools/{_quoted(tool)}"
        return self._ask("POST", path, patience=_CALL_PATIENCE, body=arguments)

    def sessions(self, *, patience: float = _PATIENCE) -> list[dict[str, Any]]:
        """The sessions that are open."""
        told = self._ask("GET", "/v1/sessions", patience=patience).or_fail()
        return list(told.get("sessions", []))

    def close(self, session: str) -> dict[str, Any]:
        """End a session."""
        return self._ask("DELETE", f"/v1/sessions/{_quoted(session)}").or_fail()

    def approvals(self, state: str | None = None) -> list[dict[str, Any]]:
        """What waits for a person, and what was decided."""
        query = f"?state={_quoted(state)}" if state else ""
        return list(self._ask("GET", f"/v1/approvals{query}").or_fail().get("approvals", []))

    def approval(self, id: str) -> dict[str, Any]:
        """One question, with its picture."""
        return self._ask("GET", f"/v1/approvals/{_quoted(id)}").or_fail()

    def decide(self, id: str, decision: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a question."""
        return self._ask("POST", f"/v1/approvals/{_quoted(id)}", body=decision).or_fail()

    def secrets(self) -> list[dict[str, Any]]:
        """What agents may use by name."""
        return list(self._ask("GET", "/v1/secrets").or_fail().get("secrets", []))

    def put_secret(
        self,
        name: str,
        value: str,
        origins: Sequence[str],
        fields: Sequence[str] = (),
        *,
        totp: bool = False,
    ) -> dict[str, Any]:
        """Keep a secret."""
        body = {"value": value, "origins": list(origins), "fields": list(fields), "totp": totp}
        return self._ask("PUT", f"/v1/secrets/{_quoted(name)}", body=body).or_fail()

    def remove_secret(self, name: str) -> dict[str, Any]:
        """Let nobody use a secret any more."""
        return self._ask("DELETE", f"/v1/secrets/{_quoted(name)}").or_fail()

    def health(self) -> dict[str, Any]:
        """What the server says of itself, after a look at its browsers."""
        return self._ask("GET", "/health").or_fail()

    def _ask(
        self,
        method: str,
        path: str,
        *,
        patience: float = _PATIENCE,
        body: Mapping[str, Any] | None = None,
    ) -> Answer:
        try:
            # What the environment says about proxies is not for a server on this machine.
            with httpx.Client(base_url=self.url, timeout=patience, trust_env=False) as client:
                response = client.request(
                    method, path, json=body, headers={"authorization": f"Bearer {self.token}"}
                )
                found = response.json()
        except (httpx.HTTPError, ValueError):
            raise SetupError(
                f"the server at {self.url} does not answer",
                hint="See its log; `stockade doctor` looks further.",
            ) from None
        return Answer(response.status_code, found if isinstance(found, dict) else {})


def _quoted(part: str) -> str:
    return quote(part, safe="")
