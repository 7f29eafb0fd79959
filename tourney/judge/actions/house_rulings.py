"""A store's own rulings: add, change, remove."""

from django.db import transaction

from tourney.actions.record import Actor, new_number, record_at_store, still_there
from tourney.domain.verbs import Verb
from tourney.models import HouseRuling, Store
from tourney.runtime.messages import message

FACTS = ("topic", "text", "beside")


@transaction.atomic
def add(store: Store, *, by: Actor, topic: str, text: str, beside: str = "") -> HouseRuling:
    """A new ruling, under a number that none had before."""
    Store.objects.select_for_update().get(pk=store.pk)
    number = new_number(store, store.house_rulings, Verb.ADD_HOUSE_RULING)
    ruling = HouseRuling.objects.create(store=store, number=number, topic=topic, text=text, beside=beside)
    what = message("House ruling {number} added: {topic}.", number=str(ruling), topic=topic)
    record_at_store(store, by=by, did=Verb.ADD_HOUSE_RULING, what=what, after=_facts(ruling))
    return ruling


@transaction.atomic
def change(ruling: HouseRuling, *, by: Actor, **facts: str) -> None:
    """Change topic, text or beside; saving the same again changes nothing."""
    ruling = _locked(ruling)
    before = _facts(ruling)
    if before == before | facts:
        return
    for name, value in facts.items():
        setattr(ruling, name, value)
    ruling.save(update_fields=facts)
    what = message("House ruling {number} changed.", number=str(ruling))
    record_at_store(ruling.store, by=by, did=Verb.CHANGE_HOUSE_RULING, what=what, before=before, after=_facts(ruling))


@transaction.atomic
def remove(ruling: HouseRuling, *, by: Actor) -> None:
    """Take the ruling away; the journal of the store keeps its words."""
    ruling = _locked(ruling)
    what = message("House ruling {number} removed.", number=str(ruling))
    record_at_store(ruling.store, by=by, did=Verb.REMOVE_HOUSE_RULING, what=what, before=_facts(ruling))
    ruling.delete()


def _locked(ruling: HouseRuling) -> HouseRuling:
    rows = HouseRuling.objects.select_for_update(of=("self",)).select_related("store")
    return still_there(rows, message("House ruling {number} has been removed.", number=str(ruling)), pk=ruling.pk)


def _facts(ruling: HouseRuling) -> dict[str, object]:
    return {name: getattr(ruling, name) for name in FACTS}
