"""DNS messages: one question, and what the answer says of it. Hostile answers are expected."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from stockade.egress.addresses import text_of

__all__ = ["AAAA", "A", "Answer", "Nonsense", "Question", "Unrelated"]

A: Final = 1
AAAA: Final = 28
_CNAME = 5
_OPT = 41
_IN = 1
_HEADER = struct.Struct("!6H")
_RECORD = struct.Struct("!HHIH")
_ASKED_RECURSION = 0x0100
_IS_ANSWER = 0x8000
_OPCODE = 0x7800
_CUT_OFF = 0x0200
_CODE = 0x000F
_POINTER = 0xC0
_LONGEST_NAME = 253
_LONGEST_LABEL = 63
_MOST_RECORDS = 512
_MOST_ALIASES = 16
_LARGEST_DATAGRAM = 1232
_LENGTHS = {A: 4, AAAA: 16}


class Nonsense(ValueError):
    """It is no DNS message, or one that contradicts itself."""


class Unrelated(Nonsense):
    """It does not answer the question: it may be anyone's."""


@dataclass(frozen=True)
class Answer:
    """What a server says: addresses with the names on the way to them, or why there are none."""

    code: int
    cut_off: bool = False
    names: tuple[str, ...] = ()
    """The name that was asked for and those it is an alias of, in order."""
    addresses: tuple[str, ...] = ()
    seconds: int = 0
    """How long it holds."""


@dataclass(frozen=True)
class Question:
    """One name and one kind of record, with the number that the answer must bear."""

    name: str
    kind: int
    number: int

    def encoded(self, *, extended: bool = True) -> bytes:
        """The question as a message; extended says that answers may be longer than in 1987."""
        head = _HEADER.pack(self.number, _ASKED_RECURSION, 1, 0, 0, 1 if extended else 0)
        extra = b"\0" + _RECORD.pack(_OPT, _LARGEST_DATAGRAM, 0, 0) if extended else b""
        return head + _encoded(self.name) + struct.pack("!HH", self.kind, _IN) + extra

    def read(self, data: bytes) -> Answer:
        """The answer to this question; anything else is `Nonsense`."""
        if len(data) < _HEADER.size:
            raise Unrelated("it ends too early")
        number, flags, questions, answers, _, _ = _HEADER.unpack_from(data)
        if number != self.number or not flags & _IS_ANSWER or flags & _OPCODE:
            raise Unrelated("it answers something else")
        try:
            return self._read(data, flags, questions, answers)
        except (struct.error, IndexError) as error:
            raise Nonsense("it ends too early") from error

    def _read(self, data: bytes, flags: int, questions: int, answers: int) -> Answer:
        code = flags & _CODE
        if questions == 0 and code != 0:
            return Answer(code)
        if questions != 1 or answers > _MOST_RECORDS:
            raise Nonsense("it holds too much")
        name, at = _name(data, _HEADER.size)
        if name != self.name or struct.unpack_from("!HH", data, at) != (self.kind, _IN):
            raise Unrelated("it answers something else")
        cut_off = bool(flags & _CUT_OFF)
        if cut_off or code:
            return Answer(code, cut_off=cut_off)
        return self._chosen(data, at + 4, answers)

    def _chosen(self, data: bytes, at: int, count: int) -> Answer:
        """Only what belongs to the name that was asked for, or to what it is an alias of."""
        aliases: dict[str, tuple[str, int]] = {}
        found: dict[str, list[tuple[str, int]]] = {}
        for _ in range(count):
            owner, at = _name(data, at)
            kind, class_, seconds, length = _RECORD.unpack_from(data, at)
            at += _RECORD.size
            content = data[at : at + length]
            if len(content) != length:
                raise Nonsense("a record ends too early")
            if class_ == _IN and kind == _CNAME:
                if owner in aliases:
                    raise Nonsense("a name is an alias of two")
                aliases[owner] = (_name(data, at)[0], seconds)
            elif class_ == _IN and kind == self.kind:
                if length != _LENGTHS[kind]:
                    raise Nonsense("an address has the wrong length")
                found.setdefault(owner, []).append((text_of(content), seconds))
            at += length
        names, times = [self.name], []
        while names[-1] in aliases:
            target, seconds = aliases[names[-1]]
            if target in names or len(names) > _MOST_ALIASES:
                raise Nonsense("its aliases go in circles")
            names.append(target)
            times.append(seconds)
        last = found.get(names[-1], [])
        times += [seconds for _, seconds in last]
        return Answer(
            0,
            names=tuple(names),
            addresses=tuple(dict.fromkeys(address for address, _ in last)),
            # The highest bit is no part of it: what claims 68 years or more holds for none.
            seconds=min((s if s < 1 << 31 else 0 for s in times), default=0),
        )


def _encoded(name: str) -> bytes:
    labels = name.encode("ascii").split(b".")
    if len(name) > _LONGEST_NAME or not all(0 < len(each) <= _LONGEST_LABEL for each in labels):
        raise Nonsense("that is no name that can be looked up")
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def _name(data: bytes, at: int) -> tuple[str, int]:
    """The name at a place, and where it ends. Pointers lead backwards only, so they end."""
    labels: list[bytes] = []
    after = -1
    lowest = at
    total = 0
    while length := data[at]:
        if length & _POINTER == _POINTER:
            target = (length & ~_POINTER) << 8 | data[at + 1]
            if after < 0:
                after = at + 2
            if target >= lowest:
                raise Nonsense("a pointer leads forwards")
            at = lowest = target
            continue
        label = data[at + 1 : at + 1 + length]
        total += length + 1
        if length > _LONGEST_LABEL or len(label) != length or total > _LONGEST_NAME + 1:
            raise Nonsense("a name is too long")
        if b"." in label:
            raise Nonsense("a label has a dot in it")
        labels.append(label)
        at += length + 1
    text = b".".join(labels).decode("latin-1").lower()
    return text, after if after >= 0 else at + 1
