"""The documents of the differential test, and the answers that were recorded about them."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

HERE: Final = Path(__file__).parent
GOLDENS: Final = HERE / "goldens"
PAGES: Final = HERE / "pages"
SHARED: Final = Path("/usr/share")
INTERACTIVE: Final = frozenset(json.loads((HERE / "interactive.json").read_text()))
VIEWPORT: Final = (1280, 720)


class Element(NamedTuple):
    """An interactive element as both sides report it."""

    role: str
    name: str


@dataclass(frozen=True)
class Document:
    """A document of a Debian package, or one of our own where `package` is empty."""

    path: Path
    package: str = ""

    @property
    def title(self) -> str:
        """What the document is called in reports: unique, and free of the machine's layout."""
        if not self.package:
            return f"pages/{self.path.name}"
        return f"{self.package}/{self.path.relative_to(SHARED).as_posix()}"

    @property
    def url_path(self) -> str:
        """Where the document lies on a site made by `mounts`."""
        if not self.package:
            return f"/pages/{self.path.name}"
        return f"/usr/share/{self.path.relative_to(SHARED).as_posix()}"

    @cached_property
    def sha256(self) -> str:
        """Of the file itself; empty where this machine does not have it."""
        if not self.path.is_file():
            return ""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    @cached_property
    def version(self) -> str:
        """The version of the package as installed here."""
        if not self.package:
            return ""
        asked = ["dpkg-query", "--show", "--showformat=${Version}", self.package]
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout

    @property
    def golden(self) -> Path:
        """The file that holds the oracle's answer."""
        return GOLDENS / (self.title.replace("/", "~") + ".json.gz")


def mounts() -> dict[str, Path]:
    """Which folders a site must serve, by prefix, for every document to find its resources."""
    return {"/usr/share": SHARED, "/pages": PAGES}


def documents() -> list[Document]:
    """All documents, the real ones first."""
    real = json.loads((HERE / "documents.json").read_text())
    return [
        *(Document(Path(entry["path"]), entry["package"]) for entry in real),
        *(Document(path) for path in sorted(PAGES.glob("*.html"))),
    ]


def repeated(title: str) -> list[Element]:
    """Parts of controls that say what the control says; a snapshot tells the control alone."""
    known = json.loads((HERE / "mismatches.json").read_text())["repeated"]
    return [Element(*pair) for pair in known.get(title, ())]


@dataclass(frozen=True)
class Golden:
    """What the oracle said about one document, and which document that was."""

    package: str
    version: str
    sha256: str
    oracle: str
    elements: list[Element]

    @classmethod
    def read(cls, document: Document) -> Golden | None:
        """The recorded answer, if there is one."""
        if not document.golden.is_file():
            return None
        data: dict[str, Any] = json.loads(gzip.decompress(document.golden.read_bytes()))
        data["elements"] = [Element(*pair) for pair in data["elements"]]
        return cls(**data)

    def write(self, document: Document) -> None:
        """Record the answer; the same answer gives the same bytes."""
        GOLDENS.mkdir(exist_ok=True)
        text = json.dumps(self.__dict__, ensure_ascii=False, separators=(",", ":"))
        document.golden.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
