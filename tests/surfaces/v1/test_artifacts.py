"""Artifacts over REST."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.serving import Served, until
from tests.support.site import Site

PLACE = "/v1/sessions/default/artifacts"


async def opened(server: Served, site: Site, html: str) -> None:
    site.page("/page", html)
    answer = await server.call("navigate", url=site.url("/page"))
    assert answer.status_code == 200, answer.text


def address_of(uri: str) -> str:
    return f"/v1/artifacts/{uri.removeprefix('stockade://')}"


async def test_artifacts_of_others_and_those_that_are_not_look_the_same(
    server: Served, site: Site
) -> None:
    await opened(server, site, "x")
    href = address_of((await server.call("screenshot")).json()["uri"])
    _, other = await server.key(name="onlooker")
    theirs = await server.stranger.get(href, headers=other)
    absent = await server.stranger.get(f"{href[:-4]}0000", headers=other)
    assert theirs.status_code == absent.status_code == 404
    assert theirs.json() == absent.json()
    assert (await server.client.get(href.replace("screenshots", "downloads"))).status_code == 404
    assert (await server.client.get("/v1/artifacts/a/..%2f..%2fetc/passwd")).status_code == 404
    owner = (await server.client.get("/v1/sessions/default")).json()["session_id"]
    for method, path in (("GET", ""), ("GET", "/a"), ("PUT", "/a"), ("DELETE", "/a")):
        place = f"/v1/sessions/{owner}/artifacts{path}"
        answer = await server.stranger.request(method, place, headers=other)
        assert (answer.status_code, answer.json()["code"]) == (404, "session_not_found")


async def test_a_file_is_put_listed_got_and_deleted(mighty_server: Served) -> None:
    client = mighty_server.client
    made = await client.put(
        f"{PLACE}/reports/a.txt", content=b"one", headers={"content-type": "text/plain"}
    )
    assert made.status_code == 201
    assert made.headers["location"] == f"{PLACE}/reports/a.txt"
    row = made.json()["artifact"]
    assert (row["kind"], row["name"], row["mimeType"], row["bytes"]) == (
        "file",
        "reports/a.txt",
        "text/plain",
        3,
    )
    assert row["href"] == address_of(row["uri"])
    again = await client.put(f"{PLACE}/reports%2Fa.txt", content=b"two!")
    assert (again.status_code, again.json()["artifact"]["bytes"]) == (200, 4)
    assert (await client.get(row["href"])).status_code == 404
    for path in (f"{PLACE}/reports/a.txt", f"{PLACE}/{again.json()['artifact']['id']}"):
        assert (await client.get(path)).content == b"two!"
    listed = (await client.get(PLACE)).json()["artifacts"]
    assert [each["name"] for each in listed if each["name"].startswith("reports")] == [
        "reports/a.txt"
    ]
    gone = await client.delete(f"{PLACE}/reports/a.txt")
    assert gone.json()["artifact"]["name"] == "reports/a.txt"
    for method in ("GET", "DELETE"):
        answer = await client.request(method, f"{PLACE}/reports/a.txt")
        assert (answer.status_code, answer.json()["code"]) == (404, "artifact_not_found")


async def test_what_was_put_can_be_given_to_a_page(mighty_server: Served, site: Site) -> None:
    await opened(
        mighty_server,
        site,
        "<label>File <input type=file onchange='this.files[0].text().then(t => "
        'document.title = this.files[0].name + ": " + t)\'></label>',
    )
    await mighty_server.client.put(f"{PLACE}/cv.txt", content=b"I can type")
    given = await mighty_server.call("upload_file", selector="label=File", path="cv.txt")
    assert given.status_code == 200, given.text
    tabs = (await mighty_server.client.get("/v1/sessions/default")).json()["tabs"]
    assert "cv.txt: I can type" in [each["title"] for each in tabs]


async def test_lists_are_narrowed_and_paged(mighty_server: Served, site: Site) -> None:
    client = mighty_server.client
    await client.post("/v1/sessions", json={"session": "lists"})
    place = "/v1/sessions/lists/artifacts"
    for number in range(3):
        await client.put(f"{place}/{number}.txt", content=b"x")
    await mighty_server.call("screenshot", "lists")
    kinds = [each["kind"] for each in (await client.get(place)).json()["artifacts"]]
    assert kinds == ["file", "file", "file", "screenshot"]
    only = (await client.get(f"{place}?kind=screenshot")).json()["artifacts"]
    assert [each["kind"] for each in only] == ["screenshot"]
    first = (await client.get(f"{place}?kind=file&limit=2")).json()
    assert [each["name"] for each in first["artifacts"]] == ["0.txt", "1.txt"]
    rest = await client.get(place, params={"kind": "file", "cursor": first["next"]})
    assert [each["name"] for each in rest.json()["artifacts"]] == ["2.txt"]
    assert (await client.get(f"{place}?kind=poem")).status_code == 422
    await client.delete("/v1/sessions/lists")
    assert (await client.get(place)).status_code == 404


async def test_a_download_is_for_who_may_have_files(mighty_server: Served, site: Site) -> None:
    site.page("/page", "<a href='/download?name=a.txt'>Get</a>")
    _, key = await mighty_server.key(
        name="reader", capabilities=["read", "navigation", "action", "human"]
    )
    client = mighty_server.stranger

    async def call(tool: str, **arguments: str) -> dict[str, Any]:
        place = f"/v1/sessions/default/tools/{tool}"
        return dict((await client.post(place, json=arguments, headers=key)).json())

    await call("navigate", url=site.url("/page"))
    clicked = await call("click", selector="text=Get")
    assert "links" not in clicked
    (row,) = clicked["downloads"]
    assert "file-io is off" in row["problem"]
    listed = (await client.get(PLACE, headers=key)).json()["artifacts"]
    assert listed == []
    read = await call("read_file", name="a.txt")
    assert read["code"] == "capability_disabled"


async def test_a_download_is_an_artifact(mighty_server: Served, site: Site) -> None:
    await opened(mighty_server, site, "<a href='/download?name=r%C3%A9sum%C3%A9.txt'>Get</a>")
    clicked = (await mighty_server.call("click", selector="text=Get")).json()
    (download,) = clicked["downloads"]
    await mighty_server.call("download_get", id=download["id"])
    rows = (await mighty_server.client.get(f"{PLACE}?kind=download")).json()["artifacts"]
    assert rows[-1]["name"] == "résumé.txt"
    assert (await mighty_server.client.get(rows[-1]["href"])).content == b"hello world"


@pytest.mark.parametrize(
    "name", ["..%2F..%2Fetc%2Fpasswd", "a%2F..%2Fb", "%2Fetc%2Fpasswd", "a%00b", "a%22b", "x" * 300]
)
async def test_a_name_leads_nowhere_else(mighty_server: Served, name: str) -> None:
    answer = await mighty_server.client.put(f"{PLACE}/{name}", content=b"x")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_argument")
    assert not list(mighty_server.workspace.rglob("passwd"))


async def test_files_stand_behind_their_capability(server: Served) -> None:
    await server.call("tabs")
    for method, content in (("PUT", b"x"), ("DELETE", None)):
        answer = await server.client.request(method, f"{PLACE}/a.txt", content=content)
        assert (answer.status_code, answer.json()["code"]) == (403, "capability_disabled")


async def test_changes_are_not_unseen(
    mighty_server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    made = await mighty_server.client.put(f"{PLACE}/seen.txt", content=b"x")
    log = ""

    def noted() -> bool:
        nonlocal log
        log += capsys.readouterr().err
        return '"tool":"put_artifact"' in log

    await until(noted)
    rows = [json.loads(line) for line in log.splitlines()]
    row = next(each for each in rows if each.get("tool") == "put_artifact")
    assert (row["outcome"], row["call"]) == ("ok", made.headers["stockade-call"])
    assert row["session"].startswith("ses_")
