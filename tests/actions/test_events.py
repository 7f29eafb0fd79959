from dataclasses import replace
from datetime import timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from scoring.domain.points import Ending, Played, Side
from scoring.shipped import shipped_pack
from tests.support.copied import copied
from tests.support.longer import speak_longer_french
from tests.support.nights import AT, BY, make_night, make_store
from tests.support.pseudo import pseudo
from tests.support.refusing import refused
from tests.support.tables import eliminated, enter, on_time
from tourney.actions import entrants, events, history, reports, results, roll_offs, rounds, simulation
from tourney.actions.events import Settings
from tourney.actions.record import Refused
from tourney.domain.progress import NextStep
from tourney.models import Event, JournalEntry
from tourney.queries.history import differences, history_of, stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def settings_of(event: Event, **changes) -> Settings:
    """The event's settings with some of them changed."""
    facts = {name: getattr(event, name) for name in Settings.__slots__}
    return Settings(**(facts | changes))


def last_entry(event: Event) -> JournalEntry:
    return JournalEntry.objects.filter(event=event).last()


def fresh(event: Event) -> Event:
    return Event.objects.with_context().get(pk=event.pk)


# campaigns and events


def test_a_campaign_gets_a_slug_of_its_own_at_its_store():
    store, _ = make_store()

    slugs = [events.make_campaign(store, storyline="The Dominion War", by=BY).slug for _ in range(2)]

    assert slugs == ["the-dominion-war", "the-dominion-war-2"]
    assert JournalEntry.objects.filter(store=store, did="make_campaign").count() == 2


def test_an_event_takes_what_its_pack_says_and_keeps_that_version():
    store, _ = make_store()
    campaign = events.make_campaign(store, storyline="The Dominion War", by=BY)
    pack = shipped_pack("tournament-2016")

    event = events.make_event(campaign, pack, starts_at=AT, by=BY)

    assert (event.slug, event.name) == ("tournament-2016-2026-11", "Tournament format 2016")
    assert (event.rounds_planned, event.minutes, event.sp_limit) == (pack.rounds, pack.minutes, pack.sp_limit)
    assert event.pack.rules == pack
    assert (event.registration_open, event.finished_at) == (True, None)
    assert last_entry(event).after == {"pack": pack.slug, "pack_version": pack.version, "sp_limit": pack.sp_limit}


def test_an_event_of_a_month_without_a_name_is_called_in_the_language_of_its_store(settings, request):
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    speak_longer_french(request)
    month = replace(shipped_pack("dominion-war-6"), name="")

    def name_at(locale: str) -> str:
        store, _ = make_store(f"Starbase {locale}", locale=locale)
        campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
        return events.make_event(campaign, month, starts_at=AT, sp_limit=100, by=BY).name

    assert name_at("en_US") == "Dominion War, month 6"
    assert name_at("fr_FR") == f"Dominion War, {pseudo('month')} 6"


def test_two_events_of_the_same_month_have_different_addresses():
    store, _ = make_store()
    campaign = events.make_campaign(store, storyline="The Dominion War", by=BY)
    pack = shipped_pack("dominion-war-6")

    slugs = [events.make_event(campaign, pack, starts_at=AT, sp_limit=100, by=BY).slug for _ in range(2)]

    assert slugs == ["dominion-war-6-2026-11", "dominion-war-6-2026-11-2"]


def test_the_sp_limit_is_asked_for_where_the_pack_leaves_it_open():
    store, _ = make_store()
    campaign = events.make_campaign(store, storyline="A storyline", by=BY)
    pack = shipped_pack("dominion-war-6")

    with pytest.raises(Refused, match="month pack has no SP limit"):
        events.make_event(campaign, pack, starts_at=AT, by=BY)
    event = events.make_event(campaign, pack, starts_at=AT, by=BY, sp_limit=120)

    assert (event.sp_limit, event.rules.base) == (120, 120)


# settings


def test_changed_settings_are_kept_and_the_journal_holds_only_what_differs():
    event = make_night(players=0).event

    events.change_event(event, settings_of(event, name="The last stand", minutes=75), by=BY)

    entry = last_entry(event)
    changed = fresh(event)
    assert (changed.name, changed.minutes) == ("The last stand", 75)
    assert entry.what == "Settings changed: name and minutes."
    assert entry.before == {"name": event.name, "minutes": 60}
    assert entry.after == {"name": "The last stand", "minutes": 75}


def test_settings_saved_unchanged_leave_no_entry_even_in_another_time_zone():
    event = make_night(players=0).event
    before = JournalEntry.objects.count()

    same = settings_of(event, starts_at=event.starts_at.astimezone(ZoneInfo("Europe/Berlin")))
    events.change_event(event, same, by=BY)

    assert JournalEntry.objects.count() == before


def test_a_moved_start_stands_in_the_journal():
    event = make_night(players=0).event

    events.change_event(event, settings_of(event, starts_at=AT + timedelta(hours=1)), by=BY)

    entry = last_entry(event)
    assert (entry.before, entry.after) == (
        {"starts_at": "2026-11-20T17:45:00+00:00"},
        {"starts_at": "2026-11-20T18:45:00+00:00"},
    )


def test_there_cannot_be_fewer_rounds_than_are_drawn():
    event = make_night(players=4, rounds=1, open_round=True).event

    with pytest.raises(Refused, match="Round 2 is already paired"):
        events.change_event(event, settings_of(event, rounds_planned=1), by=BY)
    events.change_event(event, settings_of(event, rounds_planned=2), by=BY)

    assert fresh(event).rounds_planned == 2


def test_the_sp_limit_stays_once_a_result_is_in():
    event = make_night(players=4, open_round=True).event
    events.change_event(event, settings_of(event, sp_limit=90), by=BY)
    event = fresh(event)
    simulation.play_round(event, random=Random(1), by=BY, tables=1, close=False)

    with pytest.raises(Refused, match="Results are already in"):
        events.change_event(event, settings_of(event, sp_limit=120), by=BY)

    assert fresh(event).sp_limit == 90


def test_registration_is_opened_and_closed_with_one_entry_each():
    event = make_night(players=0).event

    for is_open in (False, False, True):
        events.open_registration(event, is_open, by=BY)

    what = JournalEntry.objects.filter(did="open_registration").values_list("what", flat=True)
    assert list(what) == ["Registration closed to players.", "Registration opened to players."]
    assert fresh(event).registration_open


# finish (rule 5)


def test_after_the_last_planned_round_the_event_is_finished_without_a_reason():
    event = make_night(players=6, rounds=3).event

    events.finish_event(event, by=BY)

    entry = last_entry(event)
    first = state_of(event).standings(3)[0]
    finished = fresh(event)
    assert (finished.finished_at, finished.registration_open) == (AT, False)
    assert entry.what == f"Event finished. {state_of(event).names[first.id]} is Admiral."
    assert [rank for rank, _ in entry.after["ranks"]] == [1, 2, 3, 4, 5, 6]


def test_before_the_last_planned_round_a_reason_is_asked():
    event = make_night(players=6, rounds=2).event

    with pytest.raises(Refused, match="Only 2 of 3 rounds have been played"):
        events.finish_event(event, by=BY)
    events.finish_event(event, by=BY, reason="the shop closes")

    assert last_entry(event).reason == "the shop closes"


@pytest.mark.parametrize(
    ("night", "message"),
    [
        ({"players": 4}, "No round has been played yet."),
        ({"players": 4, "open_round": True}, "Round 1 isn’t closed yet."),
        ({"players": 4, "rounds": 1, "finish": True}, "The event is already finished."),
    ],
    ids=["nothing played", "a round in play", "twice"],
)
def test_an_event_is_not_finished_before_its_time(night, message):
    event = make_night(**night).event

    with pytest.raises(Refused, match=message):
        events.finish_event(event, by=BY, reason="the shop closes")


def test_an_event_with_a_draft_is_not_finished():
    event = make_night(players=4, rounds=1).event
    rounds.pair_round(event, seed=1, by=BY)

    with refused("Round 2 is only drafted. Play it or discard the draft."):
        events.finish_event(event, by=BY, reason="the shop closes")


@copied
def two_tied_on_top() -> Event:
    """Round 1 of 1, both tables won alike, not closed: the two winners and the two losers are tied."""
    event = make_night(players=0).event
    people = [("Vor", "Klingon"), ("Quill", "Klingon"), ("Kestrel", "Romulan"), ("Onyx", "Romulan")]
    entrants.register(event, people, by=BY, checked_in=True)
    events.change_event(event, settings_of(event, rounds_planned=1), by=BY)
    simulation.draw(event, random=Random(1), by=BY)
    for table in (1, 2):
        played = Played(Ending.ELIMINATION, (Side(40), Side(0)), out=1)
        results.report_result(event, 1, table, results.ResultInput(played), version=0, by=BY)
    return event


def test_the_ranks_are_final_only_when_every_tie_is_rolled_off():
    event = two_tied_on_top()

    with pytest.raises(Refused, match=r"are tied\. Roll off"):
        rounds.close_round(event, 1, by=BY)
    simulation.roll_off_standings(event, random=Random(1), by=BY)
    rounds.close_round(event, 1, by=BY)
    events.finish_event(event, by=BY)

    assert [line.shared for line in state_of(event).standings(1)] == [False] * 4


def test_when_too_few_are_left_the_next_step_says_that_the_event_can_end_here():
    event = make_night(players=4, rounds=1).event
    for number in (1, 2, 3, 4):
        entrants.drop(event, number, by=BY)

    step = state_of(event).next_step
    assert (step.kind, step.round, [str(reason) for reason in step.reasons]) == (
        "pair",
        2,
        [
            "No one is checked in. A round needs at least two players.",
            "If no one comes back, finish the event after round 1 in its settings.",
        ],
    )


def test_a_tie_among_players_who_all_left_changes_no_pairing():
    """Rule 4.4, setting "only ties that change the pairing"."""
    store, _ = make_store()
    campaign = events.make_campaign(store, storyline="The Dominion War", by=BY)
    pack = replace(shipped_pack("dominion-war-6"), roll_offs_between_rounds="pairing")
    event = events.make_event(campaign, pack, starts_at=AT, sp_limit=100, by=BY)
    by = simulation.arrive(event, 4, random=Random(1), by=BY)
    simulation.draw(event, random=Random(1), by=by)
    for table in (1, 2):
        enter(event, table, eliminated())
    for number in (1, 2, 3, 4):
        entrants.drop(event, number, by=BY)

    assert state_of(event).next_step == NextStep("close", 1)


def test_a_tie_that_did_not_matter_between_rounds_matters_when_the_event_ends_early():
    """Rule 4.4: the month rolls only what changes the pairing, but final ranks need every tie."""
    store, _ = make_store()
    campaign = events.make_campaign(store, storyline="A storyline", by=BY)
    pack = replace(shipped_pack("tournament-2016"), roll_offs_between_rounds="pairing")
    event = events.make_event(campaign, pack, starts_at=AT, by=BY)
    entrants.register(event, [("Vor", ""), ("Quill", "")], by=BY, checked_in=True)
    simulation.draw(event, random=Random(1), by=BY)
    played = Played(Ending.DOUBLE_LOSS, (Side(40), Side(40)))
    results.report_result(event, 1, 1, results.ResultInput(played, "both left the table"), version=0, by=BY)
    rounds.close_round(event, 1, by=BY)

    with pytest.raises(Refused, match=r"Players are tied\. Roll off every tie"):
        events.finish_event(event, by=BY, reason="the shop closes")
    roll_offs.roll_dice(event, 1, "standing", (1, 2), {1: 3, 2: 1}, by=BY)
    events.finish_event(event, by=BY, reason="the shop closes")

    assert [line.id for line in state_of(event).standings(1)] == [1, 2]


def test_a_correction_that_makes_an_early_table_tied_is_rolled_off_before_anything_else():
    event = make_night(players=4, rounds=2).event
    played = Played(Ending.TIME, (Side(50), Side(50)))
    results.report_result(event, 1, 1, results.ResultInput(played), version=1, by=BY, reason="misread")

    step = state_of(event).next_step
    level = "Table 1 of round 1 is tied after a correction. Roll off at the table."
    assert (step.kind, [str(reason) for reason in step.reasons]) == ("roll_off", [level])
    with pytest.raises(Refused, match=level):
        rounds.pair_round(event, seed=1, by=BY)
    with pytest.raises(Refused, match=level):
        events.finish_event(event, by=BY, reason="the shop closes")


# re-open


def test_a_finished_event_is_opened_again_with_a_reason():
    event = make_night(players=4, rounds=1, finish=True).event

    with pytest.raises(Refused, match="Give a reason"):
        events.reopen_event(event, by=BY, reason="")
    events.reopen_event(event, by=BY, reason="a score was misread")

    assert fresh(event).finished_at is None
    assert (last_entry(event).what, last_entry(event).reason) == ("Event reopened.", "a score was misread")


def test_an_event_that_is_not_finished_cannot_be_opened_again():
    event = make_night(players=4).event

    with pytest.raises(Refused, match="isn’t finished"):
        events.reopen_event(event, by=BY, reason="why not")


@pytest.mark.parametrize(
    "act",
    [
        lambda event: events.change_event(event, settings_of(event, name="Other"), by=BY),
        lambda event: events.open_registration(event, True, by=BY),
    ],
    ids=["change_event", "open_registration"],
)
def test_a_finished_event_keeps_its_settings(act):
    event = make_night(players=4, rounds=1, finish=True).event

    with pytest.raises(Refused, match="The event is finished"):
        act(event)

    assert (fresh(event).name, fresh(event).registration_open) == (event.name, False)


def test_the_sp_limit_stays_while_a_report_waits():
    night = make_night(players=2, open_round=True)
    reports.report(night.event, 1, 1, on_time(95, 40), by=BY)

    with refused("Results are already in, and another SP limit would change their Fleet Points. Keep the SP limit."):
        events.change_event(night.event, settings_of(night.event, sp_limit=60), by=BY)


def test_a_month_that_is_moved_is_news_for_its_whole_campaign():
    first = make_night(players=2, rounds=1, finish=True)
    second = make_night(players=2, store=first.store).event
    before = fresh(first.event).version

    events.change_event(second, settings_of(second, starts_at=second.starts_at + timedelta(days=28)), by=BY)

    assert fresh(first.event).version > before


def test_a_month_that_is_moved_changes_nothing_of_a_month_that_is_played_but_its_version():
    first = make_night(players=4, open_round=True, tables=1)
    second = make_night(players=2, store=first.store).event
    rows, entries, version = stored_rows(first.event), first.event.journal.count(), fresh(first.event).version
    last = history_of(first.event).last

    events.change_event(second, settings_of(second, starts_at=second.starts_at - timedelta(days=28)), by=BY)

    now = fresh(first.event)
    assert (stored_rows(now), now.journal.count(), now.version) == (rows, entries, version + 1)
    assert history_of(now).last == last
    history.undo(now, last.pk, by=BY)
    assert differences(now) == []
