"""Chromium over the debugging pipe, in pure Python."""

from stockade.engines.cdp.launch import ChromiumEngine

__all__ = ["ChromiumEngine"]
