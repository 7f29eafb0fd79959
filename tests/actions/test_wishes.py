"""What players ask the desk for on their phones: to concede, to leave after this round."""

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.tables import eliminated, enter, match_at, on_time
from tourney.actions import entrants, rounds, wishes
from tourney.models import Event, JournalEntry, Wish
from tourney.queries.state import state_of
from tourney.queries.wishes import wishes_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Five players, round 1 in play."""
    return make_night(players=5, open_round=True).event


def kinds(event: Event) -> list[tuple[int, str, str]]:
    return [(one.by.number, one.row.kind, one.kind) for one in wishes_of(state_of(event))]


def test_a_wish_is_asked_once_and_taken_back(event):
    me, _ = match_at(event, 1).numbers

    for key in ("k", "k", "another"):
        wishes.ask(event, me, "concede", by=BY, key=key)
    assert kinds(event) == [(me, "concede", "asked")]
    wishes.withdraw(event, me, "concede", by=BY)
    wishes.ask(event, me, "concede", by=BY, key="k")

    assert kinds(event) == []
    did = JournalEntry.objects.filter(event=event, did__in=("ask", "take_back_wish")).values_list("did", flat=True)
    assert list(did) == ["ask", "take_back_wish"]


def test_who_asked_to_leave_is_granted_it_by_being_dropped(event):
    me, _ = match_at(event, 1).numbers
    wishes.ask(event, me, "drop", by=BY)

    entrants.drop(event, me, by=BY)
    assert kinds(event) == [(me, "drop", "granted")]
    entrants.bring_back(event, me, by=BY)

    assert kinds(event) == [(me, "drop", "granted")]


def test_2_9_who_asked_to_concede_is_granted_it_by_the_result(event):
    me, _ = match_at(event, 1).numbers
    wishes.ask(event, me, "concede", by=BY)

    enter(event, 1, Played(Ending.CONCESSION, (Side(), Side(40)), out=0))

    assert kinds(event) == [(me, "concede", "granted")]


def test_a_wish_to_concede_is_moot_once_the_match_ended_otherwise(event):
    me, _ = match_at(event, 1).numbers
    wishes.ask(event, me, "concede", by=BY)

    enter(event, 1, eliminated(out=0))

    assert kinds(event) == [(me, "concede", "moot")]


def test_what_was_declined_can_be_asked_again(event):
    me, _ = match_at(event, 1).numbers
    wishes.ask(event, me, "drop", by=BY)
    wish = Wish.objects.get().pk

    wishes.decline(event, wish, by=BY, words="one round is left")
    assert (kinds(event), Wish.objects.get().words) == ([(me, "drop", "declined")], "one round is left")
    with refused("This request was already answered or withdrawn."):
        wishes.decline(event, wish, by=BY)
    wishes.ask(event, me, "drop", by=BY)

    assert kinds(event) == [(me, "drop", "asked")]


def test_who_has_the_bye_can_leave_but_not_concede(event):
    alone = state_of(event).round(1).bye.a.number

    with refused("Your match is over, so there is nothing to concede."):
        wishes.ask(event, alone, "concede", by=BY)
    wishes.ask(event, alone, "drop", by=BY)

    assert kinds(event) == [(alone, "drop", "asked")]


def test_between_rounds_a_player_can_ask_to_leave(event):
    me, _ = match_at(event, 1).numbers
    enter(event, 1, eliminated(left=60))
    enter(event, 2, on_time(50, 30))
    rounds.close_round(event, 1, by=BY)

    wishes.ask(event, me, "drop", by=BY)

    assert kinds(event) == [(me, "drop", "asked")]


def test_who_sits_nowhere_asks_at_the_counter():
    event = make_night(players=4).event

    with refused("You’re not at a table right now. Ask at the counter."):
        wishes.ask(event, 1, "drop", by=BY)


def test_who_is_dropped_already_asks_for_nothing(event):
    me, _ = match_at(event, 1).numbers
    entrants.drop(event, me, by=BY)

    with refused("You’ve already dropped."):
        wishes.ask(event, me, "drop", by=BY)
