"""What waits for a person, as pages of the console: plain forms, one button for each answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stockade.kernel.questions import YES_OR_NO, Question
from stockade.surfaces.console.markup import Markup, joined, render

__all__ = ["notice", "page"]

_MOST_DECIDED = 30
_WORDS = {
    "action": "wants to call",
    "event": "a page wants",
    "download": "wants to keep a download",
    "acknowledge": "tells you",
    "confirm": "asks",
    "choose": "asks you to choose",
    "input": "asks for an answer",
}


def notice(questions: Sequence[Question]) -> Markup:
    """A line for the first page, while somebody waits."""
    waiting = sum(each.pending for each in questions)
    if not waiting:
        return Markup()
    words = "One question waits" if waiting == 1 else f"{waiting} questions wait"
    return render("waiting", words=words)


def page(questions: Sequence[Question]) -> Markup:
    """Every question that is open, and the last that were decided."""
    pending = [each for each in questions if each.pending]
    decided = [each for each in questions if not each.pending][-_MOST_DECIDED:]
    return render(
        "approvals",
        pending=joined(map(_open, pending)) or render("quiet", text="Nobody waits for you."),
        decided=render("decided", rows=joined(map(_decided, reversed(decided))))
        if decided
        else Markup(),
    )


def _open(question: Question) -> Markup:
    told = question.description
    picture = render("approval_picture", id=question.id) if question.picture else Markup()
    return render(
        "approval",
        id=question.id,
        who=told.get("session") or "somebody",
        key=told["askedBy"],
        what=_WORDS[question.kind],
        tool=told.get("tool", question.kind),
        facts=joined(
            render("approval_fact", name=name, value=value) for name, value in _facts(told)
        ),
        picture=picture,
        left=f"{told['expiresInMs'] // 1000} s",
        answers=joined(_answers(question)),
    )


def _facts(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a person has to know, in the order in which they ask."""
    if told.get("prompt"):
        yield "It says", told["prompt"]
    if told.get("origin"):
        within = f" (in a frame of {told['within']})" if told.get("within") else ""
        yield "Where", f"{told['origin']}{within}"
    target = told.get("target")
    if target:
        yield "On what", target["described"]
        if target.get("goesTo"):
            yield "Goes to", target["goesTo"]
        if target.get("covered"):
            yield "Covered by", target["covered"]
    for form in filter(None, [told.get("form")]):
        yield "Sends", _form(form)
    if told.get("arguments"):
        yield "With", json.dumps(told["arguments"], ensure_ascii=False)
    for file in told.get("files", ()):
        yield "File", f"{file['name']}, {file['sizeBytes']} bytes, sha256 {file['sha256']}"
    if told.get("rules"):
        yield "Because of", ", ".join(told["rules"])


def _answers(question: Question) -> Iterator[Markup]:
    def button(act: str, text: str, mood: str = "") -> Markup:
        return render("approval_button", id=question.id, act=act, text=text, mood=mood)

    if question.kind in YES_OR_NO:
        yield button("approve", "Approve", "yes")
        yield button("deny", "Deny", "no")
    elif question.kind == "acknowledge":
        yield button("approve", "I have seen it", "yes")
    elif question.kind == "confirm":
        yield button("approve", "Yes", "yes")
        yield button("deny", "No", "no")
    elif question.kind == "choose":
        for number, choice in enumerate(question.facts.get("choices", ())):
            yield button(f"choice-{number}", choice)
        yield button("deny", "None of them", "no")
    else:
        yield render("approval_input", id=question.id)
        yield button("deny", "Do not answer", "no")


def _decided(question: Question) -> Markup:
    told = question.description
    return render(
        "approval_row",
        tool=told.get("tool", question.kind),
        origin=told.get("origin", ""),
        state=question.state,
        by=told.get("answeredBy", ""),
        at=told["askedAt"],
    )


def _form(form: Mapping[str, Any]) -> str:
    """What would be sent, line by line."""
    rows = [_field(each) for each in form.get("fields", ())]
    if "sha256" in form:
        rows.append(f"{form['sizeBytes']} bytes, SHA-256 {form['sha256']}")
    head = " ".join(filter(None, (form["method"].upper(), form["action"], form.get("enctype"))))
    target = [f"into {form['target']}"] if form.get("target") else []
    return "\n".join([head, *target, *rows])


def _field(field: Mapping[str, Any]) -> str:
    """One entry of a form in a line, with what a person could not see of it on the page."""
    label = field.get("label")
    name = f"{label} ({field['name']})" if label else field["name"]
    marks = [mark for mark in ("hidden", "added", "button") if field.get(mark)]
    told = f" [{', '.join(marks)}]" if marks else ""
    said = field.get("value", "")
    if "file" in field:
        digest = f", SHA-256 {field['sha256']}" if "sha256" in field else ""
        size = field.get("sizeBytes", field.get("size", 0))
        said = f"{field['file']} ({size} bytes{digest})" if field["file"] else "no file"
    return f"{name}{told}: {said}"
