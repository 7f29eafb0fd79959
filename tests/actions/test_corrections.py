"""Corrections with their effect shown first: what is seen is what happens, in one step that can be taken back."""

from dataclasses import replace

import pytest

from tests.support.corrected import ALL, FEWEST, do, night_in_round, tables, turned
from tests.support.nights import BY, make_night
from tests.support.saying import in_english
from tests.support.tables import eliminated, match_at, night_with_ties, on_time
from tests.support.undoing import undo
from tourney.actions import history, results, roll_offs, rounds
from tourney.actions.corrections import do_if_still_as_shown, foreseen
from tourney.actions.record import Refused
from tourney.domain.progress import names_of
from tourney.models import Event, JournalEntry
from tourney.queries.corrections import Grade, grade_of
from tourney.queries.history import differences, history_of, stored_rows
from tourney.queries.repairs import BYE, Repair, RepairMode
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# the effect


def test_what_is_seen_is_what_happens_and_looking_changes_nothing():
    event = night_in_round(2, 5).event
    before = stored_rows(event)

    seen = foreseen(state_of(event), turned(), FEWEST, by=BY)
    assert (stored_rows(event), differences(event)) == (before, [])
    done = do_if_still_as_shown(event, turned(), FEWEST, expected=seen.fingerprint, by=BY)

    assert done == seen
    was = tables_in(before, event)
    assert [(one.table, in_english(one.after)) for one in seen.moved] == [
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

    effect = foreseen(state_of(event), turned(), Repair(), by=BY)

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
    assert [(later.number, later.is_open, in_english(later.tables)) for later in effect.later] == [
        (2, True, ("table 1", "table 2", "table 3"))
    ]
    assert (effect.moved, effect.rolls, effect.ends) == ((), (), ())


def test_2_10_the_mean_of_the_bye_is_part_of_the_effect():
    event = night_in_round(2, 5).event

    effect = foreseen(state_of(event), replace(turned(), report=results.ResultInput(on_time(61, 2))), Repair(), by=BY)

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

    effect = foreseen(
        state_of(event), replace(turned(), report=results.ResultInput(eliminated(left=10))), Repair(), by=BY
    )

    assert in_english(set(effect.rolls)) == {
        f"The roll-off of {names_of([names[number] for number in losers])} after round 1 no longer counts: "
        "the tie is gone (rule 4.3).",
        f"{names_of([names[number] for number in groups[1]])} are tied now and roll off (rule 4.1).",
    }


def test_2_7_a_table_that_becomes_tied_is_said_to_roll_and_tables_wait_for_the_dice():
    event = night_in_round(2, 5).event
    level = replace(turned(), report=results.ResultInput(on_time(30, 30)))

    effect = foreseen(state_of(event), level, Repair(), by=BY)

    assert in_english(effect.rolls) == (
        "Table 1 of round 1 is tied: the dice decide at the table (rule 2.7).",
        "What that means for round 2 shows on its page once they have been rolled.",
    )
    assert effect.later == ()
    with pytest.raises(Refused, match=r"Table 1 of round 1 is tied\. Roll off there first"):
        foreseen(state_of(event), level, FEWEST, by=BY)


def test_a_correction_that_changes_no_pairing_says_so():
    event = night_in_round(2).event

    effect = foreseen(state_of(event), replace(turned(), report=results.ResultInput(on_time(62, 26))), Repair(), by=BY)

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
        "Round 2 re-paired, as few unstarted tables as possible: "
        f"{names[2]} against {names[4]} at table 1, {names[5]} against {names[3]} at table 2 "
        f"and {names[1]} has the bye."
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
