"""A registration whose answer was lost: the same form once more gets the card, and makes no second player."""

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client

from tests.pages.test_joining_with_a_card import holds
from tests.pages.test_me import text_of
from tests.support.joining import fill, join, names, url
from tests.support.nights import BY, make_night
from tourney import access
from tourney.actions import entrants, events, player_cards
from tourney.models import Entrant, Joining, JournalEntry, Player

pytestmark = pytest.mark.django_db


def key_on(page) -> str:
    return re.search(r'name="key" value="([0-9a-f]{32})"', page.content.decode())[1]


def test_who_sends_the_same_form_again_because_the_answer_was_lost_gets_the_card_and_one_entry():
    night = make_night(players=0)
    key = key_on(Client().get(url("join", night)))
    lost = join(Client(), night, "Vor", key=key)
    phone = Client()

    again = join(phone, night, "Vor", key=key)

    assert (again.status_code, again.headers["Location"]) == (302, lost.headers["Location"])
    assert holds(phone, night) == "Vor"
    assert "This phone now holds your player card" in text_of(phone.get(again.headers["Location"]))
    assert names(night) == ["Vor"]
    assert JournalEntry.objects.filter(did="issue_card").count() == 1
    cookie = access.card_cookie(night.store)
    assert lost.cookies[cookie].value == again.cookies[cookie].value


def test_the_answer_is_given_again_after_registration_closed_and_while_others_have_to_wait():
    night = make_night(players=0)
    join(Client(), night, "Bot 0", key="0" * 32)
    fill(night)
    assert join(Client(), night, "Slow").status_code == 429
    events.open_registration(night.event, False, by=BY)
    phone = Client()

    assert join(phone, night, "bot 0", key="0" * 32).status_code == 302
    assert holds(phone, night) == "Bot 0"


@pytest.mark.parametrize("key", ["", "b" * 32, "a" * 31, "A" * 32, "a" * 33])
def test_without_the_forms_own_key_nobody_gets_the_card(key):
    night, phone = make_night(players=0), Client()
    join(Client(), night, "Vor", key="a" * 32)

    answer = join(phone, night, "Vor", key=key)

    assert answer.status_code == 409
    assert access.card_cookie(night.store) not in phone.cookies


def test_the_same_form_with_another_name_is_another_player():
    """One tablet, several players: the way back shows the form of before."""
    night, tablet = make_night(players=0), Client()
    join(tablet, night, "Vor", key="a" * 32)

    answer = join(tablet, night, "Kestrel", key="a" * 32)

    assert answer.status_code == 302
    assert names(night) == ["Vor", "Kestrel"]
    assert holds(tablet, night) == "Vor"


def test_after_an_hour_or_a_new_card_from_the_counter_the_form_gives_no_card():
    night, late, other = make_night(players=0), Client(), Client()
    join(Client(), night, "Vor", key="a" * 32)
    join(Client(), night, "Kestrel", key="b" * 32)
    Joining.objects.filter(entrant__player__name="Vor").update(at=F("at") - timedelta(hours=1))
    player_cards.issue(Player.objects.get(name="Kestrel"), by=BY)

    assert join(late, night, "Vor", key="a" * 32).status_code == 409
    assert join(other, night, "Kestrel", key="b" * 32).status_code == 302
    assert access.card_cookie(night.store) not in {**late.cookies, **other.cookies}


def test_who_played_here_before_gets_no_card_by_sending_the_form_twice():
    night = make_night(players=0)
    entrants.register(make_night(players=0, store=night.store).event, [("Vor", "")], by=BY)
    phone = Client()

    answers = [join(phone, night, "Vor", key="a" * 32).status_code for _ in range(2)]

    assert answers == [302, 302]
    assert access.card_cookie(night.store) not in phone.cookies
    assert Entrant.objects.filter(event=night.event).count() == 1
