"""What a player did at a store over all months, for everybody to read; and two players against each other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Q

from scoring.domain.points import Score
from scoring.domain.records import Game, HeadToHead, best_rank, head_to_head
from scoring.domain.standings import Standing
from tourney.models import Campaign, Entrant, Event, EventQuerySet, Player, TokenLine
from tourney.queries.campaigns import SeasonRow, season_of
from tourney.queries.fleets import may_see
from tourney.queries.matches import MatchState, RoundState, TableState
from tourney.queries.rulings import RulingNote, rulings_at
from tourney.queries.state import EventState, states_of
from tourney.queries.tokens import GIVEN, token_by


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A player's seat in a round; `opponent` is None with a bye, `score` while the table plays or rolls off.

    `is_by_dice`: the roll-off at the table decided (rule 4.1).
    """

    round: int
    opponent: Entrant | None
    score: Score | None
    opponent_score: Score | None = None
    rulings: tuple[RulingNote, ...] = ()
    is_by_dice: bool = False


@dataclass(frozen=True, slots=True)
class PlayerMonth:
    """A player at one event, in the published rounds; `final` is the line of the final ranks once it is finished.

    `token` says what became of the commendation token there, empty for who never had it.
    """

    event: Event
    entrant: Entrant
    sittings: tuple[PlayedRound, ...]
    final: Standing | None
    shows_fleet: bool
    token: str


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
    """A player over all months: the last month first, the opponent met most often first, the newest season first.

    `best` is the best final rank; `player` carries the name that everybody may read.
    """

    player: Player
    months: tuple[PlayerMonth, ...]
    opponents: tuple[Opponent, ...]
    seasons: tuple[SeasonPlace, ...]
    best: Standing | None

    @property
    def won(self) -> int:
        """The number of games won against all opponents."""
        return sum(opponent.line.won for opponent in self.opponents)

    @property
    def lost(self) -> int:
        """The number of games lost against all opponents."""
        return sum(opponent.line.lost for opponent in self.opponents)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table at which two players met: what each got there, in the order they were asked for."""

    event: Event
    round: int
    lines: tuple[tuple[Entrant, Score], ...]
    is_by_dice: bool


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players against each other, the last meeting first; `won` counts for each in the same order."""

    players: tuple[Player, Player]
    meetings: tuple[Meeting, ...]
    won: tuple[int, int]


def record_of(player: Player, *, viewer: Player | None = None, sees_all: bool = False) -> PlayerRecord | None:
    """Everything public about the player, in a constant number of queries; None for somebody who was in no event.

    `viewer` and `sees_all` (a role at the store) only say which fleets may be opened.
    """
    states = states_of(_events_for(player), public=True)
    own = [state for state in states if player.pk in state.by_player]
    if not own:
        return None
    tokens = _tokens_of(own, player)
    months = tuple(_month(state, player, viewer, sees_all, tokens[state.event.pk]) for state in reversed(own))
    return PlayerRecord(
        player=own[0].by_player[player.pk].player,
        months=months,
        opponents=tuple(_opponents(own, player)),
        seasons=tuple(_places(states, player)),
        best=best_rank(month.final for month in months if month.final),
    )


def duel_of(one: Player, other: Player) -> Duel | None:
    """Every meeting of the two, in a constant number of queries; None if one of them was in no event."""
    entries = Entrant.objects.filter(player__in=[one, other])
    states = states_of(_in_order(Event.objects.filter(pk__in=entries.values("event"))), public=True)
    shown = _as_shown(states, one), _as_shown(states, other)
    if shown[0] is None or shown[1] is None:
        return None
    players = shown[0], shown[1]
    meetings = [
        _meeting(state, round, match, one)
        for state, round, match in _games(states)
        if {entrant.player_id for entrant in match.entrants} == {one.pk, other.pk}
    ]
    won, lost = (sum(meeting.lines[side][1].outcome == "win" for meeting in meetings) for side in (0, 1))
    return Duel(players, tuple(reversed(meetings)), (won, lost))


def _events_for(player: Player) -> list[Event]:
    """The events the player is in, and all finished ones of the same campaigns, for their seasons; the first first."""
    own = Entrant.objects.filter(player=player)
    finished = Q(finished_at__isnull=False, campaign__in=own.values("event__campaign"))
    return _in_order(Event.objects.filter(finished | Q(pk__in=own.values("event"))))


def _in_order(events: EventQuerySet) -> list[Event]:
    return list(events.with_context().order_by("starts_at", "pk"))


def _as_shown(states: Iterable[EventState], player: Player) -> Player | None:
    """The player with the name that everybody may read."""
    return next((state.by_player[player.pk].player for state in states if player.pk in state.by_player), None)


# months


def _month(state: EventState, player: Player, viewer: Player | None, sees_all: bool, token: str) -> PlayerMonth:
    entrant = state.by_player[player.pk]
    reader = state.by_player.get(viewer.pk) if viewer else None
    rounds = [(round, match) for round in state.public_rounds if (match := round.match_of(entrant.number))]
    return PlayerMonth(
        event=state.event,
        entrant=entrant,
        sittings=tuple(_sitting(round, match, entrant.number) for round, match in rounds),
        final=_final(state, entrant.number),
        shows_fleet=entrant.has_fleet
        and (sees_all or may_see(state, reader.number if reader else None, entrant.number)),
        token=token,
    )


def _sitting(round: RoundState, match: MatchState, number: int) -> PlayedRound:
    opponent = match.opponent_of(number)
    rulings = rulings_at(round, match)
    if match.state == "level":
        return PlayedRound(round.number, opponent, None, rulings=rulings)
    scores = round.scores
    theirs = scores.get(opponent.number) if opponent else None
    return PlayedRound(round.number, opponent, scores.get(number), theirs, rulings, match.is_by_dice)


def _final(state: EventState, number: int) -> Standing | None:
    table = state.standings(len(state.closed_rounds)) if state.is_finished else ()
    return next((line for line in table if line.id == number), None)


# opponents


def _games(states: Iterable[EventState]) -> Iterator[tuple[EventState, RoundState, TableState]]:
    """Every table that was played to its end in a published round, in the order of play."""
    for state in states:
        for round in state.public_rounds:
            for match in round.tables:
                if match.state == "done" and match.is_meeting:
                    yield state, round, match


def _tokens_of(states: Sequence[EventState], player: Player) -> dict[int, str]:
    """What became of the token where the player had it, by event, in one query (rule 6)."""
    rows = defaultdict(list)
    for row in TokenLine.objects.filter(event__in=[state.event for state in states]):
        rows[row.event_id].append(row)
    return {state.event.pk: _token_words(state, player, rows[state.event.pk]) for state in states}


def _token_words(state: EventState, player: Player, rows: list[TokenLine]) -> str:
    own, token = state.by_player[player.pk], token_by(state, rows)
    if token.of(own):
        return {"held": "has it", "spent": f"spent in round {token.round}", "lost": "lost unspent"}[token.state]
    return "passed on" if any(row.kind in GIVEN and row.entrant == own for row in rows) else ""


def _opponents(states: Sequence[EventState], player: Player) -> Iterator[Opponent]:
    tables = list(_games(states))
    games = [_game(match) for _, _, match in tables]
    for line in head_to_head(player.pk, games):
        state, _, match = tables[line.last]
        other = next(entrant.player for entrant in match.entrants if entrant.player_id == line.opponent)
        yield Opponent(line, other, state.event)


def _game(match: TableState) -> Game:
    return Game((match.a.player_id, match.b.player_id), match.winner.player_id if match.winner else None)


def _meeting(state: EventState, round: RoundState, match: MatchState, first: Player) -> Meeting:
    sides = sorted(match.entrants, key=lambda entrant: entrant.player_id != first.pk)
    lines = tuple((side, round.scores[side.number]) for side in sides)
    return Meeting(state.event, round.number, lines, match.is_by_dice)


# season


def _places(states: Sequence[EventState], player: Player) -> Iterator[SeasonPlace]:
    """The player in the seasons of their campaigns, the newest campaign first."""
    campaigns = {state.event.campaign_id: state.event.campaign for state in reversed(states)}
    for pk, campaign in campaigns.items():
        season = season_of(state for state in states if state.event.campaign_id == pk and state.is_finished)
        yield from (SeasonPlace(campaign, row, len(season)) for row in season if row.line.player == player.pk)
