"""Files that tools make: who may choose their names, and how they are found again."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest

from stockade.errors import ArtifactNotFound, CapabilityDisabled, InvalidArgument
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.saving import read_saved, save, saved, shown_path
from tests.support.callers import Caller


async def a_call(caller: Caller) -> Call:
    """A call under way in the default session."""
    session = await caller.kernel.sessions.reach(caller.principal, "default")
    tool = caller.kernel.registry.find("screenshot")
    return Call(
        "call_1",
        caller.kernel,
        caller.principal,
        tool,
        InSession(),
        deadline=1e12,
        session_or_none=session,
    )


async def test_a_name_of_ours_is_never_given_twice(caller: Caller) -> None:
    call = await a_call(caller)
    names = [(await save(call, b"x", default="dir/page.tar.gz")).name for _ in range(3)]
    assert names == ["dir/page.tar.gz", "dir/page.tar-2.gz", "dir/page.tar-3.gz"]


async def test_a_name_of_the_callers_own_needs_the_capability(
    caller: Caller, mighty: Caller
) -> None:
    with pytest.raises(CapabilityDisabled):
        await save(await a_call(caller), b"x", path="mine.txt", default="page.txt")
    call = await a_call(mighty.another())
    kept = await save(call, b"first", path="mine.txt", default="page.txt")
    again = await save(call, BytesIO(b"second one"), path="mine.txt", default="page.txt")
    assert (kept.path, again.size) == (again.path, 10)
    assert await read_saved(call, "mine.txt") == b"second one"
    with pytest.raises(InvalidArgument):
        await save(call, b"x", path="../mine.txt", default="page.txt")


async def test_a_path_is_real_only_for_those_who_can_open_it(caller: Caller) -> None:
    call = await a_call(caller)
    kept = await save(call, b"x", default="page.txt")
    assert saved(call, kept) == {"path": "page.txt", "uri": kept.uri, "bytes": 1}
    near = replace(call, principal=replace(call.principal, nearby=True))
    assert shown_path(near, kept) == str(kept.path)
    for name in ("page.txt", str(kept.path), kept.uri):
        assert await read_saved(call, name) == b"x"


async def test_a_file_that_went_meanwhile(caller: Caller) -> None:
    call = await a_call(caller)
    kept = await save(call, b"x", default="page.txt")
    kept.path.unlink()
    with pytest.raises(ArtifactNotFound, match="just been removed"):
        await read_saved(call, "page.txt")
    with pytest.raises(ArtifactNotFound):
        await read_saved(call, "never.txt")
