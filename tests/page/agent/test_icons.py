"""What a picture without words may be called."""

from __future__ import annotations

from tests.page.agent.looking import each
from tests.support.tabs import Tab

NAMES = {
    "<i id=t style='content:url(/a/trash.svg)'>": "trash",
    "<i id=t style='background-image:url(/a/send-mail.3f2a9c1d.png?x=1)'>": "send-mail",
    "<i id=t class='fa fa-trash'>": "trash",
    "<span id=t class='glyphicon glyphicon-star-empty'>": "star empty",
    "<span id=t><svg><use href='#icon-close'></use></svg></span>": "close",
    "<span id=t><svg data-testid=DeleteIcon></svg></span>": "Delete",
    "<span id=t><img src='/pics/cat.jpg'></span>": "cat",
    "<span id=t><img src='data:image/png;base64,AA'></span>": "",
    "<span id=t class='email-reply css-1x2y3z'>": "email reply",
    "<span id=t class='css-1x2y3z'>": "",
    "<a id=t class='ui-button'><i class='ui-button-icon ui-icon ui-icon-triangle-1-n'>": (
        "triangle 1 n"
    ),
    "<svg id=t class='MuiSvgIcon-root css-9x8y7z MuiChip-deleteIcon'></svg>": "delete",
    "<span id=t class='Card_close__x7Yz1'>": "close",
    "<span id=t class=arrowUp>": "arrow up",
    "<svg><path id=t fill='#f06529' d='M0 0h9v9z'/></svg>": "orange path",
    "<svg><path id=t fill=none stroke='#38f' d='M0 0h9v9z'/></svg>": "blue path",
    "<svg><rect id=t fill=teal width=9 height=9 /></svg>": "teal rect",
    "<span id=t class=pick-next><svg><path d=M0/></svg></span>": "next",
}


async def test_the_best_hint_is_taken(tab: Tab) -> None:
    assert await each(tab, NAMES, "stockade.modules.Icons.name(el)") == NAMES
