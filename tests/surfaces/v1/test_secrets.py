from __future__ import annotations

import json

from tests.support.serving import Served
from tests.support.site import Site

VALUE = 'Zq7!pa"ss<w&rd>'


async def test_an_operator_keeps_what_agents_use_by_name(mighty_server: Served, site: Site) -> None:
    client = mighty_server.client
    _, agent = await mighty_server.key(name="agent")
    body = {"value": VALUE, "origins": [site.url("")], "fields": ["API key"]}
    for made in (
        await client.put("/v1/secrets/PASSWORD", json=body),
        await client.get("/v1/secrets/PASSWORD"),
    ):
        assert made.status_code == 200, made.text
        row = {"name": "PASSWORD", "origins": [site.url("")], "fields": ["API key"], "totp": False}
        assert made.json()["secret"] == row
    listed = await client.get("/v1/secrets")
    assert [each["name"] for each in listed.json()["secrets"]] == ["PASSWORD"]
    assert "Zq7" not in listed.text + made.text
    for method, path in (
        ("GET", ""),
        ("GET", "/PASSWORD"),
        ("PUT", "/PASSWORD"),
        ("DELETE", "/PASSWORD"),
    ):
        sent = body if method == "PUT" else None
        refused = await client.request(method, f"/v1/secrets{path}", json=sent, headers=agent)
        assert (refused.status_code, refused.json()["code"]) == (403, "role_required")
    for value, origins in (("xk-7q", ["a.test"]), (VALUE, [])):
        wrong = {"value": value, "origins": origins}
        refused = await client.put("/v1/secrets/PASSWORD", json=wrong)
        assert refused.status_code in {400, 422}
        assert value not in refused.text
    assert (await client.get("/v1/secrets/OTHER")).status_code == 404

    site.page("/", "<textarea aria-label='API key'></textarea><p>hello</p>")
    await mighty_server.call("navigate", url=site.url("/"), headers=agent)
    filled = await mighty_server.call(
        "fill", selector="textarea", value="<PASSWORD>", headers=agent
    )
    assert filled.status_code == 200, filled.text
    shown = await mighty_server.call("snapshot", headers=agent)
    assert "<PASSWORD>" in json.dumps(shown.json())
    locked = await mighty_server.call("eval_js", expr="1", headers=agent)
    assert (locked.status_code, locked.json()["code"]) == (423, "document_tainted")
    gone = await client.delete("/v1/secrets/PASSWORD")
    assert gone.status_code == 200
    refused = await mighty_server.call(
        "fill", selector="textarea", value="<PASSWORD>", headers=agent
    )
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown_secret")
    told = " ".join(each.text for each in (filled, shown, locked, gone, refused))
    assert "Zq7" not in told
