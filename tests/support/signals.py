"""Signals as a terminal's programs have them, however the run was started.

`nohup` and a shell's `&` have a program ignore some, and with it whatever it starts.
"""

from __future__ import annotations

import signal

import pytest


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput"):
        return  # the tests run in workers
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
