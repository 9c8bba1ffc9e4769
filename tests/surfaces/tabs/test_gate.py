"""The tab API has no way around the gate."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops

from stockade.policy.principal import Principal, Role
from tests.support.serving import served
from tests.support.site import Site
from tests.surfaces.tabs.conftest import Tabs

ONE, OTHER = "Zq7-secret-9K", "Xw4-hidden-2M"


async def test_pictures_show_no_secret(tabs: Tabs) -> None:
    boss = Principal("boss", role=Role.OPERATOR)
    pictures = []
    for number, secret in enumerate((ONE, OTHER)):
        await tabs.kernel.secrets.keep(boss, f"SECRET{number}", secret, ["https://bank.test"])
        tabs.site.page(f"/said-{number}", f"<body style='font: 20px monospace'><p>It is {secret}.")
        tab = await tabs.open(f"/said-{number}")
        answer = await tabs.send("GET", f"/tabs/{tab}/screenshot", params={"userId": "u"})
        assert answer.headers["content-type"] == "image/png"
        pictures.append(Image.open(BytesIO(answer.content)).convert("RGB"))
        assert secret not in (await tabs.get(f"/tabs/{tab}/snapshot", userId="u"))["snapshot"]
    assert ImageChops.difference(*pictures).getbbox() is None
    dark = [colour for count, colour in pictures[0].getcolors(1 << 16) or [] if count > 1000]
    assert (0, 0, 0) in dark


async def test_what_a_person_must_agree_to_waits_for_them(tmp_path: Path) -> None:
    async with (
        Site.serve() as site,
        served(
            tmp_path, compat=True, allowed_origins=(site.url(""),), approval_wait=0.05
        ) as server,
    ):
        site.page("/", "<title>Home</title>")
        opened = {"userId": "u", "sessionKey": "s", "url": site.url("/")}
        tab = (await server.stranger.post("/tabs", json=opened)).json()["tabId"]
        site.other.page("/", "<title>Elsewhere</title>")
        wish = {"userId": "u", "url": site.other.url("/")}

        asked = await server.stranger.post(f"/tabs/{tab}/navigate", json=wish)
        said = asked.json()
        assert (asked.status_code, said["code"]) == (409, "approval_pending")
        assert site.other.requests == []
        (question,) = (await server.client.get("/v1/approvals")).json()["approvals"]
        assert question["id"] in asked.text
        assert (await server.stranger.get("/v1/approvals")).status_code == 401

        agreed = await server.client.post(
            f"/v1/approvals/{question['id']}", json={"decision": "approve"}
        )
        assert agreed.status_code == 200, agreed.text
        again = await server.stranger.post(
            f"/tabs/{tab}/navigate", json={**wish, "approval": question["id"]}
        )
        assert again.status_code == 200, again.text
        assert len(site.other.asked("/")) == 1
