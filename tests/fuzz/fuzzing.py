"""Schemathesis against a server: what the document promises, tried with what it generates.

No request leads off this machine: whatever looks like an address is replaced before it is sent,
and the server's own policy knows no page but those of the test's site.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import schemathesis
import schemathesis.specs.openapi.serialization  # deep in a stack it would be too late
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder
from schemathesis.hooks import unregister

_ADDRESS = re.compile(r"://|^//|^\s*[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_PLACES = re.compile(r"ur[il]|href|origin|proxy|host|endpoint|domain", re.IGNORECASE)
_LONGEST_MS = 300
_ACCEPTED = ("2xx", "3xx", "403", "404", "409", "410", "422", "429", "5xx")
_FAULT = 500
_OF_PAGES = (b'"navigation_failed"', b'"timeout"')
_KEY = re.compile(r"[!-~]{1,255}")
_PASSED_OVER = {
    # A body that is no JSON is refused before it is known where it was to go.
    ("PUT /v1/sessions/{session}/artifacts/{name}", "unsupported_method"),
    # Its arguments are those of a tool, and taken as leniently.
    ("POST /v1/sessions", "negative_data_rejection"),
    # A tab may be called `open` too, and closed.
    ("POST /tabs/open", "allow_header_conformance"),
    ("POST /tabs/open", "unsupported_method"),
}
_ENDLESS = re.compile(r"/events$")
"""Streams without an end have tests of their own."""


@dataclass(frozen=True)
class Effort:
    """How much is tried; without a seed it is the same in every run."""

    examples: int
    seed: int | None = None
    coverage: bool = False
    """Try the edges of every schema too."""
    strict: bool = True
    """What a schema does not allow must be refused."""
    accepted: tuple[str, ...] = _ACCEPTED
    """What may come of a request that the schema allows."""


@dataclass
class Found:
    """What came of it."""

    problems: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    """How long each operation took, all its examples together."""


def fuzz(
    document: Mapping[str, Any],
    url: str,
    token: str,
    home: str,
    effort: Effort,
    wanted: Callable[[str, str], bool],
) -> Found:
    """Try every operation that is wanted, by its method and path."""
    own_key = token.split("_")[1]
    paths = {
        path: chosen
        for path, item in document["paths"].items()
        if not _ENDLESS.search(path)
        and (chosen := {method: each for method, each in item.items() if wanted(method, path)})
    }
    schema = schemathesis.openapi.from_dict(
        {**document, "paths": paths},
        config=SchemathesisConfig.from_dict(_settings(url, token, effort)),
    )

    @schemathesis.hook
    def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
        if isinstance(case.body, dict | list):
            case.body = harmless(case.body, home)
        given = case.path_parameters or {}
        if "/tools/" in case.path and "session" in given:
            given["session"] = "default"
        if given.get("id") == own_key:
            given["id"] = own_key[::-1]
        key = str((case.headers or {}).get("Idempotency-Key", ""))
        if _KEY.fullmatch(key):
            # A key that came before would hide what becomes of the request.
            case.headers["Idempotency-Key"] = f"{case.id}-{key}"[:255]

    found = Found()
    try:
        for event in from_schema(schema).execute():
            if isinstance(event, events.NonFatalError | events.FatalError):
                found.problems.append(f"{getattr(event, 'label', '')}: {event!r}")
            if isinstance(event, events.ScenarioFinished):
                _note(found, event)
    finally:
        unregister(before_call)
    return found


def _settings(url: str, token: str, effort: Effort) -> dict[str, Any]:
    return {
        "base-url": url,
        # Nobody closes the connections that are kept.
        "headers": {"Authorization": f"Bearer {token}", "Connection": "close"},
        "seed": effort.seed or 1,
        "continue-on-failure": True,
        "request-timeout": 20,
        "generation": {
            "max-examples": effort.examples,
            "deterministic": effort.seed is None,
            "database": "none",
            "no-shrink": True,
            "mode": "all",
        },
        "suppress-health-check": ["all"],
        "phases": {
            "examples": {"enabled": True},
            "coverage": {"enabled": effort.coverage},
            "fuzzing": {"enabled": True},
            "stateful": {"enabled": False},
        },
        "checks": {
            # Wrong tokens are tried elsewhere; here they would only meet the throttle.
            "ignored_auth": {"enabled": False},
            "missing_required_header": {"enabled": False},
            # Pages and browsers fail too; a fault of ours is looked for in another way.
            "not_a_server_error": {"enabled": False},
            "negative_data_rejection": {"enabled": effort.strict},
            # A schema does not say whether there is such an element, cursor or name.
            "positive_data_acceptance": {"expected-statuses": [*effort.accepted]},
        },
    }


def harmless(value: Any, home: str, name: str = "") -> Any:
    """A body without addresses of elsewhere, and without waits that nobody has time for."""
    if isinstance(value, dict):
        return {key: harmless(part, home, str(key)) for key, part in value.items()}
    if isinstance(value, list):
        return [harmless(part, home, name) for part in value]
    if isinstance(value, str) and (_ADDRESS.search(value) or _PLACES.search(name)):
        return home
    if name.endswith("Ms") and isinstance(value, int | float) and value > _LONGEST_MS:
        return _LONGEST_MS
    return value


def _note(found: Found, event: events.ScenarioFinished) -> None:
    recorder = event.recorder
    found.seconds[recorder.label] += event.elapsed_time
    for case, each in recorder.interactions.items():
        if each.response is None:
            found.problems.append(f"{recorder.label}: no answer\n{_sent(recorder, case)}")
            continue
        found.statuses[each.response.status_code] += 1
        content = each.response.content
        # A page that does not come is no fault of ours, but has that status on the tab API.
        if each.response.status_code == _FAULT and not any(code in content for code in _OF_PAGES):
            said = content[:300].decode(errors="replace")
            found.problems.append(f"{recorder.label}: a fault: {said}\n{_sent(recorder, case)}")
    for case, checks in recorder.checks.items():
        for check in checks:
            info = check.failure_info
            if check.status is not Status.SUCCESS and info is not None:
                if (recorder.label, check.name) in _PASSED_OVER:
                    continue
                found.problems.append(
                    f"{recorder.label} [{check.name}] {info.failure.title}: "
                    f"{info.failure.message}\n{_sent(recorder, case)}"
                )


def _sent(recorder: ScenarioRecorder, case: str) -> str:
    sent = recorder.cases[case].value
    return f"  sent {sent.path_parameters} {sent.query} {sent.body!r}"
