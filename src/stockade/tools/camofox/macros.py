"""Macros: short names for searches, each a URL with a place for the words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from stockade.urls import parse

__all__ = ["MACROS", "expand", "google"]

MACROS: Final = {
    "@google_search": "https://www.google.com/search?q={q}",
    "@youtube_search": "https://www.youtube.com/results?search_query={q}",
    "@amazon_search": "https://www.amazon.com/s?k={q}",
    "@reddit_search": "https://www.reddit.com/search.json?q={q}&limit=25",
    "@reddit_subreddit": "https://www.reddit.com/r/{q}.json?limit=25",
    "@wikipedia_search": "https://en.wikipedia.org/wiki/Special:Search?search={q}",
    "@twitter_search": "https://twitter.com/search?q={q}",
    "@yelp_search": "https://www.yelp.com/search?find_desc={q}",
    "@spotify_search": "https://open.spotify.com/search/{q}",
    "@netflix_search": "https://www.netflix.com/search?q={q}",
    "@linkedin_search": "https://www.linkedin.com/search/results/all/?keywords={q}",
    "@instagram_search": "https://www.instagram.com/explore/tags/{q}",
    "@tiktok_search": "https://www.tiktok.com/search?q={q}",
    "@twitch_search": "https://www.twitch.tv/search?term={q}",
}
_USUAL: Final = {"@reddit_subreddit": "all"}
"""What is meant where no words are given."""
_NONE: Final = frozenset({"", "__NO__", "none", "null"})
_PLACES: Final = ("{q}", "{query}")
_UNRESERVED: Final = "!~*'()"


def expand(macro: str | None, query: str | None, own: Mapping[str, str]) -> str | None:
    """The address that a macro stands for, or None where it stands for nothing.

    `own` is the operator's table, which may add and override.
    """
    if macro is None or macro in _NONE:
        return None
    template = own.get(macro) or MACROS.get(macro)
    if template is None:
        return None
    words = quote(query or _USUAL.get(macro, ""), safe=_UNRESERVED)
    for place in _PLACES:
        template = template.replace(place, words)
    return template


def google(url: str) -> dict[str, bool]:
    """Whether this is a page of Google's results, or its refusal to give any."""
    address = parse(url)
    if "google" not in address.host.split("."):
        return {}
    path = address.href.removeprefix(address.origin).partition("?")[0]
    if path.startswith("/sorry/"):
        return {"googleBlocked": True}
    return {"googleSerp": True} if path == "/search" else {}
