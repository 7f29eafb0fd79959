"""“Are you Vor?”: a new name that is like a known one is asked about, and nothing more is told than strangers see."""

import re

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from tests.pages.test_me import text_of
from tests.support.copied import triggers_off
from tests.support.joining import desk, join, names, url
from tests.support.nights import AT, BY, Night, make_night
from tests.support.reading import differences, rows_read
from tourney.actions import entrants, store_players, stores
from tourney.models import Entrant, Event, NameKeys, Player
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


def test_registration_reads_as_little_of_five_thousand_players_as_of_few():
    """By phone, of an unlike name and of a similar one: rows of the players, of their keys, and of all indexes.

    As in a store of years, the planner takes indexes: beside three entrants it may as well merge from end to end.
    Nobody else's test has these names: rows that other tests took back are in the indexes until the next VACUUM.
    """
    for _ in range(30):
        with transaction.atomic():
            make_night(players=12)
            transaction.set_rollback(True)
    night, _ = known("Umbra Quoin")
    few = [read_of_players(night, name) for name in ("Tallow Wicket", "Umbra Quoyn")]
    players = entrants.players_named(night.store, [f"{number} Pilot {number:x}" for number in range(5000)]).values()
    last = Event.objects.exclude(pk=night.event.pk).get()
    with triggers_off():
        Entrant.objects.bulk_create(
            Entrant(event=last, player=player, number=number, registered_at=AT)
            for number, player in enumerate(players, start=2)
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        for way in ("seqscan", "mergejoin", "hashjoin"):
            cursor.execute(f"SET LOCAL enable_{way} = off")

    many = [read_of_players(night, name) for name in ("Hollow Sedge", "Umbra Quoins")]

    assert max(many) <= max(few) + 20
    assert max(many) < 100


def read_of_players(night: Night, name: str) -> int:
    before = rows_read()
    join(Client(), night, name)
    read = differences(before, rows_read())
    return sum(one.rows for table, one in read.items() if table in TABLES)


TABLES = (
    *("tourney_player", "tourney_namekeys", "tourney_namekeys_pkey", "players_by_similar_names"),
    *("tourney_player_pkey", "one_player_per_name_and_store"),
)


def test_who_is_renamed_is_asked_about_by_the_new_name_and_who_is_erased_by_none():
    night, player = known()
    store_players.rename(player, "Marrow Sable", by=BY)

    asked = [join(Client(), night, name).status_code for name in ("Marrow Sabel", "Kestrel Onix")]
    store_players.erase(player, by=BY)

    assert asked == [409, 302]
    assert not NameKeys.objects.filter(player=player).exists()


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
