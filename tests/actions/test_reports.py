"""Two-sided results: what each side's word does, alone, with the other's, and beside the desk."""

from dataclasses import replace
from datetime import timedelta
from itertools import count
from random import Random

import pytest

from scoring.domain.points import Ending, Played, Side
from tests.support.built_fleets import night_with_fleets
from tests.support.nights import AT, BY, make_night
from tests.support.refusing import refused
from tests.support.tables import eliminated, enter, match_at, on_time
from tourney.actions import player_cards, reports, results, rounds
from tourney.actions.record import Refused, Stale
from tourney.actions.reports import ReportOutcome
from tourney.models import Event, IdempotencyKey, JournalEntry, PlayerReport
from tourney.queries.reports import TableReports, reports_of
from tourney.queries.results import ResultInput
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

ONE, OTHER = on_time(30, 20), on_time(30, 25)
LATER = replace(BY, at=AT + timedelta(minutes=5))


@pytest.fixture
def event() -> Event:
    """Four players, round 1 in play."""
    return make_night(players=4, open_round=True).event


def table_of(event: Event, table: int = 1) -> TableReports:
    state = state_of(event)
    return reports_of(state, state.rounds[-1].matches)[table]


def seats(event: Event, table: int = 1) -> tuple[int, ...]:
    return match_at(event, table).numbers


def say(event: Event, number: int, played: Played = ONE, **more) -> ReportOutcome:
    return reports.report(event, 1, number, played, by=more.pop("by", BY), **more)


def answer_of(kind: str, *, is_new: bool) -> ReportOutcome:
    """What became of it, whatever was loaded for that."""
    return ReportOutcome(kind, is_new, None, None)


def seen(event: Event, number: int) -> int:
    """The report of that player, as somebody who looks at it names it."""
    return PlayerReport.objects.get(seat__entrant__number=number, seat__round__event=event).pk


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


def test_one_sides_word_waits_for_the_other(event):
    first, second = seats(event)

    answer = say(event, first, words="close one")

    table = table_of(event)
    assert answer == answer_of("mine", is_new=True)
    assert [table.kind_for(number) for number in (first, second)] == ["mine", "theirs"]
    assert (table.reports[0].row.facts, table.reports[0].row.words) == (
        table.reports[0].row.facts | {"sp_left_b": 20},
        "close one",
    )
    assert match_at(event, 1).result is None
    name = match_at(event, 1).names[first]
    assert last_entry(event).what.startswith(f"Round 1, table 1: {name} reported a result. Time was called.")
    assert last_entry(event).reason == "close one"


def test_two_who_report_the_same_blindly_have_agreed(event):
    first, second = seats(event)
    names = [match_at(event, 1).names[number] for number in (first, second)]
    say(event, first)

    answer = say(event, second)

    match = match_at(event, 1)
    assert answer == answer_of("decided", is_new=True)
    assert match.played == ONE
    assert (match.version, match.result.entered_by) == (1, "both players")
    assert table_of(event).is_agreed
    assert last_entry(event).by_name == "both players"
    assert last_entry(event).what.startswith(
        f"Round 1, table 1, {' against '.join(names)}: both players reported the same. Time was"
    )


def test_two_who_report_differently_are_in_dispute_and_nothing_counts(event):
    first, second = seats(event)
    say(event, first)

    answer = say(event, second, OTHER, words="the Lark survived")

    assert answer == answer_of("disputed", is_new=True)
    assert match_at(event, 1).result is None
    assert [report.row.sp_left_b for report in table_of(event).reports] == [20, 25]
    assert "reported a different result." in last_entry(event).what


def test_a_dispute_ends_when_one_side_says_what_the_other_says(event):
    first, second = seats(event)
    say(event, first)
    say(event, second, OTHER)

    answer = say(event, first, OTHER)

    assert answer == answer_of("decided", is_new=True)
    assert match_at(event, 1).played == OTHER


def test_what_the_other_side_confirms_counts(event):
    first, second = seats(event)
    say(event, first)

    answer = reports.confirm(event, 1, second, seen(event, first), by=BY)

    assert answer == answer_of("decided", is_new=True)
    assert match_at(event, 1).played == ONE
    assert [report.by.number for report in table_of(event).reports] == [first, second]


@pytest.mark.parametrize(
    ("meanwhile", "sentence"),
    [
        (
            lambda event, first: reports.withdraw(event, 1, first, by=BY),
            "Not confirmed. {} withdrew the report.",
        ),
        (
            lambda event, first: say(event, first, OTHER),
            "Not confirmed. {} changed the report. Check it again.",
        ),
    ],
)
def test_nobody_confirms_what_is_no_longer_said(event, meanwhile, sentence):
    first, second = seats(event)
    say(event, first)
    old = seen(event, first)
    meanwhile(event, first)

    with pytest.raises(Stale) as refusal:
        reports.confirm(event, 1, second, old, by=BY, key="k")

    assert refusal.value.reasons == (sentence.format(match_at(event, 1).names[first]),)
    assert match_at(event, 1).result is None
    assert not IdempotencyKey.objects.exists()


def test_a_report_is_taken_back_until_it_is_confirmed(event):
    first, second = seats(event)
    say(event, first)

    assert reports.withdraw(event, 1, first, by=BY) == answer_of("none", is_new=True)
    assert reports.withdraw(event, 1, first, by=BY) == answer_of("none", is_new=False)
    assert not PlayerReport.objects.exists()
    say(event, first)
    say(event, second)
    assert reports.withdraw(event, 1, first, by=BY) == answer_of("decided", is_new=False)
    assert table_of(event).is_agreed


def test_the_same_key_again_does_nothing(event):
    first, second = seats(event)
    say(event, first, key="k")
    entries = JournalEntry.objects.count()

    assert say(event, first, OTHER, key="k") == answer_of("mine", is_new=False)
    assert table_of(event).reports[0].row.sp_left_b == 20
    assert JournalEntry.objects.count() == entries
    assert say(event, second, OTHER, key="k") == answer_of("disputed", is_new=True)


def test_a_report_that_was_taken_back_does_not_come_again_with_its_key(event):
    first, _ = seats(event)
    say(event, first, key="k")
    reports.withdraw(event, 1, first, by=BY)

    assert say(event, first, key="k") == answer_of("none", is_new=False)
    assert not PlayerReport.objects.exists()


def test_whoever_comes_after_the_desk_is_answered_with_what_counts(event):
    first, second = seats(event)
    say(event, first, key="k")
    enter(event, 1, OTHER)

    answers = [
        say(event, first, key="k"),
        say(event, second, ONE, key="k"),
        reports.confirm(event, 1, second, seen(event, first), by=BY),
    ]

    assert answers == [answer_of("decided", is_new=False)] * 3
    assert match_at(event, 1).played == OTHER
    assert [report.by.number for report in table_of(event).reports] == [first]
    assert not table_of(event).is_agreed


def test_a_report_for_a_closed_round_is_answered_with_what_counts(event):
    _, second = seats(event)
    enter(event, 1, ONE)
    enter(event, 2, eliminated(left=70))
    rounds.close_round(event, 1, by=BY)

    assert say(event, second, OTHER) == answer_of("decided", is_new=False)


def test_the_desk_takes_one_of_two_versions(event):
    first, second = seats(event)
    say(event, first)
    say(event, second, OTHER)

    reports.take(event, 1, 1, seen(event, second), by=BY)

    assert match_at(event, 1).played == OTHER
    assert match_at(event, 1).result.entered_by == "test"
    assert f": {match_at(event, 1).names[second]}’s report accepted." in last_entry(event).what


def test_one_sides_word_is_accepted_in_the_second_it_comes(event):
    first, _ = seats(event)
    say(event, first)

    reports.take(event, 1, 1, seen(event, first), by=BY)

    assert match_at(event, 1).played == ONE


def test_a_word_is_not_accepted_over_another_that_the_desk_has_not_seen(event):
    first, second = seats(event)
    say(event, first)
    page = replace(BY, event_version=Event.objects.get(pk=event.pk).version)
    say(event, second, OTHER)

    with pytest.raises(Stale, match="reported a different result"):
        reports.take(event, 1, 1, seen(event, first), by=page)

    assert match_at(event, 1).result is None


@pytest.mark.parametrize(
    ("played", "how"), [(ONE, "{name}’s report accepted."), (OTHER, "result entered.")], ids=["left", "changed"]
)
def test_what_was_filled_in_from_a_report_is_saved_as_accepted_or_as_entered(event, played, how):
    first, _ = seats(event)
    say(event, first)

    reports.enter(event, 1, 1, ResultInput(played), seen=seen(event, first), version=0, by=BY)

    assert match_at(event, 1).played == played
    assert how.format(name=match_at(event, 1).names[first]) in last_entry(event).what


@pytest.mark.parametrize(
    ("meanwhile", "sentence"),
    [
        (lambda event, first, _: say(event, first, OTHER), "This report was changed or withdrawn. Check it again."),
        (lambda event, first, _: reports.withdraw(event, 1, first, by=BY), "This report was changed or withdrawn."),
        (lambda event, _, second: say(event, second, OTHER), "Not saved. {name} reported a different result."),
    ],
    ids=["changed", "withdrawn", "disputed"],
)
def test_what_was_filled_in_is_not_saved_once_the_players_say_something_else(event, meanwhile, sentence):
    first, second = seats(event)
    say(event, first)
    filled_in = seen(event, first)
    meanwhile(event, first, second)

    with pytest.raises(Stale, match=sentence.format(name=match_at(event, 1).names[second])):
        reports.enter(event, 1, 1, ResultInput(ONE), seen=filled_in, version=0, by=BY)

    assert match_at(event, 1).result is None


def test_what_both_agreed_on_meanwhile_is_saved_once(event):
    first, second = seats(event)
    say(event, first)
    filled_in = seen(event, first)
    reports.confirm(event, 1, second, filled_in, by=BY)

    reports.enter(event, 1, 1, ResultInput(ONE), seen=filled_in, version=0, by=BY)

    assert match_at(event, 1).version == 1


def test_who_has_no_card_is_not_asked(event):
    first, second = seats(event)
    say(event, first)
    state, version = state_of(event), Event.objects.get(pk=event.pk).version

    without = table_of(event).can_answer
    player_cards.issue(state.by_number[second].player, by=BY)

    assert (without, table_of(event).can_answer) == (False, True)
    assert Event.objects.get(pk=event.pk).version > version  # the pages that say so are made again


def test_the_desk_takes_nothing_that_is_no_longer_said_and_overwrites_nothing(event):
    first, second = seats(event)
    say(event, first)
    old = seen(event, first)
    say(event, first, OTHER)

    with pytest.raises(Stale, match="changed or withdrawn"):
        reports.take(event, 1, 1, old, by=LATER)
    say(event, second, OTHER)
    reports.take(event, 1, 1, seen(event, first), by=LATER)

    assert (match_at(event, 1).played, match_at(event, 1).version) == (OTHER, 1)


def test_a_result_taken_back_takes_the_reports_with_it(event):
    first, second = seats(event)
    say(event, first, key="k")
    say(event, second)

    results.remove_result(event, 1, 1, version=1, by=BY)

    assert table_of(event).kind == "none"
    assert say(event, first, key="k") == answer_of("none", is_new=False)


@pytest.mark.parametrize(
    ("played", "sentence"),
    [
        (on_time(101, 20), "101 SP"),
        (Played(Ending.NO_SHOW, (Side(), Side()), out=1), "Only the desk can enter this kind of result."),
        (Played(Ending.DOUBLE_LOSS, (Side(), Side())), "A ruling needs a reason"),
        (Played(Ending.TIME, (Side(30, adjustment=5), Side(20))), "A ruling needs a reason"),
    ],
)
def test_what_the_desk_could_not_save_either_is_refused(event, played, sentence):
    first, _ = seats(event)

    with pytest.raises(Refused) as refusal:
        say(event, first, played)

    assert sentence in str(refusal.value)
    assert not PlayerReport.objects.exists()


def test_2_3_a_number_that_the_fleet_cannot_leave_is_refused():
    event = night_with_fleets().event
    first, second = seats(event)

    with refused(f"{match_at(event, 1).names[second]}’s fleet can’t have 81 SP left. Nearest possible: 80 or 82."):
        say(event, first, on_time(82, 81))


def test_2_9_a_concession_is_reported_by_the_other_side_and_counts_once_confirmed(event):
    first, second = seats(event)
    conceded = Played(Ending.CONCESSION, (Side(), Side(40)), out=0)

    with refused("Not sent. To concede, send the desk a request from your card."):
        say(event, first, conceded)
    say(event, second, conceded)
    reports.confirm(event, 1, first, seen(event, second), by=BY)

    assert match_at(event, 1).winner.number == second


def test_a_tied_result_still_asks_for_the_dice(event):
    first, second = seats(event)
    say(event, first, on_time(30, 30))

    say(event, second, on_time(30, 30))

    assert match_at(event, 1).state == "tied"


def test_where_only_the_desk_enters_results_no_phone_does(event):
    Event.objects.filter(pk=event.pk).update(reported_by="desk")

    with refused("The desk enters results at this event. Tell them how your match ended."):
        say(event, seats(event)[0])


def test_a_bye_has_nothing_to_report():
    event = make_night(players=5, open_round=True).event
    alone = state_of(event).round(1).bye.a.number

    with refused("You have the bye in round 1, so there’s nothing to report."):
        say(event, alone)


def test_nobody_reports_from_a_round_in_which_they_do_not_sit(event):
    with refused("Not saved. You’re not at a table in round 2."):
        reports.report(event, 2, seats(event)[0], ONE, by=BY)
    with refused("Not saved. You’re not at a table in round 2."):
        reports.withdraw(event, 2, seats(event)[0], by=BY)


@pytest.mark.many
@pytest.mark.parametrize("seed", range(40))
def test_two_phones_and_a_desk_in_any_order_never_give_two_results(seed):
    """Every acknowledged word is there once, until it is taken back; what counts changes only at the desk."""
    random, keys = Random(seed), count()
    event = make_night(players=2, open_round=True).event
    pair, versions, said = seats(event), (ONE, OTHER), {}
    old = []
    for _ in range(14):
        number = random.choice(pair)
        other = pair[1 - pair.index(number)]
        before = match_at(event, 1)
        act = random.choice(("report", "report", "confirm", "withdraw", "again", "desk", "take"))
        row = PlayerReport.objects.filter(seat__entrant__number=other).first()
        try:
            if act == "report":
                sent = (number, random.choice(versions), f"k{next(keys)}")
                answer = say(event, sent[0], sent[1], key=sent[2])
                old.append(sent)
                if answer.is_new or before.result is None:
                    said[number] = sent[1]
            elif act == "again" and old:
                sent = random.choice(old)
                assert not say(event, sent[0], sent[1], key=sent[2]).is_new or before.result is None
            elif act == "confirm" and row:
                if reports.confirm(event, 1, number, row.pk, by=BY).is_new:
                    said[number] = said[other]
            elif act == "withdraw":
                if reports.withdraw(event, 1, number, by=BY).is_new:
                    del said[number]
            elif act == "desk" and random.random() < 0.2:
                enter(event, 1, random.choice(versions))
            elif act == "take" and row:
                reports.take(event, 1, 1, row.pk, by=LATER)
        except Stale:
            assert before.result or act in ("confirm", "take")
        match, table = match_at(event, 1), table_of(event)
        assert {report.by.number: versions[report.row.sp_left_b == 25] for report in table.reports} == said
        if before.result:
            assert (match.version, match.played) == (before.version, before.played)
        if len(set(map(repr, said.values()))) == 1 and len(said) == 2:
            assert match.result is not None
    entries = JournalEntry.objects.filter(event=event, did="report_result").count()
    assert entries == (match_at(event, 1).result is not None)
