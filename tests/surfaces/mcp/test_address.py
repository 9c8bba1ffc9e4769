from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from stockade.surfaces.mcp.address import short
from tests.support.leaks import descriptors


def test_a_path_of_any_length_can_be_listened_on(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["directory" * 5] * 6)
    deep.mkdir(parents=True)
    path = deep / "mcp.sock"
    with socket.socket(socket.AF_UNIX) as listener, pytest.raises(OSError, match="too long"):
        listener.bind(str(path))
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as client:
        with short(path) as address:
            listener.bind(address)
        listener.listen()
        with short(path) as address:
            client.connect(address)
    assert path.is_socket()


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    before = descriptors()
    with short(tmp_path / "x"):
        pass
    assert descriptors() == before


def test_a_directory_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), short(tmp_path / "none" / "x"):
        os.abort()
