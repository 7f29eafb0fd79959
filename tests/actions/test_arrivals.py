"""Arrivals and departures: what is shown before is what happens, as one step, and one step back undoes it."""

import pytest
from django.db import transaction

from tests.nights import BY, make_night
from tests.tables import eliminated, enter
from tourney.actions import arrivals, entrants, history, rounds
from tourney.actions.arrivals import Decision
from tourney.actions.record import Refused
from tourney.domain.arrivals import Moment, Option, Way
from tourney.models import Event, JournalEntry
from tourney.queries.arrivals import Effect, effect, options_of
from tourney.queries.history import differences, history_of, stored_rows
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db

ARRIVES_PLAYS_BYE = Option(Moment.ARRIVES, Way.BYE_PLAYER)


def arrange(event: Event, number: int, option: Option, *, reason: str = "by hand", left: int = 0) -> Effect:
    """Do what was shown."""
    decision = Decision(number, option, reason, left)
    shown = arrivals.preview(event, decision, by=BY)
    arrivals.arrange(event, decision, seen=shown.fingerprint, by=BY)
    return shown


def undo(event: Event) -> None:
    history.undo(event, history_of(event).last.pk, by=BY)


def walk_in(event: Event, *names: str) -> list[int]:
    """Registered at the desk, not checked in."""
    return [one.number for one in entrants.register(event, [(name, "Klingon") for name in names], by=BY).entrants]


def seated(state: EventState) -> list[tuple[int, ...]]:
    return [match.numbers for match in state.last_round.matches]


def bye_of(event: Event, number: int = 1) -> int | None:
    bye = state_of(event).round(number).bye
    return bye and bye.a.number


def byes_before(event: Event, round_number: int) -> dict[int, int]:
    return {one.id: one.byes for one in state_of(event).contenders(round_number)}


def draft(event: Event, seed: int = 5) -> None:
    rounds.pair_round(event, seed=seed, by=BY)


def play(event: Event) -> None:
    """Every missing result of the round in play, without ties, and the round closed."""
    round = state_of(event).last_round
    for match in round.missing:
        left = 10 * match.table + round.number
        enter(event, match.table, eliminated(left=left), number=round.number)
    rounds.close_round(event, round.number, by=BY)


NIGHTS = (
    ("before", {"players": 2}),
    ("before", {"players": 5}),
    ("draft", {"players": 3}),
    ("draft", {"players": 4}),
    ("draft", {"players": 5, "rounds": 1}),
    ("played", {"players": 2, "open_round": True}),
    ("played", {"players": 3, "open_round": True}),
    ("played", {"players": 4, "rounds": 1, "open_round": True}),
    ("played", {"players": 5, "rounds": 2, "open_round": True}),
    ("between", {"players": 3, "rounds": 1}),
    ("between", {"players": 6, "rounds": 2}),
    ("over", {"players": 4, "rounds": 3}),
)
"""Nights of every size in every phase, with what `make_night` takes."""


@pytest.mark.parametrize(("phase", "night"), NIGHTS, ids=str)
def test_every_option_does_what_was_shown_in_one_step_and_one_step_back_undoes_all_of_it(phase, night):
    event = make_night(**night).event
    gone = state_of(event).present(1)[0].number
    entrants.drop(event, gone, by=BY)
    if phase == "draft":
        draft(event)
    walk_in(event, "Tern", "Heron")
    if phase == "played" and state_of(event).last_round.tables[1:]:
        enter(event, 1, eliminated(), number=len(state_of(event).rounds))
    before, entries = stored_rows(event), JournalEntry.objects.count()
    tried = 0
    for number in state_of(event).by_number:
        for option in options_of(state_of(event), number):
            decision = Decision(number, option, "by hand", 60)
            was = state_of(event)
            try:
                shown = arrivals.preview(event, decision, by=BY)
            except Refused:
                with pytest.raises(Refused), transaction.atomic():
                    arrivals.arrange(event, decision, seen="", by=BY)
                assert stored_rows(event) == before
                continue
            assert stored_rows(event) == before
            arrivals.arrange(event, decision, seen=shown.fingerprint, by=BY)
            assert effect(was, state_of(event)) == shown
            assert everybody_sits_once(state_of(event))
            assert JournalEntry.objects.count() == entries + 1
            undo(event)
            entries += 2
            assert (stored_rows(event), differences(event)) == (before, [])
            tried += 1
    assert (tried > 0) == (phase != "over")


def everybody_sits_once(state: EventState) -> bool:
    """With at most one bye in each round."""
    seats = [[number for match in round.matches for number in match.numbers] for round in state.rounds]
    byes = [sum(match.is_bye for match in round.matches) for round in state.rounds]
    return all(len(one) == len(set(one)) for one in seats) and all(count <= 1 for count in byes)
