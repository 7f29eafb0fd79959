"""The steps to the first event on the home page of a new store: they tick themselves, and go when they are done."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.shipped import shipped_pack
from tests.support.nights import AT, BY, Night, make_night, make_store
from tourney.actions import entrants, events, stores
from tourney.models import Membership, Role, Store, User

pytestmark = pytest.mark.django_db

STEP = re.compile(r'<li class="row( is-done)?">')


@pytest.fixture
def store() -> Store:
    """A store with an owner and nobody else."""
    store, users = make_store()
    Membership.objects.filter(store=store).exclude(user=users["owner"]).delete()
    return store


def home(client, store: Store) -> str:
    return client.get(store.get_absolute_url()).content.decode()


def ticks(client, store: Store) -> list[bool]:
    """Whether each step is ticked, as the store's owner sees it."""
    client.force_login(User.objects.get(memberships__store=store, memberships__role=Role.OWNER))
    return [bool(done) for done in STEP.findall(home(client, store).partition('id="first-event"')[2])][:10]


def test_a_new_store_has_one_step_behind_it(client, store):
    assert ticks(client, store) == [True] + [False] * 9


def test_the_steps_tick_themselves_as_the_event_goes_on(client, store):
    done = [ticks(client, store)]
    stores.invite(store, Role.JUDGE, by=BY)
    done.append(ticks(client, store))
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
    done.append(ticks(client, store))
    event = events.make_event(campaign, shipped_pack("dominion-war-6"), starts_at=AT, sp_limit=100, by=BY)
    done.append(ticks(client, store))
    entrants.register(event, [("Vor", "Klingon"), ("Lark", "Romulan")], by=BY)
    done.append(ticks(client, store))
    entrants.check_in(event, by=BY)
    done.append(ticks(client, store))

    assert [sum(one) for one in done] == [1, 2, 3, 4, 5, 6]
    assert done[-1] == [True] * 4 + [False] + [True] * 2 + [False] * 3


@pytest.mark.parametrize(("played", "done"), [({"open_round": True}, 7), ({"rounds": 1}, 8)])
def test_rounds_tick_theirs(client, played, done):
    night = make_night(players=4, **played)

    assert sum(ticks(client, night.store)) == done


def test_each_step_leads_to_where_it_is_done_and_to_the_guide(client):
    night = make_night(players=4)
    client.force_login(night.owner)
    page = home(client, night.store).partition('id="first-event"')[2].partition("</ol>")[0]

    for name in ("qr", "players", "rehearsal", "desk"):
        assert f'href="{reverse(name, args=[night.event.slug])}"' in page
    links = re.findall(r'href="(/help/[^"]*)"', page)
    assert len(links) == 10
    for link in links:
        path, _, anchor = link.partition("#")
        assert f' id="{anchor}"' in client.get(path).content.decode()


def test_only_owners_see_them_and_only_until_an_event_is_finished(client):
    night = make_night(players=4, rounds=1)
    for user, seen in ((night.owner, True), (night.organizer, False), (night.judge, False)):
        client.force_login(user)
        assert ("Your first event" in home(client, night.store)) == seen
    over = make_night(players=4, rounds=3, finish=True)

    client.force_login(over.owner)
    assert "Your first event" not in home(client, over.store)


def test_a_press_hides_them_for_good(client):
    night = make_night(players=0)
    client.force_login(night.owner)
    hide = reverse("hide_first_event", args=[night.store.slug])
    assert hide in home(client, night.store)

    answer = client.post(hide)

    assert (answer.status_code, answer.headers["Location"]) == (302, night.store.get_absolute_url())
    assert "Your first event" not in home(client, night.store)


def test_they_cost_one_query_and_nothing_once_an_event_is_finished(client):
    def queries(night: Night, user: User) -> int:
        client.force_login(user)
        home(client, night.store)
        with CaptureQueriesContext(connection) as asked:
            home(client, night.store)
        return len(asked)

    new, over = make_night(players=4), make_night(players=4, rounds=3, finish=True)

    assert queries(new, new.owner) == queries(new, new.organizer) + 1
    assert queries(over, over.owner) == queries(over, over.organizer)
