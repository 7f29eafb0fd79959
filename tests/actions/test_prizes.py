"""The prize list of an event: kept as typed, journalled, never lost to somebody who was quicker."""

import pytest

from tests.support.nights import BY, make_night
from tourney.actions.prizes import set_prizes
from tourney.actions.record import Stale
from tourney.actions.store_players import erase
from tourney.models import Event, JournalEntry
from tourney.queries.awards import list_before, prizes_of

pytestmark = pytest.mark.django_db

LIST = "1: flagship model\n2-4: booster"


def test_the_list_is_kept_with_an_entry_in_the_journal():
    event = make_night(players=2).event

    set_prizes(event, LIST, expected="", by=BY)
    set_prizes(event, "1: cup", expected=LIST, by=BY)

    event = Event.objects.get(pk=event.pk)
    entries = JournalEntry.objects.filter(event=event, did="set_prizes").order_by("pk")
    assert event.prizes == "1: cup"
    assert [(entry.what, entry.before, entry.after) for entry in entries] == [
        ("Prize list added.", {"prizes": ""}, {"prizes": "1: flagship model; 2-4: booster"}),
        ("Prize list changed.", {"prizes": "1: flagship model; 2-4: booster"}, {"prizes": "1: cup"}),
    ]


def test_pressed_twice_it_is_saved_once():
    event = make_night(players=2).event

    for _ in range(2):
        set_prizes(event, LIST, expected="", by=BY)

    assert JournalEntry.objects.filter(event=event, did="set_prizes").count() == 1


def test_who_saw_an_older_list_does_not_overwrite_the_newer_one():
    event = make_night(players=2).event
    set_prizes(event, LIST, expected="", by=BY)

    with pytest.raises(Stale):
        set_prizes(event, "1: cup", expected="", by=BY)

    assert Event.objects.get(pk=event.pk).prizes == LIST


def test_the_list_can_be_written_after_the_end():
    event = make_night(players=4, rounds=3, finish=True).event

    set_prizes(event, LIST, expected="", by=BY)

    assert Event.objects.get(pk=event.pk).prizes == LIST


def test_the_list_before_is_the_last_one_of_the_store():
    first = make_night(players=0)
    store = first.store
    second, third, tonight = (make_night(players=0, store=store).event for _ in range(3))
    Event.objects.filter(pk=first.event.pk).update(starts_at="2026-08-20T18:00Z", prizes="1: august")
    Event.objects.filter(pk=second.pk).update(starts_at="2026-09-20T18:00Z", prizes="1: september")
    Event.objects.filter(pk=third.pk).update(starts_at="2026-10-20T18:00Z")

    assert list_before(tonight).prizes == "1: september"


def test_an_erased_player_stands_in_no_list():
    event = make_night(players=2).event
    player = event.entrants.get(number=1).player
    set_prizes(event, f"1: the cup of {player.name}", expected="", by=BY)

    erase(player, by=BY)

    event = Event.objects.get(pk=event.pk)
    assert player.name not in event.prizes
    assert [prize.ranks for prize in prizes_of(event)] == [(1, 1)]
