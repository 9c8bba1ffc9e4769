"""Stockade as policies use it: results tell what changed, so that one looks but rarely."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from bench.apps.changes import apply_delta
from bench.apps.driver import ActionFailed, Driver, Field, Step, Target
from bench.apps.lines import Line, View, parse_stockade

__all__ = ["StockadeDriver"]

_CONTINUATION = re.compile(r"continuation=(\S+)")
_REPEATABLE = {"click", "hover", "fill", "type", "press", "select", "drag", "scroll"}
_MOST_CALLS = 32
"""What `batch` takes."""


class StockadeDriver(Driver):
    """`fill_form` with its submit for forms, `batch` for what is known beforehand."""

    async def open(self, url: str) -> None:
        await self._act("navigate", url=url)

    _rest = ""
    """Where a tree that was cut goes on."""
    _further = ""
    """Where changes that were cut go on."""

    async def see(self) -> View:
        """What was cut is asked for from where it was cut."""
        if self._further:
            result = await self.answer("snapshot", continuation=self._further)
            self._learn_changes("\n".join(result.text.splitlines()[1:]))
            further = _CONTINUATION.search(result.text.partition("\n")[0])
            self._further = further[1] if further else ""
            self._current = not self._further
        if self._rest:
            result = await self.answer("snapshot", continuation=self._rest)
            lines = [line for _, line in parse_stockade(_body(result.text))]
            self.view = self.news = View([*self.view.lines, *lines])
            self._shown_until(result.text)
        return await super().see()

    async def look(self) -> View:
        self._further = ""
        result = await self.answer("snapshot")
        self.view = self.news = View([line for _, line in parse_stockade(_body(result.text))])
        self._shown_until(result.text)
        return await self.see() if self._rest else self.view

    def _shown_until(self, snapshot: str) -> None:
        further = _CONTINUATION.search(snapshot.partition("\n")[0])
        self._rest = further[1] if further else ""
        self._current = not self._rest

    async def find(self, words: str) -> View:
        result = await self.answer("find", query=words, maxCandidates=3)
        candidates = json.loads(result.text).get("candidates", [])
        self.news = View(
            [Line(each.get("role", ""), each.get("name", ""), each["ref"]) for each in candidates]
        )
        return self.news

    async def click(
        self, target: Target, *, button: str = "left", count: int = 1, modifiers: Sequence[str] = ()
    ) -> None:
        extra: dict[str, Any] = {}
        if button != "left":
            extra["button"] = button
        if count != 1:
            extra["count"] = count
        if modifiers:
            extra["modifiers"] = list(modifiers)
        await self._act("click", **_target(target), **extra)

    async def run(self, steps: Sequence[Step]) -> None:
        for start in range(0, len(steps), _MOST_CALLS):
            await self._together([_call(each) for each in steps[start : start + _MOST_CALLS]])

    async def hover(self, target: Target) -> None:
        await self._act("hover", **_target(target))

    async def fill(self, target: Target, text: str, *, submit: bool = False) -> None:
        where = _target(target)
        filled = ("fill", {**where, "value": text})
        await self._together([filled, ("press", {**where, "key": "Enter"})] if submit else [filled])

    async def type(self, target: Target, text: str, *, submit: bool = False) -> None:
        extra = {"submit": True} if submit else {}
        await self._act("type", **_target(target), text=text, **extra)

    async def select(self, target: Target, *labels: str) -> None:
        await self._act("select", **_target(target), values=list(labels))

    async def fill_form(self, fields: Sequence[Field], submit: Target | None = None) -> None:
        if not fields:
            if submit is not None:
                await self.click(submit)
            return
        given = [{**_target(each.line), "value": each.value} for each in fields]
        extra = {"submit": _target(submit)} if submit is not None else {}
        await self._act("fill_form", fields=given, **extra)

    async def drag(self, source: Target, to: Target, *, after: bool | None = None) -> None:
        where: dict[str, Any] = {"from": _target(source), "to": _target(to)}
        if after is not None:
            where["position"] = "after" if after else "before"
        await self._act("drag", **where)

    async def upload(self, target: Target, name: str, content: str) -> None:
        given = {"name": name, "content": content, "encoding": "utf-8"}
        await self._act("upload_file", **_target(target), **given)

    async def scroll(self, target: Target, *, to: str) -> None:
        await self._act("scroll", **_target(target), to=to)

    async def wait_for(self, text: str, *, gone: bool = False) -> None:
        await self._act("wait_for", text=text, **({"gone": True} if gone else {}))

    async def _together(self, calls: Sequence[tuple[str, dict[str, Any]]]) -> None:
        if len(calls) == 1:
            await self._act(calls[0][0], **calls[0][1])
        elif calls:
            # Only what came of all of them is of interest: the last tells it.
            quiet = [{"tool": tool, "args": {**args, "mode": "none"}} for tool, args in calls[:-1]]
            last = {"tool": calls[-1][0], "args": calls[-1][1]}
            await self._act("batch", calls=[*quiet, last])

    async def _act(self, tool: str, /, **arguments: Any) -> None:
        self._current = False
        self._rest = self._further = ""
        try:
            result = await self.answer(tool, **arguments)
        except ActionFailed as error:
            result = await self.answer(tool, **_mended(tool, arguments, error))
        said = json.loads(result.text)
        self._current = True
        self.news = View()
        for each in said.get("results", [said]):
            self._learn(each.get("result", each))

    def _learn(self, said: dict[str, Any]) -> None:
        delta = said.get("snapshotDelta") or {}
        tree = delta.get("tree", "")
        if delta.get("mode") == "full":
            self.view = self.news = View([line for _, line in parse_stockade(tree)])
        elif tree:
            self._learn_changes(tree)
        if delta.get("truncated") or said.get("settled") is False:
            self._current = False
        further = str(delta.get("continuation") or "")
        if delta.get("mode") == "full":
            self._rest = further
        elif said.get("settled") is not False:
            self._further = further

    def _learn_changes(self, tree: str) -> None:
        self.view, news = apply_delta(self.view, tree)
        self.news = View([*self.news.lines, *news.lines])


def _mended(tool: str, arguments: dict[str, Any], error: ActionFailed) -> dict[str, Any]:
    """The call that an error advises; raises it where it advises none."""
    said = str(error)
    fitting = re.search(r'"code":"ambiguous".*?"candidates":\[\{"ref":"(\w+)"', said)
    if fitting is not None and "selector" in arguments:
        # It lists what fits, with refs.
        rest = {name: value for name, value in arguments.items() if name != "selector"}
        return {**rest, "ref": fitting[1]}
    if '"retryable":true' in said and tool in _REPEATABLE:
        # Nothing has reached the page.
        return arguments
    raise error


def _body(snapshot: str) -> str:
    return "\n".join(row for row in snapshot.splitlines() if row.lstrip().startswith("- "))


def _target(target: Target) -> dict[str, str]:
    if isinstance(target, str):
        return {"selector": target}
    if target.ref:
        return {"ref": target.ref}
    return {"selector": f'text="{target.name or target.value}"'}


def _call(step: Step) -> tuple[str, dict[str, Any]]:
    where: dict[str, Any] = _target(step.target) if step.target is not None else {}
    names = {"press": "key", "fill": "value", "type": "text"}
    if step.kind == "select":
        return "select", {**where, "values": [step.value]}
    extra = {names[step.kind]: step.value} if step.kind in names else {}
    return step.kind, {**where, **extra}
