"""Flakes: what differs between runs of the same calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["cached_resolvers", "first_divergence", "signature", "steps"]

_MOST_DISTINCT = 8
_LONGEST = 200
_TARGETS = ("selector", "named", "ref")

Row = Mapping[str, Any]
Run = Sequence[Row]


def signature(row: Row) -> str:
    """What came of a call, without what differs from run to run anyway: refs, times, addresses."""
    tool = row["tool"]
    result = row.get("result")
    if "error" in row:
        return f"{tool}: {row['error'].get('code', 'error')}"
    if not isinstance(result, Mapping):
        return f"{tool}: {'ok' if row['ok'] else 'failed'}"
    hint = _chosen(result).get("selectorHint")
    if hint is not None:
        return _short(f"{tool}: {hint}")
    parts = [str(result[key]["kind"]) for key in ("failure",) if "kind" in result.get(key, {})]
    navigation = result.get("navigation")
    if row.get("target"):
        parts.append(str(row["target"]))
    if isinstance(navigation, Mapping) and navigation.get("kind"):
        went = str(navigation.get("to") or result.get("final_url", ""))
        parts.append(f"{navigation['kind']} to {_path(went)}")
    structure = result.get("structure")
    if isinstance(structure, Mapping):
        for sign, kind in (("+", "appeared"), ("-", "removed")):
            parts += [
                f"{sign}{each.get('role')} {each.get('name', '')}".strip()
                for each in structure.get(kind, ())
            ]
    return _short(f"{tool}: {', '.join(parts) or ('ok' if row['ok'] else 'failed')}")


def _path(url: str) -> str:
    return "/" + url.partition("://")[2].partition("/")[2].partition("?")[0].partition("#")[0]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _chosen(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """The element that plan or find decided for."""
    descriptor = result.get("descriptor")
    if isinstance(descriptor, Mapping):
        return {**descriptor.get("evidence", {}), "ref": descriptor.get("ref")}
    candidates = result.get("candidates")
    if isinstance(candidates, Sequence) and candidates and isinstance(candidates[0], Mapping):
        return candidates[0]
    return {}


def _error(row: Row) -> str:
    error, result = row.get("error"), row.get("result")
    if isinstance(error, Mapping):
        return str(error.get("error") or error.get("code") or "failed")
    if isinstance(result, Mapping):
        failure = result.get("failure")
        if isinstance(failure, Mapping) and "expected" in failure:
            return f"expected {failure['expected']}, found {failure.get('actual')}"
        return str(result.get("error") or "failed")
    return "failed"


def _distinct(texts: list[str]) -> list[str]:
    return list(dict.fromkeys(_short(text) for text in texts))[:_MOST_DISTINCT]


def _labelled(call: Mapping[str, Any], step: int) -> dict[str, Any]:
    label = call.get("label")
    return {"step": step, "tool": call["tool"], **({"label": label} if label is not None else {})}


def steps(calls: Sequence[Mapping[str, Any]], runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Each call over all runs: how often it went well, and in how many ways."""
    found = []
    for step, call in enumerate(calls):
        rows = [run[step] for run in runs if step < len(run)]
        good = sum(bool(row["ok"]) for row in rows)
        found.append(
            {
                **_labelled(call, step),
                "runs": len(rows),
                "ok": good,
                "successRate": round(good / len(rows), 3) if rows else None,
                "errors": _distinct([_error(row) for row in rows if not row["ok"]]),
                "signatures": _distinct([signature(row) for row in rows]),
            }
        )
    return found


def first_divergence(
    calls: Sequence[Mapping[str, Any]], runs: Sequence[Run], rolled: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """The first call that went well in some runs only; else the first that went in several ways."""
    for step, call in enumerate(calls):
        outcomes = [bool(run[step]["ok"]) for run in runs if step < len(run)]
        if len(set(outcomes)) > 1:
            odd = next(at for at, good in enumerate(outcomes) if good != outcomes[0])
            return {**_labelled(call, step), "kind": "outcome", "run": odd}
    for step, call in enumerate(calls):
        if len(rolled[step]["signatures"]) > 1:
            return {**_labelled(call, step), "kind": "signature"}
    return None


def cached_resolvers(
    calls: Sequence[Mapping[str, Any]], runs: Sequence[Run], rolled: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """How to find what each call meant, where all runs went well and in one way."""
    found = []
    for step, call in enumerate(calls):
        facts = rolled[step]
        if not facts["runs"] or facts["ok"] != facts["runs"] or len(facts["signatures"]) != 1:
            continue
        resolver = _resolver(call, runs[-1][step])
        if resolver:
            found.append({**_labelled(call, step), **resolver, "agreedRuns": facts["runs"]})
    return found


def _resolver(call: Mapping[str, Any], row: Row) -> dict[str, Any]:
    """What the last run found, since only its refs are still good."""
    result = row.get("result")
    if isinstance(result, Mapping):
        chosen = _chosen(result)
        if chosen:
            resolver = {"ref": chosen.get("ref"), "selectorHint": chosen.get("selectorHint")}
            descriptor = result.get("descriptor")
            return {**resolver, "descriptor": descriptor} if descriptor is not None else resolver
    args = call.get("args") or {}
    for way in _TARGETS:
        if isinstance(args.get(way), str):
            hint = {"named": f"named:{args[way]}"}.get(way, args[way])
            return {"ref": args[way]} if way == "ref" else {"selectorHint": hint}
    return {}
