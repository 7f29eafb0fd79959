"""What somebody else removed between a page and its form: a sentence that says so, and nothing changed."""

from collections.abc import Callable

import pytest

from tests.support.nights import BY, Night, make_night
from tests.support.own_packs import begun
from tourney.actions import entrants, fleets, rehearsal, tokens, wishes
from tourney.actions.record import Stale, locked
from tourney.judge.actions import house_rulings, talon_classes
from tourney.models import JournalEntry, Wish
from tourney.month_packs.actions import packs

pytestmark = pytest.mark.django_db


def fleet_of_a_removed_player(night: Night) -> Callable:
    entrant = night.event.entrants.select_related("player").get(number=1)
    fleet = fleets.make_fleet(entrant.player, "Patrol", by=BY)
    entrants.remove(night.event, 1, by=BY)
    return lambda: fleets.assign_to_event(night.event, 1, fleet, by=BY)


def deleted_fleet(night: Night) -> Callable:
    fleet = fleets.make_fleet(night.event.entrants.get(number=1).player, "Patrol", by=BY)
    fleets.delete_fleet(fleet)
    return lambda: fleets.assign_to_event(night.event, 1, fleet, by=BY)


def token_of_a_removed_player(night: Night) -> Callable:
    entrants.remove(night.event, 1, by=BY)
    return lambda: tokens.spend(night.event, 1, entrant=1, key="k", by=BY)


def wish_of_a_removed_player(night: Night) -> Callable:
    entrants.remove(night.event, 1, by=BY)
    return lambda: wishes.ask(night.event, 1, Wish.Kind.DROP, by=BY)


def draft_to_keep(night: Night) -> Callable:
    draft = begun(night.store, night.owner)
    packs.discard(draft)
    return lambda: packs.keep(draft, {}, page="page", expected_edits=0, by=BY)


def draft_to_save(night: Night) -> Callable:
    draft = begun(night.store, night.owner)
    packs.discard(draft)
    return lambda: packs.save(draft, draft.origin.rules, note="", over=0, by=BY)


def ruling_to_change(night: Night) -> Callable:
    ruling = house_rulings.add(night.store, by=BY, topic="Asteroids", text="They are obstacles.")
    house_rulings.remove(ruling, by=BY)
    return lambda: house_rulings.change(ruling, by=BY, topic="Dust")


def ruling_to_remove(night: Night) -> Callable:
    ruling = house_rulings.add(night.store, by=BY, topic="Asteroids", text="They are obstacles.")
    type(ruling).objects.filter(pk=ruling.pk).delete()
    return lambda: house_rulings.remove(ruling, by=BY)


def talon_class_to_remove(night: Night) -> Callable:
    one = talon_classes.add(night.store, by=BY, name="Scout", curves="1")
    type(one).objects.filter(pk=one.pk).delete()
    return lambda: talon_classes.remove(one, by=BY)


def rehearsal_discarded(night: Night) -> Callable:
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0), by=BY, seed=1)
    rehearsal.discard(copy.store.rehearsal)
    return lambda: locked(copy)


GONE = [
    fleet_of_a_removed_player,
    deleted_fleet,
    token_of_a_removed_player,
    wish_of_a_removed_player,
    draft_to_keep,
    draft_to_save,
    ruling_to_change,
    ruling_to_remove,
    talon_class_to_remove,
    rehearsal_discarded,
]


@pytest.mark.parametrize("gone", GONE)
def test_what_was_removed_meanwhile_is_said_in_a_sentence_and_nothing_changes(gone):
    act = gone(make_night(players=4))
    before = JournalEntry.objects.count()

    with pytest.raises(Stale, match="has been removed"):
        act()

    assert JournalEntry.objects.count() == before
