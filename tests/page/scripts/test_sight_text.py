"""What can be read in a frame, as one text."""

from __future__ import annotations

from typing import Any

from stockade.page.reach import look
from tests.support.tabs import Tab

SCRIPT = "sight.js sight_text.js sight_styles.js sight_places.js sight_follow.js"


async def read(tab: Tab, html: str, **arguments: Any) -> dict[str, Any]:
    await tab.show(html)
    return await look(tab.agent, tab.page.main_frame, SCRIPT, step="read", **arguments)


async def test_it_is_joined_over_inline_elements_and_broken_between_blocks(tab: Tab) -> None:
    said = await read(
        tab,
        "<style>p::before{content:'\\41 b' / 'alt'}</style><p>c<b>d</b><i>e</i><p>f<br>g"
        "<div id=host></div><input value=h><input placeholder=i><textarea>j</textarea>"
        "<select><option>k<option selected>l</select><img alt=m><p style='visibility:hidden'>n"
        "<span style='visibility:visible'>o</span></p><div hidden>p<b>q</b></div>"
        "<script>host.attachShadow({mode: 'closed'}).innerHTML = 'r<b>s</b>'</script>",
    )
    assert said["text"].split("\n") == [
        *("Abaltcde", "Abaltf", "g", "rs", "h", "i", "j", "l", "m", "Abalto"),
        *("n", "pq", ""),
    ]
    assert (said["limited"], said["covered"]) == (False, False)


async def test_passwords_are_not_read(tab: Tab) -> None:
    said = await read(tab, "<input type=password value=hunter2>")
    assert "hunter2" not in said["text"]
    assert said["covered"]
    assert not (await read(tab, "<input type=password><canvas>"))["covered"]


async def test_drawings_count_when_asked(tab: Tab) -> None:
    for html in ("<canvas></canvas>", "<img src='data:image/gif;base64,R0'>", "<video></video>"):
        assert (await read(tab, html, drawings=True))["covered"], html
    assert not (await read(tab, "<img src=/favicon.ico>", drawings=True))["covered"]
