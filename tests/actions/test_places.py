"""Places at an event: who joins above the number waits, a place given back goes to the next, the desk releases some."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.nights import AT, BY, Night, make_night
from tests.support.undoing import redo, undo
from tourney.actions import entrants, places, regulars, rounds
from tourney.actions.events import Settings, change_event
from tourney.actions.record import Refused
from tourney.models import Event, JournalEntry
from tourney.queries.places import waiting_at
from tourney.queries.state import state_of
from tourney.queries.wall import registered

pytestmark = pytest.mark.django_db

NAMES = ("Vor", "Kestrel", "Talon", "Onyx", "Lark", "Quill")


def with_places(number: int | None, *names: str) -> Night:
    night = make_night(players=0)
    Event.objects.filter(pk=night.event.pk).update(places=number)
    night.event.refresh_from_db()
    if names:
        entrants.register(night.event, [(name, "Klingon") for name in names], by=BY)
    return night


def waiting(night: Night) -> list[str]:
    names = dict(night.event.entrants.values_list("number", "player__name"))
    return [names[number] for number in waiting_at(Event.objects.get(pk=night.event.pk))]


def moved(night: Night) -> list[str]:
    return [one.what for one in JournalEntry.objects.filter(event=night.event, did="move_up").order_by("pk")]


def settings_of(event: Event, **changes: object) -> Settings:
    return Settings(**({name: getattr(event, name) for name in Settings.__slots__} | changes))


def test_who_joins_above_the_number_waits_and_the_journal_says_so():
    night = with_places(2)

    registered = entrants.register(night.event, [(name, "") for name in NAMES[:3]], by=BY)

    assert registered.waiting == ("Talon",)
    assert waiting(night) == ["Talon"]
    assert JournalEntry.objects.get(did="register").what == "Registered: Vor and Kestrel. On the waiting list: Talon."


def test_who_waits_is_in_no_pairing_no_count_and_on_no_list():
    night = with_places(2, *NAMES[:4])

    count = entrants.check_in(night.event, by=BY)
    rounds.pair_round(night.event, seed=1, by=BY)

    state = state_of(night.event)
    assert count == 2
    assert sorted(number for match in state.rounds[0].matches for number in match.numbers) == [1, 2]
    assert [str(one) for one in registered(state)] == ["Kestrel", "Vor"]
    assert [str(one) for one in state.with_place] == ["Vor", "Kestrel"]


def test_who_waits_cannot_be_checked_in_before_there_is_a_place():
    night = with_places(1, "Vor", "Kestrel")

    with pytest.raises(Refused, match="Kestrel is on the waiting list"):
        entrants.check_in(night.event, [2], by=BY)

    entrants.remove(night.event, 1, by=BY)
    assert entrants.check_in(night.event, [2], by=BY) == 1


def test_who_is_added_at_the_desk_above_the_number_is_not_checked_in_at_once():
    night = with_places(1)

    entrants.register(night.event, [("Vor", ""), ("Kestrel", "")], by=BY, checked_in=True)

    assert list(night.event.entrants.values_list("checked_in", flat=True)) == [True, False]
    assert waiting(night) == ["Kestrel"]


def give_back_by_phone(event: Event) -> None:
    regulars.withdraw(event, 1, by=BY)


def give_back_at_the_desk(event: Event) -> None:
    entrants.remove(event, 1, by=BY)


def remove_two(event: Event) -> None:
    entrants.remove_many(event, [1, 4], by=BY)


def drop_one(event: Event) -> None:
    entrants.drop(event, 1, by=BY)


def one_place_more(event: Event) -> None:
    change_event(event, settings_of(event, places=3), by=BY)


@pytest.mark.parametrize("give_back", [give_back_by_phone, give_back_at_the_desk, remove_two, drop_one, one_place_more])
def test_a_place_given_back_goes_to_the_next_with_a_line_of_the_journal(give_back):
    night = with_places(2, *NAMES[:4])

    give_back(night.event)

    assert waiting(night) == [name for name in ("Onyx",) if give_back is not remove_two]
    assert moved(night) == ["Talon moves up from the waiting list and has a place."]


def test_nobody_moves_up_when_who_waits_withdraws():
    night = with_places(2, *NAMES[:4])

    regulars.withdraw(night.event, 3, by=BY)

    assert (waiting(night), moved(night)) == (["Onyx"], [])


def test_a_withdrawal_undone_gives_the_place_back_and_redone_it_moves_up_again():
    night = with_places(2, *NAMES[:3])
    regulars.withdraw(night.event, 1, by=BY)

    assert undo(night.event) == "withdraw"
    assert waiting(night) == ["Talon"]

    redo(night.event)
    assert waiting(night) == []
    assert len(moved(night)) == 2


def test_fewer_places_let_the_last_wait_but_nobody_who_is_here():
    night = with_places(None, *NAMES[:4])
    entrants.check_in(night.event, [4], by=BY)

    change_event(night.event, settings_of(night.event, places=2), by=BY)

    assert waiting(night) == ["Kestrel", "Talon"]


def test_the_desk_releases_the_places_of_who_is_not_here_in_one_step_with_undo():
    night = with_places(3, *NAMES[:5])
    entrants.check_in(night.event, [2], by=BY)

    released = places.release_places(night.event, by=BY)

    assert released == ("Vor", "Talon")
    assert waiting(night) == ["Vor", "Talon"]
    assert moved(night) == ["Onyx and Lark move up from the waiting list and have a place."]
    assert JournalEntry.objects.get(did="release_places").what == "2 places released: Vor and Talon."
    entrants.check_in(night.event, [4, 5], by=BY)
    with pytest.raises(Refused, match="No place can be released"):
        places.release_places(night.event, by=BY)


def test_a_release_undone_gives_everybody_the_place_they_had():
    night = with_places(2, *NAMES[:3])
    places.release_places(night.event, by=BY)
    assert waiting(night) == ["Kestrel"]

    assert undo(night.event) == "release_places"

    assert waiting(night) == ["Talon"]


def test_players_sign_up_until_it_closes_and_the_desk_after_that():
    night = with_places(None)
    Event.objects.filter(pk=night.event.pk).update(sign_up_closes_at=AT)
    early, late = (replace(BY, at=AT + timedelta(minutes=minutes)) for minutes in (-1, 0))

    entrants.register(night.event, [("Vor", "")], by=early, by_self=True)
    with pytest.raises(Refused, match="Registration is closed"):
        entrants.register(night.event, [("Kestrel", "")], by=late, by_self=True)
    entrants.register(night.event, [("Talon", "")], by=late)

    assert [str(one) for one in night.event.entrants.select_related("player")] == ["Vor", "Talon"]


@pytest.mark.parametrize(("allowed", "days", "is_in"), [(True, 0, True), (False, 0, False), (True, -1, False)])
def test_players_check_themselves_in_on_the_day_where_the_desk_allows_it(allowed: bool, days: int, is_in: bool):
    night = with_places(None, "Vor")
    Event.objects.filter(pk=night.event.pk).update(checks_in_by_phone=allowed)

    refused = nullcontext() if is_in else pytest.raises(Refused, match="Check in at the counter")
    with refused:
        regulars.check_in(night.event, 1, by=replace(BY, at=AT + timedelta(days=days)))

    assert night.event.entrants.get().checked_in is is_in


def test_a_payment_is_ticked_and_taken_back_with_a_line_each():
    night = with_places(None, "Vor")

    for paid in (True, True, False):
        entrants.mark_paid(night.event, 1, paid, by=BY)

    said = JournalEntry.objects.filter(did="mark_paid").order_by("pk")
    assert [one.what for one in said] == ["Vor paid.", "Vor hasn’t paid after all."]
    assert night.event.entrants.get().paid is False
