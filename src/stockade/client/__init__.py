"""The Python SDK: a browser for a program, on a server or in the same process.

async with Stockade.connect("http://127.0.0.1:9377", token) as stockade:
    tab = await stockade.open("https://example.com")
    print(await tab.snapshot())
    await tab.click("e3")
"""

from __future__ import annotations

from stockade.client.answer import Image, Link
from stockade.client.stockade import Stockade
from stockade.client.tab import Tab
from stockade.errors import StockadeError

__all__ = ["Image", "Link", "Stockade", "StockadeError", "Tab"]
