"""Code as a person types it into the console: an expression or statements, in the page's world."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.scripts import OBJECT_GROUP, Answer, ChromiumHandle, Remote, checked
from stockade.engines.values import World
from stockade.errors import DeadlineExceeded, EngineError, NavigationRace, ScriptFailed

if TYPE_CHECKING:
    from stockade.engines.cdp.frames import ChromiumFrame

__all__ = ["evaluate", "stop_script"]

_BLANK = r"(?>\s+|//[^\n]*\n|/\*.*?\*/)*+"
_PARAMETERS = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*+\))*+\)"
_FUNCTION = re.compile(
    rf"{_BLANK}(?:async\b\s*)?(?:function\b|(?:{_PARAMETERS}|[\w$]+)\s*=>)", re.DOTALL
)
_NEVER_BEGAN = "Cannot find context with specified id"
_ENDS = "; \t\r\n"
_PATIENCE = 0.5
"""How long a page may take to answer nothing before its script is taken for a runaway."""


async def evaluate(
    frame: ChromiumFrame,
    source: str,
    convert: str,
    arguments: tuple[Any, ...],
    *,
    element: ChromiumHandle | None,
    timeout: float,
) -> Any:
    """Run `source`, and bring out what the function `convert` makes of its value.

    With an element, the code knows it as `element`.
    """
    if element is None:
        context, remote = await _begun(frame, source, timeout)
    else:
        context = await frame.world(World.MAIN, timeout=timeout)
        remote = await _with_element(frame, source, element, context, timeout)
    given = (
        {"objectId": remote.objectId}
        if remote.objectId
        else {"unserializableValue": remote.unserializableValue}
        if remote.unserializableValue
        else {}
        if remote.type == "undefined"
        else {"value": remote.value}
    )
    answer = await frame.session.send_typed(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": convert,
            "arguments": [given, *({"value": each} for each in arguments)],
            "executionContextId": context,
            "returnByValue": True,
            "awaitPromise": True,
        },
        Answer,
        timeout=timeout,
    )
    if remote.objectId:
        frame.session.post(("Runtime.releaseObject", {"objectId": remote.objectId}))
    return checked(answer).value


async def _begun(frame: ChromiumFrame, source: str, timeout: float) -> tuple[int, Remote]:
    """Run it; where the document went just before it could begin, in the one that came."""
    context = await frame.world(World.MAIN, timeout=timeout)
    try:
        return context, await _typed(frame, source, context, timeout)
    except NavigationRace as race:
        if race.details.get("reason") != _NEVER_BEGAN:
            raise
    context = await frame.world(World.MAIN, timeout=timeout)
    return context, await _typed(frame, source, context, timeout)


async def _typed(frame: ChromiumFrame, source: str, context: int, timeout: float) -> Remote:
    """Run it as the console would; where that is no code, as the body of a function."""
    text = source.strip()
    ways = [text, f"(async () => {{ {text}\n}})()"]
    if _FUNCTION.match(text):
        ways = [f"({text.rstrip(_ENDS)}\n)()", *ways]
    elif text.startswith("{"):
        ways = [f"({text}\n)", *ways]
    failure: ScriptFailed | None = None
    for way in ways:
        answer = await frame.session.send_typed(
            "Runtime.evaluate",
            {
                "expression": way,
                "contextId": context,
                "objectGroup": OBJECT_GROUP,
                "replMode": True,
                "awaitPromise": True,
                "userGesture": True,
                "returnByValue": False,
            },
            Answer,
            timeout=timeout,
        )
        if not _is_no_code(answer):
            return checked(answer)
        failure = failure or _failure(answer)
    raise failure or ScriptFailed("there is no code")


async def _with_element(
    frame: ChromiumFrame, source: str, element: ChromiumHandle, context: int, timeout: float
) -> Remote:
    here = await element.in_world(context, timeout=timeout)
    text = source.strip()
    called = f"({text}\n)(element)" if _FUNCTION.match(text) else f"({text}\n)"
    ways = [f"async (element) => {called}", f"async (element) => {{ {text}\n}}"]
    failure: ScriptFailed | None = None
    for way in ways:
        answer = await frame.session.send_typed(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": way,
                "arguments": [{"objectId": here.object_id}],
                "executionContextId": context,
                "objectGroup": OBJECT_GROUP,
                "awaitPromise": True,
                "userGesture": True,
            },
            Answer,
            timeout=timeout,
        )
        if not _is_no_code(answer):
            return checked(answer)
        failure = failure or _failure(answer)
    raise failure or ScriptFailed("there is no code")


def _is_no_code(answer: msgspec.Struct) -> bool:
    """Whether it did not even parse: a syntax error without a place where it was thrown."""
    thrown = getattr(answer, "exceptionDetails", None)
    if thrown is None or thrown.exception is None or thrown.stackTrace is not None:
        return False
    return bool(thrown.exception.description.startswith("SyntaxError"))


def _failure(answer: Answer) -> ScriptFailed | None:
    try:
        checked(answer)
    except ScriptFailed as failure:
        return failure
    return None


async def stop_script(frame: ChromiumFrame, *, navigation: bool) -> bool:
    """End the script that keeps this frame from answering; whether there was one."""
    if await _answers(frame, _PATIENCE):
        return False
    # While a document is awaited, commands to the page wait too, and would meet the next one.
    if frame.page.main_frame.leaving or frame.leaving:
        if not navigation:
            return False
        frame.session.post(("Page.stopLoading", {}))
        if await _answers(frame, _PATIENCE):
            return False
    # Only then: where nothing runs, the page's next script would be ended in its place.
    frame.session.post(("Runtime.terminateExecution", {}))
    return True


async def _answers(frame: ChromiumFrame, patience: float) -> bool:
    try:
        await frame.call("() => null", timeout=patience)
    except DeadlineExceeded:
        return False
    except EngineError:
        # A dialog or another document: nothing runs on.
        return True
    return True
