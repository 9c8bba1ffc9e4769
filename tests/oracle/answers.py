"""Reading Playwright's snapshots: which interactive elements they list, by role and name.

The `ai` snapshot decides which elements there are. It leaves out a name that the lines below the
element repeat; the default snapshot of the same document has it.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from tests.oracle.corpus import INTERACTIVE, Element

_LINE: Final = re.compile(r"^( *)- (.*)$")
_HEAD: Final = re.compile(r'^([a-z]+)(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)(?=$|:)')


class Entry(NamedTuple):
    """An element of a snapshot; `muted` where it lies inside `aria-hidden`."""

    role: str
    name: str
    muted: bool


def _key(line: str) -> str:
    """A line's key without the quotes that YAML may put around it."""
    if not line.startswith("'"):
        return line
    end = 1
    while end < len(line):
        if line.startswith("''", end):
            end += 2
        elif line[end] == "'":
            break
        else:
            end += 1
    return line[1:end].replace("''", "'")


def entries(snapshot: str) -> list[Entry]:
    """The interactive elements that a snapshot lists."""
    found: list[Entry] = []
    muted_depth: int | None = None
    for line in snapshot.splitlines():
        parts = _LINE.match(line)
        if parts is None:
            continue
        depth = len(parts[1])
        if muted_depth is not None and depth <= muted_depth:
            muted_depth = None
        head = _HEAD.match(_key(parts[2]))
        if head is None:
            continue
        if muted_depth is None and "[aria-hidden]" in head[3]:
            muted_depth = depth
        if head[1] in INTERACTIVE:
            name = json.loads(head[2]) if head[2] else ""
            found.append(Entry(head[1], name, muted_depth is not None))
    return found


def merge(ai: list[Entry], full: list[Entry]) -> list[Element]:
    """The elements of the `ai` snapshot with the names that the default one spells out.

    Raises:
        ValueError: the two snapshots do not describe one document.
    """
    merged: list[Element] = []
    named = iter(full)
    upcoming = next(named, None)
    for role, name, muted in ai:
        if (
            upcoming is not None
            and not muted
            and upcoming.role == role
            and name in {"", upcoming.name}
        ):
            merged.append(Element(role, upcoming.name))
            upcoming = next(named, None)
        else:
            merged.append(Element(role, name))
    if upcoming is not None:
        raise ValueError(f"the default snapshot alone has {upcoming}")
    return merged
