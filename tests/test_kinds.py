"""Counts, durations, sizes, names and places, as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.config import Settings, load
from stockade.errors import BadSetting
from tests.support.loading import attempt, refused


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home of our own."""
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 30),
        ("1.5", 1.5),
        ("30s", 30),
        (" 5 m ", 300),
        ("1H", 3600),
        ("0.5h", 1800),
        ("250ms", 0.25),
        ("2d", 172800),
        (7, 7),
        (0.25, 0.25),
    ],
)
def test_durations_have_units(text: object, seconds: float) -> None:
    assert load(tab_wait=text).tab_wait == seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("1024", 1024),
        ("500MB", 500_000_000),
        ("1GiB", 2**30),
        ("1.5 kib", 1536),
        ("2tb", 2 * 10**12),
        ("7B", 7),
        ("0.3kB", 300),
        (12, 12),
    ],
)
def test_sizes_have_units(text: object, size: int) -> None:
    assert load(download_quota=text).download_quota == size


@given(st.integers(0, 10**6), st.sampled_from(["ms", "s", "m", "h", "d", ""]))
def test_a_unit_is_a_factor(count: int, unit: str) -> None:
    factor = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "": 1}[unit]
    if 0 < count * factor <= 10 * 365 * 86400:
        assert Settings(tab_wait=f"{count}{unit}").tab_wait == pytest.approx(count * factor)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    ["", "s", "-1", "1x", "1 m 2", "1e3", "nan", "inf", "٣", "9" * 5000, "0", True, [], float("nan"), float("inf"), 1e300, "99999d"],
)  # fmt: skip
def test_what_is_not_a_duration_is_refused(value: object) -> None:
    assert refused(tab_wait=value).details["setting"] == "tab_wait"


@pytest.mark.parametrize(
    "value", ["", "GB", "-1", "1 zb", "1g", 1.5, True, -1, 2**63, "99999999tb"]
)
def test_what_is_not_a_size_is_refused(value: object) -> None:
    assert refused(download_quota=value).details["setting"] == "download_quota"


@given(st.one_of(st.text(), st.floats(), st.integers(), st.booleans(), st.none()))
def test_any_duration_is_a_number_or_refused_by_name(value: object) -> None:
    outcome = attempt(tab_wait=value)
    if isinstance(outcome, BadSetting):
        assert outcome.details == {"setting": "tab_wait"}
    else:
        assert 0 < outcome.tab_wait <= 10 * 365 * 86400


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("a,b", ("a", "b")),
        (" a , ,b,", ("a", "b")),
        (["a", "b,c", "a"], ("a", "b", "c")),
        (("a",), ("a",)),
        ([], ()),
    ],
)
def test_lists_are_written_with_commas_or_as_lists(value: object, names: tuple[str, ...]) -> None:
    assert load(capabilities=value).capabilities == names


@pytest.mark.parametrize("value", [5, [5], ["a", ["b"]], {"a": "b"}])
def test_what_is_not_a_list_of_names_is_refused(value: object) -> None:
    assert refused(capabilities=value).details["setting"] == "capabilities"


@pytest.mark.parametrize(
    ("value", "entries"),
    [
        ("localhost:3000, [::1]:*", ("localhost:3000", "[::1]:*")),
        (["LOCALHOST.:80", "*.Local.Test:*"], ("localhost:80", "*.local.test:*")),
        ("10.0.0.7:8080,10.0.0.7:8080", ("10.0.0.7:8080",)),
        ("[::ffff:10.0.0.7]:1", ("10.0.0.7:1",)),
        ("bücher.test:1", ("xn--bcher-kva.test:1",)),
    ],
)
def test_exceptions_are_hosts_and_ports_in_one_spelling(
    value: object, entries: tuple[str, ...]
) -> None:
    assert load(egress_allow=value).egress_allow == entries


@pytest.mark.parametrize(
    "value",
    [
        *["localhost", "*:80", "::1:80", "a:0", "a:65536", "a:x", ":80", "http://a:80", "a/b:80"],
        *["u@a:80", "*.10.0.0.7:80", "a.*.b:80", "a b:80", "%61:80", "a\\b:80", 5],
    ],
)
def test_what_is_no_exception_is_refused(value: object) -> None:
    assert refused(egress_allow=value).details["setting"] == "egress_allow"


def test_ports_are_numbers_each_once() -> None:
    assert load(egress_ports="8443, 3000,8443").egress_ports == (3000, 8443)
    assert load(egress_ports=[3000, "8443"]).egress_ports == (3000, 8443)
    assert load(egress_ports=3000).egress_ports == (3000,)
    for wrong in ("x", "0", "65536", "-1", "8443-8450", [True], {"a": 1}):
        assert refused(egress_ports=wrong).details["setting"] == "egress_ports"


def test_a_resolver_is_an_address_and_a_port() -> None:
    assert load(egress_resolver="127.0.0.1:5353").egress_resolver == "127.0.0.1:5353"
    assert load(egress_resolver="[0:0::1]:53").egress_resolver == "[::1]:53"
    for wrong in ("dns.test:53", "127.0.0.1", "::1", "127.0.0.1:0", "127.1:53"):
        assert refused(egress_resolver=wrong).details["setting"] == "egress_resolver"


def test_paths_are_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(workspace="ws", chromium="~/bin/chromium")
    assert settings.workspace == tmp_path / "ws"
    assert settings.chromium == tmp_path / "bin" / "chromium"


@pytest.mark.parametrize("value", ["", ".", "~nobody-of-that-name/x", "a\0b", 5])
def test_what_is_not_a_place_is_refused(value: object) -> None:
    assert refused(workspace=value).details["setting"] == "workspace"


@pytest.mark.parametrize("level", ["bastille", "attached", "none"])
def test_a_level_that_a_server_cannot_have_is_refused(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STOCKADE_ISOLATION", level)
    error = refused()
    assert "'process' or 'bwrap'" in error.message
    assert "STOCKADE_ISOLATION" in error.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", 65536),
        ("port", -1),
        ("port", True),
        ("port", "http"),
        ("host", ""),
        ("host", "two words"),
        ("host", "a\nb"),
        ("isolation", "prison"),
        ("browser_uid", 0),
        ("browser_uid", 2**32 - 1),
        ("max_sessions", 0),
        ("log_level", "loud"),
        ("database_url", 5),
    ],
)
def test_other_values_out_of_range_are_refused(name: str, value: object) -> None:
    assert refused(**{name: value}).details["setting"] == name


def test_a_site_has_no_path() -> None:
    kept = load(youtube_address="https://mirror.example:8443/").youtube_address
    assert kept == "https://mirror.example:8443"
    for bad in (
        "mirror.example",
        "ftp://mirror.example",
        "https://mirror.example/path",
        "https://",
    ):
        assert "address of a site" in refused(youtube_address=bad).message


def test_macros_are_addresses_with_a_place_for_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stockade.toml").write_text(
        '[macros]\ndocs = "https://docs.example/?q={q}"\n"@wiki" = "http://wiki.example/{query}"\n',
        encoding="utf-8",
    )
    found = {"@docs": "https://docs.example/?q={q}", "@wiki": "http://wiki.example/{query}"}
    assert load(workspace=tmp_path).macros == found
    monkeypatch.setenv("STOCKADE_MACROS", '{"a": "https://a.example/{q}"}')
    assert load(workspace="/nonexistent").macros == {"@a": "https://a.example/{q}"}
    monkeypatch.setenv("STOCKADE_MACROS", "{")
    assert "JSON" in refused(workspace="/nonexistent").message


@pytest.mark.parametrize(
    "template",
    ["ftp://a/{q}", "http://{q}/", "https://a.{query}/", "{q}/x", "https://u:{q}@a/", "a b"],
)
def test_words_never_choose_the_host(template: str) -> None:
    error = refused(workspace="/nonexistent", macros={"mine": template})
    assert error.message.startswith("macros: a macro is an http or https address")
    assert template not in error.message


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("http://127.0.0.1:9222", "http://127.0.0.1:9222"),
        ("http://localhost:9222/", "http://127.0.0.1:9222"),
        ("http://0x7f.1:9222/json", "http://127.0.0.1:9222"),
        ("ws://[::1]:9222/devtools/browser/1", "ws://[::1]:9222/devtools/browser/1"),
        ("", ""),
    ],
)
def test_a_browser_to_attach_to_is_on_this_machine(text: str, meant: str) -> None:
    assert load(attach_cdp=text).attach_cdp == meant


@pytest.mark.parametrize(
    "text",
    [
        *(
            "http://10.0.0.1:9222",
            "http://example.com:9222",
            "http://0.0.0.0:9222",
            "http://[::]:1",
        ),
        *("http://localhost.example.com:9222", "http://127.0.0.1.nip.io:9222", "127.0.0.1:9333"),
        *(
            "https://127.0.0.1:9222",
            "file:///tmp/x",
            "http://u:p@127.0.0.1:9222",
            "http://[::ffff:7f00:1]:1",
        ),
    ],
)
def test_no_other_machine_is_attached_to(text: str) -> None:
    refusal = refused(attach_cdp=text)
    assert refusal.details["setting"] == "attach_cdp"
    assert text not in f"{refusal.message} {refusal.hint}"


def test_seeds_are_written_as_sites_give_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "otpauth://totp/Shop:ada?secret=jbswy3dpehpk3pxp&digits=8"
    monkeypatch.setenv("STOCKADE_CREDENTIALS_SEEDS", f"a b=jbsw y3dp-EHPK 3pxp, c={address}")
    settings = load(workspace="/nonexistent")
    assert settings.credentials_seeds == {"a b": "JBSWY3DPEHPK3PXP", "c": address}
    assert set(settings.secrets.values()) == {"JBSWY3DPEHPK3PXP", address}
    assert "JBSW" not in repr(settings)
    text = '[credentials_seeds]\n"ada@shop" = "JBSWY3DPEHPK3PXP"\n'
    (tmp_path / "stockade.toml").write_text(text, encoding="utf-8")
    assert load(workspace=tmp_path).credentials_seeds == {"ada@shop": "JBSWY3DPEHPK3PXP"}
    for bad in ("JBSWY3DPEHPK3PXP", "a=1", "a=JBSW", "-a=JBSWY3DPEHPK3PXP", "a=otpauth://hotp/x"):
        error = refused(workspace="/nonexistent", credentials_seeds=bad)
        assert error.details["setting"] == "credentials_seeds"
        assert bad not in error.message


def test_a_key_goes_to_a_service_in_the_clear_on_loopback_alone() -> None:
    for good in ("https://api.example.com/v1/", "http://127.0.0.1:8080", "http://localhost:1", ""):
        kept = load(workspace="/nonexistent", captcha_api_base=good).captcha_api_base
        assert kept == good.rstrip("/")
    for bad in ("http://api.example.com", "ftp://127.0.0.1", "https://u:p@a.example", "https://a?b", "a"):  # fmt: skip
        assert "loopback" in refused(captcha_api_base=bad).message
