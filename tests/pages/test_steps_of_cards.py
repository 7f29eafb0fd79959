"""Who has a card fills no tables: what one card does in some minutes has a bound, far above what people do."""

import pytest
from django.urls import reverse

from tests.support.nights import make_night
from tests.support.phones import phone_of
from tests.support.tables import match_at
from tourney.models import IdempotencyKey, JournalEntry
from tourney.views import throttle

pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch) -> throttle.StepThrottle:
    """Three steps of each card, counted anew."""
    monkeypatch.setattr(throttle, "MOST_STEPS", 3)
    monkeypatch.setattr(throttle.steps_of_cards, "_over_at", 0.0)
    return throttle.steps_of_cards


def test_a_card_that_reports_without_end_is_told_to_wait_and_writes_nothing_more(few, monkeypatch):
    night = make_night(players=4, open_round=True)
    phone, other = (phone_of(entrant.player) for entrant in match_at(night.event, 1).entrants)
    page = reverse("report", args=[night.event.slug, 1])
    facts = {"do": "report", "ending": "time", "sp_left_a": "30", "sp_left_b": "20"}

    def report(number: int, **headers: str):
        return phone.post(page, facts | {"key": f"key-{number}", "words": f"Word {number}"}, headers=headers)

    assert [report(number).status_code for number in range(3)] == [302] * 3
    before = JournalEntry.objects.count(), IdempotencyKey.objects.count()
    refused, kept = report(3), report(4, **{"X-Outbox": "1"})

    assert (refused.status_code, kept.status_code) == (429, 429)
    assert "This card sent too much in a short time." in refused.content.decode()
    assert kept.headers["Content-Type"].startswith("text/plain")
    assert 0 < int(refused.headers["Retry-After"]) <= throttle.STEPS_WITHIN
    assert (JournalEntry.objects.count(), IdempotencyKey.objects.count()) == before
    assert other.post(page, facts | {"key": "other", "sp_left_a": "29"}).status_code == 302

    monkeypatch.setattr(few, "_over_at", 0.0)  # the minutes are over
    assert report(5).status_code == 302


def test_people_who_sign_in_have_no_such_bound(few, client):
    night = make_night(players=2, open_round=True)
    client.force_login(night.organizer)
    clock = reverse("clock", args=[night.event.slug, 1])

    answers = [client.post(clock, {"do": do}).status_code for do in ("start", "pause", "start", "pause", "start")]

    assert 429 not in answers
