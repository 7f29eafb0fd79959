from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.shipped import shipped_pack
from tests.support.factories import UserFactory
from tests.support.nights import AT, BY, make_night, make_store
from tourney.actions import events, rounds, stores
from tourney.actions.record import Actor
from tourney.domain.keys import hash_of
from tourney.forms.store import StoreSettingsForm
from tourney.models import Event, Membership, Role, RollOff, Store
from tourney.queries.campaigns import home_of
from tourney.views.errors import server_error

pytestmark = pytest.mark.django_db


def plan(store: Store, pack: str, starts_at=AT) -> Event:
    campaign = store.campaigns.first() or events.make_campaign(store, storyline="Dominion War", by=BY)
    return events.make_event(campaign, shipped_pack(pack), starts_at=starts_at, sp_limit=100, by=BY)


# front, health, and pages for what went wrong


def test_the_front_page_of_a_new_installation_says_where_the_set_up_link_is(client):
    page = client.get("/")

    assert page.status_code == 200
    assert b"shows a one-time link" in page.content


def test_the_front_page_of_one_store_is_that_store(client):
    store, _ = make_store()

    assert client.get("/").headers["Location"] == reverse("store_home", args=[store.slug])


def test_the_front_page_of_several_stores_lists_them_by_name(client):
    make_store("Starbase Games")
    make_store("Deck Twelve")

    page = client.get("/").content.decode()

    assert page.index("Deck Twelve") < page.index("Starbase Games")


def test_health_asks_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(1):
        page = client.get("/health/")

    assert (page.status_code, page.json()) == (200, {"ok": True})


def test_a_missing_page_is_calm_and_asks_the_database_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get("/no-such-page/")

    assert page.status_code == 404
    assert b"Page not found" in page.content
    assert b'href="/"' in page.content


def test_the_page_for_our_own_mistakes_asks_the_database_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        page = server_error(RequestFactory().get("/"))

    assert page.status_code == 500
    assert b"Something went wrong" in page.content


def test_who_only_read_can_try_again_and_who_sent_something_is_told_that_it_may_not_be_saved():
    read, sent = (server_error(getattr(RequestFactory(), how)("/")).content.decode() for how in ("get", "post"))

    assert ('<a class="button button-primary" href="">Try again</a>' in read, "may not be saved" in read) == (
        True,
        False,
    )
    assert ("Try again</a>" in sent, "may not be saved" in sent) == (False, True)


def test_a_form_that_is_too_old_says_what_to_do(client):
    client.handler.enforce_csrf_checks = True

    page = client.post(reverse("sign_in"), {"username": "vor", "password": "x"})

    assert page.status_code == 403
    assert "reload the page, and send it again" in " ".join(page.content.decode().split())


# home


def test_home_of_a_new_store_tells_the_organizer_to_begin_a_campaign(client):
    store, users = make_store()
    home = reverse("store_home", args=[store.slug])

    assert b"No events scheduled" in client.get(home).content

    client.force_login(users["organizer"])
    assert reverse("new_campaign", args=[store.slug]) in client.get(home).content.decode()


def test_home_without_a_planned_month_offers_the_organizer_to_plan_one(client):
    store, users = make_store()
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
    client.force_login(users["organizer"])

    page = client.get(reverse("store_home", args=[store.slug])).content.decode()

    assert "Schedule the next month of Dominion War" in page
    assert reverse("new_event", args=[store.slug, campaign.slug]) in page


def test_home_shows_the_running_event_first_with_the_desk_only_for_staff(client):
    night = make_night(players=4, rounds=1, open_round=True)
    home = reverse("store_home", args=[night.store.slug])
    desk = reverse("desk", args=[night.event.slug])

    page = client.get(home).content.decode()
    assert "Round 2 of 3 is in play. Players: 4." in page
    assert desk not in page

    client.force_login(night.judge)
    assert desk in client.get(home).content.decode()


def test_home_keeps_a_draft_to_the_desk():
    night = make_night(players=4, rounds=1)
    rounds.pair_round(night.event, seed=1, by=BY)

    month = home_of(night.store, AT).tonight[0]

    assert str(month.sentence) == "Round 1 of 3 is over. Round 2 comes next. Players: 4."


def test_home_of_a_finished_month_names_admiral_and_victorious_faction(client):
    night = make_night(players=6, rounds=3, finish=True)

    month = home_of(night.store, AT + timedelta(days=40)).months[0]
    page = client.get(reverse("store_home", args=[night.store.slug])).content.decode()

    assert (month.state, month.outcome.title) == ("finished", "Admiral")
    assert month.outcome.winner in page
    assert f"Victorious faction: {month.outcome.victorious}" in page


@pytest.mark.parametrize(
    ("days", "state", "sentence"),
    [
        (1, "planned", "Registration is open, no players so far."),
        (0, "today", "Registration is open, no players so far."),
        (-1, "missed", "It was not played."),
    ],
)
def test_a_month_without_rounds_is_planned_today_or_missed(days, state, sentence):
    store, _ = make_store()
    plan(store, "dominion-war-6", AT + timedelta(days=days))

    month = home_of(store, AT).months[0]

    assert (month.state, str(month.sentence)) == (state, sentence)


@pytest.mark.parametrize(
    ("now", "state"),
    [
        ("2026-11-20T05:59", "planned"),
        ("2026-11-20T06:00", "today"),
        ("2026-11-21T00:30", "today"),
        ("2026-11-21T05:59", "today"),
        ("2026-11-21T06:00", "missed"),
    ],
)
def test_today_is_a_day_of_the_store_not_of_greenwich_and_lasts_until_six_in_the_morning(now, state):
    auckland = ZoneInfo("Pacific/Auckland")
    store, _ = make_store(time_zone=auckland.key)
    plan(store, "dominion-war-6", datetime(2026, 11, 20, 18, 0, tzinfo=auckland))

    with timezone.override(auckland):
        month = home_of(store, datetime.fromisoformat(now).replace(tzinfo=auckland)).months[0]

    assert month.state == state


def test_results_of_other_campaigns_stand_below_the_current_one():
    first = make_night(players=4, rounds=1, finish=True)
    other = events.make_campaign(first.store, storyline="The Void", by=BY)
    later = AT + timedelta(days=30)
    events.make_event(other, shipped_pack("the-void"), starts_at=later, sp_limit=100, by=BY)

    home = home_of(first.store, AT + timedelta(days=10))

    assert (home.campaign, [month.event for month in home.past]) == (other, [first.event])
    assert (home.next.event.campaign, home.others) == (other, (first.campaign,))


def test_past_results_begin_with_the_last_and_the_months_of_the_campaign_with_the_first():
    first = make_night(players=4, rounds=1, finish=True)
    second = make_night(players=4, rounds=1, finish=True, store=first.store)
    Event.objects.filter(pk=second.event.pk).update(starts_at=AT + timedelta(days=28))
    other = events.make_campaign(first.store, storyline="The Void", by=BY)
    third, fourth = (
        events.make_event(other, shipped_pack("the-void"), starts_at=AT + timedelta(days=days), sp_limit=100, by=BY)
        for days in (60, 90)
    )

    home = home_of(first.store, AT + timedelta(days=40))

    assert [month.event for month in home.past] == [second.event, first.event]
    assert [month.event for month in home.months] == [third, fourth]


def test_home_asks_as_many_queries_for_many_finished_months_as_for_few(client):
    night = make_night(players=8, rounds=2, finish=True)
    home = reverse("store_home", args=[night.store.slug])
    counts = []
    for more in (2, 5):
        for seed in range(more):
            make_night(players=8, rounds=2, finish=True, seed=seed, store=night.store)
        assert RollOff.objects.exists()
        client.get(home)  # from then on this process knows the pack
        with CaptureQueriesContext(connection) as queries:
            client.get(home)
        counts.append(len(queries))

    assert counts == [4, 4]


# settings


def test_the_owner_changes_name_time_zone_and_how_names_are_shown(client):
    store, users = make_store()
    client.force_login(users["owner"])
    url = reverse("store_settings", args=[store.slug])

    typed = {"name": "Deck Twelve", "time_zone": "America/Chicago", "locale": "en_US", "names_shown": "initial"}

    answer = client.post(url, typed)

    assert (answer.status_code, answer.headers["Location"]) == (302, url)
    assert Store.objects.values_list("name", "time_zone", "locale", "names_shown", "slug").get() == (
        "Deck Twelve",
        "America/Chicago",
        "en_US",
        "initial",
        store.slug,
    )


def test_an_unknown_time_zone_is_refused_and_everything_typed_is_kept(client):
    store, users = make_store()
    client.force_login(users["owner"])

    page = client.post(reverse("store_settings", args=[store.slug]), {"name": "Deck Twelve", "time_zone": "Hamburg"})

    assert page.status_code == 422
    assert "No time zone found for “Hamburg”." in page.content.decode()
    assert b'value="Deck Twelve"' in page.content


@pytest.mark.parametrize(
    ("typed", "zone", "said"),
    [
        ("America/Chicago", "America/Chicago", False),
        ("chicago", "America/Chicago", True),
        ("Sao Paulo", "America/Sao_Paulo", True),
    ],
)
def test_a_city_becomes_its_time_zone_and_the_page_says_which(client, typed, zone, said):
    store, users = make_store()
    client.force_login(users["owner"])
    url = reverse("store_settings", args=[store.slug])

    page = client.post(url, StoreSettingsForm.facts_of(store) | {"time_zone": typed}, follow=True).content.decode()

    assert Store.objects.get().time_zone == zone
    assert (f"Time zone: {zone}" in page) is said
    assert f'value="{zone}"' in page


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("Germany", "“Germany” has several time zones. Type one of them: Europe/Berlin and Europe/Busingen."),
        ("United States", "“United States” has many time zones. Type a city in yours."),
    ],
)
def test_a_country_with_several_time_zones_is_asked_about(client, typed, sentence):
    store, users = make_store()
    client.force_login(users["owner"])

    page = client.post(
        reverse("store_settings", args=[store.slug]), StoreSettingsForm.facts_of(store) | {"time_zone": typed}
    )

    assert page.status_code == 422
    assert sentence in page.content.decode()


# people


def test_people_lists_owners_first_and_open_invitations(client):
    store, users = make_store()
    client.force_login(users["owner"])
    now = Actor(None, "test", timezone.now())
    stores.invite(store, Role.JUDGE, by=now, note="Ensign Quill")
    stores.invite(store, Role.JUDGE, by=Actor(None, "test", timezone.now() - timedelta(days=20)), note="Too late")

    page = client.get(reverse("staff", args=[store.slug])).content.decode()

    names = [users[role].username for role in ("owner", "organizer", "judge")]
    assert sorted(names, key=page.index) == names
    assert "Ensign Quill" in page
    assert "Too late" not in page


def test_an_invitation_shows_its_link_once(client):
    store, users = make_store()
    client.force_login(users["owner"])
    url = reverse("invite", args=[store.slug])

    answer = client.post(url, {"role": "judge", "note": "Quill"})
    shown, again = client.get(url), client.get(url)

    assert (answer.status_code, answer.headers["Location"]) == (302, url)
    link = shown.context["link"]
    assert link.startswith("http://testserver/invitation/")
    assert f'data-copy="{link}"' in shown.content.decode()
    assert "<svg" in shown.content.decode()
    assert "style=" not in shown.content.decode()
    assert link not in again.content.decode()
    assert hash_of(link.split("/")[-2]) == store.invitations.get().key_hash


def test_an_invitation_without_a_role_is_refused(client):
    store, users = make_store()
    client.force_login(users["owner"])

    page = client.post(reverse("invite", args=[store.slug]), {"note": "Quill"})

    assert page.status_code == 422
    assert b'value="Quill"' in page.content
    assert not store.invitations.exists()


def test_a_withdrawn_invitation_opens_nothing(client):
    store, users = make_store()
    key = stores.invite(store, Role.JUDGE, by=Actor(None, "test", timezone.now()))
    client.force_login(users["owner"])

    client.post(reverse("withdraw", args=[store.slug, store.invitations.get().pk]))

    assert client.get(reverse("invitation", args=[key])).status_code == 404


def test_the_owner_takes_a_role_away(client):
    store, users = make_store()
    client.force_login(users["owner"])
    member = Membership.objects.get(user=users["judge"])

    answer = client.post(reverse("remove_staff", args=[store.slug, member.pk]))

    assert answer.headers["Location"] == reverse("staff", args=[store.slug])
    assert not Membership.objects.filter(user=users["judge"]).exists()


def test_the_only_owner_cannot_be_removed(client):
    store, users = make_store()
    client.force_login(users["owner"])
    member = Membership.objects.get(user=users["owner"])

    page = client.post(reverse("remove_staff", args=[store.slug, member.pk]))

    assert page.status_code == 409
    assert "is the only owner. Invite another owner first." in page.content.decode()
    assert Membership.objects.filter(pk=member.pk).exists()


def test_an_owner_who_leaves_is_sent_to_the_public_page(client):
    store, users = make_store()
    stores.give_role(store, UserFactory(username="second"), Role.OWNER, by=BY)
    client.force_login(users["owner"])
    member = Membership.objects.get(user=users["owner"])

    answer = client.post(reverse("remove_staff", args=[store.slug, member.pk]))

    assert answer.headers["Location"] == reverse("store_home", args=[store.slug])


def test_nobody_removes_people_or_invitations_of_another_store(client):
    store, users = make_store()
    other, others = make_store("Deck Twelve")
    stores.invite(other, Role.JUDGE, by=BY)
    client.force_login(users["owner"])
    member = Membership.objects.get(user=others["judge"])

    answers = [
        client.post(reverse("remove_staff", args=[store.slug, member.pk])),
        client.post(reverse("withdraw", args=[store.slug, other.invitations.get().pk])),
    ]

    assert [answer.status_code for answer in answers] == [404, 404]


def test_the_owner_reads_what_was_done_at_the_store_and_not_what_was_done_at_its_events(client):
    night = make_night(players=2)
    client.force_login(night.owner)

    page = client.get(reverse("store_journal", args=[night.store.slug])).content.decode()

    assert "Campaign “The Dominion War” created." in page
    assert "Registered" not in page
