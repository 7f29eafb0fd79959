"""A player over all months, and two players against each other."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.built_fleets import bring
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.public_pages import text_of
from tests.support.tables import eliminated, enter, match_at, on_time
from tests.support.years import add_months_before
from tourney import access
from tourney.actions import events, player_cards, roll_offs, rounds, store_players
from tourney.actions.record import bump_version_and_notify
from tourney.models import Event, FinalSeat, FleetsShown, Player
from tourney.queries.head_to_head import duel_of
from tourney.queries.records import record_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def months() -> tuple[Night, Night]:
    return two_months()


@copied
def two_months() -> tuple[Night, Night]:
    """Two finished months of a campaign with the same six players, a month apart."""
    first = make_night(players=6, rounds=3, finish=True, seed=1)
    second = make_night(players=6, rounds=3, finish=True, seed=2, store=first.store)
    Event.objects.filter(pk=second.event.pk).update(starts_at=second.event.starts_at + timedelta(days=28))
    return first, second


def url(player: Player) -> str:
    return reverse("store_player", args=[player.store.slug, player.pk])


def against(one: Player, other: Player) -> str:
    return reverse("head_to_head", args=[one.store.slug, one.pk, other.pk])


def test_seasons_begin_with_that_of_the_newest_campaign_whatever_was_read_before(months):
    player = months[0].event.entrants.get(number=1).player
    older, newer = months[0].campaign, events.make_campaign(months[0].store, storyline="The Void", by=BY)
    for number in (2, 3):
        night = make_night(players=6, rounds=1, finish=True, seed=number, store=months[0].store)
        later = night.event.starts_at + timedelta(days=28 * number)
        Event.objects.filter(pk=night.event.pk).update(campaign=newer, starts_at=later)
    record_of(player)
    bump_version_and_notify(night.event)

    assert [place.campaign for place in record_of(player).seasons] == [newer, older]


def test_a_record_holds_every_month_with_rank_and_opponents_the_last_month_first(months):
    player = months[0].event.entrants.get(number=1).player

    record = record_of(player)

    expected = []
    for night in reversed(months):
        state = state_of(night.event)
        number = next(entrant.number for entrant in state.entrants if entrant.player_id == player.pk)
        rank = next(line for line in state.standings(3) if line.id == number)
        sat = [match for round in state.rounds for match in round.matches if number in match.numbers]
        met = [str(match.opponent_of(number)) if not match.is_bye else None for match in sat]
        expected.append((night.event, rank.rank, rank.title, rank.battle_points, rank.fleet_points, met))
    assert [
        (
            month.event,
            month.final.rank,
            month.final.title,
            month.final.battle_points,
            month.final.fleet_points,
            [one.opponent and str(one.opponent) for one in month.sittings],
        )
        for month in record.months
    ] == expected
    assert record.best.rank == min(month.final.rank for month in record.months)


def test_games_count_once_for_each_side_and_byes_and_no_shows_never(months):
    people = Player.objects.filter(store=months[0].store)
    records = {player.pk: record_of(player) for player in people}
    played = [
        match
        for night in months
        for round in state_of(night.event).rounds
        for match in round.tables
        if match.is_meeting
    ]

    for pk, record in records.items():
        for one in record.opponents:
            mirrored = next(other for other in records[one.player.pk].opponents if other.player.pk == pk)
            assert (one.line.won, one.line.lost, one.last) == (mirrored.line.lost, mirrored.line.won, mirrored.last)
    assert sum(record.won + record.lost for record in records.values()) == 2 * len(played)


def test_a_player_without_any_event_has_no_page(client, months):
    visitor = Player.objects.create(store=months[0].store, name="Visitor")
    known = months[0].event.entrants.get(number=1).player

    answers = [client.get(address).status_code for address in (url(visitor), against(known, visitor))]

    assert answers == [404, 404]


def test_an_older_name_leads_to_the_person_with_all_months(client, months):
    kept = months[0].event.entrants.get(number=1).player
    Player.objects.filter(pk=kept.pk).update(name="Nine of Ten")
    make_night(players=6, rounds=1, finish=True, store=months[0].store)
    other = Player.objects.exclude(entries__event=months[0].event).get()
    store_players.merge(kept, other, by=BY)

    assert client.get(url(other)).headers["Location"] == url(kept)
    third = months[0].event.entrants.get(number=2).player
    assert client.get(against(third, other)).headers["Location"] == against(third, kept)
    assert len(record_of(kept).months) == 3


def test_a_forgotten_player_is_a_mark_with_a_sentence(client, months):
    player = months[0].event.entrants.get(number=1).player
    name, opponent = player.name, record_of(player).opponents[0].player
    mark = store_players.erase(player, by=BY)

    pages = [client.get(address).content.decode() for address in (url(player), url(opponent))]

    assert "personal data was erased" in pages[0]
    assert [mark in page for page in pages] == [True, True]
    assert [f">{name}<" in page for page in pages] == [False, False]


def test_a_round_in_play_shows_the_opponent_and_a_draft_shows_nothing(client):
    night = make_night(players=4, rounds=1)
    rounds.pair_round(night.event, seed=1, by=BY)
    player = match_at(night.event, 1, 2).a.player
    drafted = record_of(player).months[0].sittings
    rounds.publish_round(night.event, 2, by=BY)

    published = record_of(player).months[0].sittings

    assert [one.round for one in drafted] == [1]
    assert [(one.round, one.score) for one in published[1:]] == [(2, None)]
    assert "Playing" in client.get(url(player)).content.decode()


def test_a_table_that_has_yet_to_roll_off_is_nobodys_win():
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(40, 40))
    enter(night.event, 2, eliminated())

    record = record_of(match_at(night.event, 1).a.player)

    assert (record.won, record.lost, record.months[0].sittings[0].score) == (0, 0, None)


def test_a_win_by_dice_says_that_it_was_rolled_off(client):
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(40, 40))
    enter(night.event, 2, eliminated())
    rolled, plain = match_at(night.event, 1), match_at(night.event, 2)
    counts = dict(zip(rolled.numbers, (4, 1), strict=True))
    roll_offs.roll_dice(night.event, 1, "table", tuple(sorted(counts)), counts, by=BY)

    pages = [
        text_of(client.get(page))
        for match in (rolled, plain)
        for page in (url(match.a.player), against(match.a.player, match.b.player))
    ]

    assert [f"Won against {rolled.b} rolled off 60 : 60" in pages[0], "Rolled off" in pages[1]] == [True, True]
    assert ["rolled off" in page.lower() for page in pages[2:]] == [False, False]


@pytest.mark.parametrize(
    ("shown", "stranger", "opponent", "desk"),
    [
        (FleetsShown.ALL, True, True, True),
        (FleetsShown.ROUND_1, True, True, True),
        (FleetsShown.OPPONENT, False, True, True),
    ],
)
def test_a_fleet_is_linked_for_those_who_may_see_it(client, shown, stranger, opponent, desk):
    night = make_night(players=4, open_round=True)
    bring(night.event, 1)
    Event.objects.update(fleets_shown=shown)
    owner = night.event.entrants.get(number=1)
    sheet = reverse("sheet", args=[night.event.slug, 1])

    seen = [sheet in client.get(url(owner.player)).content.decode()]
    other = next(e for e in state_of(night.event).round(1).match_of(1).entrants if e.number != 1)
    client.cookies[access.card_cookie(night.store)] = player_cards.issue(other.player, by=BY)
    seen.append(sheet in client.get(url(owner.player)).content.decode())
    client.cookies.clear()
    client.force_login(night.judge)
    seen.append(sheet in client.get(url(owner.player)).content.decode())

    assert seen == [stranger, opponent, desk]
    assert client.get(sheet).status_code == 200


def test_the_season_place_counts_months_that_the_player_missed(months):
    make_night(players=8, rounds=1, finish=True, seed=3, store=months[0].store)
    late = Player.objects.exclude(entries__event=months[0].event).first()

    (place,) = record_of(late).seasons

    assert (place.campaign, place.among) == (months[0].campaign, 8)
    assert (place.row.line.months, place.row.line.by_month) == (1, ())


def test_two_against_each_other_with_every_game_the_last_first(client, months):
    player = months[0].event.entrants.get(number=1).player
    opponent = record_of(player).opponents[0]

    duel = duel_of(player, opponent.player)
    mirrored = duel_of(opponent.player, player)

    won, lost = opponent.line.won, opponent.line.lost
    assert (duel.won, mirrored.won) == ((won, lost), (lost, won))
    assert len(duel.meetings) == opponent.line.games
    assert duel.meetings[0].event == opponent.last
    assert [entrant.player for entrant, _ in duel.meetings[0].lines] == [player, opponent.player]
    page = client.get(against(player, opponent.player)).content.decode()
    assert f"{opponent.line.games} game" in page


def test_two_who_have_not_met_are_told_so(client):
    night = make_night(players=4, open_round=True)
    first, second = match_at(night.event, 1).a.player, match_at(night.event, 2).a.player

    assert "These two haven’t finished a game against each other" in client.get(against(first, second)).content.decode()


def test_a_player_against_the_same_player_is_the_player(client, months):
    player = months[0].event.entrants.get(number=1).player

    assert client.get(against(player, player)).headers["Location"] == url(player)


def test_a_player_of_another_store_is_404(client, months):
    other = make_night(players=2, rounds=1)
    stranger, player = (night.event.entrants.get(number=1).player for night in (other, months[0]))

    crossed = [
        reverse("store_player", args=[months[0].store.slug, stranger.pk]),
        reverse("head_to_head", args=[months[0].store.slug, player.pk, stranger.pk]),
    ]

    assert [client.get(address).status_code for address in crossed] == [404, 404]


@pytest.mark.many
@pytest.mark.parametrize("shown", ["full", "initial"])
def test_the_pages_ask_as_many_queries_for_many_months_as_for_few(client, months, shown):
    store = months[0].store
    store.names_shown = shown
    store.save()
    one, other = (months[0].event.entrants.get(number=number).player for number in (1, 2))
    counts = {address: [] for address in (url(one), against(one, other), months[0].campaign.get_absolute_url())}
    for seed in (3, 4):
        for address, found in counts.items():
            client.get(address)  # from then on this process knows the packs
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found.append(len(queries))
        for more in range(3):
            make_night(players=8, rounds=2, finish=True, seed=10 * seed + more, store=store)

    for address, (few, many) in counts.items():
        assert few == many, address


def test_standings_lead_to_the_players(client, months):
    page = client.get(reverse("standings", args=[months[0].event.slug])).content.decode()

    links = [url(entrant.player) for entrant in months[0].event.entrants.select_related("player__store")]
    assert [link for link in links if page.count(f'href="{link}"') != 1] == []


def test_the_campaign_marks_the_fleet_admiral_and_the_victorious_faction_of_each_month(client, months):
    page = client.get(months[0].campaign.get_absolute_url())

    overview, text = page.context["overview"], page.content.decode()
    assert [month.outcome.victorious for month in overview.months] == [
        state_of(night.event).faction_lines(3)[0].faction for night in months
    ]
    assert text.count("Victorious") == 2
    assert text.count("Fleet Admiral") >= 1
    assert [row.line.by_month for row in overview.season] == [
        tuple(
            next(
                line.battle_points
                for line in state.standings(3)
                if state.by_number[line.id].player_id == row.line.player
            )
            for state in map(state_of, (night.event for night in months))
        )
        for row in overview.season
    ]


def test_nobody_is_fleet_admiral_while_the_first_place_is_shared(client):
    night = make_night(players=2)
    for _ in range(2):
        event = make_night(players=2, store=night.store).event
        rounds.pair_round(event, seed=1, by=BY)
        rounds.publish_round(event, 1, by=BY)
        first = match_at(event, 1).a
        loses = int(Event.objects.exclude(finished_at=None).count() == (first.number == 1))
        enter(event, 1, eliminated(out=loses))
        rounds.close_round(event, 1, by=BY)
        events.finish_event(event, by=BY, reason="the shop closes")

    page = client.get(night.campaign.get_absolute_url())

    assert [(row.line.rank, row.line.shared) for row in page.context["overview"].season] == [(1, True), (1, True)]
    assert "No one is Fleet Admiral while first place is shared." in page.content.decode()


def test_a_player_of_many_years_is_read_in_pages_and_counted_over_all_of_them(client, months):
    add_months_before(months[0].event, 13, months=4)
    player = months[0].event.entrants.get(number=1).player
    of_one = record_of(player, page=1)

    pages = [client.get(url(player), {"page": page, "opponents": "all"}) for page in (1, 2)]

    records = [page.context["record"] for page in pages]
    assert [(len(record.months), record.events) for record in records] == [(12, 15), (3, 15)]
    assert (records[0].won, records[0].lost) == (records[1].won, records[1].lost) == (of_one.won, of_one.lost)
    games = FinalSeat.objects.filter(entrant__player=player, is_game=True)
    assert of_one.won + of_one.lost == games.count()
    assert sum(one.line.games for one in records[0].opponents) == games.count()
    assert ("Earlier months" in text_of(pages[0]), "Later months" in text_of(pages[1])) == (True, True)
