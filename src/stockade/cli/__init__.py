"""The command line."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command that the arguments name."""
    from stockade.cli.application import run

    run()
