"""Pages of a store's past are read from what is kept, and say what is so after whatever changes it."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.built_fleets import bring
from tests.support.copied import copied, forget_kept
from tests.support.months import MONTH
from tests.support.nights import AT, BY, Night, make_night
from tests.support.public_pages import text_of
from tests.support.tables import eliminated
from tourney import access
from tourney.actions import events, history, penalties, player_cards, results, store_players, stores
from tourney.actions.finals import TABLES
from tourney.models import Entrant, Event, NamesShown, Player
from tourney.queries.history import history_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


NAMES = ("Ann Vor", "Ben Quill", "Cy Lark", "Dee Onyx", "Eve Marrow", "Fay Kestrel")


@pytest.fixture
@copied
def months() -> list[Night]:
    """Two finished months of six players, and a third that is played and not finished."""
    first = make_night(players=6, rounds=3, finish=True, seed=1)
    nights = [first, *(make_night(players=6, rounds=3, seed=seed, store=first.store) for seed in (2, 3))]
    for place, night in enumerate(nights):
        Event.objects.filter(pk=night.event.pk).update(starts_at=AT + place * MONTH)
    for player, name in zip(Player.objects.order_by("pk"), NAMES, strict=True):
        Player.objects.filter(pk=player.pk).update(name=name)
    events.finish_event(fresh(nights[1]), by=BY)
    return nights


def fresh(night: Night) -> Event:
    return Event.objects.with_context().get(pk=night.event.pk)


def pages_of(months: list[Night]) -> dict[str, str]:
    store, campaign = months[0].store, months[0].campaign
    one, other = people(months)[:2]
    return {
        "home": reverse("store_home", args=[store.slug]),
        **{name: reverse(name, args=[store.slug, campaign.slug]) for name in ("campaign", "tokens", "poster")},
        "player": reverse("store_player", args=[store.slug, one.pk]),
        "head to head": reverse("head_to_head", args=[store.slug, one.pk, other.pk]),
    }


def people(months: list[Night]) -> list[Player]:
    """The winner of the first month, the opponent of round 1, and the others."""
    match = state_of(months[0].event).rounds[0].tables[0]
    pair = [entrant.player for entrant in match.entrants]
    others = Player.objects.filter(store=months[0].store).exclude(pk__in=[player.pk for player in pair]).order_by("pk")
    return [*pair, *others]


def read(months: list[Night]) -> dict[str, str]:
    client = Client()
    return {name: text_of(client.get(page, follow=True)) for name, page in pages_of(months).items()}


def finish(months: list[Night]) -> None:
    events.finish_event(fresh(months[2]), by=BY)


def reopen(months: list[Night]) -> None:
    events.reopen_event(fresh(months[0]), reason="A slip was found", by=BY)


def undo_the_end(months: list[Night]) -> None:
    history.undo(fresh(months[1]), history_of(fresh(months[1])).last.pk, by=BY)


def correct(months: list[Night]) -> None:
    """Whoever lost the first game wins it."""
    match = state_of(months[0].event).rounds[0].tables[0]
    loser = match.numbers.index(match.winner.number) if match.winner else 0
    report = results.ResultInput(eliminated(loser))
    results.report_result(fresh(months[0]), 1, match.table, report, version=match.version, reason="Typed wrong", by=BY)


def penalize(months: list[Night]) -> None:
    number = Entrant.objects.get(event=months[0].event, player=people(months)[0]).number
    penalties.penalize(fresh(months[0]), 1, number, battle_points=0, fleet_points=-10, reason="Late", by=BY)


def merge(months: list[Night]) -> None:
    visitor = Player.objects.create(store=months[0].store, name="Visitor")
    store_players.merge(visitor, people(months)[0], by=BY)


def erase(months: list[Night]) -> None:
    store_players.erase(people(months)[1], by=BY)


def erase_another(months: list[Night]) -> None:
    store_players.erase(people(months)[2], by=BY)


def shorten_names(months: list[Night]) -> None:
    stores.change_store(months[0].store, names_shown=NamesShown.INITIAL, by=BY)


def rename_the_store(months: list[Night]) -> None:
    stores.change_store(months[0].store, name="Deck Twelve", by=BY)


def plan(months: list[Night]) -> None:
    rules = fresh(months[0]).pack.rules
    events.make_event(months[0].campaign, rules, starts_at=AT + timedelta(days=4000), sp_limit=100, by=BY)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (finish, {"home", "campaign", "poster", "player"}),
        (reopen, {"home", "campaign", "poster", "player", "tokens"}),
        (undo_the_end, {"home", "campaign", "poster", "player"}),
        (correct, {"campaign", "player", "head to head"}),
        (penalize, {"campaign", "player"}),
        (merge, {"campaign", "player", "head to head"}),
        (erase, {"campaign", "player", "head to head"}),
        (erase_another, {"campaign", "poster"}),
        (shorten_names, {"home", "campaign", "poster", "player", "head to head"}),
        (rename_the_store, {"home", "campaign", "poster", "player", "head to head", "tokens"}),
        (plan, {"home", "campaign", "tokens", "poster"}),
    ],
)
def test_after_every_change_pages_say_what_the_rows_of_the_events_say(
    months: list[Night], change: Callable[[list[Night]], None], told: set[str]
):
    before = read(months)
    change(months)

    kept = read(months)
    for model in TABLES:
        model.objects.all().delete()
    forget_kept()
    computed = read(months)

    assert kept == computed
    assert told <= {name for name in kept if kept[name] != before[name]}


def test_strangers_read_nothing_that_was_read_for_the_desk_or_for_an_opponent(months: list[Night]):
    """In whatever order they come: a fleet is linked for those who may see it."""
    night, owner = months[2], people(months)[0]
    number = night.event.entrants.get(player=owner).number
    bring(fresh(night), number)
    finish(months)
    page, sheet = pages_of(months)["player"], reverse("sheet", args=[night.event.slug, number])
    opponent = state_of(fresh(night)).rounds[-1].match_with(number).opponent_of(number).player
    desk, phone, stranger = Client(), Client(), Client()
    desk.force_login(months[0].owner)
    phone.cookies[access.card_cookie(night.store)] = player_cards.issue(opponent, by=BY)

    seen = [sheet in one.get(page).content.decode() for one in (desk, stranger, phone, stranger, desk, phone)]

    assert seen == [True, False, True, False, True, True]


def test_the_desk_is_offered_to_staff_alone_whoever_came_first(months: list[Night]):
    home, desk = pages_of(months)["home"], reverse("desk", args=[months[2].event.slug])
    Event.objects.filter(pk=months[2].event.pk).update(starts_at=timezone.now())
    staff, stranger = Client(), Client()
    staff.force_login(months[0].judge)

    assert [desk in one.get(home).content.decode() for one in (staff, stranger, staff)] == [True, False, True]


def test_rulings_of_many_months_are_read_in_one_query_and_without_their_events(months: list[Night]):
    finish(months)
    player = people(months)[0]
    page = pages_of(months)["player"]
    counts, said = [], []
    for nights in (months[:1], months[1:]):
        for night in nights:
            for number in (1, 2, 3):
                entrant = night.event.entrants.get(player=player).number
                reason = f"Late in round {number}"
                penalties.penalize(
                    fresh(night), number, entrant, battle_points=0, fleet_points=-10, reason=reason, by=BY
                )
        forget_kept()
        Client().get(page)
        with CaptureQueriesContext(connection) as queries:
            said.append(text_of(Client().get(page)).count("Late in round"))
        counts.append(len(queries))
        assert not [one for one in queries if "tourney_result" in one["sql"] and "digest" in one["sql"]]

    assert said == [3, 9]
    assert counts[0] == counts[1]


KEPT_BY_VERSION = ("sum(l.battle_points)", "max(own.place")
"""What only the queries of seasons and of opponents say."""


def test_the_season_and_the_opponents_are_read_once_for_a_version_of_their_events(months: list[Night]):
    page = pages_of(months)["player"]
    read(months)
    kept = reads(page)
    penalize(months)
    changed = reads(page)

    assert (kept, changed) == ([], list(KEPT_BY_VERSION))


def test_what_is_played_tonight_reads_no_season_and_no_opponents_anew(months: list[Night]):
    page = pages_of(months)["player"]
    read(months)
    tonight, player = fresh(months[2]), people(months)[0]
    number = Entrant.objects.get(event=tonight, player=player).number
    penalties.penalize(tonight, 1, number, battle_points=0, fleet_points=-10, reason="Late tonight", by=BY)
    played = reads(page)
    said = text_of(Client().get(page)).count("Late tonight")
    finish(months)

    assert (played, said, reads(page)) == ([], 1, list(KEPT_BY_VERSION))


def reads(page: str) -> list[str]:
    """Those of the queries above that the page asks."""
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(page).status_code == 200
    return [what for what in KEPT_BY_VERSION if any(what in one["sql"] for one in queries)]


def test_a_month_that_is_opened_again_while_the_ledger_is_read_is_told_as_it_was_or_as_it_is(months: list[Night]):
    finish(months)
    page = pages_of(months)["tokens"]
    shut, told = text_of(Client().get(page)), []
    for place in range(1, queries_of(page) + 1):
        with transaction.atomic(), connection.execute_wrapper(after_query(place, lambda: reopen(months))):
            told.append(text_of(Client().get(page)))
            transaction.set_rollback(True)
    reopen(months)

    assert {shut, text_of(Client().get(page))} == set(told)


def queries_of(page: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        Client().get(page)
    return len(queries)


def after_query(place: int, act: Callable[[], None]) -> Callable[..., object]:
    """A wrapper of queries that does that once, after so many."""
    asked = count(1)

    def execute(ask: Callable[..., object], *args: object) -> object:
        answer = ask(*args)
        if next(asked) == place:
            act()
        return answer

    return execute
