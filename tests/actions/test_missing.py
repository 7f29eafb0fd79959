"""Fleets recorded and sheets signed before a round and before a result: asked of the desk, or required (7.1, 7.2)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from fleets.domain.sheet import Sheet
from scoring.domain.points import NOT_PLAYED, Ending, Played, Side
from tests.support.built_fleets import bring, night_with_fleets, two_ships
from tests.support.copied import copied
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tests.support.tables import enter, match_at, on_time
from tourney.actions import entrants, fleets, history, rehearsal, reports, rounds, sign_off
from tourney.actions.missing import FleetsMissing, SheetsMissing
from tourney.actions.results import Signing
from tourney.models import Event, FleetsRecorded, JournalEntry, Round, SheetCheck
from tourney.queries.history import last_step_of
from tourney.queries.missing import COMPARED

pytestmark = pytest.mark.django_db

SIDES = (Side(), Side())
ASKS = Signing(frozenset())
"""The desk, which has seen nothing yet."""


def required(event: Event) -> Event:
    Event.objects.filter(pk=event.pk).update(fleets_recorded=FleetsRecorded.REQUIRED)
    return Event.objects.with_context().get(pk=event.pk)


@copied
def drafted(players: int = 4) -> Event:
    event = make_night(players=players).event
    rounds.pair_round(event, seed=1, by=BY)
    return event


def is_published(event: Event) -> bool:
    return event.rounds.exclude(state=Round.State.DRAFT).exists()


def names(event: Event, *numbers: int) -> list[str]:
    return [str(event.entrants.get(number=number)) for number in numbers]


def signers(event: Event) -> int:
    return SheetCheck.objects.filter(seat__entrant__event=event, state=SheetCheck.State.SIGNED).count()


def save(event: Event, table: int = 1, signing: Signing = ASKS, **more) -> None:
    enter(event, table, more.pop("played", on_time(82, 46)), signing=signing, **more)


def is_saved(event: Event, table: int = 1) -> bool:
    return match_at(event, table).result is not None


def missing_at(event: Event, table: int = 1, signing: Signing = ASKS, **more) -> frozenset[str]:
    """What the save is refused for, in the words of forms."""
    with pytest.raises(SheetsMissing) as refusal:
        save(event, table, signing, **more)
    assert not is_saved(event, table)
    return refusal.value.missing.codes


# before a round


def test_on_a_night_on_paper_nobody_is_asked_for_a_fleet():
    event = drafted()

    rounds.publish_round(event, 1, by=BY, without=())

    assert is_published(event)


def test_as_soon_as_somebody_has_a_fleet_the_desk_sees_who_has_none_and_goes_on():
    event = drafted()
    bring(event, 2)
    bring(event, 3, Sheet())
    first, third, fourth = names(event, 1, 3, 4)

    with refused(
        f"{first}, {third} and {fourth} have no recorded fleet (rule 7.1).",
        "Check the list, then publish the round anyway.",
    ):
        rounds.publish_round(event, 1, by=BY, without=())
    with pytest.raises(FleetsMissing):
        rounds.publish_round(event, 1, by=BY, without=(1, 3))
    assert not is_published(event)

    rounds.publish_round(event, 1, by=BY, without=(1, 3, 4))
    assert is_published(event)


def test_an_empty_fleet_is_none_that_anybody_recorded():
    event = drafted()
    bring(event, 3, Sheet())

    rounds.publish_round(event, 1, by=BY, without=())

    assert is_published(event)


def test_who_was_seen_before_round_1_is_not_asked_about_again_and_a_late_arrival_is():
    event = make_night(players=4, rounds=1).event
    bring(event, 2)
    entrants.register(event, [("Zephyr", "Klingon"), ("Ash", "Klingon")], by=BY, checked_in=True)
    bring(event, 6)
    rounds.pair_round(event, seed=1, by=BY)

    with refused("Zephyr has no recorded fleet (rule 7.1).", "Check the list, then publish the round anyway."):
        rounds.publish_round(event, 2, by=BY, without=())
    rounds.publish_round(event, 2, by=BY, without=(5,))


def test_where_fleets_are_required_round_1_waits_for_all_of_them():
    event = required(drafted())
    for number in (1, 2, 3):
        bring(event, number)

    with refused(
        f"{names(event, 4)[0]} has no recorded fleet (rule 7.1).",
        "Everyone needs one before round 1 at this event. Record it, or undo the check-in.",
    ):
        rounds.publish_round(event, 1, by=BY, without=(4,))
    with pytest.raises(FleetsMissing):
        rounds.publish_round(event, 1, by=BY)
    bring(event, 4)
    rounds.publish_round(event, 1, by=BY)

    assert is_published(event)


def test_where_fleets_are_required_a_night_on_paper_does_not_begin():
    with pytest.raises(FleetsMissing):
        rounds.publish_round(required(drafted()), 1, by=BY, without=(1, 2, 3, 4))


def test_a_late_arrival_holds_up_no_round_where_fleets_are_required():
    event = required(make_night(players=4, rounds=1).event)
    entrants.register(event, [("Zephyr", "Klingon")], by=BY, checked_in=True)
    rounds.pair_round(event, seed=1, by=BY)

    with pytest.raises(FleetsMissing):
        rounds.publish_round(event, 2, by=BY, without=())
    rounds.publish_round(event, 2, by=BY, without=(5,))


# before a result


def test_on_a_night_on_paper_nothing_is_asked_before_a_result():
    event = make_night(players=4, open_round=True).event
    bring(event, 1, Sheet())

    save(event)

    assert is_saved(event)


def test_what_is_not_signed_is_said_once_and_seen_it_is_saved():
    event = night_with_fleets().event
    first, second = match_at(event, 1).entrants

    with refused(
        f"{second} hasn’t signed {first}’s fleet.",
        f"{first} hasn’t signed {second}’s fleet.",
        "Sign it on the card, or tell the desk that it’s signed on paper.",
    ):
        save(event)
    assert not is_saved(event)

    save(event, signing=Signing(frozenset({f"sign{first.number}", f"sign{second.number}"})))
    assert is_saved(event)
    save(event, version=1, played=on_time(46, 82))
    assert match_at(event, 1).result.sp_left_a == 46


def test_what_the_desk_has_not_seen_yet_is_asked_even_after_it_saw_something():
    event = night_with_fleets().event
    first, second = match_at(event, 1).numbers

    assert missing_at(event, signing=Signing(frozenset({f"sign{first}"}))) == {f"sign{first}", f"sign{second}"}


def test_a_fleet_that_is_not_recorded_is_said_where_somebody_else_has_one():
    event = night_with_fleets({1: None, 2: None, 3: None, 4: Sheet()}).event
    bring(event, next(number for number in match_at(event, 2).numbers))
    first, second = match_at(event, 1).numbers

    assert missing_at(event) == {f"fleet{first}", f"fleet{second}"}
    save(event, signing=Signing(frozenset({f"fleet{first}", f"fleet{second}"})))
    assert is_saved(event)


def test_signed_tables_are_asked_for_nothing():
    event = night_with_fleets(signed=True).event

    save(event)

    assert is_saved(event)


def test_one_press_signs_both_on_paper_and_saves():
    event = night_with_fleets().event

    save(event, signing=Signing(frozenset(), on_paper=True))

    assert (is_saved(event), signers(event)) == (True, 2)
    whats = list(JournalEntry.objects.filter(event=event).order_by("-pk").values_list("what", flat=True)[:2])
    assert whats[1] == "Round 1, table 1: fleets signed on paper."
    assert last_step_of(event).did == "report_result"
    history.undo(event, last_step_of(event).pk, by=BY)
    assert (is_saved(event), signers(event)) == (False, 2)


def test_a_correction_signs_nothing():
    event = night_with_fleets().event
    save(event, signing=Signing())

    save(event, version=1, played=on_time(46, 82), signing=Signing(frozenset(), on_paper=True))

    assert (match_at(event, 1).version, signers(event)) == (2, 0)


def test_paper_does_not_settle_a_call_and_nothing_is_signed_then():
    event = night_with_fleets().event
    first, second = match_at(event, 1).entrants
    sign_off.call_judge(event, 1, second.number, line=2, words="another captain", by=BY)

    assert missing_at(event) == {f"call{first.number}", f"sign{second.number}"}
    with refused(f"{second} is calling a judge to table 1. Resolve that first."):
        save(event, signing=Signing(frozenset(), on_paper=True))
    assert (is_saved(event), signers(event)) == (False, 0)


@pytest.mark.parametrize(
    "played",
    [Played(Ending.NO_SHOW, SIDES, out=0), Played(Ending.BOTH_NO_SHOWS, SIDES)],
    ids=["no-show", "neither came"],
)
def test_a_match_that_nobody_played_is_asked_for_nothing(played):
    event = required(night_with_fleets().event)

    save(event, played=played)

    assert is_saved(event)


def test_every_other_ending_is_asked_for_sheets():
    assert set(Ending) - set(COMPARED) == {*NOT_PLAYED, Ending.DOUBLE_LOSS, Ending.RULING}


def test_a_ruling_is_a_judges_and_waits_for_no_sheet():
    event = required(night_with_fleets().event)

    save(event, played=Played(Ending.DOUBLE_LOSS, SIDES), ruling="both walked out")

    assert is_saved(event)


def test_required_waits_for_both_signatures_whatever_was_seen_and_whoever_saves():
    event = required(night_with_fleets().event)
    first, second = match_at(event, 1).numbers
    codes = {f"sign{first}", f"sign{second}"}

    assert missing_at(event, signing=Signing(frozenset(codes))) == codes
    assert missing_at(event, signing=Signing()) == codes
    sign_off.sign(event, 1, first, by=BY)
    assert missing_at(event) == {f"sign{first}"}
    sign_off.sign(event, 1, second, by=BY)
    save(event)

    assert is_saved(event)


def test_required_waits_for_a_fleet_that_paper_cannot_replace():
    event = required(night_with_fleets({1: None}).event)
    table = next(table for table in (1, 2) if 1 in match_at(event, table).numbers)

    assert "fleet1" in missing_at(event, table, signing=Signing(frozenset(), on_paper=True))
    assert signers(event) == 0
    fleets.assign_to_event(
        event,
        1,
        fleets.make_fleet(event.entrants.get(number=1).player, "Late", by=BY, sheet=two_ships()),
        by=BY,
        reason="found it",
    )
    save(event, table, signing=Signing(frozenset(), on_paper=True))

    assert is_saved(event, table)


def test_required_phones_report_once_the_sheets_are_signed():
    event = required(night_with_fleets().event)
    first, second = match_at(event, 1).numbers

    with pytest.raises(SheetsMissing):
        reports.report(event, 1, first, on_time(82, 46), by=BY)
    sign_off.sign_on_paper(event, 1, 1, by=BY)
    for number in (first, second):
        reports.report(event, 1, number, on_time(82, 46), by=BY)

    assert is_saved(event)


def test_where_it_is_only_asked_phones_are_not():
    event = night_with_fleets().event
    for number in match_at(event, 1).numbers:
        reports.report(event, 1, number, on_time(82, 46), by=BY)

    assert is_saved(event)


def test_the_desk_is_asked_too_before_it_takes_what_one_side_reported():
    event = night_with_fleets().event
    first, second = match_at(event, 1).numbers
    reports.report(event, 1, first, on_time(82, 46), by=BY)
    reports.report(event, 1, second, on_time(46, 82), by=BY)
    word = match_at(event, 1).row.seats.get(entrant__number=first).report.pk

    with pytest.raises(SheetsMissing) as refusal:
        reports.take(event, 1, 1, word, by=BY, signing=ASKS)
    reports.take(event, 1, 1, word, by=BY, signing=Signing(refusal.value.missing.codes))

    assert is_saved(event)


def test_a_fleet_that_cannot_be_read_any_more_was_recorded():
    event = night_with_fleets(signed=True).event
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tourney_fleet SET data = '{\"broken\": true}'")

    save(event)

    assert is_saved(event)


@pytest.mark.parametrize(
    "night",
    [lambda: make_night(players=4, open_round=True), lambda: night_with_fleets(signed=True)],
    ids=["paper", "fleets"],
)
def test_the_question_costs_no_query(night):
    event, counts = night().event, []
    for table, signing in ((1, Signing()), (2, ASKS)):
        with CaptureQueriesContext(connection) as queries:
            save(event, table, signing)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_a_rehearsal_is_played_without_anybody_who_signs():
    event = required(make_night(players=4).event)

    copy = rehearsal.begin(event, rehearsal.RehearsalPlan(0), by=BY, seed=1)

    assert copy.fleets_recorded == FleetsRecorded.ASKED
    rounds.pair_round(event, seed=1, by=BY)
    with pytest.raises(FleetsMissing):
        rounds.publish_round(event, 1, by=BY)
