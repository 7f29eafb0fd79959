"""Month packs of a store's own, made through the same actions as the pages."""

from dataclasses import replace

from scoring.domain.pack import MonthPack
from scoring.shipped import shipped_pack
from tests.support.nights import AT
from tourney.actions.record import Actor
from tourney.models import OwnPack, PackDraft, PackVersion, Store, User
from tourney.month_packs.actions import packs
from tourney.month_packs.forms.typed import typed_of
from tourney.queries.packs import free_address


def by(user: User) -> Actor:
    return Actor(user, user.username, AT)


def begun(store: Store, user: User, rules: MonthPack | None = None, own: OwnPack | None = None) -> PackDraft:
    """A draft of a copy of that pack, by default of Dominion War month 6; or of the next version of an own one."""
    rules = rules or (own.versions.last().pack.rules if own else shipped_pack("dominion-war-6"))
    typed = typed_of(rules) if own else typed_of(rules) | {"slug": [free_address(rules, store)]}
    return packs.begin(store, rules, typed, by=by(user), own=own)


def saved(store: Store, user: User, own: OwnPack | None = None, note: str = "", **changes) -> PackVersion:
    """A first version of a copy, or the next version of an own pack, with these fields changed."""
    draft = begun(store, user, own=own)
    start = own.versions.last().pack.rules if own else shipped_pack("dominion-war-6")
    slug = own.slug if own else draft.typed["slug"][0]
    return packs.save(draft, replace(start, slug=slug, **changes), note=note, over=draft.base, by=by(user))
