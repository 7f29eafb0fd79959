"""Who is late, and what holds for every option: what is shown is what happens, as one step that can be undone."""

import json

import pytest
from django.db import transaction

from tests.support.arriving import arrange, bye_of, draft, play, seated, walk_in
from tests.support.nights import BY, make_night, make_store
from tests.support.refusing import refused
from tests.support.saying import in_english
from tests.support.tables import eliminated, enter, match_at
from tests.support.undoing import undo
from tourney.actions import arrivals, by_hand, entrants, rounds, tables
from tourney.actions.archive import import_event
from tourney.actions.arrivals import Decision
from tourney.actions.record import Refused, Stale
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.domain.tables import Needs
from tourney.domain.tables import Table as Room
from tourney.models import Event, JournalEntry
from tourney.queries.archive import archive_of
from tourney.queries.arrivals import effect, options_of
from tourney.queries.choices import PairingChoice, new_seats, proposed
from tourney.queries.history import Compared, TableAtMoment, differences, stored_rows
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db

ARRIVES_PLAYS_BYE = ArrivalOption(Moment.ARRIVES, ArrivalWay.BYE_PLAYER)


def byes_before(event: Event, round_number: int) -> dict[int, int]:
    return {one.id: one.byes for one in state_of(event).contenders(round_number)}


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


@pytest.mark.many(each=["phase"])
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
                    arrivals.arrange(event, decision, expected="", by=BY)
                assert stored_rows(event) == before
                continue
            assert stored_rows(event) == before
            arrivals.arrange(event, decision, expected=shown.fingerprint, by=BY)
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


def test_a_late_player_takes_the_place_of_the_bye_and_the_bye_is_gone():
    event = make_night(players=3, open_round=True).event
    bye, (tern,) = bye_of(event), walk_in(event, "Tern")

    shown = arrange(event, tern, ARRIVES_PLAYS_BYE, reason="Bus was late")

    name = state_of(event).names[bye]
    assert in_english(shown.tables) == (
        Compared("Round 1, table 2", None, TableAtMoment(f"{name} against Tern", "")),
        Compared("Round 1, bye", TableAtMoment(name, ""), None),
    )
    assert in_english(shown.points) == (
        Compared(
            name,
            "2 Battle Points, and the round’s average Fleet Points (rule 2.10)",
            "whatever they score at the table",
        ),
    )
    assert in_english(shown.sentences) == ("1 other table stays as it is.", "Round 2 has 4 players, so no bye.")
    assert shown.is_kept
    assert str(match_at(event, 2).why) == "Paired by hand: Bus was late (rule 3.9)."


def test_the_journal_has_one_entry_with_its_parts():
    event = make_night(players=3, open_round=True).event
    (tern,) = walk_in(event, "Tern")
    name = state_of(event).names[bye_of(event)]

    arrange(event, tern, ARRIVES_PLAYS_BYE, reason="Bus was late")

    entry = event.journal.last()
    assert (entry.did, entry.what, entry.reason) == (
        "arrival",
        f"Late arrival: Tern plays {name}, who has the bye.",
        "Bus was late",
    )
    assert entry.after["parts"] == [message("Checked in: {names}.", names=["Tern"]).as_data()]
    assert "parts" not in entry.before
    assert {change.table for change in entry.changes.all()} == {"tourney_entrant", "tourney_match", "tourney_seat"}


def test_two_late_players_paired_with_a_past_bye():
    """Missed rounds are no byes, and one who had the bye before may still meet another late one."""
    event = make_night(players=3, open_round=True).event
    had_bye = bye_of(event)
    play(event)
    entrants.drop(event, had_bye, by=BY)
    (tern,) = walk_in(event, "Tern")
    rounds.pair_round(event, seed=2, by=BY)
    rounds.publish_round(event, 2, by=BY)

    shown = arrange(event, had_bye, ArrivalOption(Moment.RETURNS, ArrivalWay.TOGETHER, tern))

    assert byes_before(event, 3) == {number: int(number == had_bye) for number in byes_before(event, 3)}
    assert state_of(event).round(2).match_of(tern).numbers == (had_bye, tern)
    assert [match.table for match in state_of(event).round(2).matches] == [1, 2]
    assert in_english(shown.sentences[-1]) == "Round 3 has 4 players, so no bye."
    play(event)
    draft(event)
    assert state_of(event).last_round.row.relaxed_rules == []


def test_odd_field_plus_reserved_bye():
    """Somebody holds a place for a late player; in an odd field there is still one bye, never two."""
    event = make_night(players=4).event
    (tern,) = walk_in(event, "Tern")
    draft(event)
    arrange(event, tern, ArrivalOption(Moment.ARRIVES, ArrivalWay.TAKES_BYE), reason="On the way")
    (heron,) = walk_in(event, "Heron")

    ways = {option.way for option in options_of(state_of(event), heron)}
    arrange(event, heron, ARRIVES_PLAYS_BYE)

    assert ways == {ArrivalWay.REDRAW, ArrivalWay.BYE_PLAYER, ArrivalWay.NEXT}
    assert state_of(event).last_round.bye is None
    assert set(byes_before(event, 2).values()) == {0}


def test_a_late_player_and_a_replayed_round_do_not_double_the_bye():
    """The bye is taken away, given back, and taken away again: it counts once or not at all."""
    event = make_night(players=5, open_round=True).event
    bye, (tern,) = bye_of(event), walk_in(event, "Tern")

    arrange(event, tern, ARRIVES_PLAYS_BYE)
    without = byes_before(event, 2)[bye]
    undo(event)
    entrants.check_in(event, [tern], by=BY)
    again = byes_before(event, 2)[bye]
    arrange(event, tern, ARRIVES_PLAYS_BYE)

    assert (without, again, byes_before(event, 2)[bye]) == (0, 1, 0)
    play(event)
    draft(event)
    assert state_of(event).last_round.bye is None


def test_a_draft_that_is_drawn_again_for_a_newcomer_keeps_what_the_desk_chose():
    """Rule 3.7: the choice of the oldest meeting is not lost with the draft."""
    event = make_night(players=4, rounds=3).event
    Event.objects.filter(pk=event.pk).update(rounds_planned=6)
    event.refresh_from_db()
    rounds.pair_round(event, seed=5, by=BY)
    rounds.choose(event, 4, PairingChoice.OLDEST, by=BY)
    (first, second) = walk_in(event, "Tern", "Heron")
    entrants.check_in(event, [second], by=BY)

    arrange(event, first, ArrivalOption(Moment.ARRIVES, ArrivalWay.REDRAW))

    state = state_of(event)
    assert new_seats(state.last_round, proposed(state, state.last_round, PairingChoice.OLDEST)) == []
    assert {first, second} <= {number for numbers in seated(state) for number in numbers}


def test_a_rematch_that_a_hand_makes_is_said_before():
    event = make_night(players=6, rounds=1).event
    back, met = match_at(event, 1).numbers
    entrants.drop(event, back, by=BY)
    draft(event)
    if (bye := bye_of(event, 2)) != met:
        by_hand.place(event, 2, bye, met, reason="for the test", by=BY)

    shown = arrivals.preview(event, Decision(back, ArrivalOption(Moment.RETURNS, ArrivalWay.BYE_PLAYER)), by=BY)

    names = state_of(event).names
    assert f"{names[met]} and {names[back]} meet again. They met in round 1 (rule 3.3)." in in_english(shown.sentences)


def test_what_changed_since_it_was_shown_is_not_done():
    event = make_night(players=5, open_round=True).event
    (tern,) = walk_in(event, "Tern")
    decision = Decision(tern, ARRIVES_PLAYS_BYE, "Bus was late")
    shown = arrivals.preview(event, decision, by=BY)
    entrants.register(event, [("Heron", "Klingon")], by=BY, checked_in=True)
    before = stored_rows(event)

    with pytest.raises(Stale, match="The effect is no longer the one you saw"), transaction.atomic():
        arrivals.arrange(event, decision, expected=shown.fingerprint, by=BY)

    assert stored_rows(event) == before


def test_pressed_twice_it_is_done_once():
    event = make_night(players=3, open_round=True).event
    (tern,) = walk_in(event, "Tern")
    decision = Decision(tern, ARRIVES_PLAYS_BYE, "Bus was late")
    seen = arrivals.preview(event, decision, by=BY).fingerprint
    arrivals.arrange(event, decision, expected=seen, by=BY)
    before = stored_rows(event)

    with refused("The event has moved on, so this is no longer possible."):
        arrivals.arrange(event, decision, expected=seen, by=BY)

    assert stored_rows(event) == before


def test_seating_by_hand_needs_a_reason():
    event = make_night(players=3, open_round=True).event
    (tern,) = walk_in(event, "Tern")

    with refused("Give a reason for seating them by hand. It’s shown with the pairing (rule 3.9)."):
        arrivals.arrange(event, Decision(tern, ARRIVES_PLAYS_BYE), expected="", by=BY)


def test_nobody_is_told_of_a_preview(django_capture_on_commit_callbacks):
    event = make_night(players=3, open_round=True).event
    (tern,) = walk_in(event, "Tern")
    event.refresh_from_db()
    version = event.version

    arrivals.preview(event, Decision(tern, ARRIVES_PLAYS_BYE), by=BY)

    event.refresh_from_db()
    assert event.version == version


@pytest.mark.parametrize(
    ("players", "option"),
    [
        (3, ARRIVES_PLAYS_BYE),
        (4, ArrivalOption(Moment.ARRIVES, ArrivalWay.TAKES_BYE)),
        (3, ArrivalOption(Moment.ARRIVES, ArrivalWay.TOGETHER, 5)),
    ],
    ids=str,
)
def test_what_a_hand_made_can_be_archived_and_read_back(players, option):
    with transaction.atomic():
        event = make_night(players=players).event
        draft(event)
        walk_in(event, *("Tern", "Heron")[: 2 if option.partner else 1])
        arrange(event, players + 1, option)
        archive = json.loads(json.dumps(archive_of(event)))
        transaction.set_rollback(True)
    store, _ = make_store("Another Harbor")

    assert archive_of(import_event(store, archive, by=BY)) == archive


def test_a_late_player_gets_a_table_that_is_open_and_nobody_elses():
    event = make_night(players=5).event
    draft(event)
    rounds.discard_draft(event, 1, by=BY)
    away, tern = walk_in(event, "Heron", "Tern")
    player = event.entrants.select_related("player").get(number=away).player
    tables.change_needs(player, Needs(fixed=4), by=BY)
    tables.change_tables(event, [Room(1), Room(2), Room(3, closed=True), Room(4), Room(5)], False, by=BY)
    event.refresh_from_db()
    draft(event)
    assert [match.table for match in state_of(event).last_round.matches] == [1, 2, None]

    arrange(event, tern, ARRIVES_PLAYS_BYE)

    assert state_of(event).last_round.match_of(tern).table == 5


def test_two_who_are_late_get_a_table_that_is_open():
    event = make_night(players=4, open_round=True).event
    tables.change_tables(event, [Room(1), Room(2), Room(3, closed=True), Room(7)], False, by=BY)
    event.refresh_from_db()
    heron, tern = walk_in(event, "Heron", "Tern")

    arrange(event, tern, ArrivalOption(Moment.ARRIVES, ArrivalWay.TOGETHER, heron))

    assert state_of(event).last_round.match_of(tern).table == 7
