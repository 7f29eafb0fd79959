"""Joining by phone and cards: one's own, a friend's to take along, and one that is on another phone already."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages.test_me import text_of
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tourney import access
from tourney.actions import entrants, store_players, stores
from tourney.models import JournalEntry, Player, PlayerCard
from tourney.queries.player_cards import is_key_of
from tourney.views.joining import FRIEND

pytestmark = pytest.mark.django_db


def join(phone: Client, night: Night, name: str):
    """The page after joining."""
    answer = phone.post(reverse("join", args=[night.event.slug]), {"name": name, "faction": "Klingon"})
    assert answer.status_code == 302
    return phone.get(answer.headers["Location"])


def key_on(page) -> str | None:
    """The key of the link that the page shows."""
    found = re.search(r'data-copy="http://testserver/card/([\w-]+)/"', page.content.decode())
    return found and found[1]


def holds(phone: Client, night: Night) -> str | None:
    """Whose card the phone holds."""
    key = phone.cookies[access.card_cookie(night.store)].value
    player = Player.objects.filter(card__isnull=False)
    return next((str(one) for one in player if is_key_of(one, key)), None)


def test_who_joins_alone_has_the_card_on_this_phone():
    night, phone = make_night(players=0), Client()

    page = join(phone, night, "Vor")

    assert holds(phone, night) == "Vor"
    assert "This phone now holds your player card at Starbase Games. See my card" in text_of(page)
    assert f'href="{reverse("event", args=[night.event.slug])}">' in page.content.decode()  # no name to look for
    assert key_on(page) is None


def test_a_friends_card_is_shown_once_as_a_code_for_their_own_phone():
    night, phone = make_night(players=0), Client()
    join(phone, night, "Vor")

    page = join(phone, night, "Kestrel")
    again = phone.get(page.request["PATH_INFO"], {"in": 2})

    assert holds(phone, night) == "Vor"
    assert "Kestrel’s card" in text_of(page)
    assert f'href="{reverse("event", args=[night.event.slug])}?q=Kestrel">' in page.content.decode()
    assert "Open it on Kestrel’s own phone , not on this one" in text_of(page)
    assert "no-store" in page.headers["Cache-Control"]
    friend = Client()
    friend.post(reverse("card", args=[key_on(page)]))
    assert holds(friend, night) == "Kestrel"
    assert key_on(again) is None
    assert "Kestrel already has a card, but it isn’t on this phone." in text_of(again)


def test_the_key_of_a_friend_is_on_the_way_in_a_signed_cookie_of_five_minutes_and_nowhere_else():
    night, phone = make_night(players=0), Client()
    join(phone, night, "Vor")
    path = reverse("join", args=[night.event.slug])

    answer = phone.post(path, {"name": "Kestrel", "faction": "Klingon"})

    cookie = answer.cookies[FRIEND]
    assert (cookie["max-age"], cookie["path"], cookie["httponly"], cookie["samesite"]) == (300, path, True, "Lax")
    key = cookie.value.partition(":")[0]
    assert is_key_of(Player.objects.get(name="Kestrel"), key)
    assert key not in str(list(PlayerCard.objects.values())) + str(list(JournalEntry.objects.values()))


def test_a_cookie_that_was_tampered_with_shows_nothing():
    night, phone = make_night(players=0), Client()
    join(phone, night, "Vor")
    path = reverse("join", args=[night.event.slug])
    phone.post(path, {"name": "Kestrel", "faction": "Klingon"})
    phone.cookies[FRIEND] = "A" * 22 + phone.cookies[FRIEND].value[22:]

    assert key_on(phone.get(path, {"in": 2})) is None


def test_a_friends_key_shows_on_no_page_of_somebody_else():
    night, phone = make_night(players=0), Client()
    join(phone, night, "Vor")
    entrants.register(night.event, [("Lark", "Klingon")], by=BY)
    path = reverse("join", args=[night.event.slug])
    phone.post(path, {"name": "Kestrel", "faction": "Klingon"})

    assert key_on(phone.get(path, {"in": 2})) is None


def test_who_has_a_card_on_another_phone_registers_but_gets_no_second_card():
    before = make_night(players=0)
    own = Client()
    join(own, before, "Vor")
    night = make_night(players=0, store=before.store)

    for phone in (Client(), phone_of(Player.objects.create(store=night.store, name="Kestrel"))):
        again = make_night(players=0, store=before.store)
        page = join(phone, again, "Vor")
        assert [str(entrant) for entrant in again.event.entrants.all()] == ["Vor"]
        assert key_on(page) is None
        assert "Vor already has a card, but it isn’t on this phone. If it’s yours, open your card’s link" in text_of(
            page
        )
        assert "or ask at the counter for a new one." in text_of(page)
    assert holds(own, night) == "Vor"


def test_who_joins_the_next_month_with_the_own_phone_keeps_the_card():
    before, phone = make_night(players=0), Client()
    join(phone, before, "Vor")
    night = make_night(players=0, store=before.store)

    page = join(phone, night, "vor")

    assert "This phone now holds your player card" in text_of(page)
    assert PlayerCard.objects.count() == 1


def test_where_names_are_short_the_full_one_is_shown_to_its_owner_and_to_who_brings_a_friend():
    night, phone = make_night(players=0), Client()
    stores.change_store(night.store, names_shown="initial", by=BY)

    own = join(phone, night, "Vor Kmpec")
    friend = join(phone, night, "Kestrel Onyx")
    stranger = Client().get(own.request["PATH_INFO"], {"in": 1})

    assert [page.context["name"] for page in (own, friend, stranger)] == ["Vor Kmpec", "Kestrel Onyx", "Vor K."]


def test_who_joins_under_a_name_of_before_a_merge_is_told_the_one_of_now():
    night, phone = make_night(players=0), Client()
    join(phone, night, "Vor")
    store_players.merge(Player.objects.get(), Player.objects.create(store=night.store, name="Vor K."), by=BY)

    answer = Client().post(reverse("join", args=[night.event.slug]), {"name": "vor k.", "faction": "Klingon"})

    assert answer.status_code == 409
    assert "Vor is already registered. If that’s you, you’re done:" in text_of(answer)


def test_nobody_joins_under_the_mark_of_somebody_forgotten():
    night, phone = make_night(players=0), Client()
    join(phone, night, "Vor")
    phone.post(reverse("erase_me", args=[night.store.slug]), {"name": "Vor"})
    mark = Player.objects.get().name

    answer = Client().post(reverse("join", args=[night.event.slug]), {"name": mark, "faction": "Klingon"})

    assert answer.status_code == 422
    assert "That name marks a player whose data was erased. Choose another name." in text_of(answer)
    assert f'value="{mark}"' in answer.content.decode()
