"""Months whose bonuses are only on the kit's sheet: typed when an event is scheduled, or at its desk before round 1."""

from dataclasses import replace
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.shipped import shipped_pack
from tests.support.nights import BY, Night, make_night, make_store
from tests.support.own_packs import saved
from tourney.actions import events, rehearsal
from tourney.models import Event, JournalEntry, Membership, OwnPack, Rehearsal, Role, Store
from tourney.queries.packs import packs_for

pytestmark = pytest.mark.django_db

UNKNOWN = "dominion-war-1"
EVENING = {"day": "2026-12-04", "asked_day": "2026-12-04", "start": "18:30", "sp_limit": "100"}
STATION = {"bonus-1-name": "Holds the station", "bonus-1-points": "20", "bonus-1-per": "flat", "bonus-1-to": "winner"}
TOKENS = {"bonus-2-name": "Tokens", "bonus-2-points": "5", "bonus-2-per": "count", "bonus-2-to": "each"}
MISSING = "This month’s bonuses are only on the kit’s sheet."
REMINDER = "This month’s bonuses are missing"


def text(response) -> str:
    return " ".join(unescape(response.content.decode()).split())


@pytest.fixture
def store(client) -> Store:
    store, users = make_store()
    client.force_login(users["organizer"])
    return store


def scheduling(store: Store, storyline: str = "Dominion War") -> str:
    campaign = store.campaigns.first() or events.make_campaign(store, storyline=storyline, by=BY)
    return reverse("new_event", args=[store.slug, campaign.slug])


def schedule(client: Client, store: Store, pack: str = UNKNOWN, **typed: str) -> Event:
    answer = client.post(scheduling(store), EVENING | {"pack": pack} | typed)
    assert answer.status_code == 302, text(answer)
    return Event.objects.latest("pk")


def organizer_of(night: Night) -> Client:
    client = Client()
    client.force_login(night.organizer)
    return client


def page_of(night: Night, name: str = "bonuses") -> str:
    return reverse(name, args=[night.event.slug])


# scheduling


def test_scheduling_says_that_bonuses_are_only_on_the_sheet_and_asks_for_them_there(client, store):
    page = text(client.get(scheduling(store), {"pack": UNKNOWN}))

    assert MISSING in page
    assert "Type them from the kit’s sheet" in page
    assert 'name="bonus-1-name"' in page


def test_scheduling_asks_for_no_bonuses_that_are_known(client, store):
    page = text(client.get(scheduling(store), {"pack": "dominion-war-6"}))

    assert MISSING not in page
    assert 'name="bonus-1-name"' not in page


def test_choosing_a_month_with_htmx_brings_its_bonuses_along(client, store):
    asked = {"HX-Request": "true", "HX-Target": "limit"}
    part = text(client.get(scheduling(store), {"pack": UNKNOWN}, headers=asked))

    assert part.startswith('<div id="limit"')
    assert MISSING in part


def test_an_event_is_scheduled_without_the_sheet(client, store):
    event = schedule(client, store)

    assert (event.pack.slug, event.rules.bonuses_known) == (UNKNOWN, False)
    assert not OwnPack.objects.exists()


def test_bonuses_typed_at_scheduling_count_at_the_event_and_the_next_of_that_month(client, store):
    first = schedule(client, store, **STATION, **TOKENS)
    offered, _ = packs_for(store)
    mine = next(pack for pack in offered if pack.heading == shipped_pack(UNKNOWN).heading)
    page = text(client.get(scheduling(store), {"pack": mine.slug}))
    second = schedule(client, store, mine.slug, day="2026-12-11")

    assert [(one.name, one.points, one.per, one.to) for one in first.rules.bonuses] == [
        ("Holds the station", 20, "flat", "winner"),
        ("Tokens", 5, "count", "each"),
    ]
    assert sum(pack.heading == mine.heading for pack in offered) == 1
    assert MISSING not in page
    assert second.rules.bonuses == first.rules.bonuses
    assert first.rules.bonuses_known
    assert second.pack == first.pack


def test_a_sheet_without_bonuses_is_said_with_one_tick(client, store):
    event = schedule(client, store, no_bonuses="on")

    assert (event.rules.bonuses_known, event.rules.bonuses) == (True, ())


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"bonus-1-name": "Station"}, "Type how many Fleet Points: above 0 for a bonus, below 0 for a penalty."),
        ({"bonus-1-points": "20"}, "Name the bonus. It appears wherever Fleet Points are added up."),
        ({"bonus-3-name": "Station", "bonus-3-points": "0"}, "0 points changes nothing."),
        ({"bonus-1-name": "Station", "bonus-1-points": "many"}, "Enter a whole number."),
        (STATION | {"no_bonuses": "on"}, "Untick this, or clear the bonuses."),
    ],
)
def test_half_a_bonus_is_refused_and_kept_as_typed(client, store, typed, sentence):
    answer = client.post(scheduling(store), EVENING | {"pack": UNKNOWN} | typed)

    assert answer.status_code == 422
    assert sentence in text(answer)
    assert '<details class="more" open>' in text(answer)
    assert all(
        f'value="{value}"' in text(answer) for name, value in typed.items() if name.endswith(("-name", "points"))
    )
    assert not Event.objects.exists()
    assert not OwnPack.objects.exists()


def test_an_own_pack_without_bonuses_gets_its_next_version(client, store):
    user = Membership.objects.get(store=store, role=Role.ORGANIZER).user
    own = saved(store, user, bonuses_known=False, bonuses=(), tallies=()).own
    event = schedule(client, store, own.slug, **STATION)

    assert [(one.number, one.pack.rules.bonuses_known) for one in own.versions.all()] == [(1, False), (2, True)]
    assert event.pack == own.versions.last().pack
    assert own.versions.last().note == "Bonuses typed from the kit’s sheet."


# the desk


def test_the_desk_reminds_until_bonuses_are_typed():
    night = make_night(players=4, pack=UNKNOWN)
    client = organizer_of(night)
    before = text(client.get(page_of(night, "desk")))
    answer = client.post(page_of(night), STATION, follow=True)

    assert REMINDER in before
    assert page_of(night) in before
    assert REMINDER not in text(answer)
    assert "The bonuses are saved." in text(answer)
    event = Event.objects.get(pk=night.event.pk)
    assert [bonus.name for bonus in event.rules.bonuses] == ["Holds the station"]
    assert "Holds the station" in text(client.get(event.get_absolute_url()))
    assert JournalEntry.objects.filter(event=event, did="type_bonuses").count() == 1


def test_a_dismissed_reminder_does_not_come_back_and_the_form_is_still_found():
    night = make_night(players=4, pack=UNKNOWN)
    client = organizer_of(night)
    after = client.post(page_of(night), {"do": "dismiss"}, follow=True)
    client.post(page_of(night), {"do": "dismiss"})

    assert REMINDER not in text(after)
    assert JournalEntry.objects.filter(event=night.event, did="dismiss_bonuses").count() == 1
    assert page_of(night) in text(client.get(page_of(night, "event_settings")))
    assert client.get(page_of(night)).status_code == 200


def test_the_desk_reminds_of_nothing_from_round_1_on():
    night = make_night(players=4, pack=UNKNOWN, open_round=True)

    assert REMINDER not in text(organizer_of(night).get(page_of(night, "desk")))


def test_the_desk_does_not_remind_of_bonuses_that_are_known():
    night = make_night(players=4)

    assert REMINDER not in text(organizer_of(night).get(page_of(night, "desk")))
    assert organizer_of(night).get(page_of(night)).status_code == 302


def test_a_judge_is_not_reminded_of_what_only_an_organizer_may_do():
    night = make_night(players=4, pack=UNKNOWN)
    client = Client()
    client.force_login(night.judge)

    assert REMINDER not in text(client.get(page_of(night, "desk")))


def test_bonuses_stay_once_a_result_is_in():
    night = make_night(players=4, pack=UNKNOWN, open_round=True, tables=1)
    answer = organizer_of(night).post(page_of(night), STATION)

    assert answer.status_code == 409
    assert "Results are already in, and other bonuses would change their Fleet Points." in text(answer)
    assert 'value="Holds the station"' in text(answer)
    assert not OwnPack.objects.exists()


def test_typed_bonuses_can_be_corrected_until_results_are_in():
    night = make_night(players=4, pack=UNKNOWN)
    client = organizer_of(night)
    client.post(page_of(night), STATION)
    shown = text(client.get(page_of(night)))
    client.post(page_of(night), STATION | {"bonus-1-points": "25"})

    assert 'value="Holds the station"' in shown
    assert Event.objects.get(pk=night.event.pk).rules.bonuses[0].points == 25
    assert [one.number for one in OwnPack.objects.get().versions.all()] == [1, 2]


def test_saved_again_without_a_change_is_no_new_version():
    night = make_night(players=4, pack=UNKNOWN)
    client = organizer_of(night)
    client.post(page_of(night), STATION)
    client.post(page_of(night), STATION)

    assert OwnPack.objects.get().versions.count() == 1
    assert JournalEntry.objects.filter(event=night.event, did="type_bonuses").count() == 1


def test_another_event_of_that_month_is_offered_what_was_typed():
    first = make_night(players=4, pack=UNKNOWN)
    second = make_night(players=4, pack=UNKNOWN, store=first.store)
    client = organizer_of(first)
    client.post(page_of(first), STATION)
    shown = text(client.get(page_of(second)))
    client.post(page_of(second), STATION)

    assert 'value="Holds the station"' in shown
    assert OwnPack.objects.get().versions.count() == 1
    assert Event.objects.get(pk=second.event.pk).pack == Event.objects.get(pk=first.event.pk).pack


def test_an_empty_form_at_the_desk_says_what_is_needed():
    night = make_night(players=4, pack=UNKNOWN)
    answer = organizer_of(night).post(page_of(night), {})

    assert answer.status_code == 422
    assert "Type at least one bonus, or tick that the sheet lists none." in text(answer)


def test_two_people_do_not_type_over_one_another():
    night = make_night(players=4, pack=UNKNOWN)
    client = organizer_of(night)
    seen = {"as_of": str(Event.objects.get(pk=night.event.pk).version)}
    client.post(page_of(night), STATION | seen)
    late = client.post(page_of(night), TOKENS | seen)

    assert late.status_code == 409
    assert "was faster" in text(late)
    assert [one.name for one in Event.objects.get(pk=night.event.pk).rules.bonuses] == ["Holds the station"]


def test_a_rehearsal_in_which_bonuses_were_typed_can_be_discarded():
    night = make_night(players=4, pack=UNKNOWN)
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0), by=replace(BY, at=timezone.now()), seed=1)
    organizer_of(night).post(reverse("bonuses", args=[copy.slug]), STATION)
    typed = OwnPack.objects.filter(store=copy.store).count()
    rehearsal.discard(Rehearsal.objects.get(event=night.event))

    assert typed == 1
    assert not OwnPack.objects.exists()
    assert not Event.objects.get(pk=night.event.pk).rules.bonuses_known
