"""The Talon classes of a store: add, change, remove."""

from datetime import datetime

from django.db import transaction

from tourney.actions.record import Actor, Refused, Stale, new_number, record_at_store, still_there
from tourney.domain.verbs import Verb
from tourney.models import Store, TalonClass
from tourney.runtime.messages import Message, message

FACTS = ("name", "curves")


@transaction.atomic
def add(store: Store, *, by: Actor, name: str, curves: str) -> TalonClass:
    """A class that everyone at the store can choose. Raises Refused where one has that name."""
    _lock(store)
    _refuse_second(store, name)
    number = new_number(store, store.talon_classes, Verb.ADD_TALON_CLASS)
    one = TalonClass.objects.create(
        store=store, number=number, name=name, curves=curves, saved_by=by.name, saved_at=by.at
    )
    what = message("Talon class {name} added.", name=name)
    record_at_store(store, by=by, did=Verb.ADD_TALON_CLASS, what=what, after=_facts(one))
    return one


@transaction.atomic
def change(one: TalonClass, *, by: Actor, name: str, curves: str, expected_saved_at: datetime | None = None) -> None:
    """Change name or curves of the class; the same again changes nothing. Raises Refused for a name that another has.

    `expected_saved_at` is when the class that the person changes was saved; Stale if it was changed or removed since.
    """
    _lock(one.store)
    if not TalonClass.objects.filter(pk=one.pk).exists():
        raise Stale(_gone(one), message("Your changes aren’t saved. Add it as a new class."))
    one.refresh_from_db()
    if expected_saved_at not in (None, one.saved_at):
        raise Stale(
            message(
                "{by} saved {name} as {curves} while you were editing. Save again to replace it.",
                by=one.saved_by,
                name=one.name,
                curves=one.curves,
            )
        )
    before, after = _facts(one), {"name": name, "curves": curves}
    if before == after:
        return
    _refuse_second(one.store, name, but=one.pk)
    one.name, one.curves, one.saved_by, one.saved_at = name, curves, by.name, by.at
    one.save()
    what = message("Talon class {name} changed.", name=before["name"])
    record_at_store(one.store, by=by, did=Verb.CHANGE_TALON_CLASS, what=what, before=before, after=after)


@transaction.atomic
def remove(one: TalonClass, *, by: Actor) -> None:
    """Take the class away; the journal of the store keeps its curves."""
    store = one.store
    _lock(store)
    one = still_there(store.talon_classes, _gone(one), pk=one.pk)
    what = message("Talon class {name} removed.", name=one.name)
    record_at_store(one.store, by=by, did=Verb.REMOVE_TALON_CLASS, what=what, before=_facts(one))
    one.delete()


def _lock(store: Store) -> None:
    Store.objects.select_for_update().get(pk=store.pk)


def _refuse_second(store: Store, name: str, but: int | None = None) -> None:
    if other := store.talon_classes.exclude(pk=but or 0).filter(name__iexact=name).first():
        raise Refused(
            message("Your store already has a class {name}. Choose another name, or edit that class.", name=other.name)
        )


def _gone(one: TalonClass) -> Message:
    return message("Talon class {name} has been removed.", name=one.name)


def _facts(one: TalonClass) -> dict[str, str]:
    return {name: getattr(one, name) for name in FACTS}
