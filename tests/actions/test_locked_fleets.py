"""Rule 7: every change of a fleet after it locked is told, and rulings allow what was wrong."""

from random import Random

import pytest

from fleets.domain import editing
from fleets.domain.cards import CardKind
from fleets.domain.sheet import CardLine, Sheet, Ship
from tests.support.built_fleets import ATTACK_FIGHTERS, QUILL, bring, two_ships
from tests.support.fleets_at_events import LARK, add, new_fleet, published, titles
from tests.support.fleets_for_tests import card
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tourney.actions import arrivals, entrants, fleets, history, rounds, sign_off, simulation
from tourney.actions.arrivals import Decision
from tourney.actions.record import Stale
from tourney.domain.arrivals import ArrivalOption, ArrivalWay, Moment
from tourney.models import Event, Fleet, JournalEntry, SheetCheck
from tourney.queries.fleets import fleet_of
from tourney.queries.history import history_of
from tourney.queries.state import state_of
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db


# after the lock


def signed(event: Event, number: int) -> bool:
    """Whether the opponent has signed the fleet of that entrant in the round in play."""
    checks = SheetCheck.objects.filter(seat__match__seats__entrant__number=number, seat__round__event=event)
    return checks.exclude(seat__entrant__number=number).exists()


def opponent_signs(event: Event, number: int, **facts) -> None:
    round = state_of(event).last_round
    sign_off.sign(event, round.number, round.match_of(number).opponent_of(number).number, by=BY, **facts)


def test_7_1_an_unlocked_fleet_cannot_be_exchanged_in_silence():
    event = published()
    fleets.unlock(event, 1, reason="typed wrong", by=BY)
    other = new_fleet(event, "Other", sheet=two_ships(resource=None))
    opponent_signs(event, 1)
    brought = fleets.assign_to_event(event, 1, other, by=BY)
    entry = JournalEntry.objects.filter(event=event).last()

    assert (entry.did, entry.before["lines"], entry.after["lines"]) == (
        "change_locked_fleet",
        ["Federation Attack Fighters, 20 SP"],
        [],
    )
    assert (brought.unlocked, signed(event, 1)) == ("typed wrong", False)


def test_7_1_an_unlocked_fleet_in_play_is_not_deleted():
    event = published()
    fleets.unlock(event, 1, reason="typed wrong", by=BY)

    with refused("Vanguard was played at The Last Battle of DS9, so it can’t be deleted. Copy it to make changes."):
        fleets.delete_fleet(Fleet.objects.get(entrant__event=event, entrant__number=1))


def test_7_1_the_next_round_locks_what_was_unlocked():
    event = published()
    fleets.unlock(event, 1, reason="typed wrong", by=BY)
    simulation.play_round(event, random=Random(1), by=BY)
    rounds.pair_round(event, seed=2, by=BY)
    rounds.publish_round(event, 2, by=BY)

    assert fleet_of(state_of(event), 1).is_locked


def one_who_returns() -> tuple[Event, int]:
    """Left after round 1 with an unlocked fleet; round 2 is in play with a bye, and everybody else is locked."""
    event = published(6)
    simulation.play_round(event, random=Random(1), by=BY)
    entrants.drop(event, 1, by=BY)
    fleets.unlock(event, 1, reason="typed wrong", by=BY)
    rounds.pair_round(event, seed=2, by=BY)
    rounds.publish_round(event, 2, by=BY)
    return event, 1


def arrange(event: Event, number: int, option: ArrivalOption) -> None:
    decision = Decision(number, option, "back from the parking lot")
    arrivals.arrange(event, decision, expected=arrivals.preview(event, decision, by=BY).fingerprint, by=BY)


def is_locked(event: Event, number: int) -> bool:
    return fleet_of(state_of(event), number).is_locked


def test_7_1_who_returns_to_a_round_in_play_is_locked_with_the_seat_and_not_by_looking_at_it():
    event, number = one_who_returns()
    back = Decision(number, ArrivalOption(Moment.RETURNS, ArrivalWay.BYE_PLAYER), "back from the parking lot")
    arrivals.preview(event, back, by=BY)
    before = is_locked(event, number)

    arrange(event, number, back.option)

    assert (before, is_locked(event, number)) == (False, True)
    with refused("Fleets are locked once round 1 starts (rule 7.1). Ask the organizer to unlock it."):
        add(Fleet.objects.get(entrant__event=event, entrant__number=number))


def test_7_1_a_seat_that_is_given_again_locks_again():
    event, number = one_who_returns()
    arrange(event, number, ArrivalOption(Moment.RETURNS, ArrivalWay.BYE_PLAYER))
    history.undo(event, history_of(event).last.pk, by=BY)
    fleets.unlock(event, number, reason="typed wrong again", by=BY)

    history.redo(event, history_of(event).next.pk, by=BY)

    assert is_locked(event, number)


def test_7_1_a_round_that_is_published_again_by_a_step_locks_again():
    event, _ = one_who_returns()
    history.undo(event, history_of(event).last.pk, by=BY)
    fleets.unlock(event, 2, reason="typed wrong", by=BY)

    history.redo(event, history_of(event).next.pk, by=BY)

    assert is_locked(event, 2)


def test_7_1_who_comes_to_the_table_after_all_is_locked_there():
    event = published(4)
    number = state_of(event).last_round.tables[0].a.number
    arrange(event, number, ArrivalOption(Moment.DROPS_NOW, ArrivalWay.NO_SHOW))
    fleets.unlock(event, number, reason="typed wrong", by=BY)

    arrange(event, number, ArrivalOption(Moment.RETURNS, ArrivalWay.REOPEN))

    assert is_locked(event, number)


def test_7_1_in_a_draft_nothing_is_locked_yet():
    event, number = one_who_returns()
    history.undo(event, history_of(event).last.pk, by=BY)

    arrange(event, number, ArrivalOption(Moment.RETURNS, ArrivalWay.BYE_PLAYER))

    assert not is_locked(event, number)


def test_7_2_a_fleet_entered_late_is_not_signed_yet():
    event = make_night(players=4, open_round=True).event
    opponent_signs(event, 1)
    fleets.assign_to_event(event, 1, new_fleet(event, sheet=two_ships()), by=BY, reason="from paper")

    assert signed(event, 1) is False


def test_7_2_what_was_undone_since_has_to_be_looked_at_again():
    event = published()
    fleets.unlock(event, 1, reason="typed wrong", by=BY)
    fleet = Fleet.objects.get(entrant__event=event, entrant__number=1)
    fleets.step(fleet, lambda sheet: editing.remove(sheet, 4), did=message("Changed."), by=BY)
    seen = Fleet.objects.get(pk=fleet.pk).version
    fleets.undo(fleet, by=BY)

    with pytest.raises(Stale):
        opponent_signs(event, 1, version=seen)


def test_an_undo_that_is_sent_twice_undoes_one_step():
    fleet = new_fleet(make_night(players=2).event)
    add(fleet)
    add(fleet, QUILL, at=1)
    fleets.undo(fleet, by=BY, number=2)

    with refused("This step was already undone, or another one followed. Check the fleet."):
        fleets.undo(fleet, by=BY, number=2)
    assert titles(fleet) == ["Lark"]


def test_a_step_that_arrives_again_after_it_was_undone_stays_undone():
    fleet = new_fleet(make_night(players=2).event)
    add(fleet, key="one")
    fleets.undo(fleet, by=BY)
    add(fleet, key="one")

    assert titles(fleet) == []


# lines and rulings


def test_7_15_a_ruling_allows_what_was_wrong_and_nothing_more():
    event = make_night(players=2).event
    fleet = bring(event, 1, editing.add(two_ships(), card(CardKind.OTHER, "Orders", 30)))
    fleets.allow(event, 1, "7.5", 0, reason="a guest", by=BY)
    assert fleet_of(state_of(event), 1).is_legal
    fleets.step(
        fleet, lambda sheet: editing.add(sheet, card(CardKind.OTHER, "More", 100)), did=message("Changed."), by=BY
    )

    assert [one.rule for one in fleet_of(state_of(event), 1).wrong] == ["7.5"]


def test_7_15_what_takes_the_place_of_an_allowed_card_is_not_allowed():
    event = make_night(players=2).event
    fleet = bring(event, 1)
    fleets.step(
        fleet, lambda sheet: editing.add(sheet, card(CardKind.CAPTAIN, "Rook", 1), 1), did=message("Changed."), by=BY
    )
    fleets.allow(event, 1, "7.8", 8, reason="promo", by=BY)
    assert fleet_of(state_of(event), 1).is_legal
    fleets.step(fleet, lambda sheet: editing.remove(sheet, 8), did=message("Changed."), by=BY)
    now = fleets.step(
        fleet, lambda sheet: editing.add(sheet, card(CardKind.CAPTAIN, "Rook", 1), 1), did=message("Changed."), by=BY
    )

    assert {line.id for line in now.sheet.lines} == {1, 2, 3, 4, 5, 6, 7, 9}
    assert [one.rule for one in fleet_of(state_of(event), 1).wrong] == ["7.8"]


def test_a_new_fleet_counts_its_lines_from_one_whatever_its_file_says():
    event = make_night(players=2).event
    numbers = iter((10**6, 5, 7))
    ship = Ship(CardLine(next(numbers), LARK), (CardLine(next(numbers), QUILL),))
    fleet = new_fleet(event, sheet=Sheet((ship,), CardLine(next(numbers), ATTACK_FIGHTERS), 5))
    now = add(fleet, QUILL, at=1)

    assert [line.id for line in now.sheet.lines] == [1, 2, 4, 3]
    assert now.sheet.resource_at == 2


def test_open_pages_notice_another_name():
    event = make_night(players=2).event
    fleet = bring(event, 1)
    before = Event.objects.get(pk=event.pk).version
    fleets.rename(fleet, "Home Guard")

    assert Event.objects.get(pk=event.pk).version == before + 1
