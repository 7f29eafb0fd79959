"""“Are you Vor?”: a new name that is like a known one is asked about, and nothing more is told than strangers see."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages.test_me import text_of
from tests.support.joining import desk, join, names, url
from tests.support.nights import BY, Night, make_night
from tourney.actions import entrants, stores
from tourney.models import Player
from tourney.views.joining import MOST_NAMES

pytestmark = pytest.mark.django_db


def known(name: str = "Kestrel Onyx") -> tuple[Night, Player]:
    """A new event of a store where that player was last month."""
    night = make_night(players=0)
    last = make_night(players=0, store=night.store)
    entrants.register(last.event, [(name, "Klingon")], by=BY)
    return night, Player.objects.get(name=name)


def test_who_types_a_similar_name_is_asked_and_is_that_player_with_one_more_tap():
    night, player = known()

    asked = join(Client(), night, "Kestrel Onix")

    assert asked.status_code == 409
    assert "Are you Kestrel Onyx?" in text_of(asked)
    assert not night.event.entrants.exists()
    sent = dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', asked.content.decode().split("are-you")[-1]))
    answer = Client().post(url("join", night), sent | {"same": player.pk})
    assert answer.status_code == 302
    assert names(night) == ["Kestrel Onyx"]
    assert (night.event.entrants.get().faction, Player.objects.count()) == ("Klingon", 1)


def test_somebody_else_goes_on_as_a_new_player():
    night, _ = known()

    assert join(Client(), night, "Kestrel Onix", same="new").status_code == 302
    assert names(night) == ["Kestrel Onix"]


@pytest.mark.parametrize("name", ["Kestrel Onyx", "KESTREL ONYX", "Sable"])
def test_a_known_name_and_an_unlike_one_are_not_asked_about(name):
    night, _ = known()

    assert join(Client(), night, name).status_code == 302


def test_nobody_is_another_than_who_was_asked_about():
    night, _ = known()
    other = Player.objects.create(store=night.store, name="Sable")

    assert join(Client(), night, "Kestrel Onix", same=other.pk).status_code == 409
    assert not night.event.entrants.exists()


def test_the_question_shows_short_names_and_only_of_who_stands_on_a_public_page():
    night, player = known()
    stores.change_store(night.store, names_shown="initial", by=BY)
    Player.objects.create(store=night.store, name="Kestral Onix")

    asked = join(Client(), night, "Kestrel Onix")

    assert "Are you Kestrel O.?" in text_of(asked)
    assert "Onyx" not in asked.content.decode()
    assert "Kestral" not in asked.content.decode()
    join(Client(), night, "Kestrel Onix", same=player.pk)
    assert names(night) == ["Kestrel Onyx"]


def test_who_asks_for_names_without_end_is_told_none_any_more():
    night, _ = known()
    for _ in range(MOST_NAMES):
        assert join(Client(), night, "Kestrel Onix").status_code == 409

    assert join(Client(), night, "Kestrel Onix").status_code == 302
    assert names(night) == ["Kestrel Onix"]


def test_an_answer_that_names_nobody_who_was_asked_about_is_a_question_more():
    night, _ = known()
    for _ in range(MOST_NAMES):
        assert join(Client(), night, "Kestrel Onix", same="x").status_code == 409

    assert join(Client(), night, "Kestrel Onix", same="x").status_code == 302
    assert join(Client(), night, "Kestrel Onyks", same="new").status_code == 302
    assert names(night) == ["Kestrel Onix", "Kestrel Onyks"]


def test_what_is_hidden_of_a_name_is_not_told_by_a_good_guess():
    night, _ = known()
    stores.change_store(night.store, names_shown="initial", by=BY)

    near, far = (join(Client(), night, name) for name in ("Kestrel Onix", "Kestrel Oberon"))

    assert [("Are you Kestrel O.?" in text_of(one), one.status_code) for one in (near, far)] == [(True, 409)] * 2


def test_the_desk_is_asked_the_same_before_it_adds_a_player():
    night, player = known()
    page, facts = reverse("players", args=[night.event.slug]), {"do": "one", "name": "Kestrel", "faction": "Klingon"}

    asked = desk(night).post(page, facts)

    assert asked.status_code == 409
    assert "A player here has a similar name." in text_of(asked)
    assert "Register Kestrel Onyx" in text_of(asked)
    assert not night.event.entrants.exists()
    assert desk(night).post(page, facts | {"same": player.pk}).status_code == 302
    assert names(night) == ["Kestrel Onyx"]
    assert desk(night).post(page, facts | {"same": "new"}).status_code == 302
    assert names(night) == ["Kestrel Onyx", "Kestrel"]
