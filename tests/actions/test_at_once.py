"""Two people press at the same moment, on the real database: one round, one result, one clear message."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from scoring.shipped import shipped_pack
from tests.support.at_once import at_once
from tests.support.corrected import FEWEST, night_in_round
from tests.support.nights import AT, BY, Night, make_night, make_store
from tests.support.phones import phone_of
from tests.support.tables import match_at, on_time
from tourney.actions import by_hand, entrants, events, history, penalties, regulars, reports, results, rounds
from tourney.actions.archive import InvalidArchive, import_event
from tourney.actions.corrections import Correction, do_if_still_as_shown, foreseen
from tourney.actions.record import Actor, Refused, locked
from tourney.actions.simulation import roll_off_standings, roll_off_tables
from tourney.models import Event, Fleet, JournalEntry, Penalty, Player, PlayerReport, Result, Round
from tourney.queries.archive import archive_of
from tourney.queries.history import history_of
from tourney.queries.integrity import store_problems
from tourney.queries.journal_chain import head_of
from tourney.queries.repairs import Repair
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db(transaction=True)


def journal(event, did: str) -> int:
    return JournalEntry.objects.filter(event=event, did=did).count()


def test_two_organizers_pair_at_once_and_there_is_one_draft():
    event = make_night(players=9).event

    told = at_once(*[lambda seed=seed: rounds.pair_round(event, seed=seed, number=1, by=BY) for seed in (1, 2)])

    assert told == ["", "Nothing changed. Round 1 is already paired."]
    assert Round.objects.filter(event=event).count() == 1
    assert journal(event, "pair_round") == 1


def test_two_organizers_publish_at_once_and_the_round_is_published_once():
    event = make_night(players=8).event
    rounds.pair_round(event, seed=1, by=BY)

    told = at_once(*[lambda: rounds.publish_round(event, 1, by=BY)] * 2)

    assert told == ["", "Round 1 is already published."]
    assert journal(event, "publish_round") == 1


def test_two_organizers_close_at_once_and_the_round_is_closed_once():
    event = make_night(players=9, open_round=True, tables=4).event
    close_ready(event)

    told = at_once(*[lambda: rounds.close_round(event, 1, by=BY)] * 2)

    assert told == ["", "Round 1 is already closed."]
    assert journal(event, "close_round") == 1


def test_one_publishes_while_the_other_discards_the_draft_and_only_one_of_them_did_it():
    event = make_night(players=8).event
    rounds.pair_round(event, seed=1, by=BY)

    told = at_once(lambda: rounds.publish_round(event, 1, by=BY), lambda: rounds.discard_draft(event, 1, by=BY))

    assert told[0] == ""
    assert told[1].startswith(("Round 1 is already published.", "There is no draft of round 1 any more."))
    assert journal(event, "publish_round") + journal(event, "discard_draft") == 1


def test_two_take_the_last_place_at_once_and_one_has_it():
    event = make_night(players=0).event
    Event.objects.filter(pk=event.pk).update(places=3)
    entrants.register(event, [("Vor", ""), ("Lark", "")], by=BY)

    told = at_once(
        *[lambda name=name: entrants.register(event, [(name, "")], by=BY, by_self=True) for name in ("Talon", "Onyx")]
    )

    assert told == ["", ""]
    state = state_of(Event.objects.with_context().get(pk=event.pk))
    assert (len(state.with_place), state.waiting_list) == (3, (4,))
    assert {str(one) for one in state.entrants} == {"Vor", "Lark", "Talon", "Onyx"}


def test_a_place_given_back_and_a_newcomer_at_once_and_who_waited_has_it():
    event = make_night(players=0).event
    Event.objects.filter(pk=event.pk).update(places=2)
    entrants.register(event, [("Vor", ""), ("Lark", ""), ("Talon", "")], by=BY)

    told = at_once(
        lambda: regulars.withdraw(event, 1, by=BY),
        lambda: entrants.register(event, [("Onyx", "")], by=BY, by_self=True),
    )

    assert told == ["", ""]
    state = state_of(Event.objects.with_context().get(pk=event.pk))
    assert [str(one) for one in state.with_place] == ["Lark", "Talon"]
    assert journal(event, "move_up") == 1


def test_two_save_the_same_result_and_the_second_is_shown_what_is_there():
    event = make_night(players=8, open_round=True).event
    reports = [results.ResultInput(Played(Ending.TIME, (Side(left), Side(90)))) for left in (30, 40)]

    told = at_once(*[lambda r=r: results.report_result(event, 1, 1, r, version=0, by=BY) for r in reports])

    assert told[0] == ""
    assert told[1].startswith("Not saved. test entered a result for table 1: Time was called.")
    assert told[1].endswith("Compare it, then save again to replace it.")
    assert [row.version for row in Result.objects.filter(match__round__event=event)] == [1]


def say(event: Event, number: int, left: int, key: str = "") -> Callable[[], object]:
    played = Played(Ending.TIME, (Side(left), Side(90)))
    return lambda: reports.report(event, 1, number, played, key=key, by=BY)


def test_both_players_report_the_same_at_once_and_there_is_one_result():
    event = make_night(players=8, open_round=True).event
    first, second = match_at(event, 1).numbers

    told = at_once(say(event, first, 30), say(event, second, 30))

    assert told == ["", ""]
    assert journal(event, "report_result") == 1
    assert PlayerReport.objects.count() == 2


def test_a_phone_that_sends_twice_at_once_is_heard_once():
    event = make_night(players=8, open_round=True).event
    first, _ = match_at(event, 1).numbers

    told = at_once(*[say(event, first, 30, key="k")] * 4)

    assert told == [""] * 4
    assert (journal(event, "report"), PlayerReport.objects.count()) == (1, 1)


def test_one_confirms_while_the_other_takes_the_report_back_and_only_one_of_them_did_it():
    event = make_night(players=8, open_round=True).event
    first, second = match_at(event, 1).numbers
    say(event, first, 30)()
    seen = PlayerReport.objects.get().pk

    told = at_once(
        lambda: reports.confirm(event, 1, second, seen, by=BY), lambda: reports.withdraw(event, 1, first, by=BY)
    )

    assert told[1] in ("", f"Not confirmed. {match_at(event, 1).names[first]} withdrew the report.")
    assert journal(event, "report_result") + journal(event, "withdraw_report") == 1
    assert PlayerReport.objects.count() == 2 * journal(event, "report_result")


def test_two_phones_and_the_desk_at_once_give_one_result_and_nobody_overwrites_another():
    event = make_night(players=8, open_round=True).event
    first, second = match_at(event, 1).numbers
    desk = results.ResultInput(Played(Ending.TIME, (Side(40), Side(90))))

    told = at_once(
        say(event, first, 30),
        say(event, second, 30),
        lambda: results.report_result(event, 1, 1, desk, version=0, by=BY),
    )

    match = match_at(event, 1)
    assert [not words or words.startswith("Not saved. both players entered a result") for words in told] == [True] * 3
    assert (match.version, journal(event, "report_result")) == (1, 1)
    assert match.played.sides[0].sp_left == (30 if any(told) else 40)


def test_two_organizers_make_the_same_month_at_once_and_each_gets_an_event_of_its_own():
    stores = [make_store(name)[0] for name in ("Starbase Games", "Deck Twelve")]
    campaigns = [events.make_campaign(store, storyline="The Dominion War", by=BY) for store in stores]
    pack = shipped_pack("tournament-2016")

    told = at_once(*[lambda at=at: events.make_event(at, pack, starts_at=AT, by=BY) for at in campaigns * 2])

    assert told == [""] * 4
    assert sorted(Event.objects.values_list("slug", flat=True)) == [
        "tournament-2016-2026-11",
        *(f"tournament-2016-2026-11-{number}" for number in (2, 3, 4)),
    ]


def test_while_one_store_makes_an_event_another_one_waits_for_nothing():
    """Both make the month that everybody plays: the second passes over what the first is about to take."""
    first, second = make_night(players=0), make_night(players=0)
    month_of(first)  # keeps the pack
    begun, done = threading.Event(), threading.Event()

    def make_slowly() -> None:
        with transaction.atomic():
            month_of(first)
            begun.set()
            assert done.wait(60)
        connection.close()

    with ThreadPoolExecutor(1) as threads:
        slowly = threads.submit(make_slowly)
        assert begun.wait(60)
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '3s'")
                event = month_of(second)
        finally:
            done.set()
        slowly.result()

    slugs = dict(Event.objects.filter(slug__startswith="month-of-all").values_list("slug", "campaign"))
    assert slugs == {
        "month-of-all": first.campaign.pk,
        "month-of-all-2": first.campaign.pk,
        "month-of-all-3": second.campaign.pk,
    }
    assert event.slug == "month-of-all-3"


def month_of(night: Night) -> Event:
    pack = shipped_pack("dominion-war-5")
    return events.make_event(night.campaign, pack, starts_at=AT, sp_limit=100, slug="Month of all", by=BY)


def test_one_archive_is_imported_twice_at_once_and_there_is_one_event():
    archive = archive_of(make_night(players=4, rounds=1).event)
    archive["event"]["slug"] = "from-elsewhere"
    store, _ = make_store("Deck Twelve")

    def read() -> None:
        try:
            import_event(store, archive, by=BY)
        except InvalidArchive as error:
            raise Refused(*error.errors) from error

    told = at_once(read, read)

    assert told == ["", "$.event.slug: an event “from-elsewhere” exists here already"]


def test_the_same_new_name_is_registered_for_two_months_at_once_and_is_one_player():
    night = make_night(players=0)
    other = make_night(players=0, store=night.store)

    told = at_once(
        *[lambda event=event: entrants.register(event, [("Vor", "")], by=BY) for event in (night.event, other.event)]
    )

    assert told == ["", ""]
    assert list(Player.objects.values_list("name", flat=True)) == ["Vor"]


def test_who_reads_while_drafts_come_and_go_sees_one_moment():
    event = make_night(players=8).event

    def draw_again_and_again() -> None:
        for seed in range(40):
            rounds.pair_round(event, seed=seed, by=BY)
            rounds.discard_draft(event, 1, by=BY)

    def read_again_and_again() -> None:
        for _ in range(150):
            state = state_of(event)
            assert [len(round.matches) for round in state.rounds] in ([], [4])

    assert at_once(draw_again_and_again, read_again_and_again, read_again_and_again) == ["", "", ""]


def close_ready(event) -> None:
    roll_off_tables(event, random=Random(1), by=BY)
    roll_off_standings(event, random=Random(1), by=BY)
    assert state_of(event).next_step.kind == "close"


# pressed twice: both presses come from the same page


def test_repeated_round_on_double_press():
    """Known of such systems: the round is drawn, or published, a second time."""
    event = make_night(players=8).event
    twice = Actor(user=None, name="desk", at=AT, event_version=event.version)

    drawn = at_once(*[lambda: rounds.pair_round(event, seed=1, number=1, by=twice)] * 2)
    seen = Actor(user=None, name="desk", at=AT, event_version=Event.objects.get(pk=event.pk).version)
    shown = at_once(*[lambda: rounds.publish_round(event, 1, by=seen)] * 2)

    assert (drawn[0], shown[0]) == ("", "")
    assert "" not in (drawn[1], shown[1])
    assert Round.objects.filter(event=event).count() == journal(event, "pair_round") == 1
    assert journal(event, "publish_round") == 1


def test_a_swap_pressed_twice_does_not_swap_back():
    event = make_night(players=8).event
    rounds.pair_round(event, seed=1, by=BY)
    first, second = match_at(event, 1).numbers[0], match_at(event, 2).numbers[0]
    seen = Actor(user=None, name="desk", at=AT, event_version=Event.objects.get(pk=event.pk).version)

    told = at_once(*[lambda: by_hand.place(event, 1, first, second, reason="cousins", by=seen)] * 2)

    assert told[0] == ""
    assert told[1].startswith("Not saved. desk was faster: ")
    assert (match_at(event, 1).numbers[0], match_at(event, 2).numbers[0]) == (second, first)


def test_more_minutes_pressed_twice_are_given_once():
    event = make_night(players=4, open_round=True).event
    rounds.pause_clock(event, 1, by=BY)
    left = Round.objects.get(event=event).paused_seconds_left
    seen = Actor(user=None, name="desk", at=AT, event_version=Event.objects.get(pk=event.pk).version)

    told = at_once(*[lambda: rounds.extend_clock(event, 1, 5, by=seen)] * 2)

    assert told == ["", "Not saved. desk was faster: Round 1 clock: 5 minutes added."]
    assert Round.objects.get(event=event).paused_seconds_left == left + 300


def test_a_penalty_pressed_twice_is_given_once():
    event = make_night(players=4, open_round=True).event
    number = match_at(event, 1).numbers[0]
    seen = Actor(user=None, name="desk", at=AT, event_version=Event.objects.get(pk=event.pk).version)

    told = at_once(
        *[lambda: penalties.penalize(event, 1, number, fleet_points=-10, reason="late", by=seen)] * 2,
    )

    assert told == ["", ""]
    assert Penalty.objects.count() == journal(event, "penalize") == 1


def test_unconfirmed_report_used_for_standings():
    """Known of such systems: one player's word counts before anybody confirmed it."""
    event = make_night(players=4, open_round=True).event
    match = match_at(event, 1)
    played = Played(Ending.TIME, (Side(30), Side(60)))

    reports.report(event, 1, match.a.number, played, by=BY)

    state = state_of(event)
    assert PlayerReport.objects.count() == 1
    assert (match_at(event, 1).result, state.round(1).scores, state.complete_rounds) == (None, {}, [])
    assert {(line.battle_points, line.fleet_points) for line in state.standings(1)} == {(0, 0)}


def test_two_correct_the_same_closed_result_at_once_and_the_second_is_told_who_was_first():
    event = corrected_night()
    acts = [correcting(event, left, FEWEST) for left in (70, 80)]

    told = at_once(*acts)

    assert told[0] == ""
    assert told[1].startswith("Not saved. test entered a result for table 1:")
    assert match_at(event, 1).result.version == 2
    assert journal(event, "correct_and_repair") == 1


def test_a_result_comes_in_while_its_table_is_paired_anew_and_nobody_gets_the_result_of_others():
    """Either the table has begun, and stays; or its players have moved, and the late result is told so."""
    event = corrected_night()
    before = match_at(event, 1, 2).numbers
    late = results.ResultInput(on_time(10, 20))

    told = at_once(
        lambda: results.report_result(event, 2, 1, late, version=0, by=BY, players=before),
        correcting(event, 80, FEWEST),
    )

    match = match_at(event, 1, 2)
    assert told[0] == ""
    assert told[1].startswith("Not saved.")
    assert (match.result is None) == (match.numbers != before)


def corrected_night() -> Event:
    """Five players in round 2, whose tables were drawn from a result that was read wrong."""
    return night_in_round(2, 5).event


def correcting(event: Event, left: int, repair: Repair) -> Callable[[], object]:
    """What the desk does that has seen its effect."""
    doing = Correction(1, 1, results.ResultInput(on_time(5, left)), 1, "misread")
    seen = foreseen(state_of(event), doing, repair, by=BY).fingerprint
    return lambda: do_if_still_as_shown(event, doing, repair, expected=seen, by=BY)


def test_eight_events_of_a_store_at_once_leave_one_chain_without_a_gap():
    night = make_night(players=2)
    starts = [night.event.starts_at + timedelta(days=28 * months) for months in range(1, 8)]
    pack = shipped_pack("dominion-war-5")
    others = [events.make_event(night.campaign, pack, starts_at=at, sp_limit=100, by=BY) for at in starts]

    told = at_once(
        *[lambda event=event: entrants.register(event, [("Tern", "")], by=BY) for event in (night.event, *others)]
    )

    assert told == [""] * 8
    assert store_problems(night.store, [night.event, *others]) == []
    assert head_of(night.store).number == JournalEntry.objects.filter(store=night.store).count()


WAITS = "SELECT pid FROM pg_locks WHERE NOT granted"


def status_after_waiting(event: Event, ask: Callable, *, meanwhile: Callable) -> int:
    """What is answered to who came while another had the event's lock, and did something before letting it go."""

    def asked() -> int:
        try:
            return ask().status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            locked(event)
            answer = pool.submit(asked)
            with connection.cursor() as cursor:
                waiting = None
                while waiting is None and not answer.done():
                    cursor.execute(WAITS)
                    waiting = cursor.fetchone()
            meanwhile()
        return answer.result()


REPORT = {"do": "report", "ending": "time", "sp_left_a": "10", "sp_left_b": "20", "key": "one"}


@pytest.mark.parametrize("sent", [REPORT, {"do": "confirm", "seen": "1", "key": "one"}], ids=["report", "confirm"])
@pytest.mark.parametrize("still_there", [{"state": Round.State.PUBLISHED}, {}], ids=["the round", "the draft too"])
def test_a_phone_is_told_that_its_table_went_while_its_word_was_on_the_way(sent, still_there):
    night = make_night(players=4, open_round=True)
    phone = phone_of(night.event.entrants.get(number=1).player)

    def remove_result() -> None:
        while night.event.rounds.filter(**still_there).exists():
            history.undo(night.event, history_of(night.event).last.pk, by=BY)

    status = status_after_waiting(
        night.event,
        lambda: phone.post(reverse("report", args=[night.event.slug, 1]), sent),
        meanwhile=remove_result,
    )

    assert status == 409
    assert not PlayerReport.objects.exists()


@pytest.mark.parametrize(
    "post", [{"do": "make"}, {"do": "import", "text": "U.S.S. Lark [20]"}], ids=["made", "imported"]
)
def test_a_fleet_for_an_entrant_is_entered_after_who_holds_the_event_and_then_the_player(post):
    """In one order with all others: the event first, and then the player."""
    night = make_night(players=2)
    player, desk = night.event.entrants.get(number=1).player, Client()
    desk.force_login(night.owner)

    status = status_after_waiting(
        night.event,
        lambda: desk.post(reverse("entrant_fleet", args=[night.event.slug, 1]), post),
        meanwhile=lambda: Player.objects.select_for_update(no_key=True).get(pk=player.pk),
    )

    assert status == 302
    assert Fleet.objects.filter(entrant__event=night.event, entrant__number=1).count() == 1
