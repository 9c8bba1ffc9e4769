"""Django's administration: log in, add an object with every widget, filter, edit in a list, delete."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from bench.apps.applications.flow import Flow, Hands, Step
from bench.apps.applications.server import SERVERS, ServerApplication
from bench.apps.driver import Driver, Field

__all__ = ["DjangoAdmin"]


async def _log_in(hands: Hands) -> None:
    fields = [
        Field(await hands.line("textbox", name="Username:"), "ada"),
        Field(await hands.line("textbox", name="Password:"), "lovelace"),
    ]
    await hands.driver.fill_form(fields, await hands.line("button", name="Log in"))
    await hands.read("Site administration")


async def _open(hands: Hands) -> None:
    view = await hands.driver.see()
    await hands.driver.click(view.after(view.one("link", name="Books")).one("link", name="Add"))
    await hands.read("Add book")


async def _author(hands: Hands) -> None:
    another = await hands.line("link", name="Add another author", fresh=True)
    # The list that is shown comes after the native one it stands for.
    await hands.driver.click((await hands.driver.see()).before(another).all("combobox")[-1])
    search = await hands.line("searchbox", nth=-1, fresh=True)
    await hands.driver.type(search, "jane")
    await hands.click("option", name="Jane Austen", after=await hands.text("Author:"), fresh=True)


async def _tags(hands: Hands) -> None:
    available = await hands.line("listbox", name=re.compile("^Available tags"))
    await hands.driver.select(available, "gothic")
    await hands.click(name="Choose selected tags")
    translators = await hands.line("listbox", name=re.compile("^Translators"))
    await hands.driver.select(translators, "Mary Shelley", "Emily Dickinson")


async def _fields(hands: Hands) -> None:
    form = {
        "Title": "Lady Susan",
        "Pages": "128",
        "Price": "9.50",
        "Published": "1871-06-01",
        "Summary": "Letters of a widow.",
        "Address": "http://books.example/susan",
    }
    fields = [
        Field(await hands.line("textbox", "spinbutton", name=re.compile(f"^{label}:?$")), value)
        for label, value in form.items()
    ]
    received = await hands.line("textbox", after=await hands.text("Received:"))
    fields += [
        Field(received, "2026-03-20"),
        Field(await hands.line("textbox", after=received), "10:30:00"),
        Field(await hands.line("combobox", name=re.compile("^Genre")), "Novel"),
        Field(await hands.line("checkbox", name="Available"), value=True),
        Field(await hands.line("radio", name="Paperback"), value=True),
    ]
    await hands.driver.fill_form(fields, await hands.line("button", name="Save"))
    await hands.read("was added successfully")


async def _filter(hands: Hands) -> None:
    await hands.click("link", name="Poetry", fresh=True)
    await hands.read(re.compile("1 book"))


async def _edit(hands: Hands) -> None:
    view = await hands.driver.see()
    pages = view.after(view.one(name="Poems")).one("spinbutton")
    await hands.driver.fill(pages, "412")
    await hands.click("button", name="Save", fresh=True)
    await hands.read("1 book was changed successfully.")


async def _delete(hands: Hands) -> None:
    view = await hands.driver.see()
    row = [each for each in view.before(view.one(name="Poems")).all("checkbox") if each.ref][-1]
    await hands.driver.click(row)
    action = await hands.line("combobox", name=re.compile("^Action"))
    await hands.driver.select(action, "Delete selected books")
    await hands.click("button", name=re.compile("^(Go|Run)"))
    await hands.read("Are you sure")
    await hands.click("button", name=re.compile("^Yes, I.m sure"), fresh=True)
    await hands.read("Successfully deleted 1 book.")


class DjangoAdmin(ServerApplication):
    """`django`."""

    name = "django"
    package = "django"
    flows = (
        Flow(
            "books",
            "Log in, add a book with every field, filter by poetry, change the pages of the poems, "
            "delete them.",
            (
                Step("log in", _log_in),
                Step("form", _open),
                Step("author", _author),
                Step("tags", _tags),
                Step(
                    "added",
                    _fields,
                    {
                        "title": "Lady Susan",
                        "author": "Jane Austen",
                        "tags": ["gothic"],
                        "translators": ["Emily Dickinson", "Mary Shelley"],
                        "genre": "novel",
                        "binding": "soft",
                        "pages": 128,
                        "price": "9.50",
                        "published": "1871-06-01",
                        "received": "2026-03-20 10:30",
                        "summary": "Letters of a widow.",
                        "cover": "",
                        "address": "http://books.example/susan",
                        "available": True,
                    },
                ),
                Step("filtered", _filter),
                Step("edited", _edit),
                Step("left", _delete, ["Frankenstein", "Emma", "Persuasion", "Lady Susan"]),
            ),
        ),
    )

    @property
    def ready(self) -> str:
        return "/books"

    def command(self) -> Sequence[str | Path]:
        return [self.bin("python"), SERVERS / "django_demo.py", self.folder, str(self.port)]

    async def begin(self, task: str) -> str:
        del task
        async with httpx.AsyncClient(trust_env=False) as client:
            (await client.get(self.url("/anew"))).raise_for_status()
        return self.url("/admin/")

    async def done(self, driver: Driver, task: str) -> Mapping[str, Any]:
        del driver, task
        async with httpx.AsyncClient(trust_env=False) as client:
            books = (await client.get(self.url("/books"))).json()
        return {
            "added": next((each for each in books if each["title"] == "Lady Susan"), None),
            "left": [each["title"] for each in books],
        }
