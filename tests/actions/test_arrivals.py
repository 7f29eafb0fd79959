"""Arrivals and departures: what is shown before is what happens, as one step, and one step back undoes it."""

import json

import pytest
from django.db import transaction

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import BY, make_night, make_store
from tests.support.refusing import refused
from tests.support.tables import eliminated, enter, match_at, on_time
from tourney.actions import arrivals, by_hand, entrants, history, penalties, reports, rounds, tables
from tourney.actions.archive import import_event
from tourney.actions.arrivals import Decision
from tourney.actions.record import Refused, Stale
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.domain.tables import Needs
from tourney.domain.tables import Table as Room
from tourney.models import Event, JournalEntry, TokenLine
from tourney.queries.archive import archive_of
from tourney.queries.arrivals import ArrivalEffect, effect, options_of
from tourney.queries.choices import PairingChoice, new_seats, proposed
from tourney.queries.history import Compared, TableAtMoment, differences, history_of, stored_rows
from tourney.queries.state import EventState, state_of

pytestmark = pytest.mark.django_db

ARRIVES_PLAYS_BYE = ArrivalOption(Moment.ARRIVES, ArrivalWay.BYE_PLAYER)


def arrange(
    event: Event, number: int, option: ArrivalOption, *, reason: str = "by hand", left: int = 0
) -> ArrivalEffect:
    """Do what was shown."""
    decision = Decision(number, option, reason, left)
    shown = arrivals.preview(event, decision, by=BY)
    arrivals.arrange(event, decision, expected=shown.fingerprint, by=BY)
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
        enter(event, match.table, on_time(50 + 5 * match.table, 1 + 2 * match.table), number=round.number)
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
    assert shown.tables == (
        Compared("Round 1, table 2", None, TableAtMoment(f"{name} against Tern", "")),
        Compared("Round 1, bye", TableAtMoment(name, ""), None),
    )
    assert shown.points == (
        Compared(name, "2 Battle Points, Fleet Points by the mean of the round (rule 2.10)", "what the table brings"),
    )
    assert shown.sentences == ("1 other table stays as it is.", "Round 2 has 4 players, so nobody has the bye.")
    assert shown.is_kept
    assert match_at(event, 2).why == "Paired by hand: Bus was late (rule 3.9)."


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
    assert entry.after["parts"] == ["Checked in Tern."]
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
    assert shown.sentences[-1] == "Round 3 has 4 players, so nobody has the bye."
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


def test_a_player_dropped_after_a_result_is_not_paired_any_more():
    event = make_night(players=4, open_round=True).event
    enter(event, 1, eliminated(left=30))
    gone = match_at(event, 1).a.number

    shown = arrange(event, gone, ArrivalOption(Moment.LEAVES, ArrivalWay.AFTER))
    play(event)
    draft(event)

    assert shown.sentences == ("Round 2 has 3 players: one of them has the bye.",)
    assert not state_of(event).last_round.match_of(gone)
    assert sum(len(numbers) for numbers in seated(state_of(event))) == 3


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


def test_a_no_show_scores_like_a_bye_and_is_neither_bye_nor_meeting():
    event = make_night(players=4, open_round=True).event
    match = match_at(event, 1)
    gone, there = match.numbers

    shown = arrange(event, gone, ArrivalOption(Moment.GONE, ArrivalWay.NO_SHOW))

    names = state_of(event).names
    assert set(shown.points) == {
        Compared(names[gone], None, "0 Battle Points, 0 Fleet Points"),
        Compared(names[there], None, "2 Battle Points, Fleet Points by the mean of the round (rule 2.10)"),
    }
    assert shown.sentences == ("1 other table stays as it is.", "Round 2 has 3 players: one of them has the bye.")
    present = {one.id: (one.byes, one.met) for one in state_of(event).contenders(2)}
    assert present[there] == (0, ())
    assert gone not in present


def test_who_conceded_keeps_what_was_earned_and_is_not_paired_any_more():
    event = make_night(players=4, open_round=True).event
    gone, there = match_at(event, 1).numbers

    arrange(event, gone, ArrivalOption(Moment.GONE, ArrivalWay.CONCEDES), left=35)

    scores = state_of(event).last_round.scores
    assert [(scores[n].battle_points, scores[n].fleet_points) for n in (gone, there)] == [(1, 65), (2, 100)]
    assert event.entrants.get(number=gone).dropped_from == 2


def test_the_player_with_the_bye_takes_the_place_of_one_who_went_home():
    event = make_night(players=5, open_round=True).event
    bye, gone = bye_of(event), match_at(event, 1).a.number
    there = match_at(event, 1).b.number

    shown = arrange(event, gone, ArrivalOption(Moment.GONE, ArrivalWay.REPLACED))

    names = state_of(event).names
    assert shown.tables == (
        Compared(
            "Round 1, table 1",
            TableAtMoment(f"{names[gone]} against {names[there]}", ""),
            TableAtMoment(f"{names[bye]} against {names[there]}", ""),
        ),
        Compared("Round 1, bye", TableAtMoment(names[bye], ""), None),
    )
    assert match_at(event, 1).numbers == (bye, there)


def test_who_gave_a_seat_away_stays_in_the_record_so_that_the_step_can_be_taken_back():
    event = make_night(players=5, open_round=True).event
    gone, before = match_at(event, 1).a.number, stored_rows(event)
    arrange(event, gone, ArrivalOption(Moment.GONE, ArrivalWay.REPLACED))

    name = state_of(event).names[gone]
    with refused(f"{name} had a seat, and stays in the record for a step back. Drop {name} instead."):
        entrants.remove(event, gone, by=BY)

    undo(event)
    assert stored_rows(event) == before


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


def test_a_table_where_something_was_reported_is_not_taken_from_its_players():
    event = make_night(players=5, open_round=True).event
    gone, there = match_at(event, 1).numbers
    reports.report(event, 1, there, Played(Ending.TIME, (Side(40), Side(60))), by=BY)

    keys = [option.key for option in options_of(state_of(event), gone)]

    assert keys == ["leaves-after", "gone-concedes"]


def test_who_comes_after_being_given_up_plays_after_all():
    event = make_night(players=4, open_round=True).event
    late, there = match_at(event, 1).numbers
    arrange(event, late, ArrivalOption(Moment.GONE, ArrivalWay.NO_SHOW))

    arrange(event, late, ArrivalOption(Moment.RETURNS, ArrivalWay.REOPEN))

    match = match_at(event, 1)
    assert (match.numbers, match.state) == ((late, there), "playing")
    assert event.entrants.get(number=late).dropped_from is None


def test_with_two_players_one_who_leaves_ends_the_pairing_and_the_desk_says_so():
    event = make_night(players=2, rounds=1).event

    shown = arrange(event, 1, ArrivalOption(Moment.LEAVES, ArrivalWay.AFTER))

    assert shown.sentences == ("Only 1 would be left for round 2, so it could not be paired.",)
    assert not shown.is_kept


def test_a_rematch_that_a_hand_makes_is_said_before():
    event = make_night(players=6, rounds=1).event
    back, met = match_at(event, 1).numbers
    entrants.drop(event, back, by=BY)
    draft(event)
    if (bye := bye_of(event, 2)) != met:
        by_hand.place(event, 2, bye, met, reason="for the test", by=BY)

    shown = arrivals.preview(event, Decision(back, ArrivalOption(Moment.RETURNS, ArrivalWay.BYE_PLAYER)), by=BY)

    names = state_of(event).names
    assert f"{names[met]} and {names[back]} meet again: they met in round 1 (rule 3.3)." in shown.sentences


def test_what_changed_since_it_was_shown_is_not_done():
    event = make_night(players=5, open_round=True).event
    (tern,) = walk_in(event, "Tern")
    decision = Decision(tern, ARRIVES_PLAYS_BYE, "Bus was late")
    shown = arrivals.preview(event, decision, by=BY)
    entrants.register(event, [("Heron", "Klingon")], by=BY, checked_in=True)
    before = stored_rows(event)

    with pytest.raises(Stale, match="The effect is not the one that was shown"), transaction.atomic():
        arrivals.arrange(event, decision, expected=shown.fingerprint, by=BY)

    assert stored_rows(event) == before


def test_pressed_twice_it_is_done_once():
    event = make_night(players=3, open_round=True).event
    (tern,) = walk_in(event, "Tern")
    decision = Decision(tern, ARRIVES_PLAYS_BYE, "Bus was late")
    seen = arrivals.preview(event, decision, by=BY).fingerprint
    arrivals.arrange(event, decision, expected=seen, by=BY)
    before = stored_rows(event)

    with refused("Meanwhile the event went on, and this is not possible any more."):
        arrivals.arrange(event, decision, expected=seen, by=BY)

    assert stored_rows(event) == before


def test_seating_by_hand_needs_a_reason():
    event = make_night(players=3, open_round=True).event
    (tern,) = walk_in(event, "Tern")

    with refused("Say why they are seated by hand. The reason is shown with the pairing (rule 3.9)."):
        arrivals.arrange(event, Decision(tern, ARRIVES_PLAYS_BYE), expected="", by=BY)


def test_nobody_is_told_of_a_preview(django_capture_on_commit_callbacks):
    event = make_night(players=3, open_round=True).event
    (tern,) = walk_in(event, "Tern")
    event.refresh_from_db()
    version = event.version

    arrivals.preview(event, Decision(tern, ARRIVES_PLAYS_BYE), by=BY)

    event.refresh_from_db()
    assert event.version == version


def test_of_two_players_in_a_draft_none_is_left_alone_with_the_bye():
    event = make_night(players=2).event
    draft(event)

    with refused("Only one player would be left in round 1. Throw the draft away instead."):
        arrivals.preview(event, Decision(1, ArrivalOption(Moment.GONE, ArrivalWay.OPPONENT_BYE)), by=BY)


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


def test_who_has_a_penalty_in_the_round_keeps_the_seat_of_it():
    event = make_night(players=5, open_round=True).event
    gone, bye = match_at(event, 1).a.number, bye_of(event)
    for number in (gone, bye):
        penalties.penalize(event, 1, number, fleet_points=-10, reason="late", by=BY)

    for number, way in ((gone, ArrivalWay.REPLACED), (bye, ArrivalWay.OUT)):
        name = state_of(event).names[number]
        with refused(f"{name} has a penalty in round 1. Take it back first, then nothing of that round is left."):
            arrange(event, number, ArrivalOption(Moment.GONE, way))


def test_the_battle_in_which_the_token_was_spent_is_not_given_to_somebody_else():
    event = make_night(players=5, open_round=True).event
    gone, there = match_at(event, 1).numbers
    facts = {"kind": "granted", "number": 1, "by_name": "test", "at": BY.at}
    holder = event.entrants.get(number=there)
    TokenLine.objects.create(event=event, entrant=holder, here=[1], **facts)
    TokenLine.objects.create(event=event, entrant=holder, round=1, **facts | {"kind": "spent", "number": 2})

    ways = {option.way for option in options_of(state_of(event), gone)}

    assert ways == {ArrivalWay.AFTER, ArrivalWay.CONCEDES}
