"""The versions of a store's own month packs, and bonuses that are typed from a kit's sheet."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from scoring.domain.pack import MonthPack as Rules
from scoring.domain.pack_sheet import SheetBonus, is_alike, is_said_by_lines, lines_of, with_bonuses
from scoring.models import MonthPack
from tourney.actions.record import Actor, Refused, record_at_store
from tourney.domain.verbs import Verb
from tourney.models import OwnPack, PackVersion, Store
from tourney.queries.packs import free_address, own_pack_called, own_packs
from tourney.runtime.messages import message

FROM_SHEET = message("Bonuses typed from the kit’s sheet.")


def save_version(own: OwnPack, rules: Rules, *, note: str, by: Actor) -> PackVersion:
    """The version `rules.version` of the store's own pack, under the store's lock. Raises Refused."""
    refuse_same_name(own, rules)
    version = PackVersion.objects.create(
        own=own,
        number=rules.version,
        pack=MonthPack.objects.keep(rules),
        note=note,
        at=by.at,
        by=by.user,
        by_name=by.name,
    )
    what = message("Month pack “{month}”: version {number} saved.", month=rules.heading, number=version.number)
    after = {"pack": own.slug, "pack_version": version.number, "note": version.note}
    record_at_store(own.store, by=by, did=Verb.SAVE_PACK, what=what, after=after)
    return version


def refuse_same_name(own: OwnPack, rules: Rules) -> None:
    """Raise Refused where another own pack in use is called the same."""
    for other in own_packs(own.store):
        if other.own != own and str(other.rules.heading).casefold() == str(rules.heading).casefold():
            raise Refused(
                message(
                    "Another of your packs is called “{month}”. Change the name or the month of this one.",
                    month=rules.heading,
                )
            )


@transaction.atomic
def keep_bonuses(store: Store, rules: Rules, lines: Sequence[SheetBonus], *, by: Actor) -> Rules:
    """These rules with those bonuses; the store's own pack of that month has them from now on, for its next event.

    An own pack whose bonuses say more than lines can keeps them. Lock events before: the store is locked here.
    """
    store = Store.objects.select_for_update().get(pk=store.pk)
    found = own_pack_called(store, rules)
    base = found.rules if found else rules
    if base.bonuses_known and tuple(lines) == lines_of(base):
        typed = base
    elif found and not is_said_by_lines(base):
        return with_bonuses(rules, lines)
    else:
        own = found.own if found and found.own else _made(store, rules)
        typed = replace(with_bonuses(base, lines), slug=own.slug, version=base.version + 1 if found else 1)
        save_version(own, typed, note=FROM_SHEET.in_english(), by=by)
    if is_alike(rules, typed):
        return typed
    return replace(rules, tallies=typed.tallies, bonuses=typed.bonuses, bonuses_known=True)


def _made(store: Store, rules: Rules) -> OwnPack:
    origin = MonthPack.objects.keep(rules)
    return OwnPack.objects.create(store=store, slug=free_address(rules, store), origin=origin)
