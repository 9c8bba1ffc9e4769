"""The bounds of the network log."""

from __future__ import annotations

from stockade.engines.cdp.connection import Connection
from stockade.engines.cdp.exchanges import Entry, Exchange, Ledger
from stockade.engines.events import Request

SESSION = Connection().root


class Book:
    """A ledger that notes what it gave up."""

    def __init__(self) -> None:
        self.given_up: list[str] = []
        self.ledger = Ledger(self._give_up)

    def _give_up(self, exchange: Exchange) -> None:
        self.given_up.append(exchange.request.id)
        self.ledger.end(exchange)

    def begin(self, number: int, **fields: str) -> Entry:
        request = Request(f"r{number}", "http://h/", "GET", "Fetch", 0.0, **fields)  # type: ignore[arg-type]
        return self.ledger.add(Exchange(str(number), SESSION, SESSION), request)


def test_what_has_ended_goes_first() -> None:
    book = Book()
    socket = book.begin(0)
    for number in range(1, 3000):
        book.ledger.end(book.begin(number).exchange)
    assert len(book.ledger.entries) == 1000
    assert next(iter(book.ledger.entries)) == socket.request.id
    assert not book.given_up


def test_then_what_is_under_way_longest() -> None:
    book = Book()
    for number in range(1500):
        book.begin(number)
    assert book.given_up == [f"r{number}" for number in range(500)]
    assert len(book.ledger.entries) == len(book.ledger.pending) == 1000


def test_size_counts_as_well_as_number() -> None:
    book = Book()
    for number in range(200):
        entry = book.begin(number)
        entry.request.response_headers = {"x": "y" * (1 << 20)}
        book.ledger.weigh(entry)
        book.ledger.end(entry.exchange)
    assert len(book.ledger.entries) <= 8
    assert "r199" in book.ledger.entries


def test_one_giant_is_kept() -> None:
    book = Book()
    entry = book.begin(1)
    entry.request.request_headers = {"x": "y" * (20 << 20)}
    book.ledger.weigh(entry)
    assert list(book.ledger.pending) == ["1"]


def test_a_chain_is_forgotten_hop_by_hop() -> None:
    book = Book()
    exchange = book.begin(0).exchange
    book.ledger.end(exchange)
    book.ledger.add(exchange, Request("last", "http://h/", "GET", "Fetch", 0.0))
    for number in range(1, 1000):
        book.ledger.end(book.begin(number).exchange)
    assert "r0" not in book.ledger.entries
    assert book.ledger.exchanges["0"].request.id == "last"
    book.ledger.end(exchange)
    for number in range(1000, 2001):
        book.ledger.end(book.begin(number).exchange)
    assert "last" not in book.ledger.entries
    assert "0" not in book.ledger.exchanges


def test_a_late_word_about_a_forgotten_request_changes_nothing() -> None:
    book = Book()
    entry = book.begin(0)
    book.ledger.end(entry.exchange)
    for number in range(1, 1500):
        book.ledger.end(book.begin(number).exchange)
    before = book.ledger._size
    entry.request.response_headers = {"late": "x" * 1000}
    book.ledger.weigh(entry)
    assert book.ledger._size == before
