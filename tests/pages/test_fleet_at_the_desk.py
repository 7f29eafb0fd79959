"""What an organizer does about the fleet of an entrant: make, import, bring another, allow, unlock, lock, and why."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.builder import post
from tests.support.built_fleets import bring, too_dear
from tests.support.nights import BY, Night, make_night
from tests.support.public_pages import text_of
from tourney.actions import entrants, fleets, rounds
from tourney.models import Event, Fleet, JournalEntry

pytestmark = pytest.mark.django_db
TEXT = "Kestrel [24]"


@pytest.fixture
def locked() -> Night:
    """Round 1 is in play, so every sheet of it is locked (rule 7.1)."""
    return make_night(players=4, open_round=True)


@pytest.fixture
def night() -> Night:
    """Four players who wait for round 1."""
    return make_night(players=4)


def at_the_desk(night: Night) -> tuple[Client, str]:
    organizer = Client()
    organizer.force_login(night.organizer)
    return organizer, reverse("entrant_fleet", args=[night.event.slug, 1])


@pytest.mark.parametrize("sent", [{"do": "make"}, {"do": "import", "text": TEXT}], ids=["made", "imported"])
def test_7_1_after_the_lock_a_sheet_asks_for_a_reason_and_keeps_what_was_sent(locked, sent):
    desk, page = at_the_desk(locked)

    answer = desk.post(page, sent)

    assert answer.status_code == 422
    assert "Give a reason for unlocking the fleet." in text_of(answer)
    assert sent.get("text", "") in answer.content.decode()
    assert not Fleet.objects.filter(entrant__event=locked.event).exists()


@pytest.mark.parametrize("sent", [{"do": "make"}, {"do": "import", "text": TEXT}], ids=["made", "imported"])
def test_7_1_with_a_reason_it_flies_and_the_journal_says_why(locked, sent):
    desk, page = at_the_desk(locked)

    answer = desk.post(page, {**sent, "reason": "the sheet was wet"})

    assert answer.status_code == 302
    assert Fleet.objects.get(entrant__event=locked.event).entrant.number == 1
    assert "the sheet was wet" in JournalEntry.objects.filter(event=locked.event).latest("pk").reason


def test_another_fleet_of_the_player_flies_instead():
    night = make_night(players=2)
    first = bring(night.event, 1)
    second = fleets.make_fleet(first.player, "Second", by=BY)
    desk, page = at_the_desk(night)

    answer = desk.post(page, {"do": "bring", "fleet": str(second.pk)}, follow=True)

    assert f"{first.player} is using Second." in text_of(answer)
    assert Fleet.objects.get(entrant__event=night.event).pk == second.pk


@pytest.mark.parametrize("fleet", ["", "x", "²", "9" * 12, "0"])
def test_a_fleet_that_is_not_the_players_is_refused_in_words(fleet):
    night = make_night(players=2)
    first = bring(night.event, 1)
    desk, page = at_the_desk(night)

    answer = desk.post(page, {"do": "bring", "fleet": fleet})

    assert answer.status_code == 409
    assert "This fleet was deleted." in text_of(answer)
    assert Fleet.objects.get(entrant__event=night.event).pk == first.pk


def test_who_is_not_registered_and_what_nobody_can_do_are_not_found():
    night = make_night(players=2)
    desk, page = at_the_desk(night)

    assert desk.get(reverse("entrant_fleet", args=[night.event.slug, 3])).status_code == 404
    assert [desk.post(page, sent).status_code for sent in ({}, {"do": "scuttle"})] == [404, 404]


def test_the_desk_allows_and_takes_back_with_a_reason(client, night):
    bring(night.event, 1, too_dear())
    client.force_login(night.organizer)
    page = reverse("entrant_fleet", args=[night.event.slug, 1])
    client.post(page, {"do": "allow", "rule": "7.5", "line": "0", "reason": "lost on the way"})

    assert "allowed: lost on the way" in client.get(page).content.decode()
    client.post(page, {"do": "allow", "rule": "7.5", "line": "0", "reason": ""})
    assert "1 problem" in " ".join(client.get(page).content.decode().split())


def test_the_desk_unlocks_and_locks_again(client, night):
    fleet = bring(night.event, 1)
    client.force_login(night.organizer)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    page = reverse("entrant_fleet", args=[night.event.slug, 1])

    assert client.post(page, {"do": "unlock", "reason": ""}).status_code == 422
    client.post(page, {"do": "unlock", "reason": "typed wrong"})
    assert post(client, fleet, "remove", line="4").status_code == 302
    client.post(page, {"do": "lock"})
    assert post(client, fleet, "remove", line="3").status_code == 409
    assert client.post(page, {"do": "lock"}).status_code == 409


def test_where_fleets_must_be_legal_the_others_are_not_checked_in(client, night):
    event = make_night(players=0, store=night.store).event

    entrants.register(event, [("Vor", ""), ("Quill", ""), ("Onyx", "")], by=BY)
    Event.objects.filter(pk=event.pk).update(fleets_must_be_legal=True)
    bring(event, 1)
    client.force_login(night.organizer)
    refused = client.post(reverse("player", args=[event.slug, 2]), {"do": "check_in"})
    client.post(reverse("check_in_all", args=[event.slug]))

    assert refused.status_code == 409
    assert "Not checked in: Quill has no legal fleet." in refused.content.decode()
    assert list(event.entrants.values_list("checked_in", flat=True)) == [True, False, False]
