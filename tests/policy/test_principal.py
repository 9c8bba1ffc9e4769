"""Who calls, and what they may be told to be."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from stockade.errors import RoleRequired
from stockade.policy.policy import Policy
from stockade.policy.principal import LOCAL_TENANT, Principal, Role


def test_a_key_is_least_unless_it_says_more() -> None:
    principal = Principal("key1")
    assert (principal.tenant, principal.role, principal.policy) == (
        LOCAL_TENANT,
        Role.AGENT,
        Policy(),
    )


@pytest.mark.parametrize(
    ("role", "roles"),
    [
        (Role.AGENT, {Role.AGENT}),
        (Role.OPERATOR, {Role.AGENT, Role.OPERATOR}),
        (Role.ADMIN, {Role.AGENT, Role.OPERATOR, Role.ADMIN}),
    ],
)
def test_each_role_has_those_below_it(role: Role, roles: set[Role]) -> None:
    principal = Principal("key1", role=role)
    assert {each for each in Role if principal.has_role(each)} == roles


@pytest.mark.parametrize("role", [Role.AGENT, Role.OPERATOR])
def test_a_role_that_is_missing_is_named(role: Role) -> None:
    with pytest.raises(RoleRequired) as caught:
        Principal("key1", role=role).require(Role.ADMIN, "making keys")
    assert caught.value.message == "making keys is for the role admin"
    assert caught.value.details == {"required": "admin"}


def test_enough_of_a_role_is_enough() -> None:
    Principal("key1", role=Role.ADMIN).require(Role.OPERATOR, "looking on")


def test_nobody_changes_who_they_are() -> None:
    principal = Principal("key1")
    with pytest.raises(FrozenInstanceError):
        principal.role = Role.ADMIN  # type: ignore[misc]
