"""Logs: one line per event, without secrets, whoever logs."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from stockade.masking.masker import Masker
from stockade.telemetry.logs import about, apart, configure, get_logger, quiet
from tests.support.serving import logging_restored

TOKEN = "stk_0123456789abcdef_" + "aB3-_" * 8 + "xyz"


def fail(error: Exception) -> None:
    raise error


class Log(io.StringIO):
    """A stream that a test reads back."""

    terminal = False

    def isatty(self) -> bool:
        return self.terminal

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture
def log() -> Iterator[Log]:
    with logging_restored():
        yield Log()


def test_a_line_is_json_with_the_common_fields_first(log: Log) -> None:
    configure("json", stream=log)
    with about(reqId="0af1"):
        get_logger("stockade.x").info("hello", b=[1, None, True, 2.5], a={"c": "d"})
    (row,) = log.rows
    assert list(row) == ["ts", "level", "msg", "reqId", "b", "a", "logger"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", row["ts"])
    assert (row["level"], row["msg"], row["logger"]) == ("info", "hello", "stockade.x")
    assert (row["b"], row["a"]) == ([1, None, True, 2.5], {"c": "d"})


def test_what_is_said_about_a_request_ends_with_it(log: Log) -> None:
    configure("json", stream=log)
    with about(reqId="0af1"):
        apart(get_logger("x").info, "meanwhile", a=1)
    get_logger("x").info("later")
    assert [(row["msg"], "reqId" in row) for row in log.rows] == [
        ("meanwhile", False),
        ("later", False),
    ]


def test_what_matters_less_is_left_out(log: Log) -> None:
    configure("json", "warning", stream=log)
    logger = get_logger("x")
    logger.debug("1")
    logger.info("2")
    logger.warning("3")
    logger.error("4")
    assert [row["msg"] for row in log.rows] == ["3", "4"]


def test_libraries_go_the_same_way(log: Log) -> None:
    configure("json", stream=log)
    logging.getLogger("uvicorn.error").warning("port %d", 80)
    logging.getLogger("httpx").info("HTTP Request: GET http://a/?code=secret")
    logging.getLogger("odd").log(35, "between the levels")
    try:
        fail(RuntimeError("boom"))
    except RuntimeError:
        logging.getLogger("asyncio").exception("it broke")
    rows = log.rows
    assert [(row["logger"], row["level"], row["msg"]) for row in rows] == [
        ("uvicorn.error", "warn", "port 80"),
        ("odd", "warn", "between the levels"),
        ("asyncio", "error", "it broke"),
    ]
    assert rows[2]["error"] == "boom"
    assert rows[2]["stack"].endswith("RuntimeError: boom")


def test_warnings_of_python_go_the_same_way(log: Log) -> None:
    configure("json", stream=log)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)
        warnings.warn("old ways", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(capture=False)
    assert "old ways" in log.rows[0]["msg"]


def test_secrets_are_masked_wherever_they_stand(log: Log) -> None:
    masker = Masker()
    masker.add("PASSWORD", "hunter2-hunter2")
    configure("json", stream=log, mask=masker.value)
    logger = get_logger("x")

    class Odd:
        def __str__(self) -> str:
            return "holds hunter2-hunter2"

    logger.info("hunter2-hunter2", a="x hunter2-hunter2", b=["hunter2-hunter2"], c=Odd())
    try:
        fail(ValueError("hunter2-hunter2"))
    except ValueError:
        logger.exception("failed")
    logging.getLogger("lib").error("it is %s", "hunter2-hunter2")
    assert "hunter2" not in log.getvalue()
    assert log.rows[0]["c"] == "holds <PASSWORD>"


def test_tokens_and_login_codes_are_masked_without_being_told_of(log: Log) -> None:
    configure("json", stream=log)
    logger = get_logger("x")
    logger.info(TOKEN, a=TOKEN, b={TOKEN: [TOKEN]}, url="http://a/login?code=" + "x" * 43)
    logging.getLogger("lib").error("Bearer %s", TOKEN)
    assert "aB3" not in log.getvalue()
    assert "xxxx" not in log.getvalue()


@pytest.mark.parametrize("style", ["text", "auto"])
def test_text_on_a_terminal_cannot_be_steered(log: Log, style: Any) -> None:
    log.terminal = True
    configure(style, stream=log)
    evil = "a\x1b[2Jb\nFAKE LINE\x9b\u202ec"
    get_logger("x").info(f"event {evil}", value=evil, deep={"k": [evil]})
    try:
        fail(ValueError(evil))
    except ValueError:
        get_logger("x").exception("failed")
    text = log.getvalue()
    assert "event" in text
    assert "\x1b[2J" not in text
    assert "\x9b" not in text
    assert "\u202e" not in text
    assert len([line for line in text.splitlines() if line.startswith("FAKE")]) == 1, text
    assert "\x1b[" in text


def test_by_itself_it_is_json_where_nobody_looks(log: Log) -> None:
    configure(stream=log)
    get_logger("x").info("hello")
    assert log.rows[0]["msg"] == "hello"


def test_text_without_colours_where_it_is_kept(log: Log) -> None:
    configure("text", stream=log)
    get_logger("x").info("hello", a="b c")
    assert "\x1b" not in log.getvalue()
    assert "a='b c'" in log.getvalue()


@pytest.mark.parametrize("failure", [BlockingIOError(11, "busy"), BrokenPipeError(), ValueError()])
def test_a_stream_that_takes_nothing_stops_nobody(failure: Exception) -> None:
    class Full(Log):
        def write(self, _text: str) -> int:
            raise failure

    with logging_restored():
        configure("json", stream=Full())
        get_logger("x").info("lost")
        logging.getLogger("lib").error("lost too")


def test_a_program_without_an_error_stream_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with logging_restored():
        monkeypatch.setattr(sys, "stderr", None)
        configure("auto")
        get_logger("x").error("nobody hears it")
        monkeypatch.undo()


def test_before_anyone_decides_warnings_go_to_the_error_stream(
    capsys: pytest.CaptureFixture[str],
) -> None:
    quiet()
    get_logger("x").info("chatter")
    get_logger("x").warning("beware")
    output, errors = capsys.readouterr()
    assert output == ""
    assert "beware" in errors
    assert "chatter" not in errors


def test_a_logger_may_be_made_before_it_is_said_where_lines_go(log: Log) -> None:
    logger = get_logger("early")
    configure("json", stream=log)
    logger.info("hello")
    assert log.rows[0]["logger"] == "early"


async def test_the_server_does_not_import_what_only_colours_need() -> None:
    code = (
        "import stockade.server, sys; print(sorted({'rich', 'mcp', 'alembic'} & set(sys.modules)))"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE, env=dict(os.environ)
    )
    output, _ = await process.communicate()
    assert output.decode().strip() == "[]"
