"""The rules of a season (rule 5.8): typed, said in words, and followed wherever the season is read."""

import json
import re

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.domain.season import SeasonRules
from tests.support.copied import forget_kept
from tests.support.nights import AT, BY, Night, make_night, make_store
from tests.support.years import add_months_before
from tourney.actions import campaigns
from tourney.actions.archive import import_event
from tourney.models import Campaign, Event, JournalEntry, Player
from tourney.printing.queries.poster import poster_of
from tourney.queries.archive import archive_of
from tourney.queries.campaigns import overview_of
from tourney.queries.records import record_of

pytestmark = pytest.mark.django_db

NOTHING = {"best_of": "", "at_least": "", "for_attendance": "0", "pick_order": ""}


@pytest.fixture
def night(client) -> Night:
    """The first of three finished months of a campaign, its organizer signed in; one player was in the last alone."""
    first = make_night(players=6, rounds=3, finish=True, seed=1)
    make_night(players=6, rounds=3, finish=True, seed=2, store=first.store)
    make_night(players=7, rounds=3, finish=True, seed=3, store=first.store)
    client.force_login(first.organizer)
    return first


def url(night: Night, name: str = "campaign") -> str:
    return reverse(name, args=[night.store.slug, night.campaign.slug])


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def season(client: Client, night: Night, **query: object):
    return client.get(url(night), query).context["overview"].season


def set_rules(night: Night, **rules: object) -> None:
    campaigns.change_season_rules(night.campaign, SeasonRules(**rules), by=BY)


def test_what_is_typed_is_saved_said_and_in_the_journal(client, night):
    typed = {"best_of": "2", "at_least": "2", "for_attendance": "1", "pick_order": "reversed"}

    answer = client.post(url(night, "edit_campaign"), {"do": "season", **typed})

    assert answer.headers["Location"] == url(night)
    rules = SeasonRules(2, 2, 1, "reversed")
    assert Campaign.objects.get(pk=night.campaign.pk).season_rules == rules
    entry = JournalEntry.objects.latest("pk")
    assert (entry.did, entry.before["best_of"], entry.after["best_of"]) == ("change_season_rules", None, 2)
    sentence = "Each player’s best 2 months count."
    assert sentence in entry.what
    assert sentence in text_of(client.get(url(night)))
    assert sentence in text_of(client.get(url(night, "edit_campaign")))


def test_saving_what_is_set_already_is_no_entry(client, night):
    entries = JournalEntry.objects.count()

    client.post(url(night, "edit_campaign"), {"do": "season", **NOTHING})

    assert JournalEntry.objects.count() == entries


@pytest.mark.parametrize(
    "typed", [{"best_of": "0"}, {"best_of": "25"}, {"at_least": "1"}, {"for_attendance": "11"}, {"pick_order": "name"}]
)
def test_what_is_impossible_is_refused_and_kept_as_typed(client, night, typed):
    answer = client.post(url(night, "edit_campaign"), {"do": "season", **NOTHING, **typed})

    ((name, value),) = typed.items()
    assert answer.status_code == 422
    assert list(answer.context["rules"].errors) == [name]
    assert f'value="{value}"' in answer.text or name == "pick_order"
    assert Campaign.objects.get(pk=night.campaign.pk).season_rules == SeasonRules()


@pytest.mark.parametrize(
    "wrong", [{"best_of": 0}, {"best_of": 25}, {"at_least": 1}, {"for_attendance": 11}, {"pick_order": "name"}]
)
def test_the_database_takes_no_others(night, wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        Campaign.objects.filter(pk=night.campaign.pk).update(**wrong)


def test_the_sentences_follow_what_is_typed_before_it_is_saved(client, night):
    headers = {"HX-Request": "true", "HX-Target": "said"}

    said = client.get(url(night, "edit_campaign"), {**NOTHING, "best_of": "4"}, headers=headers)
    wrong = client.get(url(night, "edit_campaign"), {**NOTHING, "best_of": "400"}, headers=headers)

    assert text_of(said) == "What players read Each player’s best 4 months count."
    assert "Check your entries." in text_of(wrong)
    assert Campaign.objects.get(pk=night.campaign.pk).season_rules == SeasonRules()


def test_without_rules_the_season_is_what_it_was(client, night):
    page = client.get(url(night))

    assert {row.why for row in page.context["overview"].season} == {None}
    assert "Why?" not in page.text
    assert "Season rank goes by Battle Points from all finished months" in text_of(page)


def test_the_best_months_count_and_each_row_says_so(client, night):
    before = {row.name: row.line for row in season(client, night)}
    set_rules(night, best_of=2, for_attendance=1)

    page = client.get(url(night))

    rows = page.context["overview"].season
    assert [row.line.battle_points for row in rows] == sorted((row.line.battle_points for row in rows), reverse=True)
    for row in rows:
        months = sorted((points for points in before[row.name].by_month if points is not None), reverse=True)
        assert row.line.battle_points == sum(months[:2]) + len(months)
        assert row.line.by_month == before[row.name].by_month
        assert [row.line.by_month[place] for place in row.line.left_out] == months[2:]
        assert str(row.why) in text_of(page)
    assert "Not counted: " in text_of(page)
    assert page.text.count("not counted</span>") == 6


def test_who_played_too_few_months_is_last_and_picks_nothing(client, night):
    set_rules(night, at_least=2, pick_order="rank")

    page = client.get(url(night))

    *others, last = page.context["overview"].season
    late = night.store.players.get(entries__event=Event.objects.latest("pk"), entries__number=7)
    assert (last.line.player, last.line.is_qualified, last.line.pick) == (late.pk, False, None)
    assert [row.line.pick for row in others] == [row.line.rank for row in others]
    assert "Played 1 of at least 2 months." in text_of(page)
    assert [row.line.player for row in page.context["overview"].picks] == [row.line.player for row in others]


def test_while_nobody_has_enough_months_nobody_is_fleet_admiral(client, night):
    set_rules(night, at_least=4)

    page = client.get(url(night))

    assert {row.line.title for row in page.context["overview"].season} == {""}
    assert "No one has played enough months yet, so no one is Fleet Admiral." in text_of(page)


def test_a_players_own_page_has_the_same_rank(client, night):
    set_rules(night, best_of=1, at_least=2, for_attendance=2)

    for row in season(client, night):
        (place,) = record_of(Player.objects.get(pk=row.line.player)).seasons
        assert (place.row.line.rank, place.row.line.battle_points) == (row.line.rank, row.line.battle_points)


def test_a_month_on_an_earlier_page_is_among_the_best(client):
    night = make_night(players=4, rounds=2, finish=True)
    add_months_before(night.event, 13, months=20)
    Event.objects.exclude(pk=night.event.pk).update(campaign=night.campaign)
    set_rules(night, best_of=3)

    first, second = season(client, night), season(client, night, page=2)

    assert [(row.name, row.line.battle_points) for row in first] == [
        (row.name, row.line.battle_points) for row in second
    ]
    assert {(len(row.line.by_month), row.line.months) for row in first} == {(12, 14)}
    assert {(len(row.line.by_month), row.line.months) for row in second} == {(2, 14)}
    (line,) = (row.line for row in first if row.line.rank == 1)
    both = [row for rows in (first, second) for row in rows if row.line.player == line.player]
    points = sorted((points for row in both for points in row.line.by_month), reverse=True)
    assert line.battle_points == sum(points[:3])


def test_rules_cost_no_query_more(client, night):
    pages = [
        url(night), url(night, "poster"), url(night, "campaign_json"),
        reverse("store_player", args=[night.store.slug, night.store.players.first().pk]),
    ]  # fmt: skip
    plain = [queries_of(page) for page in pages]
    set_rules(night, best_of=2, at_least=2, for_attendance=1, pick_order="months")

    assert [queries_of(page) for page in pages] == plain


def queries_of(page: str) -> int:
    forget_kept()
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(page).status_code == 200
    return len(queries)


def test_programs_read_the_rules_and_what_came_of_them(client, night):
    set_rules(night, best_of=2, at_least=2, for_attendance=1, pick_order="rank")

    data = json.loads(client.get(url(night, "campaign_json")).content)

    assert data["season_rules"] == {"best_of": 2, "at_least": 2, "for_attendance": 1, "pick_order": "rank"}
    last = data["season"][-1]
    assert (last["months"], last["attendance_points"], last["qualified"], last["pick"]) == (1, 1, False, None)
    assert data["season"][0]["pick"] == 1


def test_the_poster_says_the_rules(client, night):
    plain = poster_of(night.campaign, AT).season
    set_rules(night, best_of=2, for_attendance=1)
    night.campaign.refresh_from_db()

    said = "Each player’s best 2 months count. Every month played adds 1 Battle Point."
    assert (plain, poster_of(night.campaign, AT).season) == ("", said)
    assert said in text_of(client.get(url(night, "poster")))


def test_a_campaign_that_an_archive_brings_has_its_rules_and_one_that_is_there_keeps_its_own(night):
    set_rules(night, best_of=2, pick_order="months")
    archive = archive_of(Event.objects.get(pk=night.event.pk))
    fresh, _ = make_store("Deck Twelve")
    other, _ = make_store("Drydock")
    there = Campaign.objects.create(store=other, slug="own", storyline=night.campaign.storyline, at_least=3)
    Event.objects.filter(pk=night.event.pk).update(slug="before")

    brought = import_event(fresh, archive, by=BY)
    Event.objects.filter(pk=brought.pk).update(slug="brought")
    import_event(other, archive, by=BY)

    assert Campaign.objects.get(store=fresh).season_rules == SeasonRules(best_of=2, pick_order="months")
    assert Campaign.objects.get(pk=there.pk).season_rules == SeasonRules(at_least=3)
    assert archive_of(Event.objects.get(pk=brought.pk))["event"]["season_rules"] == archive["event"]["season_rules"]


@pytest.mark.parametrize(
    ("own", "is_told"), [({}, True), ({"at_least": 3}, True), ({"best_of": 2}, False), (None, False)]
)
def test_who_imports_is_told_that_a_campaign_keeps_its_rules(own, is_told: bool, night, tmp_path, capsys):
    set_rules(night, best_of=2)
    file = tmp_path / "event.json"
    call_command("export_event", night.event.slug, to=file)
    other, _ = make_store("Drydock")
    if own is not None:
        Campaign.objects.create(store=other, slug="own", storyline=night.campaign.storyline, **own)
    Event.objects.filter(pk=night.event.pk).update(slug="before")

    call_command("import_event", file, store=other.slug)

    told = f"“{night.campaign}” keeps its own season rules. The archive has others."
    assert (told in capsys.readouterr().out) is is_told


def test_an_older_archive_has_no_rules(night):
    archive = archive_of(Event.objects.get(pk=night.event.pk))
    assert archive["event"].pop("season_rules") is None
    Event.objects.filter(pk=night.event.pk).update(slug="before")
    fresh, _ = make_store("Deck Twelve")

    import_event(fresh, archive, by=BY)

    assert Campaign.objects.get(store=fresh).season_rules == SeasonRules()


def test_the_season_is_of_now_in_whatever_was_kept(client, night):
    totals = [[row.line.battle_points for row in overview_of(night.campaign, AT).season]]
    for points in (1, 2):
        set_rules(night, for_attendance=points)
        night.campaign.refresh_from_db()
        totals.append([row.line.battle_points for row in overview_of(night.campaign, AT).season])

    assert [sum(one) - sum(totals[0]) for one in totals] == [0, 19, 38]
