"""Policies: what they allow, that they only narrow, and what a refusal tells."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import AddressDenied, BadSetting, CapabilityDisabled, InvalidArgument
from stockade.policy.capabilities import DEFAULT, Capability
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy


def rules(*entries: str) -> tuple[OriginRule, ...]:
    return tuple(OriginRule.parse(entry) for entry in entries)


def allows(policy: Policy, text: str) -> bool:
    try:
        policy.check_address(text)
    except AddressDenied:
        return False
    return True


# --- addresses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("file:///etc/passwd", "FILE:///etc/passwd", "fi\nle:///etc/passwd", "file://localhost/"),
        *("view-source:https://example.com", "view-source:file:///etc/passwd"),
        *("chrome://version", "chrome-untrusted://x", "devtools://devtools", "about:gpu"),
        *("about:srcdoc", "ABOUT:BLANK", "about:blank?x", "javascript:fetch('//10.1.1.1')"),
        *("data:text/html,<p>", "blob:https://example.com/0b5e", "filesystem:https://a/temporary/"),
        *("ftp://example.com", "ws://example.com", "gopher://a", "mailto:a@b", "intent://x"),
        "localhost:3000",
    ],
)
def test_only_pages_of_the_web_are_opened(text: str) -> None:
    with pytest.raises(AddressDenied) as caught:
        Policy().check_address(text)
    assert caught.value.details == {"rule": "scheme"}


def test_a_scheme_that_may_be_a_secret_is_not_echoed() -> None:
    with pytest.raises(AddressDenied) as caught:
        Policy().check_address("hunter2hunter2:x")
    assert "hunter2" not in str(caught.value.as_dict())


def test_the_blank_page_is_always_there() -> None:
    policy = Policy(allowed=(rules("example.com"),), blocked=rules("*.com"))
    assert policy.check_address("about:blank").href == "about:blank"


def test_without_lists_every_page_may_be_opened() -> None:
    assert Policy().check_address("http:\\\\Example.com:8443").href == "http://example.com:8443/"


def test_a_list_with_nothing_in_it_allows_nothing() -> None:
    with pytest.raises(AddressDenied) as caught:
        Policy(allowed=((),)).check_address("https://example.com")
    assert "Allowed here: none." in caught.value.hint


def test_every_list_must_be_passed() -> None:
    policy = Policy(allowed=(rules("*.example.com", "b.test"), rules("a.example.com", "b.test")))
    assert allows(policy, "https://a.example.com/")
    assert allows(policy, "https://b.test/")
    assert not allows(policy, "https://c.example.com/")


def test_a_block_beats_an_allow() -> None:
    policy = Policy(allowed=(rules("*.example.com"),), blocked=rules("b.example.com"))
    assert allows(policy, "https://a.example.com/")
    assert not allows(policy, "https://b.example.com/")


@pytest.mark.parametrize(
    "text",
    [
        "http://evil.com:8443/",
        "https://user@EVIL.com./",
        "https://evil.com../",
        "http://ev\u00adil。com",
        "http://allowed.com@evil.com",
    ],
)
def test_a_block_without_a_port_is_for_all_of_them(text: str) -> None:
    assert not allows(Policy(blocked=rules("evil.com")), text)


@pytest.mark.parametrize(
    "text", ["http://[::ffff:10.1.1.1]/", "http://0xa010101/", "http://10.1.257/"]
)
def test_a_blocked_number_is_blocked_in_every_spelling(text: str) -> None:
    assert not allows(Policy(blocked=rules("10.1.1.1")), text)


@pytest.mark.parametrize(
    "text",
    [
        "https://evil.com/a",
        "blob:https://evil.com/0b5e",
        "filesystem:https://evil.com/temporary/x",
        "view-source:https://evil.com/",
    ],
)
def test_a_page_that_got_where_it_may_not_is_refused(text: str) -> None:
    with pytest.raises(AddressDenied):
        Policy(blocked=rules("evil.com")).check_shown(text)
    with pytest.raises(AddressDenied):
        Policy(allowed=(rules("example.com"),)).check_shown(text)
    Policy().check_shown(text)


@pytest.mark.parametrize("text", ["about:blank", "about:srcdoc", "chrome-error://chromewebdata/"])
def test_a_page_without_an_origin_is_shown(text: str) -> None:
    Policy(allowed=(rules("example.com"),)).check_shown(text)


@pytest.mark.parametrize(
    ("allowed", "domain", "admitted"),
    [
        ("example.com", "example.com", True),
        ("example.com", ".example.com", True),
        ("example.com", "www.example.com", False),
        ("example.com:8443", "example.com", True),
        ("https://example.com", "example.com", True),
        ("app.example.com", ".example.com", True),
        ("app.example.com", "example.com", False),
        ("app.example.com", ".ample.com", False),
        ("*.example.com", ".example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", ".app.example.com", True),
        ("127.0.0.1:3000", "127.0.0.1", True),
        ("example.com", "not a host", False),
    ],
)
def test_cookies_are_for_those_whose_pages_may_be_shown(
    allowed: str, domain: str, admitted: bool
) -> None:
    assert Policy(allowed=(rules(allowed),)).admits_cookie(domain) is admitted


def test_cookies_of_a_blocked_host_are_for_nobody() -> None:
    policy = Policy(blocked=rules("evil.com"))
    assert not policy.admits_cookie("evil.com")
    assert policy.admits_cookie("example.com")
    assert Policy().admits_cookie("evil.com")


def test_an_address_is_admitted_or_not() -> None:
    policy = Policy(allowed=(rules("example.com"),))
    assert policy.admits("https://example.com/a")
    assert not policy.admits("https://example.com:444/a")
    assert not policy.admits("no address")


# --- refusals ---------------------------------------------------------------------------------


def test_a_blocked_address_names_the_rule_and_who_can_lift_it() -> None:
    with pytest.raises(AddressDenied) as caught:
        Policy(blocked=rules("a.test", "*.evil.com")).check_address(
            "http://x.evil.com:81/?q=secret"
        )
    assert caught.value.message == "http://x.evil.com:81 is blocked by the rule *.evil.com"
    assert caught.value.details == {"rule": "*.evil.com"}
    assert "STOCKADE_BLOCKED_ORIGINS" in caught.value.hint
    assert "a.test" not in str(caught.value.as_dict())


def test_an_address_off_the_list_is_told_what_is_on_it() -> None:
    with pytest.raises(AddressDenied) as caught:
        Policy(allowed=(rules("a.test", "b.test"),)).check_address("https://user:pw@аpple.com/?q=x")
    assert caught.value.message == "https://xn--pple-43d.com is not among the allowed origins"
    assert "a.test, b.test" in caught.value.hint
    assert "STOCKADE_ALLOWED_ORIGINS" in caught.value.hint
    assert "pw" not in str(caught.value.as_dict())


def test_a_long_list_is_cut() -> None:
    many = rules(*(f"s{number}.test" for number in range(500)))
    with pytest.raises(AddressDenied) as caught:
        Policy(allowed=(many,)).check_address("https://example.com")
    assert "s9.test and 490 more." in caught.value.hint


def test_a_refusal_tells_nothing_of_another_caller() -> None:
    base = Policy(allowed=(rules("shared.test", "ours.test", "theirs.test"),))
    theirs = base.narrowed(allowed=rules("theirs.test"), blocked=rules("secret.theirs.test"))
    ours = base.narrowed(allowed=rules("ours.test"))
    assert allows(theirs, "https://theirs.test/")
    with pytest.raises(AddressDenied) as caught:
        ours.check_address("https://shared.test")
    assert "theirs" not in str(caught.value.as_dict())


def test_a_capability_that_is_off_is_named_with_its_remedy() -> None:
    policy = Policy(capabilities=frozenset({Capability.READ}))
    policy.require(Capability.READ, "snapshot")
    policy.require(None, "list_sessions")
    with pytest.raises(CapabilityDisabled) as caught:
        policy.require(Capability.EVAL, "eval_js")
    assert caught.value.details == {
        "requiredCapability": "eval",
        "activeCapabilities": ["read"],
    }
    assert "STOCKADE_CAPABILITIES=eval,read" in caught.value.hint


# --- settings ---------------------------------------------------------------------------------


def test_settings_become_a_policy() -> None:
    policy = Policy.stated(
        capabilities=["default", "eval"], allowed=["example.com"], blocked=["*.zip"]
    )
    assert policy == Policy(DEFAULT | {Capability.EVAL}, (rules("example.com"),), rules("*.zip"))
    assert Policy.stated(capabilities=["default"], allowed=[], blocked=[]) == Policy()


@pytest.mark.parametrize(
    ("changes", "setting", "entry"),
    [
        ({"capabilities": ["read", "evil"]}, "capabilities", "evil"),
        ({"allowed": ["a.test", "example.com/x"]}, "allowed_origins", "example.com/x"),
        ({"allowed": ["*.com"]}, "allowed_origins", "*.com"),
        ({"blocked": ["*"]}, "blocked_origins", "*"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    changes: dict[str, Any], setting: str, entry: str
) -> None:
    given: dict[str, Any] = {"capabilities": [], "allowed": [], "blocked": [], **changes}
    with pytest.raises(BadSetting) as caught:
        Policy.stated(**given)
    assert caught.value.details == {"setting": setting}
    assert f"{setting}: {entry!r}" in caught.value.message
    assert caught.value.hint


def test_no_way_leads_to_an_allow_list_that_is_open_to_anyone() -> None:
    with pytest.raises(InvalidArgument):
        Policy(allowed=(rules("a.test", "*.github.io"),))
    with pytest.raises(InvalidArgument):
        Policy().narrowed(allowed=rules("*.com"))


# --- narrowing --------------------------------------------------------------------------------

ENTRIES = [
    *("example.com", "*.example.com", "a.example.com", "https://example.com", "example.com:8443"),
    *("evil.com", "*.evil.com", "localhost:3000", "127.0.0.1", "[::1]:8080", "bücher.de"),
]
HOSTS = [
    *("example.com", "a.example.com", "a.b.example.com", "example.com.", "evil.com", "x.evil.com"),
    *("localhost", "127.1", "[::1]", "xn--bcher-kva.de", "[::ffff:127.0.0.1]"),
]
ADDRESSES = [
    *("about:blank", "file:///etc/passwd", "view-source:http://example.com"),
    *(
        f"{scheme}://{host}{port}/"
        for scheme in ("http", "https")
        for host in HOSTS
        for port in ("", ":80", ":443", ":8443", ":3000", ":8080")
    ),
]

lists = st.lists(st.sampled_from(ENTRIES), max_size=4).map(lambda entries: rules(*entries))
steps = st.fixed_dictionaries(
    {
        "capabilities": st.none() | st.frozensets(st.sampled_from(Capability)),
        "allowed": lists,
        "blocked": lists,
    }
)


@given(st.lists(steps, min_size=1, max_size=5))
def test_narrowing_only_narrows(chain: list[dict[str, Any]]) -> None:
    policy = Policy(capabilities=frozenset(Capability))
    for step in chain:
        narrower = policy.narrowed(**step)
        assert narrower.capabilities <= policy.capabilities
        for text in ADDRESSES:
            if allows(narrower, text):
                assert allows(policy, text)
                assert not step["allowed"] or allows(Policy(allowed=(step["allowed"],)), text)
                assert allows(Policy(blocked=step["blocked"]), text)
        policy = narrower


@given(lists, lists)
def test_a_list_allows_exactly_what_its_rules_match(allowed: Any, blocked: Any) -> None:
    policy = Policy(blocked=blocked).narrowed(allowed=allowed)
    for text in ADDRESSES:
        wanted = not allowed or any(allows(Policy(allowed=((rule,),)), text) for rule in allowed)
        denied = any(not allows(Policy(blocked=(rule,)), text) for rule in blocked)
        assert allows(policy, text) == (wanted and not denied and allows(Policy(), text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "chrome://settings/",
            "chrome-untrusted://x/",
            "devtools://devtools/bundled/inspector.html",
        ),
        *(
            "chrome-extension://aaaa/popup.html",
            "file:///etc/passwd",
            "view-source:file:///etc/passwd",
        ),
        *("view-source:chrome://settings", "CHROME://settings", "isolated-app://x/"),
    ],
)
def test_the_browsers_own_pages_are_not_shown(text: str) -> None:
    """As in a person's browser, where nobody but they could have opened them."""
    with pytest.raises(AddressDenied):
        Policy().check_shown(text)
    assert not Policy().admits(text)
    Policy().check_shown("view-source:https://example.com/")
    Policy().check_shown("chrome-error://chromewebdata/")
