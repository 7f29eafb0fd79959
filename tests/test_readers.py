"""Who reads a page of an event: asked once for each version of it, however many phones there are."""

import pytest
from django.test import RequestFactory
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tourney import access
from tourney.actions import entrants, player_cards, store_players, stores
from tourney.models import Entrant, Event, Player
from tourney.serving.unchanged import EVENT_VERSION

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return make_night(players=3)


def entrant(night: Night, number: int) -> Entrant:
    return night.event.entrants.select_related("player").get(number=number)


def reader(night: Night, key: str = "", *, seen: bool = True):
    """A request of a phone with that card; `seen`: the server has just asked for the event's version."""
    cookies = {"Cookie": f"{access.card_cookie(night.store)}={key}"} if key else {}
    request = RequestFactory().get(reverse("me", args=[night.event.slug]), headers=cookies)
    version = Event.objects.values_list("version", flat=True).get(pk=night.event.pk)
    request.scope = {EVENT_VERSION: (night.event.pk, version) if seen else None}
    return request


def read(night: Night, request) -> tuple[Event, int | None]:
    event = access.cached_public_event(request, night.event.slug)
    return event, access.person_at(request, event.store)


def test_all_phones_of_a_room_cost_two_queries(night, django_assert_num_queries):
    keys = [player_cards.issue(entrant(night, number).player, by=BY) for number in (1, 2, 3)]
    people = [entrant(night, number).player_id for number in (1, 2, 3)]
    phones = [reader(night, key) for key in keys * 4]

    with django_assert_num_queries(2):  # the event with whose card the first one is, and all cards
        found = [read(night, phone) for phone in phones]

    assert [person for _, person in found] == people * 4
    assert len({id(event) for event, _ in found}) == 1


def test_who_has_no_card_costs_nothing_once_the_event_is_known(night, django_assert_num_queries):
    first, _ = read(night, reader(night))
    visitor = reader(night)

    with django_assert_num_queries(0):
        assert read(night, visitor) == (first, None)


def test_without_a_word_of_the_server_the_database_is_asked(night, django_assert_num_queries):
    first, _ = read(night, reader(night, seen=False))
    visitor = reader(night, seen=False)

    with django_assert_num_queries(1):
        again, _ = read(night, visitor)

    assert again is first


def test_a_card_that_was_issued_again_opens_nothing(night):
    player = entrant(night, 1).player
    old = player_cards.issue(player, by=BY)
    assert [read(night, reader(night, old))[1] for _ in range(2)] == [player.pk] * 2

    new = player_cards.issue(player, by=BY)

    assert [read(night, reader(night, key))[1] for key in (old, new, old, new)] == [None, player.pk] * 2


def test_a_card_that_was_issued_later_opens_at_once(night):
    read(night, reader(night, player_cards.issue(entrant(night, 1).player, by=BY)))
    read(night, reader(night, player_cards.issue(entrant(night, 2).player, by=BY)))
    player = entrant(night, 3).player

    assert read(night, reader(night, player_cards.issue(player, by=BY)))[1] == player.pk


def test_a_card_that_was_issued_again_to_one_who_was_merged_meanwhile_opens_nothing(night):
    entrants.register(make_night(players=0, store=night.store).event, [("Sable II", "")], by=BY)
    kept, other = Player.objects.get(name="Sable II"), entrant(night, 1).player
    old = player_cards.issue(other, by=BY)
    store_players.merge(kept, other, by=BY)
    assert [read(night, reader(night, old))[1] for _ in range(2)] == [kept.pk] * 2

    player_cards.issue(other, by=BY)

    assert read(night, reader(night, old))[1] is None


def test_a_key_of_nobody_is_known_as_one(night):
    read(night, reader(night, "guess"))
    guess = reader(night, "guess")
    read(night, guess)

    assert access.invalid_card_cookies(guess) == {access.card_cookie(night.store)}


def test_what_is_said_of_an_older_version_is_not_taken_for_this_one(night):
    late = reader(night)
    read(night, late)
    entrants.drop(night.event, 1, by=BY)
    now, _ = read(night, reader(night))

    assert read(night, late)[0].version == now.version


def test_the_next_version_comes_with_its_store_and_campaign_and_the_pack_of_before(night):
    before, _ = read(night, reader(night))
    stores.change_store(night.store, name="Deck Nine", time_zone="Europe/Berlin", by=BY)

    after, _ = read(night, reader(night))

    stored = Event.objects.with_context().get(pk=night.event.pk)
    assert (after.store.name, after.store.time_zone, after.pack is before.pack) == ("Deck Nine", "Europe/Berlin", True)
    for row, same in ((after, stored), (after.campaign, stored.campaign), (after.store, stored.store)):
        assert all(getattr(row, field.attname) == getattr(same, field.attname) for field in row._meta.concrete_fields)
