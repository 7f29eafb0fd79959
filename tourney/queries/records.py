"""What a player did at a store over all months, for everybody to read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db import connection

from scoring.domain.records import Game, HeadToHead, best_rank, head_to_head
from scoring.domain.standings import Standing
from tourney.models import Campaign, Event, Player
from tourney.queries.fleets import may_see
from tourney.queries.head_to_head import GameMoment, played_games, when_played
from tourney.queries.matches import MatchState, RoundState, TableState
from tourney.queries.player_months import PlayedRound, PlayerMonth, player_months
from tourney.queries.rulings import rulings_at
from tourney.queries.seasons import SeasonRow, seasons_of, versions_of
from tourney.queries.shown_names import in_public, short_names
from tourney.queries.state import EventState, states_of
from tourney.runtime.kept import VersionedCache, memory
from tourney.runtime.packed import digest, with_columns

MONTHS_OF_A_PAGE = 12
OPPONENTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Opponent:
    """The record against one opponent, and the event where they met last."""

    line: HeadToHead
    player: Player
    last: Event


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """A player's line in the season of a campaign (rule 5.7), among so many."""

    campaign: Campaign
    row: SeasonRow
    among: int


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player over all months: the months of one page, the last first, and their seasons, the newest first.

    Opponents stand in it with whom they played most; `more_opponents` are left out. `best` is the best final rank,
    `won` and `lost` count all games; `player` carries the name that everybody may read.
    """

    player: Player
    page: Page[int]
    months: tuple[PlayerMonth, ...]
    opponents: tuple[Opponent, ...]
    more_opponents: int
    seasons: tuple[SeasonPlace, ...]
    best: Standing | None
    won: int
    lost: int

    @property
    def events(self) -> int:
        """The number of events the player was registered for."""
        return self.page.paginator.count


@dataclass(frozen=True, slots=True)
class Met:
    """Somebody whom a player met, by their own name, with the games of the two and when the last one was."""

    name: str
    line: HeadToHead
    last: GameMoment


@dataclass(frozen=True, slots=True)
class PlayerPast:
    """What is kept of a player's finished events together, by the version of all their events.

    `entries` are the ids of all entries, the last event first, `open_events` those of the events of which nothing is
    kept. The opponents carry their own names, which nobody is shown before `_opponent` put in the public ones.
    """

    entries: tuple[int, ...]
    open_events: tuple[int, ...]
    best: Standing | None
    met: tuple[Met, ...]


VERSION = f"""
    SELECT {digest("n.id", "e.id", "e.starts_at", "f.event_id", "CASE WHEN f.event_id IS NOT NULL THEN e.version END")}
    FROM tourney_entrant n JOIN tourney_event e ON e.id = n.event_id
    LEFT JOIN tourney_finalranking f ON f.event_id = e.id
    WHERE n.player_id = %s
"""
"""What is another for a player once one of their events comes or goes, begins at another time, is finished or reopened,
and once anything changes that pages of a finished one show; None without any. What is played tonight changes nothing.
"""

PAST = """
    WITH own AS MATERIALIZED (
        SELECT n.id, e.id AS event_id, e.starts_at, row_number() OVER (ORDER BY e.starts_at, e.id) AS place
        FROM tourney_entrant n JOIN tourney_event e ON e.id = n.event_id WHERE n.player_id = %(player)s
    ), met AS (
        SELECT s.opponent_player_id AS player_id, count(*) FILTER (WHERE s.outcome = 'win') AS won,
            count(*) AS played, max(own.place * 1000 + s.round) AS last
        FROM tourney_finalseat s JOIN own ON own.id = s.entrant_id
        WHERE s.player_id = %(player)s AND s.is_game
        GROUP BY s.opponent_player_id
    )
    SELECT
        (SELECT array_agg(own.id ORDER BY own.place DESC) FROM own),
        (SELECT array_agg(own.event_id) FROM own
            WHERE NOT EXISTS (SELECT FROM tourney_finalranking f WHERE f.event_id = own.event_id)),
        (SELECT json_agg(json_build_array(r.rank, r.shared, r.title)) FROM (
            SELECT DISTINCT ON (l.rank, l.shared) l.rank, l.shared, l.title
            FROM tourney_finalline l JOIN own ON own.id = l.entrant_id WHERE l.player_id = %(player)s
            ORDER BY l.rank, l.shared, own.place DESC
        ) AS r),
        (SELECT json_agg(json_build_array(p.id, p.name, met.won, met.played, own.starts_at, own.event_id,
                met.last %% 1000))
            FROM met JOIN tourney_player p ON p.id = met.player_id JOIN own ON own.place = met.last / 1000)
"""
"""Of a player: the ids of all entries, the last event first; the events of which nothing final is kept; each final rank
that there was, as it was held last; and everybody whom they met in finished events, with the games won and played, and
when the last one was.

Which is the last one, a single number says: the place of its event among the player's own, and the round, which has a
number below a thousand.
"""


def record_of(
    player: Player,
    *,
    viewer: Player | None = None,
    sees_all: bool = False,
    page: str | int | None = 1,
    all_opponents: bool = False,
) -> PlayerRecord | None:
    """Everything public about the player, in a constant number of queries; None for somebody who was in no event.

    `viewer` and `sees_all` (a role at the store) only say which fleets may be opened.
    """
    with connection.cursor() as cursor:
        cursor.execute(VERSION, [player.pk])
        (version,) = cursor.fetchone()
    if version is None:
        return None
    past = PASTS.get(player.pk, version, lambda _: _past_of(player))
    names = short_names(player.store)
    person = in_public(player, names)
    page_of = Paginator(past.entries, MONTHS_OF_A_PAGE).get_page(page)
    shown = player_months(person, list(page_of), names, viewer=viewer, sees_all=sees_all)
    states = _open_states(past.open_events)
    months = tuple(
        _month(states[month.event.pk], month, viewer, sees_all) if month.event.pk in states else month
        for month in shown
    )
    met = _met(past, player, list(states.values()))
    counted = met if all_opponents else met[:OPPONENTS_SHOWN]
    ranks = (_final(state, state.by_player[player.pk].number) for state in states.values())
    return PlayerRecord(
        player=person,
        page=page_of,
        months=months,
        opponents=tuple(_opponent(one, player, names) for one in counted),
        more_opponents=len(met) - len(counted),
        seasons=_places(months, player),
        best=best_rank(filter(None, [*ranks, past.best])),
        won=sum(one.line.won for one in met),
        lost=sum(one.line.lost for one in met),
    )


def _past_of(player: Player) -> PlayerPast:
    with connection.cursor() as cursor:
        cursor.execute(PAST, {"player": player.pk})
        entries, open_events, ranks, met = cursor.fetchone()
    return PlayerPast(
        entries=tuple(entries or ()),
        open_events=tuple(open_events or ()),
        best=best_rank(Standing(0, rank, shared, 0, 0, (), False, title) for rank, shared, title in ranks or ()),
        met=tuple(
            Met(name, HeadToHead(pk, won, played - won, 0), (datetime.fromisoformat(at), event, round))
            for pk, name, won, played, at, event, round in met or ()
        ),
    )


def _bytes_of(past: PlayerPast) -> int:
    return 1_000 + 40 * len(past.entries) + 350 * len(past.met)


PASTS: VersionedCache[PlayerPast] = VersionedCache(memory(0.01), _bytes_of)
"""By the id of the player, in the version that is read before."""


def _open_states(events: Sequence[int]) -> dict[int, EventState]:
    """The events of which nothing final is kept: those that are not finished."""
    if not events:
        return {}
    rows = list(Event.objects.with_context().filter(pk__in=events).order_by("starts_at", "pk"))
    return {state.event.pk: state for state in states_of(rows, public=True)}


# months


def _month(state: EventState, month: PlayerMonth, viewer: Player | None, sees_all: bool) -> PlayerMonth:
    """The month by the event's rows."""
    number = month.entrant.number
    reader = state.by_player.get(viewer.pk) if viewer else None
    rounds = [(round, match) for round in state.public_rounds if (match := round.match_of(number))]
    return replace(
        month,
        event=state.event,
        sittings=tuple(_sitting(round, match, number) for round, match in rounds),
        final=_final(state, number),
        shows_fleet=month.has_fleet and (sees_all or may_see(state, reader.number if reader else None, number)),
    )


def _sitting(round: RoundState, match: MatchState, number: int) -> PlayedRound:
    opponent = match.opponent_of(number)
    rulings = rulings_at(round, match)
    if match.state == "tied":
        return PlayedRound(round.number, opponent, None, rulings=rulings)
    scores = round.scores
    theirs = scores.get(opponent.number) if opponent else None
    return PlayedRound(round.number, opponent, scores.get(number), theirs, rulings, match.is_by_dice)


def _final(state: EventState, number: int) -> Standing | None:
    table = state.standings(len(state.closed_rounds)) if state.is_finished else ()
    return next((line for line in table if line.id == number), None)


# opponents


def _met(past: PlayerPast, player: Player, states: Sequence[EventState]) -> list[Met]:
    """Everybody the player met, most games first, then whom the player met last.

    `states` are the events of which nothing is kept.
    """
    found = {one.line.opponent: one for one in past.met}
    tables = list(played_games(states))
    for line in head_to_head(player.pk, [_game(match) for _, _, match in tables]):
        state, round, _ = tables[line.last]
        here = when_played(state.event, round.number)
        name = state.by_player[line.opponent].player.full_name
        before = found.get(line.opponent, Met(name, HeadToHead(line.opponent, 0, 0, 0), here))
        both = HeadToHead(line.opponent, before.line.won + line.won, before.line.lost + line.lost, 0)
        found[line.opponent] = Met(name, both, max(here, before.last))
    by_date = sorted(found.values(), key=lambda one: one.last, reverse=True)
    return sorted(by_date, key=lambda one: one.line.games, reverse=True)


def _opponent(met: Met, player: Player, names: Mapping[int, str]) -> Opponent:
    """With the name that everybody may read."""
    pk = met.line.opponent
    at, event, _ = met.last
    return Opponent(
        met.line,
        with_columns(Player, ("id", "store_id", "name"), (pk, player.store_id, names.get(pk, met.name))),
        with_columns(Event, ("id", "starts_at"), (event, at)),
    )


def _game(match: TableState) -> Game:
    return Game((match.a.player_id, match.b.player_id), match.winner.player_id if match.winner else None)


# season


def _places(months: Sequence[PlayerMonth], player: Player) -> tuple[SeasonPlace, ...]:
    """The player in the seasons of these months' campaigns, the newest campaign first."""
    campaigns = {month.event.campaign_id: month.event.campaign for month in months}
    seasons = seasons_of(list(campaigns.values()), versions_of(list(campaigns.values())))
    return tuple(
        SeasonPlace(campaigns[pk], row, len(season))
        for pk, season in seasons.items()
        for row in season
        if row.line.player == player.pk
    )
