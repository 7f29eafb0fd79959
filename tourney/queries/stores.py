"""Stores, who has a role there, and who is invited."""

from collections.abc import Iterable
from datetime import datetime
from re import fullmatch
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from tourney.domain.keys import hash_of
from tourney.domain.short_codes import PATTERN, number_of
from tourney.models import Invitation, Membership, RetiredAddress, Role, Store, StoreLogo, User


def stores_by_name() -> QuerySet[Store]:
    """All but those of rehearsals, as lists have them."""
    return Store.objects.real().order_by("found_by", "pk")


def first_store_of(user: User) -> Store | None:
    """Where somebody who signs in begins."""
    return Store.objects.with_role(user).order_by("name").first()


def own_store_of(user: User, path: str) -> Store | None:
    """The store whose page, or whose event's page, has that path, if this user has a role there."""
    kind, slug, *_ = (*path.strip("/").split("/"), "")
    if not slug or kind not in ("s", "e"):
        return None
    at_it = Q(slug=slug) if kind == "s" else Q(campaigns__events__slug=slug)
    return Store.objects.with_role(user).filter(at_it).first()


def members_of(store: Store) -> list[Membership]:
    """Owners first, then organizers and judges, each by name."""
    members = store.memberships.select_related("user").order_by("user__username")
    return sorted(members, key=lambda member: Role.values.index(member.role))


def member_of(store: Store, number: int) -> Membership | None:
    """The membership of that id at the store, None if there is none."""
    return Membership.objects.select_related("user").filter(pk=number, store=store).first()


def waiting_invitations(store: Store, now: datetime) -> QuerySet[Invitation]:
    """Those that can still be used, the oldest first."""
    return store.invitations.filter(used_at=None, expires_at__gt=now).order_by("made_at")


def unused_invitation(store: Store, number: int) -> Invitation | None:
    """The invitation of that id that nobody has used, None if there is none."""
    return store.invitations.filter(used_at=None, pk=number).first()


def invitation_with(key: str, **which: Any) -> Invitation | None:
    """The one that this key opens, with its store; `which` narrows it down."""
    return Invitation.objects.select_related("store").filter(key_hash=hash_of(key), **which).first()


def logo_of(store: Store) -> StoreLogo | None:
    """The file of the store's logo, None if it has none."""
    return StoreLogo.objects.filter(store=store).first() if store.logo else None


def retired_address(path: str) -> RetiredAddress | None:
    """The address of a store that was deleted, or of an event or a card of one, which that page belonged to."""
    kind, slug, *_ = (*path.strip("/").split("/"), "")
    found = RetiredAddress.objects.select_related("store")
    if slug and kind == "card":
        return found.filter(path=f"/card/{hash_of(slug)}/").first()
    if slug and kind in ("s", "e"):
        return found.filter(path=f"/{kind}/{slug}/").first()
    number = number_of(kind) if not slug and fullmatch(PATTERN, kind) else None
    return found.filter(event=number).first() if number else None


def was_deleted(path: str) -> bool:
    """Whether that page was one of a store, or of an event of one, that was deleted."""
    return retired_address(path) is not None


def retired(before: str, slugs: Iterable[str]) -> set[str]:
    """Those of these slugs that a deleted store had in an address that began so: /s/ or /e/."""
    paths = RetiredAddress.objects.filter(path__in=[f"{before}{slug}/" for slug in slugs])
    return {path.removeprefix(before).removesuffix("/") for path in paths.values_list("path", flat=True)}


def member_at(store: Store, user: User | AnonymousUser) -> Membership | None:
    """The membership of that user at the store, None if there is none."""
    return Membership.objects.select_related("user").filter(user=user.pk, store=store).first()
