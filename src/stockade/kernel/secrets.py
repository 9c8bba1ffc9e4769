"""Secrets: who may use which by name, where they are filled in, and what is shown after that."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from stockade.engines.inside import Frame
from stockade.errors import (
    Conflict,
    DocumentTainted,
    InvalidArgument,
    SecretRefused,
    UnknownSecret,
)
from stockade.files.secrets import KeptSecrets
from stockade.kernel.guesses import Guesses
from stockade.kernel.outgoing_gate import OutgoingGate
from stockade.masking.masker import Masker
from stockade.masking.scopes import Scope, of_place, of_session, of_tenant
from stockade.masking.worth import check_worth
from stockade.page.secret_text import SecretText
from stockade.page.vetting import Vetting
from stockade.policy.capabilities import Capability
from stockade.policy.origins import OriginRule
from stockade.policy.principal import Principal, Role
from stockade.sessions.changes import SessionOpened, TabOpened
from stockade.sessions.manager import Sessions
from stockade.sessions.one_time_codes import code_of
from stockade.sessions.provenance import Provenance
from stockade.sessions.secret_places import SecretPlaces, scopes_of_places
from stockade.sessions.secrets import NAMED, Secret, SessionSecrets
from stockade.sessions.session import Session
from stockade.sessions.taint import Taint
from stockade.telemetry.logs import get_logger

if TYPE_CHECKING:
    from stockade.kernel.call import Call
    from stockade.sessions.tab import Tab

__all__ = [
    "Secrets",
    "in_other_field",
    "materialised",
    "note_alteration",
    "refuse_stopped",
    "refuse_tainted",
    "secret_name",
]

_log = get_logger("stockade.secrets")

_RAW = frozenset({Capability.EVAL, Capability.NETWORK_BODY})
MOST_ORIGINS = 20
_SECRET_WORDS = frozenset(
    {"CREDENTIAL", "OTP", "PASSCODE", "PASSPHRASE", "PASSWD", "PASSWORD", "PIN", "SECRET"}
    | {"TOKEN", "TOTP"}
)
"""A name with one of these was meant for a secret, also where there is none."""
_ALIKE = 0.75
"""How much of two names is the same where one was mistaken for the other."""


class Secrets:
    """Every secret that agents may use: the operator's, by tenant, and those of sessions."""

    def __init__(self, masker: Masker, kept: KeptSecrets) -> None:
        self._masker = masker
        self._kept = kept
        self._tenants: dict[str, dict[str, Secret]] = {}
        self._used: dict[str, dict[str, set[str]]] = {}
        """By tenant, the origins at which kept secrets were filled in, and the names of those."""
        self.guesses = Guesses()
        self._warned = False

    async def load(self) -> None:
        """Take up what was kept: from now on it is masked."""
        for tenant, secret in await asyncio.to_thread(lambda: list(self._kept.all())):
            self._tenants.setdefault(tenant, {})[secret.name] = secret
            self._mask(secret, of_tenant(tenant))
            for origin in secret.used:
                self._mask_parts(tenant, secret, origin)

    def follow(self, sessions: Sessions) -> None:
        """Have every session know where secrets were used, and forget what an ended one knew."""

        def begin(session: Session) -> None:
            used = self._used.setdefault(session.owner.tenant, {})
            session.parts.of(SecretPlaces, lambda: SecretPlaces(used))

        def follow_tab(tab: Tab) -> None:
            tab.session.parts.of(SecretPlaces, SecretPlaces).follow(tab)
            tab.agent.vetting = Vetting(lambda: self._masker_on(tab))

        sessions.changes.on(SessionOpened, lambda event: begin(event.session))
        sessions.changes.on(TabOpened, lambda event: follow_tab(event.tab))
        sessions.on_end.append(lambda session: self._masker.forget(_scope(session)))

    def _masker_on(self, tab: Tab) -> Masker:
        """Finds the secrets of a tenant and its sessions that a tab may show."""
        session = tab.session
        tenant = of_tenant(session.owner.tenant)
        return self._masker.within(tenant, *scopes_of_places(session, tab))

    # --- the operator's -------------------------------------------------------------------------

    async def keep(
        self,
        principal: Principal,
        name: str,
        value: str,
        origins: Sequence[str],
        *,
        fields: Sequence[str] = (),
        totp: bool = False,
    ) -> Secret:
        """Keep a secret for the agents of a tenant, for these origins alone.

        It goes into fields for passwords and codes, and into those that are called as `fields` say.
        With `totp`, it is the seed of one-time codes, and the code of the moment is filled in.
        """
        _operator(principal)
        check_worth(value)
        if totp:
            code_of(value)
        if not origins:
            raise InvalidArgument(
                "a secret needs at least one origin", hint="Name the sites it is for."
            )
        rules = tuple(map(OriginRule.parse, origins))
        secret = Secret(name, value, rules, unknown=True, fields=tuple(fields), totp=totp)
        if any(rule.open_to_anyone for rule in secret.origins):
            raise InvalidArgument("an origin of a secret is one that anyone can have")
        self._mask(secret, of_tenant(principal.tenant))
        await asyncio.to_thread(self._kept.save, principal.tenant, secret)
        self.guesses.forgive(principal.tenant, name)
        self._tenants.setdefault(principal.tenant, {})[name] = secret
        return secret

    def kept(self, principal: Principal) -> list[Secret]:
        """The secrets of a tenant."""
        _operator(principal)
        return sorted(self._tenants.get(principal.tenant, {}).values(), key=lambda s: s.name)

    def find_kept(self, principal: Principal, name: str) -> Secret:
        """One of them."""
        _operator(principal)
        found = self._tenants.get(principal.tenant, {}).get(name)
        if found is None:
            raise UnknownSecret("no secret of that name is kept")
        return found

    async def remove(self, principal: Principal, name: str) -> Secret:
        """Let nobody use it any more; it is still masked for as long as the server runs."""
        secret = self.find_kept(principal, name)
        await asyncio.to_thread(self._kept.remove, principal.tenant, name)
        self._tenants.get(principal.tenant, {}).pop(name, None)
        return secret

    # --- a session's ----------------------------------------------------------------------------

    def register(self, session: Session, name: str, value: str, scope: str | None) -> Secret:
        """Have a value known by its name in a session."""
        origins = (OriginRule.parse(scope),) if scope is not None else ()
        return self._put(session, Secret(name, value, origins))

    def provide(
        self, session: Session, name: str, value: str, origins: tuple[OriginRule, ...]
    ) -> Secret:
        """The same with a value that the session's agent does not know, for these origins alone."""
        return self._put(session, Secret(name, value, origins, unknown=True))

    def _put(self, session: Session, secret: Secret) -> Secret:
        if secret.name in self._tenants.get(session.owner.tenant, {}):
            raise Conflict("the operator keeps a secret of that name", hint="Choose another name.")
        registered = session.parts.of(SessionSecrets, SessionSecrets)
        registered.check_room(secret.name)
        check_worth(secret.value)
        self._mask(secret, _scope(session))
        registered.put(secret)
        if not self._warned:
            self._warned = True
            _log.warning(
                "a secret was registered: it is masked in what leaves, in the spellings that are "
                "known; what a page makes of it beyond that is not"
            )
        return secret

    def names(self, session: Session) -> list[str]:
        """What an agent can use in a session."""
        registered = session.parts.get(SessionSecrets)
        mine = registered.names if registered is not None else []
        return sorted({*mine, *self._tenants.get(session.owner.tenant, {})})

    def _mask(self, secret: Secret, scope: Scope) -> None:
        """Have it looked for in everything; one that could be guessed so in our records alone."""
        if secret.guessable:
            scope = of_place(scope.tenant, scope.session, "")
        self._masker.add(secret.name, secret.value, scope)

    async def note_use(
        self, session: Session, tab: Tab, origin: str, secret: Secret, text: str
    ) -> None:
        """A page is about to have it: from now on what comes from there shows no part of it either.

        What the operator keeps is masked so in every session, and after a restart: its site may
        keep what it was given. Of a PIN every number of as many digits is taken for it, so that
        none tells which it is. A one-time code is masked as a whole: it is of no use in a minute,
        and numbers are.
        """
        session.parts.of(SecretPlaces, SecretPlaces).note(tab, origin, secret.name)
        place = of_place(session.owner.tenant, session.id, origin)
        if secret.totp:
            self._masker.add(secret.name, text, _scope(session))
        elif not secret.guessable:
            self._masker.add_parts(secret.name, secret.value, place)
            await self._note_used(session.owner.tenant, secret.name, origin)
        elif secret.value.isdecimal():
            self._masker.add_code(secret.name, len(secret.value), place)
        else:
            self._masker.add(secret.name, secret.value, place)

    async def _note_used(self, tenant: str, name: str, origin: str) -> None:
        kept = self._tenants.get(tenant, {})
        secret = kept.get(name)
        if secret is None or origin in secret.used:
            return
        kept[name] = secret = replace(secret, used=(*secret.used, origin))
        self._mask_parts(tenant, secret, origin)
        await asyncio.to_thread(self._kept.save, tenant, secret)

    def _mask_parts(self, tenant: str, secret: Secret, origin: str) -> None:
        self._used.setdefault(tenant, {}).setdefault(origin, set()).add(secret.name)
        self._masker.add_parts(secret.name, secret.value, of_place(tenant, "", origin))

    def find(self, session: Session, name: str) -> Secret | None:
        """The secret that a name means in a session."""
        registered = session.parts.get(SessionSecrets)
        mine = registered.get(name) if registered is not None else None
        return mine or self._tenants.get(session.owner.tenant, {}).get(name)

    def is_kept_for(self, session: Session, origin: str) -> bool:
        """Whether there is one for an origin that the session's agent does not know."""
        kept = self._tenants.get(session.owner.tenant, {}).values()
        return any(each.fits(origin) for each in kept)

    def usable(self, session: Session, name: str, origin: str) -> Secret:
        """A secret that may be filled into a document of an origin."""
        secret = self.find(session, name)
        registered = session.parts.get(SessionSecrets)
        if secret is not None and registered is not None and not secret.origins:
            secret = registered.bind(secret, origin)
        if secret is None:
            known = ", ".join(f"<{each}>" for each in self.names(session))
            raise UnknownSecret(
                "no secret of that name is registered; nothing was typed",
                hint=f"There are: {known}." if known else "Register it first, or ask the operator.",
            )
        if self.guesses.has_stopped(session.owner, name):
            raise SecretRefused(
                f"parts of <{name}> were tried out; nothing was typed",
                hint="The operator was told, and can keep it anew.",
            )
        if not secret.fits(origin):
            here = origin if origin not in {"", "null"} else "no origin"
            raise SecretRefused(
                f"<{name}> is for {secret.scope or 'pages of the web'}, and the field is in a "
                f"document of {here}; nothing was typed"
            )
        return secret


def _scope(session: Session) -> Scope:
    return of_session(session.owner.tenant, session.id)


def _operator(principal: Principal) -> None:
    principal.require(Role.OPERATOR, "keeping secrets")


def secret_name(call: Call, text: str, *, literal: bool = False) -> str | None:
    """The name of the secret that a text stands for, if it stands for one.

    `<DIV>` is just what it says, unless there is a secret of that name. Where one is nearly called
    so, or the name sounds like one, a secret was meant, and nothing is typed in its place.
    """
    named = None if literal else NAMED.fullmatch(text)
    if named is None:
        return None
    known = call.kernel.secrets.names(call.session)
    if named[1] in known:
        return named[1]
    near = _nearly(named[1], known)
    if near or _SECRET_WORDS & set(named[1].split("_")):
        meant = f"Did you mean {' or '.join(f'<{each}>' for each in near)}? " if near else ""
        raise UnknownSecret(
            "no secret of that name is registered; nothing was typed",
            hint=f"{meant}To type the text as it is, give literal: true.",
        )
    return None


def _nearly(name: str, known: Sequence[str]) -> list[str]:
    """Names that differ by a slip, or share a word."""
    words = set(name.split("_"))
    alike = difflib.get_close_matches(name, known, n=3, cutoff=_ALIKE)
    return alike + [each for each in known if words & set(each.split("_")) and each not in alike]


async def materialised(
    call: Call, ref: str | None, text: str, *, literal: bool = False
) -> str | SecretText:
    """What is really typed into a field: the value, where the text is the name of a secret.

    From here on the document counts as knowing it.
    """
    name = secret_name(call, text, literal=literal)
    if name is None:
        return text
    if ref is None:
        raise SecretRefused(
            "a secret is typed into a field that is named, not wherever the focus is",
            hint="Give the field's ref.",
        )
    frame, _ = call.tab.agent.locate(ref)
    secret = _usable_here(call, name, frame)
    taint = call.session.parts.of(Taint, Taint)
    taint.mark(call.tab, frame, code=name if secret.guessable else "")
    value = secret.text
    await call.kernel.secrets.note_use(call.session, call.tab, frame.origin, secret, value)
    gate = call.session.parts.get(OutgoingGate)
    if gate is not None:
        await gate.look_for_secrets()
    code = secret.guessable and secret.value.isdecimal()
    return SecretText(value, name, secret.unknown, secret.fields, call.agreed_field, code)


async def _mark_within_reach(call: Call, tab: Tab, taint: Taint) -> None:
    """A document may have a secret that was filled in before: from history, storage or its site.

    Scripts of the caller make anything of what they read, so they are kept from what its site shows
    of a secret that nobody has filled in, too.
    """
    concealing = tab.actions.concealing
    scripts = call.tool.capability is Capability.EVAL
    for frame in tab.page.frames:
        origin = frame.origin
        known = origin in taint.origins or (
            scripts and call.kernel.secrets.is_kept_for(call.session, origin)
        )
        if known and await concealing.is_within_reach(frame, timeout=call.left):
            taint.mark(tab, frame)


def _usable_here(call: Call, name: str, frame: Frame) -> Secret:
    """A secret that may be filled into a frame."""
    secret = call.kernel.secrets.usable(call.session, name, frame.origin)
    provenance = call.session.parts.get(Provenance)
    by = provenance.altered_by(frame.origin) if provenance is not None else ""
    if secret.unknown and by:
        raise SecretRefused(
            f"<{name}> is not filled in where the caller had a hand in what pages are: {by}",
            hint="Fill it in before that, or in a session of its own: `open_session`.",
            call=by,
        )
    return secret


def note_alteration(call: Call) -> None:
    """What a call changes in pages is known from now on, whether it succeeds or not."""
    if not call.tool.alters or call.session_or_none is None:
        return
    provenance = call.session.parts.of(Provenance, Provenance)
    by = f"{call.tool.name} ({call.id})"
    if call.tool.alters == "session" or call.tab_or_none is None:
        provenance.note(by)
    else:
        provenance.note(by, {frame.origin for frame in call.tab.page.frames})


async def refuse_stopped(call: Call) -> None:
    """Tell a call whose input made a page try to send a secret elsewhere that it was stopped."""
    session = call.session_or_none
    gate = session.parts.get(OutgoingGate) if session is not None else None
    if gate is None or call.tool.reads:
        return
    for stopped in await gate.secret_requests.taken():
        if stopped.told:
            raise stopped.error()


async def in_other_field(call: Call) -> bool:
    """Whether a call would put a secret into a field that is none for secrets.

    Such a field shows what it holds, and its site may do so elsewhere; a person is asked.
    """
    text = call.given.entered
    named = NAMED.fullmatch(text) if text is not None else None
    if named is None or call.target is None or call.session_or_none is None:
        return False
    found = call.kernel.secrets.find(call.session, named[1])
    if found is None or not found.unknown:
        return False
    frame, number = call.tab.agent.locate(call.target)
    # Nobody is asked about what is refused anyhow.
    secret = _usable_here(call, found.name, frame)
    return not await call.tab.agent.call(
        frame,
        "takes_secret",
        caller=call.caller,
        ref=number,
        named=list(secret.fields),
        timeout=call.left,
    )


async def refuse_tainted(call: Call) -> None:
    """Refuse what would show a document as it is while it knows a secret."""
    tool, session = call.tool, call.session_or_none
    if not (tool.raw or tool.capability in _RAW) or session is None:
        return
    tab, taint = call.tab_or_none, session.parts.of(Taint, Taint)
    if tab is not None and not taint.holds(tab):
        await _mark_within_reach(call, tab, taint)
    if taint.holds(tab) if tab is not None else taint.lasting:
        raise DocumentTainted(
            f"a secret was filled in here, and {tool.name} would show what the page makes of it"
        )
