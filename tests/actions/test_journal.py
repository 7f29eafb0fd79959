import pytest
from django.db import IntegrityError, connection, transaction

from tests.support.nights import BY, make_night
from tourney.actions import entrants, events, rounds
from tourney.actions.record import Refused
from tourney.models import JournalEntry
from tourney.queries.journal import LABELS, FieldChange, changes

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tourney_journalentry SET what = 'nothing happened'",
        "DELETE FROM tourney_journalentry",
        "TRUNCATE tourney_journalentry CASCADE",
    ],
)
def test_nobody_changes_or_deletes_an_entry_by_sql(statement):
    make_night(players=4, rounds=1)
    before = list(JournalEntry.objects.values_list("pk", "what"))
    connection.check_constraints()

    with pytest.raises(IntegrityError, match="The journal cannot be changed"), transaction.atomic():
        connection.cursor().execute(statement)

    assert before
    assert list(JournalEntry.objects.values_list("pk", "what")) == before


def test_every_action_leaves_one_entry_with_who_when_and_what():
    event = make_night(players=4).event
    before = JournalEntry.objects.count()

    rounds.pair_round(event, seed=7, by=BY)

    entry = JournalEntry.objects.order_by("-pk").first()
    assert JournalEntry.objects.count() == before + 1
    assert (entry.by_name, entry.at, entry.did, entry.what) == (
        "test",
        BY.at,
        "pair_round",
        "Round 1 drafted. Seed: 7.",
    )


def test_a_refused_action_leaves_no_entry_and_no_new_version():
    event = make_night(players=1).event
    before = JournalEntry.objects.count(), event.version

    with pytest.raises(Refused):
        rounds.pair_round(event, seed=7, by=BY)

    event.refresh_from_db()
    assert (JournalEntry.objects.count(), event.version) == before


def test_an_entry_holds_the_facts_before_and_after():
    night = make_night(players=4, rounds=1)
    event = night.event
    entrants.drop(event, 1, by=BY)
    entrants.drop(event, 2, by=BY)
    entrants.bring_back(event, 2, by=BY)
    events.open_registration(event, False, by=BY)
    rounds.publish_round(event, rounds.pair_round(event, seed=1, by=BY).number, by=BY)
    rounds.start_clock(event, 2, by=BY)
    rounds.pause_clock(event, 2, by=BY)
    stopped = {"round": 2, "ends_at": None, "paused_left": None}
    running = {**stopped, "ends_at": "2026-11-20T18:45:00+00:00"}

    entries = JournalEntry.objects.filter(event=event).order_by("-pk")[:8]

    assert [(entry.did, entry.before, entry.after) for entry in reversed(entries) if entry.before] == [
        ("drop", {"entrant": 1, "dropped_from": None}, {"entrant": 1, "dropped_from": 2}),
        ("drop", {"entrant": 2, "dropped_from": None}, {"entrant": 2, "dropped_from": 2}),
        ("bring_back", {"entrant": 2, "dropped_from": 2}, {"entrant": 2, "dropped_from": None}),
        ("open_registration", {"registration_open": True}, {"registration_open": False}),
        ("start_clock", stopped, running),
        ("pause_clock", running, {**stopped, "paused_left": 60 * 60}),
    ]


def test_the_end_of_an_event_and_its_reopening_are_facts_too():
    event = make_night(players=4, rounds=3, finish=True).event
    events.reopen_event(event, by=BY, reason="a wrong result")

    finished, opened = JournalEntry.objects.filter(event=event).order_by("pk")[event.version - 1 :]

    assert finished.before == {"finished_at": None, "registration_open": True}
    assert finished.after.keys() == {"finished_at", "registration_open", "ranks"}
    assert opened.before == {"finished_at": finished.at.isoformat(), "registration_open": False}
    assert opened.after == {"finished_at": None, "registration_open": False}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("scores", "none at all"),
        ("ranks", [[1]]),
        ("matches", [7]),
        ("entrants", [{"number": 1}]),
        ("throws", [{"faces": {}}]),
        ("ends_at", "tomorrow"),
        ("starts_at", "9999-12-31T23:59:59-12:00"),
    ],
)
def test_facts_of_another_shape_are_shown_as_they_are(key, value):
    """Only an archive from elsewhere can bring them; the page of the journal must still open."""
    assert changes(None, {key: value}, {}) == (FieldChange(str(LABELS[key]), None, str(value)),)


def test_a_fact_from_elsewhere_is_called_as_it_is_there():
    assert changes(None, {"of_elsewhere": 7}, {}) == (FieldChange("of elsewhere", None, "7"),)


def test_every_fact_of_a_night_has_a_name():
    night = make_night(players=5, rounds=3, finish=True)
    entrants.drop(make_night(players=4, rounds=1).event, 1, by=BY)
    entries = JournalEntry.objects.all()

    found = {key for entry in entries for facts in (entry.before, entry.after) for key in facts or ()}

    assert {"entrants", "registration_open", "ranks", "ending", "dropped_from"} <= found <= LABELS.keys(), night
