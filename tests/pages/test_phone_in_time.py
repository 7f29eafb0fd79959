"""What a phone says goes with the hour: weeks ahead, before the clock, after the last round, after the end."""

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_me import card_of, phone, phone_of, text_of, url
from tests.support.nights import BY, Night, make_night, now
from tests.support.tables import eliminated, enter
from tourney.actions import announcements, entrants, events, rounds
from tourney.models import Event
from tourney.queries.state import state_of
from tourney.views.responses import live_tag

pytestmark = pytest.mark.django_db


def published(**made) -> Night:
    """A night whose next round everybody sees, and whose clock has not begun."""
    night = make_night(players=4, **made)
    number = rounds.pair_round(night.event, seed=1, by=BY).number
    rounds.publish_round(night.event, number, by=BY)
    return night


def at_the_event(client, night: Night) -> str:
    return text_of(client.get(night.event.get_absolute_url()))


def stranger_at(night: Night) -> Client:
    """The phone of a player of the store who is in another event."""
    other = events.make_event(night.campaign, night.event.pack.rules, starts_at=BY.at, sp_limit=100, by=BY)
    return phone_of(entrants.register(other, [("Latecomer", "Klingon")], by=BY).entrants[0])


def html_of(night: Night, number: int) -> str:
    return phone(night, number).get(url(night)).content.decode()


def starting_in(night: Night, days: int) -> Night:
    starts_at = timezone.now() + timedelta(days=days)
    Event.objects.filter(pk=night.event.pk).update(starts_at=starts_at, version=F("version") + 1)
    night.event.refresh_from_db()
    return night


# ahead


def test_weeks_ahead_the_card_says_when_the_event_is_and_on_the_night_what_to_do():
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "Klingon")], by=BY)
    card = phone(starting_in(night, 20), 1)

    ahead = card.get(url(night))
    on_the_night = card.get(url(starting_in(night, 0)))

    day = timezone.localdate() + timedelta(days=20)
    assert f"You’re registered Play starts {day:%A}, {day.day} {day:%B} at " in text_of(ahead)
    assert "check in at the counter" not in text_of(ahead)
    assert "Registered, not checked in yet At the store, check in at the counter" in text_of(on_the_night)


def test_a_page_of_the_days_before_is_another_on_the_night_though_nothing_was_done():
    event = make_night(players=0).event
    request = Client().get(event.get_absolute_url()).wsgi_request

    tags = set()
    for days in (0, 20):
        event.starts_at = timezone.now() + timedelta(days=days)
        tags.add(live_tag(request, event))

    assert len(tags) == 2


def test_weeks_ahead_no_phone_speaks_of_tonight(client):
    night = starting_in(make_night(players=0), 20)
    Event.objects.filter(pk=night.event.pk).update(join_word="kestrel")
    join = reverse("join", args=[night.event.slug])

    pages = [
        at_the_event(client, night),
        *(text_of(client.post(join, {"name": "Vor", "faction": "Klingon", "word": word})) for word in ("", "wrong")),
    ]

    assert "join code" in pages[1]
    assert "join code" in pages[2]
    assert [page for page in pages if "tonight" in page.lower()] == []


# the clock


def test_a_round_whose_clock_has_not_begun_starts_soon(client):
    night = published()

    pages = [at_the_event(client, night), card_of(night, 1)]

    for page in pages:
        assert "Round 1 of 3 Round 1 starts soon. The clock starts when everyone is seated." in page
        assert "60:00" not in page
        assert "in play" not in page


def test_a_round_with_a_result_is_in_play_without_a_clock(client):
    night = published()
    enter(night.event, 1, eliminated(left=56))

    page = at_the_event(client, night)

    assert "Round 1 of 3 in play" in page
    assert "The clock hasn’t started. 1 of 2 tables still playing." in page
    assert "60:00" not in page


# the last round


def test_before_the_last_round_is_paired_late_arrivals_can_join_and_after_it_not(client):
    night, last = make_night(players=4, rounds=1, open_round=True), published(rounds=2)
    stranger, other = (stranger_at(one) for one in (night, last))
    before = at_the_event(client, night), text_of(client.get(night.event.get_absolute_url() + "?q=zz"))

    after = at_the_event(client, last), text_of(client.get(last.event.get_absolute_url() + "?q=zz"))

    assert "Arriving late? Join from the next round" in before[0]
    assert "Not registered yet? Join this event" in before[1]
    assert "Join as " in text_of(stranger.get(url(night)))
    assert "Join" not in after[0]
    assert "Join" not in after[1]
    assert "Not registered? Ask at the counter." in after[1]
    shown = text_of(other.get(url(last)))
    assert "You’re not registered for this event The last round is already paired. Go to the event" in shown
    assert "Join" not in shown


def test_a_stranger_to_a_finished_event_is_led_to_its_standings():
    night = make_night(players=4, rounds=3, finish=True)

    page = stranger_at(night).get(url(night))

    assert "You’re not registered for this event This event is finished. See final standings" in text_of(page)
    assert f'href="{night.event.get_absolute_url()}">See final standings</a>' in page.content.decode()


def test_in_the_last_round_nobody_is_asked_to_drop_after_it():
    first, last = make_night(players=4, open_round=True), make_night(players=4, rounds=2, open_round=True)
    card = phone(last, 1)

    refused = card.post(url(last, "wish"), {"do": "ask", "kind": "drop", "key": "k"})

    assert "Ask to drop after round 1" in card_of(first, 1)
    assert "Ask to concede this match" in text_of(card.get(url(last)))
    assert "Ask to drop" not in text_of(card.get(url(last)))
    assert refused.status_code == 409
    assert "This is the last round, so there’s no round to drop from." in text_of(refused)


# the end


def test_the_final_rank_on_the_card_is_read_with_its_word():
    night = make_night(players=4, rounds=3, finish=True)
    second = state_of(night.event).standings(3)[1]

    shown = re.search(r'<p class="victory-rank">(.*?)</p>', html_of(night, second.id), re.S)

    said = re.sub(r"\s+", " ", shown[1]).strip()
    assert said == f'<span class="visually-hidden">Rank</span> {second.rank}'


def test_announcements_end_with_the_event_and_come_back_with_it(client):
    night = make_night(players=4, rounds=3)
    announcements.announce(night.event, "Pizza is here", by=now())
    before = at_the_event(client, night)

    events.finish_event(night.event, by=BY, reason="done")
    after = at_the_event(client, night), card_of(night, 1)

    assert "Pizza is here" in before
    assert "Pizza is here" not in "".join(after)
    events.reopen_event(night.event, by=BY, reason="a mistake")
    assert "Pizza is here" in at_the_event(client, night)
