"""Every tool as a method. Written by `make docs`; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from stockade.client.calls.actions import ActionsCalls
from stockade.client.calls.batch import BatchCalls
from stockade.client.calls.control import ControlCalls, ControlServerCalls
from stockade.client.calls.dialogs import DialogsCalls
from stockade.client.calls.files import FilesCalls
from stockade.client.calls.forms import FormsCalls
from stockade.client.calls.navigation import NavigationCalls
from stockade.client.calls.pictures import PicturesCalls
from stockade.client.calls.read import ReadCalls
from stockade.client.calls.waiting import WaitingCalls

__all__ = ["ServerCalls", "TabCalls"]


class TabCalls(
    ControlCalls,
    NavigationCalls,
    ReadCalls,
    PicturesCalls,
    ActionsCalls,
    FormsCalls,
    WaitingCalls,
    DialogsCalls,
    FilesCalls,
    BatchCalls,
):
    """The tools that work in a session."""


class ServerCalls(
    ControlServerCalls,
):
    """The tools that work outside of any."""
