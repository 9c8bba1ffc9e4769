"""What diagnostics tell of calls: their arguments without what was in them, and what recurs."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

__all__ = ["BUCKETS", "bucket", "outline", "report", "script_of"]

_DEEPEST = 6
_MOST_PARTS = 20
_LONGEST_KEY = 60
_HEAD = 80
_LONGEST_LOOKED_AT = 20_000
_TOP = 10
_RECURS = 3
"""How often one kind of script is run before a tool of its own would have been better."""
_DENIED = "capability_disabled"

BUCKETS: Final[dict[str, re.Pattern[str]]] = {
    "storage-access": re.compile(
        r"\b(?:localStorage|sessionStorage|indexedDB|caches|cookieStore)\b|document\s*\.\s*cookie"
    ),
    "computed-style": re.compile(
        r"\bgetComputedStyle\b|\bgetBoundingClientRect\b|\bgetClientRects\b"
        r"|\.\s*(?:offset|client|scroll)(?:Width|Height|Top|Left)\b"
    ),
    "callback-trigger": re.compile(
        r"\bdispatchEvent\b|\.\s*(?:click|submit|focus|blur|requestSubmit)\s*\(|\bnew\s+\w*Event\b"
        r"|\.\s*on[a-z]+\s*\("
    ),
    "feature-detect": re.compile(
        r"\btypeof\b|['\"]\s*in\s+(?:window|navigator|document|globalThis)\b|\bCSS\s*\.\s*supports\b"
        r"|\bnavigator\s*\.\s*\w+|\bmatchMedia\b"
    ),
    "dom-query": re.compile(
        r"\bquerySelector(?:All)?\b|\bgetElement(?:s)?By\w+\b|\bevaluate\s*\("
        r"|\.\s*(?:textContent|innerText|innerHTML|outerHTML|children|closest|matches)\b"
        r"|\bdocument\s*\.\s*(?:body|title|forms|links|images)\b"
    ),
}
"""What a script is for, by what it mentions; the first that fits."""
CUSTOM: Final = "custom"

_INSTEAD: Final = {
    "dom-query": "find, text_search, extract or inspect",
    "storage-access": "the storage tools: localstorage_*, cookies_*, idb_*, caches_*",
    "computed-style": "inspect, sample or overflow_detect",
    "callback-trigger": "click, press or shortcut",
    "feature-detect": "a check of its own",
    "custom": "a tool of its own",
}


def bucket(source: str) -> str:
    """What a script is for, as far as can be told from its words."""
    known = source[:_LONGEST_LOOKED_AT]
    return next((name for name, words in BUCKETS.items() if words.search(known)), CUSTOM)


def script_of(source: str) -> dict[str, Any]:
    """A script that was run, told apart but not told."""
    return {**_digest(source), "head": source[:_HEAD], "bucket": bucket(source)}


def outline(value: Any, depth: int = 0) -> Any:
    """The structure of arguments: numbers stay, texts become a digest and their length."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _digest(value)
    if depth >= _DEEPEST:
        return {"left": "out"}
    if isinstance(value, Mapping):
        parts = list(value.items())
        shown = {
            str(key)[:_LONGEST_KEY]: outline(each, depth + 1) for key, each in parts[:_MOST_PARTS]
        }
        return {**shown, "…": len(parts) - _MOST_PARTS} if len(parts) > _MOST_PARTS else shown
    if isinstance(value, Sequence):
        rows = [outline(each, depth + 1) for each in value[:_MOST_PARTS]]
        return [*rows, {"more": len(value) - _MOST_PARTS}] if len(value) > _MOST_PARTS else rows
    return {"kind": type(value).__name__}


def _digest(text: str) -> dict[str, Any]:
    encoded = text.encode("utf-8", "surrogatepass")
    return {"sha256": hashlib.sha256(encoded).hexdigest(), "length": len(text)}


def report(records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What the records of calls and notes come to."""
    durations: defaultdict[str, list[float]] = defaultdict(list)
    failures: Counter[str] = Counter()
    denials: Counter[str] = Counter()
    scripts: Counter[str] = Counter()
    seen: dict[str, Mapping[str, Any]] = {}
    buckets: Counter[str] = Counter()
    notes: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        if record.get("kind") == "note":
            notes[str(record.get("category") or "general")].append(record)
            continue
        tool = str(record.get("tool"))
        durations[tool].append(float(record.get("ms", 0)))
        failures[tool] += not record.get("ok")
        denials[tool] += record.get("failureKind") == _DENIED
        script = record.get("script")
        if isinstance(script, Mapping):
            digest = str(script.get("sha256"))
            scripts[digest] += 1
            seen[digest] = script
            buckets[str(script.get("bucket"))] += 1
    return {
        "perTool": {
            tool: {
                "count": len(times),
                "failureCount": failures[tool],
                "p50Duration": _quantile(times, 0.5),
                "p95Duration": _quantile(times, 0.95),
            }
            for tool, times in sorted(durations.items())
        },
        "topEvalJsPatterns": [
            {
                "bucket": seen[digest].get("bucket"),
                "sha256": digest,
                "head": seen[digest].get("head"),
                "count": count,
            }
            for digest, count in scripts.most_common(_TOP)
        ],
        "capabilityDenials": {tool: count for tool, count in denials.items() if count},
        "notesByCategory": {
            category: [
                {key: each[key] for key in ("at", "insight", "severity", "ref") if key in each}
                for each in kept[-_TOP:]
            ]
            for category, kept in sorted(notes.items())
        },
        "missingPrimitiveHypotheses": [
            {
                "bucket": name,
                "count": count,
                "hypothesis": f"scripts of the kind {name} ran {count} times: "
                f"{_INSTEAD.get(name, _INSTEAD[CUSTOM])} may serve, or be missing",
            }
            for name, count in buckets.most_common()
            if count >= _RECURS
        ],
    }


def _quantile(times: list[float], share: float) -> float:
    ordered = sorted(times)
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 1)
