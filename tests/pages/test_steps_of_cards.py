"""Who has a card fills no tables: what one card does in some minutes has a bound, far above what people do."""

from contextlib import closing

import pytest
from django.db import connection
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from tests.support.nights import make_night
from tests.support.phones import phone_of
from tests.support.tables import match_at
from tourney.actions import card_steps
from tourney.models import CardSteps, IdempotencyKey, JournalEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch) -> None:
    """Three steps of each card."""
    monkeypatch.setattr(card_steps, "MOST", 3)


def test_a_card_that_reports_without_end_is_told_to_wait_and_writes_nothing_more(few):
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
    assert 0 < int(refused.headers["Retry-After"]) <= card_steps.WITHIN.total_seconds()
    assert (JournalEntry.objects.count(), IdempotencyKey.objects.count()) == before
    assert other.post(page, facts | {"key": "other", "sp_left_a": "29"}).status_code == 302

    CardSteps.objects.update(since=F("since") - card_steps.WITHIN)  # the minutes are over
    assert report(5).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_what_other_processes_counted_counts_here(few):
    night = make_night(players=4, open_round=True)
    player = night.event.entrants.get(number=1).player
    call = reverse("call_judge", args=[night.event.slug])
    now = timezone.now()
    with closing(connection.copy()) as elsewhere, elsewhere.cursor() as cursor:
        for _ in range(2):
            cursor.execute(
                card_steps.COUNT, {"player": player.pk, "now": now, "over": now - card_steps.WITHIN, "most": 3}
            )

    phone = phone_of(player)
    answers = [phone.post(call, {"about": "rules"}).status_code for _ in range(2)]

    assert answers == [302, 429]


def test_people_who_sign_in_have_no_such_bound(few, client):
    night = make_night(players=2, open_round=True)
    client.force_login(night.organizer)
    clock = reverse("clock", args=[night.event.slug, 1])

    answers = [client.post(clock, {"do": do}).status_code for do in ("start", "pause", "start", "pause", "start")]

    assert 429 not in answers


def test_what_is_too_old_to_count_is_deleted(few):
    player, now = make_night(players=1).event.entrants.get().player, timezone.now()
    card_steps.count(player.pk, now)

    card_steps.sweep(now)
    kept = CardSteps.objects.count()
    card_steps.sweep(now + card_steps.WITHIN)

    assert (kept, CardSteps.objects.count()) == (1, 0)
