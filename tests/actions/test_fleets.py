"""Rule 7: fleets are built in steps that can be undone, and lock with round 1."""

from random import Random

import pytest

from fleets.domain import editing
from fleets.domain.card_data import sheet_as_data
from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import CardLine, Sheet, Ship
from tests.support.built_fleets import QUILL, bring, bring_all, too_dear, two_ships
from tests.support.fleets_at_events import add, new_fleet, published, titles
from tests.support.fleets_for_tests import card
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.saying import in_english
from tourney.actions import entrants, events, fleets, rounds, simulation
from tourney.actions.record import Refused
from tourney.forms.fleets import LineForm
from tourney.models import Event, Fleet, FleetStep, JournalEntry
from tourney.queries.fleets import Status, fleet_of, fleets_of, fleets_of_player, may_see, statuses
from tourney.queries.state import state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db


# building


def test_a_step_is_saved_counted_and_undone():
    fleet = new_fleet(make_night(players=2).event)
    add(fleet)
    now = add(fleet, QUILL, at=1)

    assert (titles(fleet), now.total, now.row.version) == (["Lark", "Quill"], 24, 2)
    assert in_english(fleets.undo(fleet, by=BY)) == "Quill added."
    assert titles(fleet) == ["Lark"]
    assert in_english(fleets.undo(fleet, by=BY)) == "Lark added."
    with refused("There’s nothing to undo."):
        fleets.undo(fleet, by=BY)


def test_a_step_sent_twice_is_made_once():
    fleet = new_fleet(make_night(players=2).event)
    first = add(fleet, key="one")
    again = add(fleet, key="one")
    assert (again.total, again.row.version) == (first.total, 1)
    add(fleet, key="two")

    assert titles(fleet) == ["Lark", "Lark"]


def test_a_step_that_cannot_be_made_says_why_and_changes_nothing():
    fleet = new_fleet(make_night(players=2).event)
    add(fleet)

    with refused("This line is no longer in the fleet."):
        fleets.step(fleet, lambda sheet: editing.remove(sheet, 9), did=message("Changed."), by=BY)
    assert (titles(fleet), fleet.steps.count()) == (["Lark"], 1)


def test_only_the_last_thirty_steps_are_kept():
    fleet = new_fleet(make_night(players=2).event)
    for number in range(35):
        fleets.step(
            fleet,
            lambda sheet, n=number: editing.add(sheet, card(CardKind.OTHER, f"Card {n}")),
            did=message("Changed."),
            by=BY,
        )

    assert (fleet.steps.count(), fleet.steps.first().number) == (30, 6)


def test_of_all_fleets_of_a_player_the_newest_steps_are_kept_and_nobody_elses_go():
    event = make_night(players=2).event
    old, new = new_fleet(event, "Old"), new_fleet(event, "New")
    other = fleets.make_fleet(event.entrants.last().player, "Other", by=BY)
    FleetStep.objects.bulk_create(
        FleetStep(fleet=fleet, number=number, did="", before=sheet_as_data(Sheet()))
        for fleet in (other, old)
        for number in range(101, 101 + fleets.STEPS_OF_PLAYER)
    )

    for _ in range(3):
        add(new)

    assert (old.steps.first().number, old.steps.count()) == (104, fleets.STEPS_OF_PLAYER - 3)
    assert (new.steps.count(), other.steps.count()) == (3, fleets.STEPS_OF_PLAYER)


def test_7_1_the_steps_in_which_fleets_were_built_go_when_their_event_is_finished():
    """They are locked for good, and each step holds a whole sheet."""
    event, later = make_night(players=2).event, make_night(players=2).event
    flown, other = new_fleet(event), new_fleet(later, "Spare")
    for fleet in (flown, other):
        add(fleet)
        add(fleet, QUILL, at=1)
    fleets.assign_to_event(event, 1, flown, by=BY)
    simulation.draw(event, random=Random(1), by=BY)
    simulation.play_round(event, random=Random(1), by=BY)
    assert flown.steps.count() == 2

    events.finish_event(event, by=BY, reason="the shop closes")

    assert (flown.steps.count(), other.steps.count()) == (0, 2)
    assert titles(flown) == ["Lark", "Quill"]


def test_two_fleets_of_a_player_have_different_names():
    event = make_night(players=2).event
    names = [new_fleet(event).name, new_fleet(event, "vanguard").name, new_fleet(event).name]

    assert names == ["Vanguard", "vanguard 2", "Vanguard 3"]


def test_a_copy_flies_nowhere_and_has_the_same_sheet():
    event = make_night(players=2).event
    flying = bring(event, 1)
    copy = fleets.copy_fleet(flying, by=BY)

    assert (copy.name, copy.entrant, copy.sheet) == ("Vanguard 2", None, flying.sheet)


# at an event


def test_a_fleet_is_brought_instead_of_another_and_one_that_flew_elsewhere_is_copied():
    first = make_night(players=2, finish=False)
    flown = bring(first.event, 1)
    second = make_night(players=2, store=first.store).event
    own = second.entrants.get(player=flown.player)

    brought = fleets.assign_to_event(second, own.number, flown, by=BY)
    other = fleets.make_fleet(flown.player, "Other", by=BY)
    fleets.assign_to_event(second, own.number, other, by=BY)

    assert brought.pk != flown.pk
    assert Fleet.objects.get(pk=flown.pk).entrant == flown.entrant
    assert Fleet.objects.get(pk=brought.pk).entrant is None
    assert fleet_of(state_of(second), own.number).row.pk == other.pk


def test_nobody_brings_the_fleet_of_somebody_else():
    event = make_night(players=2).event
    fleet = bring(event, 1)

    with pytest.raises(Refused):
        fleets.assign_to_event(event, 2, fleet, by=BY)


def test_the_lists_of_the_desk_say_who_has_what():
    event = make_night(players=3).event
    bring(event, 1)
    bring(event, 2, too_dear())
    state = state_of(event)

    assert statuses(state, fleets_of(state)) == {
        1: Status("legal", 82),
        2: Status("wrong", 101, 1),
        3: Status("missing"),
    }


def test_open_pages_notice_only_what_lists_show():
    event = make_night(players=2).event
    fleet = bring(event, 1)
    before = Event.objects.get(pk=event.pk).version
    fleets.step(fleet, lambda sheet: editing.move(sheet, 4, -1), did=message("Changed."), by=BY)
    moved = Event.objects.get(pk=event.pk).version
    add(fleet, QUILL, at=5)

    assert (moved, Event.objects.get(pk=event.pk).version) == (before, before + 1)


# the lock


def test_7_1_a_fleet_locks_with_the_first_published_round_of_its_player():
    event = make_night(players=4).event
    bring_all(event)
    rounds.pair_round(event, seed=1, by=BY)
    fleet = Fleet.objects.get(entrant__event=event, entrant__number=1)
    add(fleet, QUILL, at=5)
    rounds.publish_round(event, 1, by=BY)

    locked = "Fleets are locked once round 1 starts (rule 7.1). Ask the organizer to unlock it."
    with refused(locked):
        add(fleet, QUILL, at=5)
    with refused(locked):
        fleets.undo(fleet, by=BY)
    with refused(locked):
        fleets.assign_to_event(event, 1, fleets.copy_fleet(fleet, by=BY), by=BY)
    with refused("Vanguard was played at The Last Battle of DS9, so it can’t be deleted. Copy it to make changes."):
        fleets.delete_fleet(fleet)


def test_7_1_a_late_arrival_still_brings_a_fleet():
    event = published()
    entrants.register(event, [("Rook", "Klingon")], by=BY, checked_in=True)
    fleet = bring(event, 5)

    assert add(fleet, QUILL, at=5).is_locked is False


def test_7_1_the_first_fleet_after_round_1_began_needs_a_reason():
    event = make_night(players=4, open_round=True).event
    late = new_fleet(event, sheet=two_ships())

    with refused("Round 1 has started (rule 7.1). Ask the organizer to enter your fleet."):
        fleets.assign_to_event(event, 1, late, by=BY)
    fleet = fleets.assign_to_event(event, 1, late, by=BY, reason="the sheet lay under the printer")
    entry = JournalEntry.objects.filter(event=event).last()

    assert (fleet.unlocked, entry.reason) == (
        "the sheet lay under the printer",
        "the sheet lay under the printer",
    )
    assert add(fleet, QUILL, at=5).is_locked is False


def test_7_1_an_unlocked_fleet_changes_with_its_lines_in_the_journal():
    event = published()
    fleet = Fleet.objects.get(entrant__event=event, entrant__number=1)
    with refused("Give a reason for unlocking the fleet (rule 7.1)."):
        fleets.unlock(event, 1, reason="", by=BY)
    fleets.unlock(event, 1, reason="typed wrong at the desk", by=BY)

    fleets.step(fleet, lambda sheet: editing.remove(sheet, 4), did=message("Darts removed."), by=BY)
    entry = JournalEntry.objects.filter(event=event).last()
    fleets.lock_again(event, 1, by=BY)

    name = fleet.player.name
    assert (entry.did, entry.what, entry.reason) == (
        "change_locked_fleet",
        f"{name}’s locked fleet changed. Darts removed.",
        "typed wrong at the desk",
    )
    assert (entry.before, entry.after) == (
        {"entrant": 1, "lines": ["Kestrel: Darts, 5 SP"]},
        {"entrant": 1, "lines": []},
    )
    assert fleet_of(state_of(event), 1).is_locked
    with refused("There’s nothing to undo."):
        fleets.unlock(event, 1, reason="again", by=BY)
        fleets.undo(fleet, by=BY)


def test_7_1_a_finished_event_keeps_its_fleets():
    event = make_night(players=4).event
    bring_all(event)
    night = Fleet.objects.get(entrant__event=event, entrant__number=1)

    by = BY
    for _ in range(3):
        by = simulation.draw(event, random=Random(1), by=by)
        by = simulation.play_round(event, random=Random(1), by=by)
    events.finish_event(event, by=by)

    with pytest.raises(Refused):
        add(night, QUILL, at=5)
    with refused("The event is finished. Reopen it first."):
        fleets.unlock(event, 1, reason="late", by=BY)


# rulings


def test_7_15_what_is_wrong_is_allowed_with_a_reason_that_stays():
    event = make_night(players=2).event
    bring(event, 1, too_dear())
    fleets.allow(event, 1, "7.5", 0, reason="lost on the way", by=BY)
    allowed = fleet_of(state_of(event), 1)

    assert (allowed.is_legal, [one.allowed for one in allowed.violations]) == (True, ["lost on the way"])
    fleets.allow(event, 1, "7.5", 0, reason="", by=BY)
    assert fleet_of(state_of(event), 1).is_legal is False
    with refused("This problem is already gone."):
        fleets.allow(event, 1, "7.11", 0, reason="why not", by=BY)


# who sees what


@pytest.mark.parametrize(
    ("shown", "before", "after"),
    [
        ("opponent", (False, False), (True, False)),
        ("round 1", (False, False), (True, True)),
        ("all", (True, True), (True, True)),
    ],
)
def test_whose_fleet_is_seen_is_a_setting(shown, before, after):
    event = make_night(players=4).event
    Event.objects.filter(pk=event.pk).update(fleets_shown=shown)
    event.refresh_from_db()

    def seen() -> tuple[bool, bool]:
        state = state_of(event)
        opponent = state.rounds[0].match_of(1).opponent_of(1).number
        stranger = next(n for n in state.by_number if n not in (1, opponent))
        return may_see(state, 1, opponent), may_see(state, 1, stranger)

    rounds.pair_round(event, seed=1, by=BY)
    assert seen() == before
    rounds.publish_round(event, 1, by=BY)
    assert seen() == after
    assert may_see(state_of(event), None, 1) is after[1]
    assert may_see(state_of(event), 1, 1)


def test_all_fleets_are_counted_in_as_many_queries_as_one(django_assert_num_queries):
    night = make_night(players=8)
    bring_all(night.event)
    state = state_of(night.event)

    with django_assert_num_queries(1):
        assert [fleet.is_legal for fleet in fleets_of(state).values()] == [True] * 8


def test_the_fleets_of_a_player_come_with_their_events(django_assert_num_queries):
    event = published()
    player = event.entrants.get(number=1).player
    draft = fleets.make_fleet(player, "Next month", by=BY)

    with django_assert_num_queries(2):
        found = fleets_of_player(player)
        assert [(one.row.name, one.event, one.is_locked) for one in found] == [
            (draft.name, None, False),
            ("Vanguard", event, True),
        ]


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        (Card(CardKind.SHIP, "7" * 131), "should be one line of 1 to 120 characters"),
        (
            Card(CardKind.SHIP, "Half a letter \ud800"),
            "a text in it has a character that can’t be saved.",
        ),
        (
            Card(CardKind.SHIP, "Kestrel", cost=10**30),
            "a number in it is too large.",
        ),
        (
            Card(CardKind.SHIP, "Kestrel", slots=((CardKind.CREW, 1), (CardKind.CREW, 2))),
            "Not saved. This fleet can’t be stored as it is.",
        ),
    ],
    ids=["a long title", "half a letter", "a large number", "slots twice"],
)
def test_what_cannot_be_read_back_is_never_saved(card, sentence):
    night = make_night(players=2)
    fleet = bring(night.event, 1)
    before = fleet.sheet

    for act in (
        lambda: fleets.make_fleet(fleet.player, "Another", by=BY, sheet=Sheet((Ship(CardLine(1, card)),))),
        lambda: fleets.step(fleet, lambda sheet: Sheet((Ship(CardLine(1, card)),)), did=message("Changed"), by=BY),
    ):
        with pytest.raises(Refused, match=sentence):
            act()

    assert (Fleet.objects.get().sheet, FleetStep.objects.count()) == (before, 0)


def test_letters_that_nobody_sees_are_left_out_of_a_note():
    form = LineForm({"note": "paid\u200b for\u202e"})

    assert form.is_valid()
    assert form.words["note"] == "paid for"
