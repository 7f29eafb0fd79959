"""Corrections with their effect shown first: what is seen is what happens, in one step that can be taken back."""

from dataclasses import replace

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter, match_at, night_with_ties, on_time
from tourney.actions import by_hand, events, history, reports, results, roll_offs, rounds, wishes
from tourney.actions.corrections import Correction, do_if_still_as_shown, foreseen
from tourney.actions.record import Actor, Refused, Stale
from tourney.actions.repairs import repair_round
from tourney.domain.progress import names_of
from tourney.models import Event, JournalEntry, Match, Result, Seat, Wish
from tourney.queries.corrections import Grade, grade_of
from tourney.queries.history import differences, history_of, stored_rows
from tourney.queries.repairs import BYE, Repair, RepairMode, evidence_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@copied
def night_in_round(number: int, players: int = 8, *, publish: bool = True, **more) -> Night:
    """The rounds before are closed without a tie: at table t the first player has won by 60 + t to 20 + 5t SP left."""
    night = make_night(players=players, **more)
    for round in range(1, number + 1):
        rounds.pair_round(night.event, seed=5, by=BY)
        if publish or round < number:
            rounds.publish_round(night.event, round, by=BY)
        if round < number:
            for table in range(1, players // 2 + 1):
                enter(night.event, table, on_time(60 + table, 20 + 5 * table + round), number=round)
            rounds.close_round(night.event, round, by=BY)
    return night


def turned(number: int = 1, table: int = 1, *, version: int = 1, reason: str = "the slip was misread") -> Correction:
    """The other one has won that table."""
    return Correction(number, table, results.ResultInput(on_time(5, 80)), version, reason)


def do(event: Event, doing, repair: Repair = Repair(), *, seen: int | None = None) -> None:  # noqa: B008
    """As the pages do it: look first."""
    seen = foreseen(event, doing, repair, by=BY).fingerprint if seen is None else seen
    do_if_still_as_shown(event, doing, repair, expected=seen, by=BY)


def tables(event: Event, number: int = 2) -> dict[int, frozenset[int]]:
    """Who sits where; table 0 is the bye."""
    return {match.table or BYE: frozenset(match.numbers) for match in state_of(event).round(number).matches}


def undo(event: Event) -> str:
    last = history_of(event).last
    history.undo(event, last.pk, by=BY)
    return last.did


FEWEST, ALL = Repair(RepairMode.FEWEST), Repair(RepairMode.ALL)


# the effect


def test_what_is_seen_is_what_happens_and_looking_changes_nothing():
    event = night_in_round(2, 5).event
    before = stored_rows(event)

    seen = foreseen(event, turned(), FEWEST, by=BY)
    assert (stored_rows(event), differences(event)) == (before, [])
    done = do_if_still_as_shown(event, turned(), FEWEST, expected=seen.fingerprint, by=BY)

    assert done == seen
    was = tables_in(before, event)
    assert [(one.table, one.after) for one in seen.moved] == [
        (match.table, " against ".join(state_of(event).names[number] for number in match.numbers))
        for match in state_of(event).round(2).matches
        if frozenset(match.numbers) != was[match.table or BYE]
    ]


def tables_in(rows: dict, event: Event) -> dict[int, frozenset[int]]:
    """Who sat where in round 2, from stored rows."""
    numbers = {entrant.pk: entrant.number for entrant in event.entrants.all()}
    round = event.rounds.get(number=2).pk
    found: dict[int, set[int]] = {}
    for (table, _), row in rows.items():
        if table == "tourney_seat" and row["round_id"] == round:
            match = rows["tourney_match", row["match_id"]]
            found.setdefault(match["table"] or BYE, set()).add(numbers[row["entrant_id"]])
    return {table: frozenset(sitting) for table, sitting in found.items()}


def test_the_effect_names_points_ranks_and_the_rounds_drawn_since():
    event = night_in_round(2, 6).event

    effect = foreseen(event, turned(), Repair(), by=BY)

    assert [(one.name, one.before, one.after, one.is_mean) for one in effect.scores] == [
        ("Vor", (2, 74), (1, 20), False),
        ("Kestrel", (1, 39), (2, 95), False),
    ]
    assert [(one.name, one.line.up) for block in effect.ranks for one in block if one.line.up] == [
        ("Kestrel", 3),
        ("Marrow", 1),
        ("Talon", 1),
        ("Vor", -5),
    ]
    assert [(later.number, later.is_open, later.tables) for later in effect.later] == [
        (2, True, ("table 1", "table 2", "table 3"))
    ]
    assert (effect.moved, effect.rolls, effect.ends) == ((), (), ())


def test_2_10_the_mean_of_the_bye_is_part_of_the_effect():
    event = night_in_round(2, 5).event

    effect = foreseen(event, replace(turned(), report=results.ResultInput(on_time(61, 2))), Repair(), by=BY)

    assert [(one.before, one.after) for one in effect.scores if one.is_mean] == [((2, 55), (2, 61))]


def test_4_3_a_roll_off_whose_tie_is_gone_is_void_and_what_is_tied_instead_rolls():
    night, winners, losers = night_with_ties()
    event = night.event
    for group in (winners, losers):
        roll_offs.roll_by_software(event, 1, "standing", group, seed="1" * 16, by=BY)
    while rolls := state_of(event).rolls_to_do():
        roll_offs.roll_by_software(event, 1, *rolls[0], seed="2" * 16, by=BY)
    rounds.close_round(event, 1, by=BY)
    names = state_of(event).names
    match = match_at(event, 1)
    groups = [[number for number in group if number not in match.numbers] for group in (winners, losers)]

    effect = foreseen(event, replace(turned(), report=results.ResultInput(eliminated(left=10))), Repair(), by=BY)

    assert set(effect.rolls) == {
        f"The roll-off of {names_of([names[number] for number in losers])} after round 1 is void: "
        "the tie is gone (rule 4.3).",
        f"{names_of([names[number] for number in groups[1]])} are tied now and roll off (rule 4.1).",
    }


def test_2_7_a_table_that_becomes_level_is_said_to_roll_and_tables_wait_for_the_dice():
    event = night_in_round(2, 5).event
    level = replace(turned(), report=results.ResultInput(on_time(30, 30)))

    effect = foreseen(event, level, Repair(), by=BY)

    assert effect.rolls == (
        "Table 1 of round 1 is level: the dice decide at the table (rule 2.7).",
        "What that means for round 2 shows on its page once they have fallen.",
    )
    assert effect.later == ()
    with pytest.raises(Refused, match="Round 1, table 1 is level: roll off first"):
        foreseen(event, level, FEWEST, by=BY)


def test_a_correction_that_changes_no_pairing_says_so():
    event = night_in_round(2).event

    effect = foreseen(event, replace(turned(), report=results.ResultInput(on_time(62, 26))), Repair(), by=BY)

    assert [(later.number, later.tables) for later in effect.later] == [(2, ())]
    assert effect.open_round is None


# how much is asked


@pytest.mark.parametrize(
    ("make", "grades"),
    [
        (lambda: night_in_round(1), [Grade.PLAIN]),
        (lambda: night_in_round(2), [Grade.SHOWN, Grade.PLAIN]),
        (lambda: night_in_round(3), [Grade.TYPED, Grade.SHOWN, Grade.PLAIN]),
        (lambda: make_night(players=4, rounds=2), [Grade.TYPED, Grade.SHOWN]),
        (lambda: make_night(players=4, rounds=3, finish=True), [Grade.TYPED] * 3),
    ],
    ids=["round 1 in play", "round 2 in play", "round 3 in play", "between rounds", "finished"],
)
def test_the_older_a_round_the_more_is_asked(make, grades):
    state = state_of(make().event)

    assert [grade_of(state, round.number) for round in state.rounds] == grades


# saved in one step


@pytest.mark.parametrize("repair", [Repair(), FEWEST, ALL], ids=["leave", "fewest", "all"])
def test_one_step_takes_the_correction_and_its_tables_back(repair):
    event = night_in_round(2, 5).event
    before, seats = stored_rows(event), tables(event)

    do(event, turned(), repair)
    after = stored_rows(event)
    did = undo(event)
    there = stored_rows(event)
    history.redo(event, history_of(event).next.pk, by=BY)

    assert (there, stored_rows(event), differences(event)) == (before, after, [])
    assert did == ("correct_and_repair" if repair.way is not RepairMode.LEAVE else "correct_result")
    undo(event)
    assert tables(event) == seats


def test_the_reason_and_the_tables_are_kept_in_one_entry_of_the_journal():
    event = night_in_round(2, 5).event
    entries = JournalEntry.objects.filter(event=event).count()
    names = state_of(event).names

    do(event, turned(), FEWEST)

    entry = JournalEntry.objects.filter(event=event).last()
    assert JournalEntry.objects.filter(event=event).count() == entries + 1
    assert (entry.did, entry.reason) == ("correct_and_repair", "the slip was misread")
    assert entry.after["moved"] == [[2, 4], [5, 3], [1]]
    assert entry.what.endswith(
        "Round 2 paired anew, the fewest tables that had not begun: "
        f"table 1: {names[2]} against {names[4]}; table 2: {names[5]} against {names[3]}; {names[1]} has the bye."
    )


def test_a_draft_is_paired_anew_with_the_correction_too():
    event = night_in_round(2, 5, publish=False).event

    do(event, turned(), ALL)

    assert tables(event) == {1: frozenset({2, 4}), 2: frozenset({3, 5}), BYE: frozenset({1})}
    assert state_of(event).last_round.state == "draft"


def test_paired_anew_with_nothing_begun_it_is_what_the_engine_makes_of_the_corrected_results():
    event = night_in_round(2, 9).event
    do(event, turned(), ALL)
    row = state_of(event).last_round.row

    engine = state_of(event).pairing(2, seed=row.seed)

    assert set(tables(event).values()) == {
        *(frozenset({one.a, one.b}) for one in engine.tables),
        frozenset({engine.bye}),
    }


def test_tables_without_a_result_stay_where_one_of_the_two_sits():
    event = night_in_round(2, 9).event
    before = tables(event)
    do(event, turned(), ALL)
    after = tables(event)

    assert all(before[table] & after[table] for table in before if table != BYE)


# what has begun stays


def begin(event: Event, table: int, how: str) -> None:
    match = match_at(event, table, 2)
    if how == "a result":
        enter(event, table, on_time(10, 20), number=2)
    elif how == "a report":
        reports.report(event, 2, match.a.number, on_time(10, 20), by=BY)
    elif how == "marks":
        Seat.objects.filter(match=match.row, entrant=match.a).update(destroyed=[1])
    elif how == "a wish to concede":
        wishes.ask(event, match.a.number, Wish.Kind.CONCEDE, by=BY)


@pytest.mark.parametrize("how", ["a result", "a report", "marks", "a wish to concede"])
def test_a_table_that_has_begun_keeps_its_players_and_everything_entered_there(how):
    event = night_in_round(2, 8).event
    begin(event, 1, how)
    begun = rows_of_table(event, 1)
    word = {"a result": "result in", "a report": "reported", "marks": "fleets marked"}.get(how, "asks to concede")
    assert [one.word for one in evidence_of(state_of(event), state_of(event).round(2))] == [word, "", "", ""]

    do(event, turned(), ALL)

    assert rows_of_table(event, 1) == begun


def rows_of_table(event: Event, table: int) -> dict:
    """What is stored of that table of round 2, but the reason why it is one: its match and all that hangs on it."""
    match = match_at(event, table, 2).row
    seats = set(match.seats.values_list("pk", flat=True))
    return {
        key: row | {"reason": None}
        for key, row in stored_rows(event).items()
        if key == ("tourney_match", match.pk) or row.get("match_id") == match.pk or row.get("seat_id") in seats
    }


def test_3_8_tables_that_stay_do_not_give_a_reason_of_before_the_correction():
    event = night_in_round(2, 9).event
    enter(event, 2, on_time(10, 20), number=2)
    state = state_of(event)
    was = {match.table: match.why for match in state.round(2).matches}
    table, bye = (state.round(2).match_at(2).entrants, state.round(2).bye.a)

    do(event, turned(), Repair(RepairMode.ALL, frozenset({BYE})))

    state = state_of(event)
    points = {line.id: line.battle_points for line in state.standings(1)}
    now = {match.table: match.why for match in state.round(2).matches}
    assert not {was[2], was[None]} & {*now.values()}
    assert now[2] == (
        f"{table[0]} with {points[table[0].number]} Battle Points against {table[1]} with {points[table[1].number]}: "
        "this table stayed as it was when others were paired anew (rule 3.9)."
    )
    assert now[None] == f"{bye} kept the bye when others were paired anew (rule 3.9)."
    undo(event)
    assert {match.table: match.why for match in state_of(event).round(2).matches} == was


def test_3_7_a_meeting_that_a_correction_made_a_rematch_is_said_at_the_table_that_stays():
    """In round 1 one of them did not come; corrected, they did play, and in round 2 they have begun to play again."""
    event = night_in_round(1, 10).event
    missed = match_at(event, 1)
    enter(event, 1, Played(Ending.NO_SHOW, (Side(), Side()), out=1))
    for table in range(2, 6):
        enter(event, table, on_time(60 + table, 20 + 5 * table))
    rounds.close_round(event, 1, by=BY)
    rounds.pair_round(event, seed=5, by=BY)
    seats = tables(event)
    first, second = missed.numbers
    at = next(table for table, sitting in seats.items() if first in sitting)
    (other,) = seats[at] - {first}
    if other != second:
        by_hand.place(event, 2, second, other, reason="for the test", by=BY)
    Match.objects.filter(round__event=event, round__number=2).update(manual_reason="")
    rounds.publish_round(event, 2, by=BY)

    do(event, turned(version=1), Repair(RepairMode.ALL, frozenset({at})))

    names, now = state_of(event).names, match_at(event, at, 2)
    sentence = (
        f"{names[now.a.number]} and {names[now.b.number]} have met once already: their table stayed as it was "
        "when others were paired anew (rules 3.3 b and 3.9)."
    )
    assert set(now.numbers) == {first, second}
    assert (now.why, rounds.relaxed_sentences(state_of(event), state_of(event).round(2))) == (sentence, [sentence])


def test_a_table_that_the_desk_says_has_begun_stays_and_so_does_a_bye():
    event = night_in_round(2, 9).event
    before = tables(event)

    do(event, turned(), Repair(RepairMode.ALL, frozenset({1, BYE})))

    after = tables(event)
    assert (after[1], after[BYE]) == (before[1], before[BYE])


def test_where_everybody_has_begun_nothing_can_be_paired_anew():
    event = night_in_round(2, 4).event

    with pytest.raises(Refused, match="There are not two players left who have not begun to play"):
        do(event, turned(), Repair(RepairMode.ALL, frozenset({1, 2})))

    assert match_at(event, 1).result.version == 1


def test_regression_pairing_a_round_anew_deletes_no_result():
    """The first result of round 2 is in when round 1 is corrected: it stays, with its players, at its table."""
    event = night_in_round(2, 8).event
    enter(event, 2, on_time(10, 20), number=2)
    pair, results_before = tables(event)[2], Result.objects.count()

    do(event, turned(), ALL)

    assert (tables(event)[2], match_at(event, 2, 2).result.sp_left_a) == (pair, 10)
    assert Result.objects.count() == results_before


def test_regression_a_round_paired_anew_has_one_bye_and_counts_it_once():
    """Rule 3.5: the bye of before is no bye any more, neither in the points nor for who is next in line."""
    event = night_in_round(2, 5).event
    old = next(iter(tables(event)[BYE]))

    do(event, turned(), ALL)

    state = state_of(event)
    (new,) = tables(event)[BYE]
    assert new != old
    assert [match.numbers for match in state.round(2).matches if match.is_bye] == [(new,)]
    assert Seat.objects.filter(round=state.round(2).row).count() == 5
    byes = {one.id: one.byes for one in state.contenders(3)}
    assert (byes[old], byes[new]) == (0, 1)


def test_an_open_wish_to_leave_moves_with_the_player():
    event = night_in_round(2, 5).event
    state = state_of(event)
    leaver = state.round(2).match_at(2).b
    wishes.ask(event, leaver.number, Wish.Kind.DROP, by=BY)
    before = stored_rows(event)

    do(event, turned(), FEWEST)

    wish = Wish.objects.get(seat__round__event=event)
    assert (wish.seat.entrant, wish.answer) == (leaver, "")
    undo(event)
    assert stored_rows(event) == before


def test_once_somebody_has_reported_at_a_new_table_the_step_is_not_taken_back():
    event = night_in_round(2, 5).event
    do(event, turned(), FEWEST)
    begin(event, 1, "a report")
    now = stored_rows(event)

    with pytest.raises(Refused, match="Players have signed or reported at these tables already"):
        undo(event)

    assert stored_rows(event) == now


# two at once


def test_two_corrections_of_one_result_the_second_is_stale():
    event = night_in_round(2).event
    seen = foreseen(event, turned(), Repair(), by=BY).fingerprint
    do(event, replace(turned(), report=results.ResultInput(on_time(50, 40))))

    with pytest.raises(Stale, match="Meanwhile test entered a result for table 1"):
        do(event, turned(), seen=seen)


def test_a_correction_of_another_result_meanwhile_makes_what_was_seen_stale():
    event = night_in_round(2, 5).event
    seen = foreseen(event, turned(), FEWEST, by=BY).fingerprint
    do(event, turned(table=2))
    now = stored_rows(event)

    with pytest.raises(Stale, match="this would have another effect than you saw"):
        do(event, turned(), FEWEST, seen=seen)

    assert stored_rows(event) == now


def test_a_clock_that_was_started_meanwhile_disturbs_nobody():
    event = night_in_round(2).event
    seen = foreseen(event, turned(), FEWEST, by=BY).fingerprint
    rounds.start_clock(event, 2, by=BY)

    do(event, turned(), FEWEST, seen=seen)

    assert match_at(event, 1).result.version == 2


# finished events


def test_a_corrected_final_rank_is_final_at_once_and_names_who_is_admiral_now():
    event = night_in_round(3, 4, publish=False).event
    rounds.publish_round(event, 3, by=BY)
    for table in (1, 2):
        enter(event, table, on_time(60 + table, 20 + 7 * table), number=3)
    rounds.close_round(event, 3, by=BY)
    events.finish_event(event, by=BY)
    event.refresh_from_db()
    before = stored_rows(event)
    admiral = state_of(event).standings(3)[0].id
    match = state_of(event).round(3).match_of(admiral)
    out = match.numbers.index(admiral)
    doing = Correction(3, match.table, results.ResultInput(eliminated(out, left=99)), 1, "the slip was misread")

    effect = foreseen(event, doing, Repair(), by=BY)
    do(event, doing)

    state = state_of(Event.objects.with_context().get(pk=event.pk))
    assert state.is_finished
    assert f"{state.names[state.standings(3)[0].id]} is Admiral, no longer {state.names[admiral]}." in effect.ends
    undo(event)
    assert stored_rows(event) == before


def test_a_finished_event_whose_ranks_are_tied_by_a_correction_opens_again():
    event = make_night(players=4, rounds=3, finish=True, pack="temporal-cold-war-2").event
    event.refresh_from_db()
    before = stored_rows(event)
    doing = next(filter(None, (opening(event, match) for match in state_of(event).round(3).tables)))

    do(event, doing)

    assert Event.objects.get(pk=event.pk).finished_at is None
    undo(event)
    assert stored_rows(event) == before


def opening(event: Event, match) -> Correction | None:
    """A correction to a level table, which needs dice."""
    return Correction(3, match.table, results.ResultInput(on_time(40, 40)), match.version, "the slip was misread")


# a round by itself


def test_a_published_round_is_paired_anew_by_its_own_page_and_taken_back_in_one_step():
    event = night_in_round(2, 5).event
    do(event, turned())
    before = stored_rows(event)

    repair_round(event, 2, FEWEST, reason="after the correction", by=BY)

    assert tables(event) == {1: frozenset({2, 4}), 2: frozenset({3, 5}), BYE: frozenset({1})}
    assert (undo(event), stored_rows(event) == before) == ("repair_round", True)


def test_3_9_two_change_places_by_hand_with_a_public_mark():
    event = night_in_round(2).event
    before = tables(event)
    first, second = min(before[1]), min(before[2])

    repair_round(event, 2, Repair(RepairMode.HAND, places=(first, second)), reason="they came together", by=BY)

    assert tables(event) == before | {
        1: before[1] - {first} | {second},
        2: before[2] - {second} | {first},
    }
    assert [match.why for match in state_of(event).round(2).tables[:2]] == [
        "Paired by hand: they came together (rule 3.9)."
    ] * 2


@pytest.mark.parametrize(
    ("repair", "words"),
    [
        (FEWEST, "No table has to change: nobody at a table that has not begun could sit better"),
        (ALL, "Everybody who can be moved sits this way already"),
        (Repair(RepairMode.HAND, places=(1, 1)), "Choose two players who sit at different tables that have not begun"),
        (Repair(RepairMode.HAND, places=(1, 99)), "Choose two players who sit at different tables that have not begun"),
    ],
)
def test_what_would_change_nothing_is_refused(repair, words):
    event = night_in_round(2).event
    before = stored_rows(event)

    with pytest.raises(Refused, match=words):
        repair_round(event, 2, repair, reason="to be sure", by=BY)

    assert stored_rows(event) == before


def test_two_who_change_places_do_not_change_back_when_it_is_pressed_twice():
    event = night_in_round(2).event
    seen = Actor(None, "desk", BY.at, event_version=Event.objects.get(pk=event.pk).version)
    places = min(tables(event)[1]), min(tables(event)[2])
    swap = {"repair": Repair(RepairMode.HAND, places=places), "reason": "brothers", "by": seen}
    repair_round(event, 2, **swap)
    once = stored_rows(event)

    with pytest.raises(Stale, match="Meanwhile desk was faster: Round 2 paired anew, two players change places"):
        repair_round(event, 2, **swap)

    assert stored_rows(event) == once


def test_a_closed_round_and_one_after_a_level_table_stay_as_they_are():
    event = night_in_round(2).event
    with pytest.raises(Refused, match="Round 1 is not open"):
        repair_round(event, 1, ALL, reason="no", by=BY)
    do(event, replace(turned(), report=results.ResultInput(on_time(30, 30))))

    with pytest.raises(Refused, match="Round 1, table 1 is level: roll off first"):
        repair_round(event, 2, ALL, reason="too early", by=BY)


def test_a_reason_is_asked():
    event = night_in_round(2, 5).event
    do(event, turned())

    with pytest.raises(Refused, match="Say why the round is paired anew"):
        repair_round(event, 2, ALL, reason="", by=BY)
