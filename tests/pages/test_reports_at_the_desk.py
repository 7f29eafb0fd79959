"""Reports of the players at the desk: who reported is seen, a report is accepted, a dispute is decided."""

import re
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_me import phone_of, text_of
from tests.pages.test_reports import TIME, card, say, url
from tests.support.nights import BY, Night, make_night
from tests.support.tables import match_at, on_time
from tourney.actions import reports, roll_offs
from tourney.models import Entrant, JournalEntry

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def night() -> Night:
    """Four players, round 1 in play."""
    return make_night(players=4, open_round=True)


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    """Who sits at table 1."""
    return match_at(night.event, 1).entrants


@pytest.fixture
def phones(pair) -> tuple[Client, Client]:
    return tuple(map(phone_of, pair))


def test_two_different_reports_are_a_dispute_on_both_phones_and_at_the_desk(client, night, pair, phones):
    say(night, pair[0])

    page = phones[1].post(url(night), TIME | {"sp_left_b": "25"}, follow=True)
    client.force_login(night.judge)
    desk = text_of(client.get(reverse("desk", args=[night.event.slug])))
    table = text_of(client.get(reverse("result", args=[night.event.slug, 1, 1])))

    assert f"Sent. You and {pair[0]} disagree, so the desk resolves it." in text_of(page)
    assert f"Reports differ Disputed You and {pair[0]} reported different results." in text_of(page)
    assert f"{pair[1]}’s SP left 20 25 differs" in text_of(page)
    assert "Disputed. You and" in text_of(phones[0].get(card(night)))
    assert f"Table 1, {pair[0]} against {pair[1]}: disputed" in desk
    assert "Disputed Resolve table 1" in desk
    assert f"Accept {pair[0]}’s report" in table
    assert f"Accept {pair[1]}’s report" in table
    assert f"{pair[1]}’s SP left 20 25 differs" in table


def test_the_desk_takes_one_version_and_the_other_player_is_told_what_differs(client, night, pair, phones):
    say(night, pair[0])
    seen = say(night, pair[1], on_time(30, 25))
    client.force_login(night.judge)

    answer = client.post(reverse("take_report", args=[night.event.slug, 1, 1]), {"seen": seen})

    first, second = (text_of(phone.get(url(night))) for phone in phones)
    assert answer.status_code == 302
    assert match_at(night.event, 1).played == on_time(30, 25)
    assert "This isn’t what you reported. If the official result is wrong, go to the desk." in first
    assert f"Detail Official result Your report How it ended Time Time {pair[0]}’s SP left 30 30 " in first
    assert "This isn’t what you reported" not in second
    assert "The official result isn’t what you reported. Compare results" in text_of(phones[0].get(card(night)))


def desk_of(client: Client, night: Night) -> tuple[str, str]:
    """The judge is signed in; the page of table 1, and where its reports are accepted."""
    client.force_login(night.judge)
    return tuple(reverse(name, args=[night.event.slug, 1, 1]) for name in ("result", "take_report"))


def test_a_report_fills_in_the_form_of_the_desk_and_is_accepted_in_one_press(client, night, pair, phones):
    seen = say(night, pair[0], by=replace(BY, at=timezone.now()))
    table, take = desk_of(client, night)

    answer = client.get(table)
    done = client.post(take, {"seen": seen})

    page, shown = answer.content.decode(), text_of(answer)
    assert f"{pair[1]} hasn’t answered yet. Accept the report if it’s right, or change it below and save it." in shown
    assert f"Filled in from {pair[0]}’s report." in shown
    assert re.search(r'name="sp_left_a"\s+value="30"', page)
    assert re.search(r'value="time"[^>]*checked', page)
    assert str(answer.context["verdict"]) == f"{pair[0]} wins, 80 Fleet Points to 70."
    assert done.status_code == 302
    assert match_at(night.event, 1).played == on_time(30, 20)


def test_the_form_that_a_report_filled_in_is_saved_as_it_is_or_changed(client, night, pair):
    seen = say(night, pair[0])
    table, _ = desk_of(client, night)
    facts = {"ending": "time", "sp_left_a": "30", "sp_left_b": "25", "version": "0"}

    client.post(table, facts | {"reported": seen})

    assert match_at(night.event, 1).played == on_time(30, 25)
    assert "result entered." in JournalEntry.objects.last().what


def test_a_form_that_a_report_filled_in_is_not_saved_over_another_report(client, night, pair):
    seen = say(night, pair[0])
    table, _ = desk_of(client, night)
    facts = {"ending": "time", "sp_left_a": "30", "sp_left_b": "20", "version": "0"}
    say(night, pair[1], on_time(30, 25))

    refused = client.post(table, facts | {"reported": seen})
    client.post(table, facts | {"reported": ""})

    assert refused.status_code == 409
    assert f"Not saved. {pair[1]} reported a different result. Compare both." in text_of(refused)
    assert "Compare both versions" not in text_of(refused)
    assert match_at(night.event, 1).played == on_time(30, 20)


def test_a_dispute_and_a_request_to_concede_are_begun_without_a_players_numbers(client, night, pair):
    say(night, pair[0])
    table, _ = desk_of(client, night)

    conceding = client.get(table, {"concede": "b"})
    say(night, pair[1], on_time(30, 25))
    disputed = client.get(table)

    for page in (conceding, disputed):
        assert "Filled in from" not in text_of(page)
        assert not re.search(r'name="sp_left_a"\s+value="30"', page.content.decode())


def test_nobody_is_said_to_be_asked_who_has_no_card(client, night, pair):
    """On the phone of who reported, and on each page of the desk."""
    mine = phone_of(pair[0])
    without = f"{pair[1]} has no player card, so the desk confirms it."

    form = text_of(mine.get(url(night)))
    sent = text_of(mine.post(url(night), TIME, follow=True))
    table, _ = desk_of(client, night)
    pages = [card(night), url(night)]
    desk = [reverse("desk", args=[night.event.slug]), table, reverse("results", args=[night.event.slug, 1])]
    told = [text_of(mine.get(page)) for page in pages] + [text_of(client.get(page)) for page in desk]
    phone_of(pair[1])
    asked = [text_of(mine.get(page)) for page in pages] + [text_of(client.get(page)) for page in desk]

    assert "Send to the desk" in form
    assert f"Send to {pair[1]}" not in form
    assert f"Sent. {without}" in sent
    assert [page for page in told if without not in page] == []
    assert [page for page in told if f"{pair[1]} to confirm" in page or f"aiting for {pair[1]}" in page] == []
    assert [page for page in asked if without in page] == []


def test_the_desk_sees_who_reported_and_who_is_waited_for(client, night, pair, phones):
    say(night, pair[0])
    client.force_login(night.judge)

    waiting = text_of(client.get(reverse("desk", args=[night.event.slug])))
    say(night, pair[1])
    agreed = text_of(client.get(reverse("desk", args=[night.event.slug])))

    assert f"Reported by {pair[0]} at 18:45, waiting for {pair[1]}" in waiting
    assert "Agreed Edit result of table 1" in agreed


def test_a_reported_tie_stays_a_tie_after_the_dice(client, night, pair):
    """Rule 4.1: the dice decide the match, not what the two said before."""
    for entrant in pair:
        reports.report(night.event, 1, entrant.number, on_time(40, 40), by=BY)
    roll_offs.roll_dice(night.event, 1, "table", sorted(one.number for one in pair), counts(pair), by=BY)
    client.force_login(night.judge)

    page = text_of(client.get(reverse("result", args=[night.event.slug, 1, 1])))

    said = f"{BY.at.astimezone(BERLIN):%H:%M}: Time was called. Tied on 60 Fleet Points, so the table rolls off."
    assert [f"{one} at {said}" in page for one in pair] == [True, True]
    assert f"{pair[0]} wins, with 60 Fleet Points each." in page


def counts(pair) -> dict[int, int]:
    return {pair[0].number: 3, pair[1].number: 1}
