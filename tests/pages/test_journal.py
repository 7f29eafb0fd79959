"""The journal of an event at the desk: filtered, in pages, and as a file."""

import csv
import json
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter
from tourney.actions import entrants, player_cards, results, rounds, store_players
from tourney.models import JournalEntry, Player
from tourney.queries.journal import MOST_EXPORTED, entries_of, exported
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def page_of(client: Client, night: Night, **chosen: object):
    client.force_login(night.judge)
    return client.get(reverse("journal", args=[night.event.slug]), chosen)


def did(response) -> list[str]:
    return [line.entry.did for line in response.context["lines"]]


def said(response) -> list[str]:
    return [line.entry.what for line in response.context["lines"]]


def file_of(client: Client, night: Night, form: str, **chosen: object):
    client.force_login(night.judge)
    return client.get(reverse("journal_file", args=[night.event.slug, form]), chosen)


def rows_of(response) -> list[dict[str, str]]:
    return [*csv.DictReader(StringIO(response.content.decode("utf-8-sig")))]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("results", {"report_result"}),
        ("pairings", {"pair_round", "publish_round"}),
        ("check-in", {"check_in"}),
        ("settings", {"make_event"}),
    ],
)
def test_the_journal_of_a_kind_holds_that_alone(client, kind: str, expected: set[str]):
    night = make_night(players=4, open_round=True, tables=1)

    assert {*did(page_of(client, night, kind=kind))} <= expected
    assert did(page_of(client, night, kind=kind))


def test_the_journal_of_a_player_holds_what_names_them_and_the_result_that_was_cleared_at_their_table(client):
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, eliminated(left=40))
    enter(night.event, 2, eliminated(left=40))
    here, other = state_of(night.event).round(1).match_at(1), state_of(night.event).round(1).match_at(2)
    results.remove_result(night.event, 1, 1, version=1, by=BY)

    mine, theirs = (did(page_of(client, night, player=one.a.number)) for one in (here, other))

    assert mine[:2] == ["take_back_result", "report_result"]
    assert theirs[0] == "report_result"
    assert "take_back_result" not in theirs


def test_a_name_within_another_name_is_nobody_elses(client):
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", "")], by=BY)
    entrants.register(night.event, [("Vorik", "")], by=BY)

    assert len(said(page_of(client, night, player=1))) == 1
    assert "Vorik" in said(page_of(client, night, player=2))[0]


def test_who_is_among_many_is_found_by_the_facts(client):
    night = make_night(players=0)
    names = [(f"Ensign {number}", "") for number in range(12)]
    entrants.register(night.event, names, by=BY)
    entrants.check_in(night.event, [*range(1, 13)], by=BY)

    assert did(page_of(client, night, player=11)) == ["check_in", "register"]


def test_filters_go_together_and_with_the_pages(client):
    night = make_night(players=0)
    for number in range(60):
        entrants.register(night.event, [(f"Ensign {number}", "")], by=BY)

    first = page_of(client, night, kind="players")
    second = page_of(client, night, kind="players", page=2)

    assert len(said(first)) == 50
    assert 'href="?kind=players&amp;page=2"' in first.text
    assert 'href="?kind=players&amp;page=1"' in second.text
    assert did(page_of(client, night, kind="results", player=1)) == []
    assert "Nothing like this has been recorded." in page_of(client, night, kind="results", player=1).text


@pytest.mark.parametrize("chosen", [{"kind": "store"}, {"player": "0"}, {"player": "x"}, {"kind": "$.**"}])
def test_a_filter_that_means_nothing_shows_everything(client, chosen: dict[str, str]):
    night = make_night(players=4, rounds=1)

    assert did(page_of(client, night, **chosen)) == did(page_of(client, night))


def test_the_file_holds_what_is_filtered_with_times_and_verbs_for_programs(client):
    night = make_night(players=4, rounds=1)

    table = rows_of(file_of(client, night, "csv", kind="pairings"))
    data = json.loads(file_of(client, night, "json", kind="pairings").content)["entries"]

    assert [row["did"] for row in table] == ["close_round", "publish_round", "pair_round"]
    assert [row["did"] for row in data] == ["close_round", "publish_round", "pair_round"]
    assert table[0] | {"at": ""} == {
        "at": "",
        "by": "test",
        "did": "close_round",
        "sentence": "Round 1 closed.",
        "reason": "",
    }
    assert table[0]["at"].startswith("2026-11-20T20:")
    assert table[0]["at"].endswith("+01:00")
    assert data[0]["after"]["round"] == 1


def test_the_sentences_of_the_file_are_in_the_readers_language(client):
    night = make_night(players=4, rounds=1)
    client.cookies["language"] = "de"
    (entry, *_) = JournalEntry.objects.filter(event=night.event, did="close_round")
    with translation.override("de"):
        german = entry.sentence

    (row,) = [row for row in rows_of(file_of(client, night, "csv", round=1)) if row["did"] == "close_round"]

    assert row["sentence"] == german != "Round 1 closed."


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "-2", "+3", "\t=1+1", " =1"])
def test_no_cell_of_the_table_is_a_formula(client, text: str):
    night = make_night(players=4, open_round=True)
    rounds.extend_clock(night.event, 1, 5, by=BY, reason=text)

    row = rows_of(file_of(client, night, "csv"))[0]

    assert row["reason"] == f"'{text.strip()}"


def test_there_is_no_file_of_another_form(client):
    assert file_of(client, make_night(players=0), "xlsx").status_code == 404


def test_the_file_is_bounded_and_is_one_query_however_long(django_assert_num_queries):
    night = make_night(players=0)
    for number in range(30):
        entrants.register(night.event, [(f"Ensign {number}", "")], by=BY)

    with django_assert_num_queries(2):
        everything, newest = ([*exported(entries_of(night.event), most=most)] for most in (MOST_EXPORTED, 3))

    assert len(everything) == 31
    assert newest == everything[:3]


# the store's own


def at_store(client: Client, night: Night, *form: str, **chosen: object):
    client.force_login(night.owner)
    return client.get(
        reverse("store_journal_file" if form else "store_journal", args=[night.store.slug, *form]), chosen
    )


def renamed() -> Night:
    night = make_night(players=0)
    entrants.register(night.event, [("Vor", ""), ("Kestrel", ""), ("Vorik", "")], by=BY)
    vor, kestrel = (Player.objects.get(store=night.store, name=name) for name in ("Vor", "Kestrel"))
    player_cards.issue(kestrel, by=BY)
    store_players.rename(vor, "Vor Ash", by=BY)
    return night


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("store", {"make_store", "give_role"}),
        ("store-players", {"rename_player", "issue_card"}),
        ("campaigns", {"make_campaign"}),
        ("settings", set()),
        ("packs", set()),
        ("house-rules", set()),
    ],
)
def test_the_stores_journal_of_a_kind_holds_that_alone(client, kind: str, expected: set[str]):
    assert {*did(at_store(client, renamed(), kind=kind))} == expected


def test_the_stores_journal_of_a_player_holds_what_names_them_by_any_of_their_names(client):
    night = renamed()
    vor, kestrel, vorik = (Player.objects.get(name=name) for name in ("Vor Ash", "Kestrel", "Vorik"))

    assert did(at_store(client, night, player=vor.pk)) == ["rename_player"]
    assert did(at_store(client, night, player=kestrel.pk)) == ["issue_card"]
    assert did(at_store(client, night, player=vorik.pk)) == []
    assert "Nothing like this has been recorded." in at_store(client, night, player=vorik.pk).text


@pytest.mark.parametrize("chosen", [{"kind": "results"}, {"kind": "x"}, {"player": "x"}, {"player": "0"}])
def test_a_filter_that_means_nothing_shows_the_whole_journal_of_the_store(client, chosen: dict[str, str]):
    night = renamed()

    assert did(at_store(client, night, **chosen)) == did(at_store(client, night))


def test_the_stores_journal_is_a_file_as_it_is_filtered(client):
    night = renamed()

    table = rows_of(at_store(client, night, "csv", kind="store-players"))
    response = at_store(client, night, "json", kind="store-players")

    assert [row["did"] for row in table] == ["rename_player", "issue_card"]
    assert [row["did"] for row in json.loads(response.content)["entries"]] == ["rename_player", "issue_card"]
    assert response["Content-Disposition"] == f'attachment; filename="journal-{night.store.slug}.json"'
    assert at_store(client, night, "xlsx").status_code == 404
    assert "journal/csv/?kind=store-players&amp;" in at_store(client, night, kind="store-players").text
