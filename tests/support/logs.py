"""Waiting for what a tab's logs will hold."""

from __future__ import annotations

from stockade.engines.events import (
    ConsoleMessage,
    PageError,
    Request,
    RequestFinished,
    RequestStarted,
    StreamFrame,
    WorkerStarted,
)
from stockade.engines.port import Context, Page, Worker

WAIT_SECONDS = 10.0


async def ended_request(place: Page | Context, part: str) -> Request:
    """The newest request with `part` in its address, once it has ended."""
    for request in reversed(place.requests):
        if part in request.url and request.ended is not None:
            return request
    event = await place.events.wait(
        RequestFinished, where=lambda event: part in event.request.url, timeout=WAIT_SECONDS
    )
    return event.request


async def begun_request(place: Page | Context, part: str) -> Request:
    """The newest request with `part` in its address."""
    for request in reversed(place.requests):
        if part in request.url:
            return request
    event = await place.events.wait(
        RequestStarted, where=lambda event: part in event.request.url, timeout=WAIT_SECONDS
    )
    return event.request


async def console_line(place: Page | Context, part: str) -> ConsoleMessage:
    """The newest console line with `part` in it."""
    for message in reversed(place.console):
        if part in message.text:
            return message
    return await place.events.wait(
        ConsoleMessage, where=lambda message: part in message.text, timeout=WAIT_SECONDS
    )


async def page_error(place: Page | Context, part: str) -> PageError:
    """The newest uncaught exception with `part` in it."""
    for error in reversed(place.errors):
        if part in error.text:
            return error
    return await place.events.wait(
        PageError, where=lambda error: part in error.text, timeout=WAIT_SECONDS
    )


async def stream_frame(page: Page, part: str, direction: str = "received") -> StreamFrame:
    """The newest stream message of that direction with `part` in it."""
    for frame in reversed(page.stream_frames):
        if part in frame.payload and frame.direction == direction:
            return frame
    return await page.events.wait(
        StreamFrame,
        where=lambda frame: part in frame.payload and frame.direction == direction,
        timeout=WAIT_SECONDS,
    )


async def worker_at(context: Context, part: str) -> Worker:
    """The worker with `part` in its script's address."""
    for worker in context.workers:
        if part in worker.url:
            return worker
    event = await context.events.wait(
        WorkerStarted, where=lambda event: part in event.worker.url, timeout=WAIT_SECONDS
    )
    return event.worker
