"""What results show of a page, as lines that are the same for every contender.

Policies read lines alone: a role, a name, a ref to act on, a value, states, and how deep a line
stands. Nothing is added to what a result says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

__all__ = ["Line", "View", "parse_playwright", "parse_stockade"]


@dataclass(frozen=True)
class Line:
    """One element or piece of text."""

    role: str
    name: str = ""
    ref: str = ""
    value: str = ""
    """What a field holds, or the text that stands on the line."""
    states: frozenset[str] = frozenset()
    """Bare words and `key=value`, as they are written."""
    depth: int = 0

    @property
    def text(self) -> str:
        """Everything a reader sees on the line."""
        return " ".join(part for part in (self.name, self.value) if part)

    def state(self, key: str) -> str | None:
        """The value of a state; empty for a bare word, None where it is not there."""
        for each in self.states:
            name, _, value = each.partition("=")
            if name == key:
                return value
        return None


@dataclass(frozen=True)
class View:
    """The page as far as it has been shown."""

    lines: Sequence[Line] = field(default_factory=tuple)

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    @property
    def text(self) -> str:
        """All text in order, with white space made plain."""
        return re.sub(r"\s+", " ", " ".join(line.text for line in self.lines)).strip()

    def all(self, *roles: str, name: str | re.Pattern[str] | None = None) -> list[Line]:
        """Lines of these roles (any when none is given) whose name or text fits."""
        return [line for line in self if (not roles or line.role in roles) and _fits(line, name)]

    def one(self, *roles: str, name: str | re.Pattern[str] | None = None) -> Line:
        """The first of them; `LookupError` where there is none."""
        for line in self:
            if (not roles or line.role in roles) and _fits(line, name):
                return line
        wanted = f"{'/'.join(roles) or 'line'} {name!r}"
        raise LookupError(f"{wanted} is not shown")

    def has(self, *roles: str, name: str | re.Pattern[str] | None = None) -> bool:
        return bool(self.all(*roles, name=name))

    def below(self, line: Line) -> View:
        """What stands under a line."""
        at = self.index(line) + 1
        end = at
        while end < len(self.lines) and self.lines[end].depth > line.depth:
            end += 1
        return View(self.lines[at:end])

    def holder(self, line: Line) -> Line | None:
        """The nearest line with a ref that this one stands under; itself, where it has one."""
        at, depth = self.index(line), line.depth
        if line.ref:
            return line
        for each in reversed(self.lines[:at]):
            if each.depth < depth:
                if each.ref:
                    return each
                depth = each.depth
        return None

    def after(self, line: Line) -> View:
        """What comes after a line, whatever its depth."""
        return View(self.lines[self.index(line) + 1 :])

    def before(self, line: Line) -> View:
        return View(self.lines[: self.index(line)])

    def index(self, line: Line) -> int:
        """Where it stands: the very same line, or one with its ref."""
        for at, each in enumerate(self.lines):
            if each is line:
                return at
        for at, each in enumerate(self.lines):
            if line.ref and each.ref == line.ref:
                return at
        raise LookupError(f"{line} is not shown")

    def only(self, keep: Callable[[Line], bool]) -> View:
        return View([line for line in self if keep(line)])

    def rows(self) -> list[list[str]]:
        """Cells of the tables, row by row, whether a row is one line or has a line for each cell."""
        found: list[list[str]] = []
        for line in self:
            if line.role != "row":
                continue
            cells = [
                (each, self.below(each))
                for each in self.below(line)
                if each.role in {"cell", "gridcell", "columnheader", "rowheader"}
            ]
            if cells:
                found.append([each.text or inner.text for each, inner in cells])
            else:
                found.append([part.strip() for part in line.value.split(" | ")])
        return found


def _fits(line: Line, name: str | re.Pattern[str] | None) -> bool:
    if name is None:
        return True
    if isinstance(name, str):
        return name in {line.name, line.value} or name == line.text
    return any(name.search(each) for each in (line.name, line.value, line.text))


# --- Stockade -------------------------------------------------------------------------------------

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_STOCKADE = re.compile(
    rf"^(?P<indent> *)(?P<sign>[-+~]) (?P<role>[\w-]+)(?: (?P<name>{_QUOTED}))?"
    rf"(?P<brackets>(?: \[(?:[^\]\"]|{_QUOTED})*\])*)(?:: (?P<value>.*)|:)?$"
)
_BRACKET = re.compile(rf"\[((?:[^\]\"]|{_QUOTED})*)\]")
_STOCKADE_REF = re.compile(r"^(?:f\d+)?e\d+$")


def parse_stockade(tree: str) -> list[tuple[str, Line]]:
    """Each line of a tree with its sign: `-` as it is, `+` new, `~` changed."""
    found: list[tuple[str, Line]] = []
    for row in tree.splitlines():
        match = _STOCKADE.match(row)
        if match is None:
            # A remark about what is left out, or the name of what lines stand in.
            continue
        ref, states = "", []
        for bracket in _BRACKET.findall(match["brackets"]):
            if not ref and _STOCKADE_REF.match(bracket.split(" ", 1)[0]):
                ref = bracket.split(" ", 1)[0]
            else:
                states.append(bracket)
        found.append(
            (
                match["sign"],
                Line(
                    role=match["role"],
                    name=_unquoted(match["name"] or ""),
                    ref=ref,
                    value=match["value"] or "",
                    states=frozenset(states),
                    depth=len(match["indent"]) // 2,
                ),
            )
        )
    return found


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text[1:-1])


# --- Playwright -----------------------------------------------------------------------------------

_PLAYWRIGHT = re.compile(
    rf"^(?P<role>/?[\w-]+)(?: (?P<name>{_QUOTED}|/(?:[^/\\]|\\.)*/))?(?P<brackets>(?: \[[^\]]*\])*)$"
)
_PLAYWRIGHT_BLOCK = re.compile(r"```yaml\n(.*?)```", re.DOTALL)


def parse_playwright(result: str) -> list[Line]:
    """The lines of a snapshot, which is YAML in a fenced block; properties belong to the line above."""
    block = _PLAYWRIGHT_BLOCK.search(result)
    found: list[Line] = []
    for row in (block[1] if block else result).splitlines():
        if not row.lstrip().startswith("- "):
            continue
        depth = (len(row) - len(row.lstrip())) // 2
        key, value = _pair(row.lstrip()[2:])
        match = _PLAYWRIGHT.match(key)
        if match is None:
            continue
        role = match["role"]
        if role.startswith("/"):
            if found:
                last = found[-1]
                found[-1] = replace(last, states=last.states | {f"{role[1:]}={value}"})
            continue
        ref, states = "", []
        for bracket in re.findall(r"\[([^\]]*)\]", match["brackets"]):
            if bracket.startswith("ref="):
                ref = bracket[4:]
            else:
                states.append(bracket)
        found.append(
            Line(role, _unquoted(match["name"] or ""), ref, value, frozenset(states), depth)
        )
    return found


def _pair(entry: str) -> tuple[str, str]:
    """Key and value of an entry of a YAML list, either of which may be quoted."""
    if entry.startswith("'"):
        end = re.match(r"'((?:[^']|'')*)'(?:: ?(.*))?$", entry)
        if end is not None:
            return end[1].replace("''", "'"), _scalar(end[2] or "")
    in_quotes = False
    for at, letter in enumerate(entry):
        if letter == '"' and entry[at - 1] != "\\":
            in_quotes = not in_quotes
        elif letter == ":" and not in_quotes and entry[at + 1 : at + 2] in {"", " "}:
            return entry[:at], _scalar(entry[at + 1 :].strip())
    return entry, ""


def _scalar(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        return _unquoted(text)
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return text
