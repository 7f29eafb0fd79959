"""The Talon classes of a store: add, change, remove."""

from datetime import datetime

from django.db import transaction

from tourney.actions.record import Actor, Refused, Stale, new_number, record_at_store, still_there
from tourney.domain.verbs import Verb
from tourney.models import Store, TalonClass
from tourney.runtime.messages import message

FACTS = ("name", "curves")


@transaction.atomic
def add(store: Store, *, by: Actor, name: str, curves: str) -> TalonClass:
    """A class that everybody at the store can choose. Raises Refused where one has that name."""
    _lock(store)
    _refuse_second(store, name)
    number = new_number(store, store.talon_classes, Verb.ADD_TALON_CLASS)
    one = TalonClass.objects.create(
        store=store, number=number, name=name, curves=curves, saved_by=by.name, saved_at=by.at
    )
    record_at_store(store, by=by, did=Verb.ADD_TALON_CLASS, what=f"Talon class {name} added.", after=_facts(one))
    return one


@transaction.atomic
def change(one: TalonClass, *, by: Actor, name: str, curves: str, expected_saved_at: datetime | None = None) -> None:
    """Change name or curves of the class; the same again changes nothing. Raises Refused for a name that another has.

    `expected_saved_at` is when the class that the person changes was saved; Stale if it was changed or removed since.
    """
    _lock(one.store)
    if not TalonClass.objects.filter(pk=one.pk).exists():
        raise Stale(f"Meanwhile {one} was removed. Nothing was saved; add it as a new class.")
    one.refresh_from_db()
    if expected_saved_at not in (None, one.saved_at):
        raise Stale(f"Meanwhile {one.saved_by} saved {one}: {one.curves}. Save again to put yours in its place.")
    before, after = _facts(one), {"name": name, "curves": curves}
    if before == after:
        return
    _refuse_second(one.store, name, but=one.pk)
    one.name, one.curves, one.saved_by, one.saved_at = name, curves, by.name, by.at
    one.save()
    what = f"Talon class {before['name']} changed."
    record_at_store(one.store, by=by, did=Verb.CHANGE_TALON_CLASS, what=what, before=before, after=after)


@transaction.atomic
def remove(one: TalonClass, *, by: Actor) -> None:
    """Take the class away; the journal of the store keeps its curves."""
    store = one.store
    _lock(store)
    one = still_there(store.talon_classes, message("Talon class {name} has been removed.", name=str(one)), pk=one.pk)
    what = f"Talon class {one} removed."
    record_at_store(one.store, by=by, did=Verb.REMOVE_TALON_CLASS, what=what, before=_facts(one))
    one.delete()


def _lock(store: Store) -> None:
    Store.objects.select_for_update().get(pk=store.pk)


def _refuse_second(store: Store, name: str, but: int | None = None) -> None:
    if other := store.talon_classes.exclude(pk=but or 0).filter(name__iexact=name).first():
        raise Refused(f"The store has a class {other} already. Choose another name, or change that one.")


def _facts(one: TalonClass) -> dict[str, object]:
    return {name: getattr(one, name) for name in FACTS}
