"""Posts with icons below them: reply, repost, like, share, and a menu with more."""

from __future__ import annotations

import re

from bench.apps.driver import Driver
from bench.apps.lines import Line, View
from bench.apps.policies.icons import pick_icon
from bench.apps.policies.registry import named, parse, policy, submit

__all__: list[str] = []

_PLACES = {"Reply": 0, "Retweet": 1, "Like": 2, "Share": 3, "More": 3}


def _posts(view: View, user: str) -> list[View]:
    """What stands below each heading of a post by this user, until the next post."""
    heads = [
        at for at, line in enumerate(view.lines) if at and re.search(r"(?:^|\s)@\S+", line.text)
        and not line.text.startswith(("For the user", "Click the"))
    ]  # fmt: skip
    found = []
    for number, at in enumerate(heads):
        if re.search(rf"{re.escape(user)}(?!\S)", view.lines[at].text):
            end = heads[number + 1] if number + 1 < len(heads) else len(view.lines)
            found.append(View(view.lines[at + 1 : end]))
    return found


def _icon(post: View, action: str) -> Line:
    return pick_icon(post, action, _PLACES[action])


@policy("social-media")
async def act_on_post(driver: Driver) -> None:
    view = await driver.see()
    user, action = parse(view, r'For the user (@\S+), click on the "(.+?)" button').groups()
    post = _posts(view, user)[0]
    if action in _PLACES:
        await driver.click(_icon(post, action))
        return
    await driver.click(_icon(post, "More"))
    await driver.see()
    shown = driver.news
    item = next((line for line in shown if line.ref and line.text.startswith(action)), None)
    await driver.click(item or named(shown, action))


@policy("social-media-all", "social-media-some")
async def act_on_posts(driver: Driver) -> None:
    view = await driver.see()
    action, amount, user = parse(
        view, r'Click the "(\w+)" button on (all|\d+) posts? by (@\S+) and'
    ).groups()
    posts = _posts(view, user)
    chosen = posts if amount == "all" else posts[: int(amount)]
    await driver.click_all([*(_icon(post, action) for post in chosen), submit(view)])
