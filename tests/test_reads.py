"""What a store's pages read does not grow with what other stores and months have written."""

from collections.abc import Iterator
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.support.built_fleets import bring_all
from tests.support.factories import PASSWORD
from tests.support.many_stores import add_what_stands_beside, copy_stores
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.reading import Read, asked, differences, plan_of, rows_read, whole_reads
from tests.support.tables import on_time
from tests.support.touring import Visit, pairs_of, send, visit
from tourney.actions import reports, sign_off
from tourney.models import Player, Seat

pytestmark = pytest.mark.django_db

OTHERS = 100


@pytest.fixture
def among_others() -> tuple[Night, Client]:
    """A night in play with the phone of a player, among those of a hundred stores like it and finished ones of others.

    The planner takes an index wherever there is one, and looks into it: tables as small as these it may as well read
    from end to end to join them, which depends on what other tests have left in their pages. So do the indexes of
    tables that are empty here, which are read from end to end: they are made anew.
    """
    make_night(players=4, rounds=2, finish=True)
    night = make_night(players=5, rounds=1, open_round=True, tables=1)
    phones = [phone_of(entrant.player) for entrant in night.event.entrants.select_related("player__store")]
    bring_all(night.event)
    add_what_stands_beside(night.store, Random(1))
    sign_off.sign_all_on_paper(night.event, 2, by=BY)
    seat = Seat.objects.filter(round__event=night.event, round__number=2, match__table=2).first()
    reports.report(night.event, 2, seat.entrant.number, on_time(51, 42), by=BY)
    copy_stores([*range(-OTHERS // 2, 0), *range(1, OTHERS // 2 + 1)])
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what a commit would have done with the night
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("ANALYZE")
        for way in ("seqscan", "mergejoin", "hashjoin"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"REINDEX TABLE {table}")
    return night, phones[0]


def visits(night: Night, phone: Client) -> Iterator[Visit]:
    """Where something was found that read rows of every store, and what everybody waits for on the night."""
    owner = Client()
    owner.force_login(night.owner)
    event, store = [night.event.slug], [night.store.slug]
    result = {"ending": "time", "sp_left_a": "42", "sp_left_b": "51", "version": "0"}
    sign_in = {"username": night.owner.username, "password": PASSWORD}
    yield visit(Client(), reverse("event", args=event))[0]
    yield visit(phone, reverse("me", args=event))[0]
    yield visit(phone, reverse("my_data", args=store))[0]
    yield visit(owner, reverse("store_players", args=store))[0]
    yield visit(owner, f"{reverse('store_players', args=store)}?q=kestrel")[0]
    yield visit(owner, f"{reverse('store_search', args=store)}?q=kestrel")[0]
    yield visit(owner, f"{reverse('desk_search', args=event)}?q=kestrel")[0]
    yield visit(owner, f"{reverse('journal', args=event)}?player=1&kind=results")[0]
    yield visit(owner, reverse("store_journal", args=store))[0]
    yield visit(owner, reverse("print_cards", args=event))[0]
    yield send(owner, reverse("player_card", args=[*event, 1]), pairs_of({"sure": "on"}))
    yield send(owner, reverse("result", args=[*event, 2, 2]), pairs_of(result))
    yield send(Client(), reverse("sign_in"), pairs_of(sign_in))
    yield send(Client(), reverse("sign_in"), pairs_of(sign_in | {"password": "wrong"}))
    yield send(Client(), reverse("join", args=event), pairs_of({"name": "Ensign Quill", "faction": "Romulan"}))


def test_of_no_table_a_page_reads_as_many_rows_as_there_are_stores(among_others):
    seen = list(visits(*among_others))

    assert [one.status for one in seen] == [200] * 11 + [302, 302, 422, 302]
    assert [(one.name, *read) for one in seen for read in too_much(one.reads)] == []


def test_what_finds_its_rows_by_no_index_is_noticed(among_others):
    before = rows_read()
    with asked() as statements:
        list(Player.objects.filter(name="Kestrel"))

    assert [name for name, _ in too_much(differences(before, rows_read()))] == ["tourney_player"]
    assert [what for _, what in whole_reads(plan_of(statements[0]))] == ["tourney_player"]


def too_much(reads: dict[str, Read]) -> list[tuple[str, int]]:
    return [(name, read.rows) for name, read in reads.items() if read.rows >= OTHERS]
