"""The composition root: the parts of a server, put together."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from stockade.audit.trail import LogTrail
from stockade.config import Settings
from stockade.engines.cdp import ChromiumEngine
from stockade.files.artifacts import Artifacts
from stockade.kernel.dispatch import Kernel
from stockade.masking.masker import Masker
from stockade.policy.policy import Policy
from stockade.scratch import Scratch
from stockade.sessions.manager import Sessions
from stockade.telemetry.metrics import Metrics
from stockade.tools import registry

__all__ = ["base_policy", "running_kernel"]


def base_policy(settings: Settings) -> Policy:
    """What the operator's settings allow; keys and sessions can only have less."""
    return Policy.stated(
        capabilities=settings.capabilities,
        allowed=settings.allowed_origins,
        blocked=settings.blocked_origins,
    )


@asynccontextmanager
async def running_kernel(settings: Settings) -> AsyncIterator[Kernel]:
    """A kernel with everything below it; what it started ends with it."""
    # Ours alone: whoever owns the directory could put links in the place of what we keep.
    scratch = Scratch(os.geteuid())
    try:
        artifacts = Artifacts(scratch.path, quota=settings.download_quota)
        async with Sessions(ChromiumEngine(), settings) as sessions:
            sessions.on_end.append(artifacts.forget)
            yield Kernel(
                registry(),
                sessions,
                settings,
                artifacts,
                trail=LogTrail(),
                masker=Masker(),
                metrics=Metrics(),
            )
    finally:
        scratch.remove()
