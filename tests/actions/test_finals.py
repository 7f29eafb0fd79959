"""What a finished event came to is kept with it, and is what its rows come to."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.copied import copied, forget_kept
from tests.support.months import play_on, two_months
from tests.support.nights import AT, BY, Night, make_night
from tests.support.saying import in_english
from tests.support.tables import eliminated
from tourney.actions import archive, events, history, penalties, results, store_players, tokens
from tourney.actions.finals import TABLES, keep_missing_finals
from tourney.models import Event, FinalLine, FinalRanking, FinalSeat, Player
from tourney.printing.queries.poster import poster_of
from tourney.queries.archive import archive_of
from tourney.queries.campaigns import home_of, overview_of, packs_in
from tourney.queries.finals import computed_finals, finals_of, wrong_finals
from tourney.queries.head_to_head import duel_of
from tourney.queries.history import history_of
from tourney.queries.integrity import event_problems
from tourney.queries.ledger import ledger_of
from tourney.queries.records import PlayerRecord, record_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
@copied
def night() -> Night:
    """Seven players, three rounds with byes, two penalties, finished."""
    night = make_night(players=7, rounds=3, open_round=False)
    penalties.penalize(night.event, 2, 3, battle_points=0, fleet_points=-10, reason="Late", by=BY)
    events.finish_event(night.event, by=BY)
    return night


def fresh(night: Night) -> Event:
    return Event.objects.with_context().get(pk=night.event.pk)


def kept(event: Event) -> list[int]:
    return [model.objects.filter(event=event).count() for model in TABLES]


def test_a_finished_event_keeps_its_ranks_its_factions_and_every_round_of_every_player(night):
    state = state_of(fresh(night))
    finals = finals_of([state.event])[state.event.pk]

    assert kept(state.event) == [3 * 7, 7, 1]
    assert [(line.entrant.number, line.rank, line.title) for line in finals.lines] == [
        (line.id, line.rank, line.title) for line in state.standings(3)
    ]
    assert (finals.rounds, finals.factions) == (3, state.faction_lines(3))
    ruled = FinalSeat.objects.get(event=state.event, round=2, entrant__number=3)
    assert (ruled.is_ruled, ruled.fleet_points) == (True, state.rounds[1].scores[3].fleet_points)
    assert wrong_finals(state) == []


def test_nothing_is_kept_of_an_event_that_is_opened_again_and_all_of_it_when_that_is_taken_back(night):
    events.reopen_event(night.event, reason="A slip was found", by=BY)
    opened = kept(night.event)
    history.undo(fresh(night), history_of(night.event).last.pk, by=BY)

    assert opened == [0, 0, 0]
    assert kept(night.event) == [3 * 7, 7, 1]
    assert wrong_finals(state_of(fresh(night))) == []


def test_a_correction_of_a_finished_event_is_kept_with_it(night):
    match = state_of(fresh(night)).rounds[0].tables[0]
    before = list(FinalLine.objects.filter(event=night.event).order_by("place").values_list("entrant", "fleet_points"))

    report = eliminated(1 - match.played.out) if match.played.out is not None else eliminated(0)
    results.report_result(
        fresh(night), 1, match.table, results.ResultInput(report), version=match.version, reason="Typed wrong", by=BY
    )

    state = state_of(fresh(night))
    after = list(FinalLine.objects.filter(event=night.event).order_by("place").values_list("entrant", "fleet_points"))
    assert wrong_finals(state) == []
    assert (after != before) == state.is_finished


def test_an_imported_archive_keeps_what_it_came_to(night):
    data = archive_of(fresh(night))
    data["event"]["slug"] = "again"

    again = archive.import_event(night.store, data, by=BY)

    assert kept(again) == [3 * 7, 7, 1]
    assert wrong_finals(state_of(again)) == []


def test_what_was_changed_past_the_actions_is_found(night):
    FinalLine.objects.filter(event=night.event, place=1).update(battle_points=99)
    FinalSeat.objects.filter(event=night.event, opponent=None).update(player=night.event.entrants.first().player)

    assert in_english(event_problems(fresh(night))) == [
        "The stored final ranks aren’t what the results come to.",
        "The stored rounds of the players aren’t what the results come to.",
    ]


def test_what_is_kept_of_an_event_that_is_not_finished_is_found(night):
    Event.objects.filter(pk=night.event.pk).update(finished_at=None)

    assert "Final ranks are stored, but the event isn’t finished." in in_english(event_problems(fresh(night)))


def test_what_an_older_version_did_not_keep_is_kept_from_the_next_start_on(night, capsys):
    forget(night.event)

    call_command("prepare")

    assert kept(night.event) == [3 * 7, 7, 1]
    assert wrong_finals(state_of(fresh(night))) == []
    before = FinalSeat.objects.order_by("pk").first().pk
    keep_missing_finals()
    assert FinalSeat.objects.order_by("pk").first().pk == before


def forget(*finished: Event) -> None:
    for model in TABLES:
        model.objects.filter(event__in=finished).delete()


@pytest.fixture
def months(night) -> list[Night]:
    """Three finished months of a campaign, the last with other players too, and a fourth that is being played."""
    more = [make_night(players=n, rounds=3, finish=True, seed=n, store=night.store) for n in (7, 10)]
    more.append(make_night(players=8, rounds=1, open_round=True, tables=2, seed=5, store=night.store))
    for number, one in enumerate(more, start=1):
        Event.objects.filter(pk=one.event.pk).update(starts_at=AT + timedelta(days=28 * number))
    return [night, *more]


def test_pages_over_many_months_say_the_same_with_and_without_what_is_kept(months):
    """The rows of the events are the oracle."""
    people = Player.objects.filter(store=months[0].store)
    assert FinalRanking.objects.count() == 3

    kept_pages = shown(months, people)
    forget(*(month.event for month in months))
    forget_kept()
    computed = shown(months, people)

    assert kept_pages == computed
    assert any(one.rulings for record in computed[0] for month in record[0] for one in month[2])


def shown(months: list[Night], people) -> tuple:
    store, campaign, now = months[0].store, months[0].campaign, AT + timedelta(days=84)
    records = [told(record_of(player)) for player in people]
    first, *others = people
    duels = [duel_of(first, other) for other in others]
    book, home = overview_of(campaign, now), home_of(store, now)
    lines = [(row.name, row.line.rank, row.line.battle_points, row.line.months) for row in book.season]
    return (
        records,
        [(duel.won, [(one.event, one.round, one.is_by_dice) for one in duel.meetings]) for duel in duels],
        lines,
        [outcome(month) for month in (*book.months, *home.months, *home.past, *home.tonight)],
        (packs_in(campaign), book.people, home.next, home.campaign),
        [(month.event, month.kind, month.why, month.previous) for month in ledger_of(campaign)[1]],
        poster_of(campaign, now),
    )


def outcome(month) -> tuple:
    found = month.outcome or month.so_far
    if found is None:
        return month.event, month.state, month.players
    first = [(one.player, one.name, one.faction, one.standing.rank, one.standing.title) for one in found.first]
    return month.event, month.state, month.players, found.after, first, found.factions


def told(record: PlayerRecord) -> tuple:
    return (
        [
            (
                month.event,
                month.final and (month.final.rank, month.final.title, month.final.battle_points),
                [Told(one) for one in month.sittings],
                month.shows_fleet,
                month.token,
            )
            for month in record.months
        ],
        [(one.player, one.line.won, one.line.lost, one.last) for one in record.opponents],
        [(place.campaign, place.row.line.rank, place.among) for place in record.seasons],
        (record.best and record.best.rank, record.won, record.lost, record.player.name),
    )


class Told:
    """A round of a player as a page says it."""

    def __init__(self, one):
        self.rulings = one.rulings
        theirs = one.opponent_score and one.opponent_score.fleet_points
        self.said = (one.round, one.opponent, one.score and (one.score.outcome, one.score.fleet_points), theirs)
        self.said += (one.is_by_dice, one.rulings)

    def __eq__(self, other) -> bool:
        return self.said == other.said


def test_a_merge_moves_what_is_kept_to_the_person(months):
    last = Player.objects.order_by("pk").last()
    visitor = Player.objects.create(store=last.store, name="Visitor")
    before = told(record_of(last))

    merge = store_players.merge(visitor, last, by=BY)

    after = record_of(visitor)
    assert after.player.name == "Visitor"
    assert [month[1] for month in told(after)[0]] == [month[1] for month in before[0]]
    assert told(after)[1:3] == before[1:3]
    assert all(wrong_finals(state_of(fresh(month))) == [] for month in months)

    store_players.undo_merge(merge, by=BY)

    assert told(record_of(last)) == before
    assert all(wrong_finals(state_of(fresh(month))) == [] for month in months)


@pytest.mark.django_db(transaction=True)
def test_what_an_older_version_kept_is_whose_it_is():
    event = make_night(players=5, rounds=2, finish=True).event
    try:
        call_command("migrate", "tourney", "0056_rolls_by_their_name", verbosity=0)
    finally:
        call_command("migrate", "tourney", verbosity=0)

    assert kept(event) == [2 * 5, 5, 1]
    assert wrong_finals(state_of(Event.objects.with_context().get(pk=event.pk))) == []


def test_what_is_computed_of_an_event_is_what_is_saved(night):
    finals = computed_finals(state_of(fresh(night)))

    assert (len(finals.lines), len(finals.seats)) == (7, 21)


def test_an_event_whose_token_is_lost_with_its_end_writes_what_it_came_to_once():
    months = two_months()
    tokens.grant(months.event, months.number(0), by=BY)
    play_on(months.event, 3)

    with CaptureQueriesContext(connection) as queries:
        events.finish_event(months.event, by=BY)

    assert months.ledger()[-1] == ("lost", months.order[0])
    assert [one["sql"].split()[:3] for one in queries if "tourney_finalranking" in one["sql"].split(" (")[0]] == [
        ["DELETE", "FROM", '"tourney_finalranking"'],
        ["INSERT", "INTO", '"tourney_finalranking"'],
    ]
    assert wrong_finals(state_of(months.event)) == []
