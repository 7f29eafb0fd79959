import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.domain.points import Ending, Played, Side
from tests.support.nights import AT, BY, Night, make_night
from tourney.actions import by_hand, entrants, events, results, roll_offs, rounds
from tourney.models import Event, JournalEntry
from tourney.queries.journal import FieldChange, changes
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

SETTINGS = {
    "name": "The last stand",
    "date": "2026-11-21",
    "asked_day": "2026-11-21",
    "time": "19:30",
    "rounds_planned": "4",
    "minutes": "50",
    "sp_limit": "120",
    "fleets_shown": "round 1",
    "fleets_recorded": "required",
    "reported_by": "players",
    "accept_after": "5",
    "fleets_must_be_legal": "on",
}


def url(event: Event, name: str) -> str:
    return reverse(name, args=[event.slug])


def signed_in(client: Client, night: Night, role: str = "organizer") -> Client:
    client.force_login(getattr(night, role))
    return client


# settings


def test_the_form_shows_the_event_in_the_time_of_the_store(client):
    night = make_night(players=0)  # 17:45 UTC is 18:45 in Berlin

    page = signed_in(client, night).get(url(night.event, "event_settings")).content.decode()

    assert 'value="2026-11-20"' in page
    assert 'value="18:45"' in page
    assert "Europe/Berlin" in page


def test_settings_are_saved(client):
    night = make_night(players=4)

    response = signed_in(client, night).post(url(night.event, "event_settings"), SETTINGS)

    event = Event.objects.get(pk=night.event.pk)
    assert response.headers["Location"] == url(event, "event_settings")
    assert (event.name, event.rounds_planned, event.minutes, event.sp_limit) == ("The last stand", 4, 50, 120)
    assert event.starts_at == datetime(2026, 11, 21, 18, 30, tzinfo=UTC)
    assert event.registration_open is False
    assert (event.fleets_shown, event.fleets_must_be_legal) == ("round 1", True)
    assert event.fleets_recorded == "required"


def test_saving_what_is_there_changes_nothing(client):
    night = make_night(players=0)
    signed_in(client, night)
    before = JournalEntry.objects.count()
    form = client.get(url(night.event, "event_settings")).context["form"]

    same = {name: form[name].value() or "" for name in form.fields} | {"time": "18:45"}
    client.post(url(night.event, "event_settings"), same)

    event = Event.objects.get(pk=night.event.pk)
    assert event.starts_at == AT
    assert JournalEntry.objects.count() == before


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"rounds_planned": "0"}, "greater than or equal to 1"),
        ({"rounds_planned": "13"}, "less than or equal to 12"),
        ({"minutes": "601"}, "less than or equal to 600"),
        ({"sp_limit": "many"}, "Enter a whole number."),
        ({"date": "2062-13-01"}, "Enter a valid date."),
        ({"date": "0206-11-20"}, "Check the year."),
        (
            {"date": "2026-03-29", "asked_day": "2026-03-29", "time": "02:30"},
            "couldn’t be interpreted in time zone Europe/Berlin",
        ),
        ({"shop_link": "http://shop.example"}, "Enter a whole address that starts with https://."),
        ({"shop_link": "javascript:alert(1)"}, "Enter a whole address that starts with https://."),
        ({"shop_link": "https://bank.example@shop.example/"}, "Enter a whole address that starts with https://."),
        ({"break_minutes": "241"}, "Ensure this value is less than or equal to 240."),
        ({"description": "x" * 1001}, "Ensure this value has at most 1000 characters (it has 1001)."),
    ],
)
def test_settings_that_cannot_be_are_refused_with_everything_kept(client, changes, sentence):
    night = make_night(players=0)

    response = signed_in(client, night).post(url(night.event, "event_settings"), SETTINGS | changes)

    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert response.context["form"].data.dict() == SETTINGS | changes
    assert Event.objects.get(pk=night.event.pk).name == night.event.name


def test_settings_that_the_played_rounds_forbid_are_refused_on_the_page(client):
    night = make_night(players=4, rounds=2)

    response = signed_in(client, night).post(
        url(night.event, "event_settings"), SETTINGS | {"rounds_planned": "1", "sp_limit": "100"}
    )

    page = response.content.decode()
    assert response.status_code == 409
    assert "Round 2 is already paired. Plan at least that many rounds." in page
    assert 'value="The last stand"' in page


def test_the_settings_of_a_finished_event_are_read_and_lead_to_its_reopening(client):
    night = make_night(players=4, rounds=1, finish=True)

    page = signed_in(client, night).get(url(night.event, "event_settings")).content.decode()

    facts = dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>\s*(.*?)\s*</dd>", page, flags=re.S))
    assert (facts["Name"], facts["Date"], facts["Start"]) == (night.event.name, "Friday, 20 November 2026", "18:45")
    assert (facts["Rounds"], facts["SP limit"], facts["Players may register by phone"]) == ("3", "100", "no")
    assert "Save settings" not in page
    assert page.count(f'href="{url(night.event, "reopen")}">Reopen event</a>') == 1


@pytest.mark.parametrize("changes", [{}, {"minutes": "many"}])
def test_settings_typed_while_the_event_was_finished_are_refused_and_shown_beside_the_saved_ones(client, changes):
    night = make_night(players=4, rounds=1, finish=True)

    response = signed_in(client, night).post(url(night.event, "event_settings"), SETTINGS | changes)

    page = response.content.decode()
    assert response.status_code == 409
    assert "The event is finished. Reopen it first." in page
    assert "<mark>The last stand</mark>" in page
    assert "Save settings" not in page
    assert Event.objects.get(pk=night.event.pk).name == night.event.name


# the journal


def test_the_journal_shows_who_did_what_when_and_why_newest_first(client):
    night = make_night(players=4, rounds=1, finish=True)
    events.reopen_event(night.event, by=BY, reason="a score was misread")

    page = signed_in(client, night, "judge").get(url(night.event, "journal")).content.decode()

    assert page.index("Event reopened.") < page.index("Event finished.") < page.index("Round 1 closed.")
    assert "a score was misread" in page
    assert "test, 20 Nov 2026" in page
    assert '<time class="journal-time" datetime="2026-11-20T18:45:00+01:00">18:45</time>' in page


def test_the_journal_of_one_round_holds_what_was_done_in_it(client):
    night = make_night(players=4, rounds=2)
    signed_in(client, night)

    entries = [line.entry.what for line in client.get(url(night.event, "journal") + "?round=1").context["lines"]]

    assert entries[0] == "Round 1 closed."
    assert entries[-1].startswith("Round 1 drafted")
    assert not any("ound 2" in what for what in entries)


def test_a_roll_off_belongs_to_the_journal_of_its_round(client):
    night = make_night(players=4, open_round=True)
    for table in (1, 2):
        played = Played(Ending.ELIMINATION, (Side(40), Side(0)), out=1)
        results.report_result(night.event, 1, table, results.ResultInput(played), version=0, by=BY)
    first, second = state_of(night.event).ties(1)[0]
    roll_offs.roll_dice(night.event, 1, "standing", (first, second), {first: 1, second: 3}, by=BY)

    lines = signed_in(client, night).get(url(night.event, "journal") + "?round=1").context["lines"]

    assert lines[0].entry.did == "throw_dice"


def test_a_swap_belongs_to_the_journal_of_its_round(client):
    night = make_night(players=6)
    rounds.pair_round(night.event, seed=1, by=BY)
    (a, _), (c, _), _ = (match.numbers for match in state_of(night.event).round(1).matches)
    by_hand.place(night.event, 1, a, c, reason="one car", by=BY)

    page = signed_in(client, night).get(url(night.event, "journal") + "?round=1").content.decode()

    assert "swapped seats." in page


def test_a_long_journal_has_pages_of_50(client):
    night = make_night(players=0)
    for number in range(60):
        entrants.register(night.event, [(f"Ensign {number}", "")], by=BY)
    signed_in(client, night)

    first = client.get(url(night.event, "journal"))
    second = client.get(url(night.event, "journal") + "?page=2")
    beyond = client.get(url(night.event, "journal") + "?page=99")

    assert [len(answer.context["lines"]) for answer in (first, second, beyond)] == [50, 11, 11]
    assert "Page 1 of 2" in first.content.decode()
    assert 'href="?page=1"' in second.content.decode()


def test_a_journal_filter_that_means_nothing_shows_everything(client):
    night = make_night(players=4, rounds=1)
    signed_in(client, night)

    all_of_it = client.get(url(night.event, "journal")).context["lines"]
    nonsense = client.get(url(night.event, "journal") + "?round=seven").context["lines"]

    assert len(nonsense) == len(all_of_it)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, None, ()),
        (None, {"entrants": [1, 9]}, (FieldChange("players", None, "Vor, player 9"),)),
        (
            None,
            {"entrants": [[7, "Onyx", "Borg"], [8, "Pike", ""]]},
            (FieldChange("players", None, "Onyx (Borg), Pike"),),
        ),
        (
            {"entrant": 1, "faction": ""},
            {"entrant": 1, "faction": "Borg"},
            (FieldChange("faction", "none", "Borg"),),
        ),
        ({"minutes": 60}, {"minutes": 75}, (FieldChange("minutes per round", "60", "75"),)),
        (
            None,
            {"matches": [[1, 2], [3]]},
            (FieldChange("matches", None, "Vor against Quill; Kestrel has the bye"),),
        ),
        (None, {"scores": [[1, 2, 105]]}, (FieldChange("scores", None, "Vor 2, 105"),)),
        (None, {"ranks": [[1, 2], [2, 1]]}, (FieldChange("ranks", None, "1 Quill; 2 Vor"),)),
        (None, {"tallies_a": {"mission_tokens": 3}}, (FieldChange("counts, first player", None, "mission tokens 3"),)),
        (
            {"ending": "time", "ruling": ""},
            {"ending": "double_loss", "ruling": "both left"},
            (
                FieldChange("how it ended", "Time", "Double loss"),
                FieldChange("reason for the ruling", "none", "both left"),
            ),
        ),
        (
            None,
            {"group": [1, 2], "throws": [{"counts": {"1": 3, "2": 0}}]},
            (FieldChange("tied players", None, "Vor, Quill"), FieldChange("rolls", None, "Vor 3, Quill 0")),
        ),
        ({"out": "a"}, {"out": "b"}, (FieldChange("out", "first player", "second player"),)),
        (
            {"round": 1, "table 2": "Vor and Quill"},
            {"round": 1, "table 3": "Vor and Quill"},
            (FieldChange("table 2", "Vor and Quill", None), FieldChange("table 3", None, "Vor and Quill")),
        ),
        ({"role": "judge"}, {"role": "of_elsewhere"}, (FieldChange("role", "Judge", "of elsewhere"),)),
        (None, {"registration_open": False}, (FieldChange("players may register by phone", None, "no"),)),
        (
            None,
            {"ends_at": "2026-11-20T17:45:00+00:00"},
            (FieldChange("clock ends at", None, "20 Nov 2026, 17:45:00"),),
        ),
    ],
)
def test_facts_are_read_as_words_with_names(before, after, expected):
    with timezone.override("UTC"):
        assert changes(before, after, {1: "Vor", 2: "Quill", 3: "Kestrel"}) == expected
