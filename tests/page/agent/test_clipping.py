"""What boxes cut off is what the browser does not paint, whatever contains what."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.page.agent.looking import each, evaluate
from tests.page.looks import Looks
from tests.support.soak import Soak
from tests.support.tabs import Tab

ABSOLUTE = "<div style='position:absolute;inset:0'>"
FIXED = "<div style='position:fixed;top:9px;left:9px'>"
CLOSED = "height:0;overflow:hidden"
TEXT = "<p id=t>x"
TALL = "<div style='height:3000px'>tall</div>"
SHADOW = (
    "<x-host style='display:block;height:0'></x-host><script>"
    "document.querySelector('x-host').attachShadow({mode:'open'}).innerHTML="
    "'<div style=\"position:fixed;top:9px\"><p>x</p></div>'</script>"
)

SEEN = [
    f"<body style='margin:0;overflow:hidden'>{ABSOLUTE}{TEXT}",
    f"<html style='overflow:hidden'><body style='margin:0'>{ABSOLUTE}{TEXT}",
    f"<div style='{CLOSED}'>{FIXED}{TEXT}",
    f"<div style='{CLOSED}'>{ABSOLUTE}{TEXT}",
    f"<div style='width:0;overflow:clip'>{ABSOLUTE}{TEXT}",
    f"<div style='{CLOSED};position:relative'>{FIXED}{TEXT}",
    f"<div style='display:contents;{CLOSED};position:relative'>{ABSOLUTE}{TEXT}",
    f"<div style='height:0;overflow-x:clip'>{TEXT}",
    "<table><tr style='height:0;overflow:hidden'><td id=t>x",
    "<span style='width:0;overflow:hidden'><b id=t>x",
    (
        "<div style='height:0;padding-top:40px;overflow:hidden;position:relative'>"
        "<p id=t style='position:absolute;top:0;margin:0'>x"
    ),
    f"<div style='position:absolute;left:-9999px'>{FIXED}{TEXT}",
    (
        "<div style='position:relative;left:-9999px'>"
        "<div style='position:relative;left:9999px'><p id=t>x"
    ),
    (
        f"<div style='{CLOSED};contain:layout'><dialog open id=d><p id=t>x</dialog></div>"
        "<script>d.close();d.showModal()</script>"
    ),
    (
        "<div style='clip-path:inset(50%)'><div popover id=d><p id=t>x</div></div>"
        "<script>d.showPopover()</script>"
    ),
    (
        f"<div id=s style='height:99px;overflow:auto'>{TEXT}</p>{TALL}</div>"
        "<script>s.scrollTop=2000</script>"
    ),
    (
        f"<div style='height:99px;overflow:auto;display:flex;flex-direction:column-reverse'>"
        f"<div style='flex:none'>{TEXT}</p>{TALL}</div></div>"
    ),
    f"<div style='position:fixed;inset:0;overflow:auto'>{TALL}{TEXT}",
    (
        "<div dir=rtl style='width:99px;overflow:auto'><p style='width:3000px'>x</p>"
        "<p id=t style='width:9px;margin-right:2500px'>x"
    ),
]
UNSEEN = [
    f"<div style='{CLOSED}'>{TEXT}",
    f"<div style='{CLOSED};position:relative'>{ABSOLUTE}{TEXT}",
    f"<div style='{CLOSED};transform:translate(0)'>{FIXED}{TEXT}",
    f"<div style='{CLOSED};contain:layout'>{FIXED}{TEXT}",
    f"<div style='{CLOSED};will-change:transform'>{FIXED}{TEXT}",
    f"<div style='{CLOSED};filter:blur(1px)'>{FIXED}{TEXT}",
    f"<div style='height:0;contain:paint'>{TEXT}",
    f"<div style='{CLOSED};border:3px solid'>{TEXT}",
    f"<html style='overflow:auto'><body style='{CLOSED}'>{TEXT}",
    f"<div style='height:0;overflow-x:visible;overflow-y:clip'>{TEXT}",
    "<div style='height:0;overflow:hidden'><div style='display:contents'><b id=t>x",
    f"<div style='clip-path:inset(50%)'>{FIXED}{TEXT}",
]


async def test_text_is_seen_whatever_its_containing_block(tab: Tab) -> None:
    expected = dict.fromkeys(SEEN, "")
    assert await each(tab, expected, "Aria.concealment(el)") == expected


async def test_text_is_not_seen_where_its_containing_block_has_no_room(tab: Tab) -> None:
    expected = dict.fromkeys(UNSEEN, "clipped")
    assert await each(tab, expected, "Aria.concealment(el)") == expected


async def test_shadow_content_of_a_host_without_height_is_seen(looks: Looks) -> None:
    assert await looks.text(SHADOW) == "- text: x"


POSITIONS = ("static", "static", "relative", "absolute", "fixed", "sticky")
OVERFLOWS = ("visible", "visible", "hidden", "clip", "auto", "hidden visible", "visible clip")
SIZES = ("", "", "height:0", "width:0", "height:0;width:0", "height:300px;width:300px")
HOLDERS = (
    *("",) * 8,
    "transform:translate(0)",
    "contain:layout",
    "contain:paint",
    "filter:opacity(1)",
    "will-change:transform",
    "perspective:9px",
    "display:contents",
    "display:flex",
    "display:inline-block",
    "display:inline",
    "display:table-row",
    "border:2px solid",
)
MOST_BOXES = 5


def nesting(random: Random) -> str:
    """A text in some boxes, each of which may or may not contain and clip those inside it."""

    def style() -> str:
        position = random.choice(POSITIONS)
        place = "top:5px;left:5px;" if position in {"absolute", "fixed"} else ""
        return (
            f"position:{position};{place}overflow:{random.choice(OVERFLOWS)};"
            f"{random.choice(SIZES)};{random.choice(HOLDERS)}"
        )

    boxes = "".join(f"<div style='{style()}'>" for _ in range(random.randint(1, MOST_BOXES)))
    root = random.choice(OVERFLOWS)
    body = f"margin:8px;overflow:{random.choice(OVERFLOWS)};{random.choice(('', 'height:0'))}"
    return (
        f"<!doctype html><html style='overflow:{root}'><body style='{body}'>{boxes}"
        "<span id=t>word</span>"
    )


# The browser's own word: what is painted where the middle of the text is.
PAINTED = """(() => {
  const range = document.createRange();
  range.selectNodeContents(el);
  const box = range.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return [hit === el, Aria.concealment(el)];
})()"""


async def test_random_nestings_agree_with_what_the_browser_paints(tab: Tab, soak: Soak) -> None:
    random = Random(soak.seed)
    pages = [nesting(random) for _ in range(4000 if soak.full else 400)]
    answers: dict[str, Any] = await each(tab, pages, PAINTED)
    missing = [page for page, (painted, why) in answers.items() if painted and why]
    assert not missing, f"{len(missing)} of {len(pages)}, such as {missing[:3]}"
    # A box that has some room may cut off a text that lies beside it, which nobody asks about.
    extra = [page for page, (painted, why) in answers.items() if not painted and not why]
    hidden = [page for page, (painted, _) in answers.items() if not painted]
    assert len(extra) <= len(hidden) / 20, f"{len(extra)} of {len(hidden)}, such as {extra[:3]}"


async def test_a_long_way_up_is_gone_once(tab: Tab) -> None:
    """Neither depth nor the number of words makes the question dear, or the stack overflow."""
    await tab.show("<div id=root></div>")
    asked = await evaluate(
        tab,
        "let at = document.getElementById('root');"
        "for (let i = 0; i < 3000; i += 1) { const box = document.createElement('i');"
        " box.style.display = 'contents'; at.append(box); at = box; }"
        "at.textContent = 'x'; Aria.begin(); const why = Aria.concealment(at); Aria.end();"
        "return why;",
    )
    assert asked == ""
