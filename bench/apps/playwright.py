"""Playwright MCP as policies use it.

Its results after actions name a file with the snapshot, which only a client that reads files on
the server's machine could open; a snapshot that is asked for comes in the result. So a policy that
needs to know what came of an action asks for one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.apps.driver import ActionFailed, Driver, Field, Step, Target
from bench.apps.lines import View, parse_playwright

__all__ = ["PlaywrightDriver"]


class PlaywrightDriver(Driver):
    """`browser_fill_form` for forms, `browser_find` for single things, refs for all else."""

    async def open(self, url: str) -> None:
        await self._act("browser_navigate", url=url)

    async def look(self) -> View:
        return self._shown((await self.answer("browser_snapshot")).text)

    async def find(self, words: str) -> View:
        result = await self.answer("browser_find", text=words)
        self.news = View(parse_playwright(result.text))
        return self.news

    async def click(
        self, target: Target, *, button: str = "left", count: int = 1, modifiers: Sequence[str] = ()
    ) -> None:
        extra: dict[str, Any] = {}
        if button != "left":
            extra["button"] = button
        if count == 2:
            extra["doubleClick"] = True
        if modifiers:
            extra["modifiers"] = list(modifiers)
        await self._act("browser_click", target=_target(target), **extra)

    async def run(self, steps: Sequence[Step]) -> None:
        for step in steps:
            await self._step(step)

    async def _step(self, step: Step) -> None:
        if step.kind == "press":
            if step.target is not None:
                await self.click(step.target)
            await self._act("browser_press_key", key=step.value)
            return
        assert step.target is not None
        if step.kind == "click":
            await self.click(step.target)
        elif step.kind == "hover":
            await self.hover(step.target)
        elif step.kind == "fill":
            await self.fill(step.target, step.value)
        elif step.kind == "select":
            await self.select(step.target, step.value)
        else:
            await self.type(step.target, step.value)

    async def hover(self, target: Target) -> None:
        await self._act("browser_hover", target=_target(target))

    async def fill(self, target: Target, text: str, *, submit: bool = False) -> None:
        extra = {"submit": True} if submit else {}
        await self._act("browser_type", target=_target(target), text=text, **extra)

    async def type(self, target: Target, text: str, *, submit: bool = False) -> None:
        extra = {"submit": True} if submit else {}
        await self._act("browser_type", target=_target(target), text=text, slowly=True, **extra)

    async def select(self, target: Target, *labels: str) -> None:
        await self._act("browser_select_option", target=_target(target), values=list(labels))

    async def fill_form(self, fields: Sequence[Field], submit: Target | None = None) -> None:
        if len(fields) == 1 and isinstance(fields[0].value, str) and _kind(fields[0]) == "textbox":
            await self.fill(fields[0].line, fields[0].value)
        elif fields:
            await self._act("browser_fill_form", fields=[_field(each) for each in fields])
        if submit is not None:
            await self.click(submit)

    async def drag(self, source: Target, to: Target, *, after: bool | None = None) -> None:
        del after  # It drops onto the middle of an element, whatever that means to the page.
        await self._act("browser_drag", startTarget=_target(source), endTarget=_target(to))

    async def scroll(self, target: Target, *, to: str) -> None:
        """By keys in a field: it has no scrolling of its own."""
        await self.press("Control+Home" if to == "top" else "Control+End", target=target)

    async def wait_for(self, text: str, *, gone: bool = False) -> None:
        await self._act("browser_wait_for", **{"textGone" if gone else "text": text})

    async def _act(self, tool: str, /, **arguments: Any) -> None:
        self._current = False
        try:
            result = await self.answer(tool, **arguments)
        except ActionFailed as error:
            # The error lists what else fits, and how to mean the first of them.
            target = str(arguments.get("target", ""))
            if "strict mode violation" not in str(error) or not target.startswith("text="):
                raise
            result = await self.answer(tool, **{**arguments, "target": f"{target} >> nth=0"})
        if "```yaml" in result.text:
            self._shown(result.text)

    def _shown(self, text: str) -> View:
        self.view = self.news = View(parse_playwright(text))
        self._current = True
        return self.view


def _target(target: Target) -> str:
    if isinstance(target, str):
        return target
    return target.ref or f'text="{target.name or target.value}"'


def _field(field: Field) -> dict[str, str]:
    value = field.value
    return {
        "target": _target(field.line),
        "name": field.line.name or field.line.role,
        "type": _kind(field),
        "value": value if isinstance(value, str) else str(value).lower(),
    }


def _kind(field: Field) -> str:
    role = field.line.role
    if role in {"checkbox", "radio", "slider", "combobox"}:
        return role
    return "combobox" if role == "listbox" else "textbox"
