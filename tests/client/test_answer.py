"""What stands beside data."""

from __future__ import annotations

from stockade.client.answer import Answer, Image, Link


def test_data_text_and_what_stands_beside() -> None:
    assert Answer(None, "text").result() == "text"
    assert Answer({"a": 1}, "").result() == {"a": 1}
    image, link = Image(b"x", "image/png"), Link("stockade://s/files/1", "f", "text/plain")
    told = Answer({"a": 1}, "", (image,), (link,)).result()
    assert told == {"a": 1, "images": [image], "links": [link]}
