"""Stores, roles and invitations."""

import secrets
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Manager, QuerySet
from django.utils.text import slugify

from tourney.actions.record import NOTHING_CHANGED, Actor, Refused, bump_version_and_notify, record_at_store
from tourney.domain.keys import hash_of
from tourney.domain.pictures import Picture
from tourney.domain.verbs import Verb
from tourney.models import Event, Invitation, Membership, RetiredAddress, Role, Store, StoreLogo, User
from tourney.runtime import locales
from tourney.runtime.messages import Message, Param, message, pmessage

INVITATION_DAYS = 14
SLUGS = 5106  # any number, as long as it is this lock's alone
FIXED_WORDS = frozenset({"new", "desk", "join"})
ROLES: dict[str, Message] = {
    Role.OWNER: pmessage("in a sentence", "owner"),
    Role.ORGANIZER: pmessage("in a sentence", "organizer"),
    Role.JUDGE: pmessage("in a sentence", "judge"),
}


@transaction.atomic
def make_store(
    *,
    name: str,
    time_zone: str,
    by: Actor,
    place: str = "",
    locale: str = locales.USUAL,
    owner: User | None = None,
) -> Store:
    """A new store; its owner, if given, gets the role at once."""
    slug = free_slug(Store.objects.all(), name, before="/s/")
    store = Store.objects.create(name=name, slug=slug, place=place, time_zone=time_zone, locale=locale)
    what = message("Store “{name}” created.", name=name)
    record_at_store(store, by=by, did=Verb.MAKE_STORE, what=what, after={"name": name})
    if owner:
        give_role(store, owner, Role.OWNER, by=by)
    return store


@transaction.atomic
def change_store(store: Store, *, by: Actor, **settings: str) -> None:
    """Change some of its name, place, time_zone, locale, names_shown; all pages of its events notice, finished too."""
    _change(store, message("Store settings changed."), by=by, **settings)


@transaction.atomic
def change_look(store: Store, *, accent: str, logo: Picture | None, by: Actor, removes_logo: bool = False) -> None:
    """The store's color (`#rrggbb`, or empty) and its logo: another one, none any more, or the same as before."""
    changes: dict[str, str | int] = {"accent": accent}
    if logo:
        name = f"{sha256(logo.content).hexdigest()[:12]}.{logo.kind}"
        changes |= {"logo": name, "logo_width": logo.width, "logo_height": logo.height}
        file = {"kind": logo.kind, "content": logo.content}
        StoreLogo.objects.update_or_create(store=store, defaults=file)
    elif removes_logo:
        changes |= {"logo": "", "logo_width": 0, "logo_height": 0}
        StoreLogo.objects.filter(store=store).delete()
    if any(getattr(store, name) != value for name, value in changes.items()):
        _change(store, message("The store’s look changed."), by=by, **changes)


@transaction.atomic
def move_store(store: Store, address: str, *, by: Actor) -> None:
    """Everybody finds the store at that address from now on, another installation's; "": it is here again."""
    if store.moved_to != address:
        what = message("The store has moved to {address}.", address=address)
        _change(store, what if address else message("The store is here again."), by=by, moved_to=address)


def _change(store: Store, what: Message, *, by: Actor, **columns: str | int) -> None:
    before = {name: getattr(store, name) for name in columns}
    for name, value in columns.items():
        setattr(store, name, value)
    for event in Event.objects.filter(campaign__store=store).order_by("pk"):
        bump_version_and_notify(event)
    store.save(update_fields=[*columns, "found_by"])
    record_at_store(store, by=by, did=Verb.CHANGE_STORE, what=what, before=before, after=columns)


def hide_first_event(store: Store) -> None:
    """The steps to the first event leave the home page: a matter of its looks, so no journal has it."""
    Store.objects.filter(pk=store.pk).update(first_event_hidden=True)


def give_role(store: Store, user: User, role: str, *, by: Actor) -> Membership:
    """Create the membership of a user at the store. Raises Refused if there is one already."""
    membership, made = Membership.objects.get_or_create(user=user, store=store, defaults={"role": role})
    if not made:
        facts: dict[str, Param] = {"name": user.username, "store": store.name, "role": ROLES[membership.role]}
        raise Refused(message("{name} already has a role at {store}: {role}.", **facts))
    record_at_store(
        store,
        by=by,
        did=Verb.GIVE_ROLE,
        what=message("{name} now has this role: {role}.", name=user.username, role=ROLES[role]),
        after={"role": role},
    )
    return membership


@transaction.atomic
def take_role(membership: Membership, *, by: Actor) -> None:
    """Take a role away. A store keeps at least one owner. Raises Refused."""
    store = Store.objects.select_for_update().filter(pk=membership.store_id).first()
    found = store and Membership.objects.select_related("user").filter(pk=membership.pk).first()
    if not (store and found):
        raise Refused(NOTHING_CHANGED, message("This role has already been taken away."))
    membership = found
    owners = Membership.objects.filter(store=store, role=Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not owners.exists():
        raise Refused(message("{name} is the only owner. Invite another owner first.", name=membership.user.username))
    what = message(
        "{name} no longer has this role: {role}.", name=membership.user.username, role=ROLES[membership.role]
    )
    record_at_store(store, by=by, did=Verb.TAKE_ROLE, what=what, before={"role": membership.role})
    membership.delete()


@transaction.atomic
def invite(store: Store | None, role: str, *, by: Actor, note: str = "") -> str:
    """Make an invitation and return the key of its link. The key itself is not stored."""
    key = secrets.token_urlsafe(24)
    Invitation.objects.create(
        store=store,
        role=role,
        note=note,
        key_hash=hash_of(key),
        made_by=by.user,
        made_at=by.at,
        expires_at=by.at + timedelta(days=INVITATION_DAYS),
    )
    if store:
        what = message("Invitation created ({role}).", role=ROLES[role])
        if note:
            what = message("Invitation created for {name} ({role}).", name=note, role=ROLES[role])
        record_at_store(store, by=by, did=Verb.INVITE, what=what, after={"role": role})
    return key


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, by: Actor) -> None:
    """Delete an invitation, with an entry of the journal."""
    what = message("Invitation withdrawn ({role}).", role=ROLES[invitation.role])
    record_at_store(_store_of(invitation), by=by, did=Verb.WITHDRAW_INVITATION, what=what)
    invitation.delete()


@transaction.atomic
def accept_invitation(invitation: Invitation, user: User, *, by: Actor) -> Store:
    """Use an invitation to a store: the user gets the role; the link is spent."""
    store = _store_of(invitation)
    _use(invitation, user, by=by)
    give_role(store, user, invitation.role, by=by)
    return store


@transaction.atomic
def set_up(
    invitation: Invitation, user: User, *, store_name: str, time_zone: str, locale: str, by: Actor, place: str = ""
) -> Store:
    """Use the one-time set-up link: the first store, with this user as its owner."""
    _use(invitation, user, by=by)
    if not Store.objects.real().exists():
        User.objects.filter(pk=user.pk).update(is_staff=True)  # the person who runs the installation gave them the link
    return make_store(name=store_name, place=place, time_zone=time_zone, locale=locale, by=by, owner=user)


@transaction.atomic
def set_up_key(*, by: Actor, another: bool = False) -> str | None:
    """The key of a new set-up link, in place of any unused one; once there is an owner only for `another` store."""
    if not another and Membership.objects.filter(role=Role.OWNER).exists():
        return None
    Invitation.objects.filter(store=None, used_at=None).delete()
    return invite(None, Role.OWNER, by=by)


def make_user(username: str, password: str) -> User:
    """A user who can sign in. Raises Refused if the name is taken or the password too weak."""
    user = User(username=username)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refused(*error.messages) from error
    user.set_password(password)
    return save_new(user)


def save_new(user: User) -> User:
    """The user, who can sign in from now on. Raises Refused if somebody of that name, in capitals or not, is there."""
    taken = message("The sign-in name “{name}” is taken. Choose another.", name=user.username)
    if User.objects.filter(username__iexact=user.username).exists():
        raise Refused(taken)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise Refused(taken) from error
    return user


def _store_of(invitation: Invitation) -> Store:
    """The store that it invites to. Raises LookupError for a set-up link."""
    if invitation.store is None:
        raise LookupError("a set-up link invites to no store yet")
    return invitation.store


def _use(invitation: Invitation, user: User, *, by: Actor) -> None:
    row = Invitation.objects.select_for_update().filter(pk=invitation.pk).first()
    if row is None:
        raise Refused(message("This link has been withdrawn. Ask for a new one."))
    if row.used_at:
        raise Refused(message("This link was already used. Each link works once."))
    if row.expires_at < by.at:
        raise Refused(message("This link has expired: it was good for {days} days.", days=INVITATION_DAYS))
    row.used_at, row.used_by = by.at, user
    row.save()


def free_slug(rows: QuerySet[Any] | Manager[Any], name: str, *, among: str = "", before: str = "") -> str:
    """A slug made of the name that no row has: name, name-2, name-3 … Nobody else takes it before the commit.

    Nobody waits for anybody: what somebody else is about to take is passed over. `among` names the rows that must
    differ, if not all of their kind must. Nor had a deleted store ever an address of it that began with `before`.
    """
    base = slugify(name)[:50] or "unnamed"
    taken = set(rows.filter(slug__startswith=base).values_list("slug", flat=True)) | FIXED_WORDS
    if before:
        retired = RetiredAddress.objects.filter(path__startswith=f"{before}{base}").values_list("path", flat=True)
        taken |= {path.removeprefix(before).removesuffix("/") for path in retired}
    return next(
        slug
        for slug in _slugs(base)
        if slug not in taken and _reserved(_lock_of(rows.model, among, slug)) and not rows.filter(slug=slug).exists()
    )


def _reserved(what: str) -> bool:
    """Whether that is kept from everybody else until the end of the transaction; False if somebody else has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))", [SLUGS, what])
        return bool(cursor.fetchone()[0])


def _lock_of(model: type[Any], among: str, slug: str) -> str:
    return f"{model._meta.db_table} {among} {slug}"


def lock_slug(slug: str) -> None:
    """Until the end of the transaction nobody else gives this very slug to an event; waits for who is about to."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [SLUGS, _lock_of(Event, "", slug)])


def lock_campaigns(store: Store) -> None:
    """Until the end of the transaction nobody else who comes here makes a campaign at that store."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('campaigns', %s))", [store.pk])


def _slugs(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1
