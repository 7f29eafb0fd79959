"""What a player did at a store over all months, for everybody to read; and two players against each other."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet

from scoring.domain.commendation import token_after
from scoring.domain.points import Score
from scoring.domain.records import Game, HeadToHead, best_rank, head_to_head
from scoring.domain.standings import Standing
from tourney.models import Campaign, Entrant, Event, FinalLine, FinalSeat, Fleet, FleetsShown, Player, TokenLine
from tourney.queries.campaigns import SeasonRow, seasons_of
from tourney.queries.finals import seats_by_event, standing_of
from tourney.queries.fleets import may_see
from tourney.queries.matches import MatchState, RoundState, TableState
from tourney.queries.rulings import RulingNote, rulings_at
from tourney.queries.shown_names import public_players, put_public_names, short_names
from tourney.queries.state import EventState, states_of
from tourney.queries.tokens import GIVEN

MONTHS_OF_A_PAGE = 12
OPPONENTS_SHOWN = 20

type Played = tuple[datetime, int, int]
"""When a game was played: the start of its event, the event's id, and the round."""


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
    """A player over all months: the months of one page, the last first, and their seasons, the newest first.

    Opponents stand in it with whom they played most; `more_opponents` are left out. `best` is the best final rank,
    `won` and `lost` count all games; `player` carries the name that everybody may read.
    """

    player: Player
    page: Page[Entrant]
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
    shown = Paginator(_entries(player), MONTHS_OF_A_PAGE).get_page(page)
    entries = list(shown)
    if not entries:
        return None
    with_fleet = set(Fleet.objects.filter(entrant__in=entries).values_list("entrant", flat=True))
    for entry in entries:
        entry.has_fleet = entry.pk in with_fleet
    seats = _seats_of(entries)
    open_events = list(_not_kept(player))
    ruled = [entry.event for entry in entries if any(seat.is_ruled for seat in seats[entry.event_id])]
    states = {state.event.pk: state for state in states_of([*open_events, *ruled], public=True)}
    names = short_names(player.store)
    met = [seat.opponent for found in seats.values() for seat in found if seat.opponent]
    put_public_names(player.store, names, [*entries, *met])
    lines = {line.event_id: line for line in FinalLine.objects.filter(entrant__in=entries).select_related("entrant")}
    tokens = _tokens_of(entries)
    months = tuple(
        _month(states[pk], player, viewer, sees_all, tokens[pk])
        if pk in states
        else _kept_month(entry, lines.get(pk), seats[pk], viewer, sees_all, tokens[pk])
        for pk, entry in ((entry.event_id, entry) for entry in entries)
    )
    played = [states[event.pk] for event in open_events]
    opponents = _opponents(player, played)
    return PlayerRecord(
        player=entries[0].player,
        page=shown,
        months=months,
        opponents=_with_people(player, opponents if all_opponents else opponents[:OPPONENTS_SHOWN], names),
        more_opponents=0 if all_opponents else len(opponents[OPPONENTS_SHOWN:]),
        seasons=tuple(_places(entries, player)),
        best=_best(player, played),
        won=sum(one.won for one, _ in opponents),
        lost=sum(one.lost for one, _ in opponents),
    )


def duel_of(one: Player, other: Player) -> Duel | None:
    """Every meeting of the two, in a constant number of queries; None if one of them was in no event."""
    names = short_names(one.store)
    people = public_players(one.store, [one.pk, other.pk], names)
    if Entrant.objects.filter(player__in=people).values("player").distinct().count() < 2:
        return None
    states = states_of(list(_not_kept(one) & _not_kept(other)), public=True)
    meetings = [
        (_when(state.event, round.number), _meeting(state, round, match, one))
        for state, round, match in _games(states)
        if {entrant.player_id for entrant in match.entrants} == {one.pk, other.pk}
    ]
    meetings += _kept_meetings(one, other, names)
    meetings.sort(key=lambda found: found[0], reverse=True)
    won, lost = (sum(meeting.lines[side][1].outcome == "win" for _, meeting in meetings) for side in (0, 1))
    return Duel((people[one.pk], people[other.pk]), tuple(meeting for _, meeting in meetings), (won, lost))


def _entries(player: Player) -> QuerySet[Entrant]:
    """The player's entries, the last event first, each with its event."""
    return (
        Entrant.objects.filter(player=player)
        .select_related("player", "event__campaign__store", "event__pack", "event__final_ranking")
        .order_by("-event__starts_at", "-event")
    )


def _not_kept(player: Player) -> QuerySet[Event]:
    """The player's events of which nothing final is kept: those that are not finished."""
    own = Event.objects.filter(pk__in=Entrant.objects.filter(player=player).values("event"), final_ranking=None)
    return own.with_context().order_by("starts_at", "pk")


def _seats_of(entries: Collection[Entrant]) -> dict[int, list[FinalSeat]]:
    seats = FinalSeat.objects.filter(entrant__in=entries).select_related("opponent__player")
    return defaultdict(list, seats_by_event(seats))


def _when(event: Event, round: int) -> Played:
    return event.starts_at, event.pk, round


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


def _kept_month(
    entry: Entrant,
    line: FinalLine | None,
    seats: Sequence[FinalSeat],
    viewer: Player | None,
    sees_all: bool,
    token: str,
) -> PlayerMonth:
    """A finished month, by what is kept of it."""
    return PlayerMonth(
        event=entry.event,
        entrant=entry,
        sittings=tuple(_kept_round(seat) for seat in seats),
        final=standing_of(line) if line else None,
        shows_fleet=entry.has_fleet and (sees_all or _may_see(entry, seats, viewer)),
        token=token,
    )


def _kept_round(seat: FinalSeat) -> PlayedRound:
    theirs = Score(0, seat.opponent_fleet_points, (), "") if seat.opponent else None
    score = Score(seat.battle_points, seat.fleet_points, (), seat.outcome)
    return PlayedRound(seat.round, seat.opponent, score, theirs, is_by_dice=seat.is_by_dice)


def _may_see(entry: Entrant, seats: Sequence[FinalSeat], viewer: Player | None) -> bool:
    """As `fleets.may_see` of a finished event."""
    last = seats[-1] if seats and seats[-1].round == entry.event.final_ranking.rounds else None
    match entry.event.fleets_shown:
        case FleetsShown.ALL:
            return True
        case FleetsShown.ROUND_1:
            return bool(entry.event.final_ranking.rounds) or viewer == entry.player
    opponent = last.opponent.player if last and last.opponent else None
    return viewer is not None and viewer in (entry.player, opponent)


def _best(player: Player, states: Iterable[EventState]) -> Standing | None:
    kept = FinalLine.objects.filter(entrant__player=player).select_related("entrant")
    first = kept.order_by("rank", "shared", "-event__starts_at", "-event").first()
    others = (_final(state, state.by_player[player.pk].number) for state in states)
    return best_rank([*filter(None, others), *([standing_of(first)] if first else [])])


# opponents


def _games(states: Iterable[EventState]) -> Iterator[tuple[EventState, RoundState, TableState]]:
    """Every table that was played to its end in a published round, in the order of play."""
    for state in states:
        for round in state.public_rounds:
            for match in round.tables:
                if match.state == "done" and match.is_meeting:
                    yield state, round, match


def _tokens_of(entries: Sequence[Entrant]) -> dict[int, str]:
    """What became of the token where the player had it, by event, in one query (rule 6)."""
    rows = defaultdict(list)
    for row in TokenLine.objects.filter(event__in=[entry.event_id for entry in entries]).select_related("entrant"):
        rows[row.event_id].append(row)
    return {entry.event_id: _token_words(entry, rows[entry.event_id]) for entry in entries}


def _token_words(entry: Entrant, rows: list[TokenLine]) -> str:
    if not entry.event.rules.token:
        return ""
    token = token_after(row.facts for row in rows)
    if token.holder == entry.number:
        return {"held": "has it", "spent": f"spent in round {token.round}", "lost": "lost unspent"}[token.state]
    return "passed on" if any(row.kind in GIVEN and row.entrant == entry for row in rows) else ""


def _opponents(player: Player, states: Sequence[EventState]) -> list[tuple[HeadToHead, Played]]:
    """The record against everybody the player met, most games first, and when they met last.

    `states` are the events of which nothing is kept.
    """
    games = FinalSeat.objects.filter(entrant__player=player, is_game=True)
    counted = {"won": Count("pk", filter=Q(outcome="win")), "played": Count("pk")}
    counts = games.values("opponent__player").annotate(**counted).values_list("opponent__player", *counted)
    last = games.order_by("opponent__player", "-event__starts_at", "-event", "-round").distinct("opponent__player")
    when = {who: (at, *place) for who, at, *place in last.values_list(*LAST_GAME)}
    found = {who: (HeadToHead(who, won, played - won, 0), when[who]) for who, won, played in counts}
    tables = list(_games(states))
    for line in head_to_head(player.pk, [_game(match) for _, _, match in tables]):
        state, round, _ = tables[line.last]
        before, latest = found.get(line.opponent, (HeadToHead(line.opponent, 0, 0, 0), None))
        both = HeadToHead(line.opponent, before.won + line.won, before.lost + line.lost, 0)
        here = _when(state.event, round.number)
        found[line.opponent] = both, max(here, latest or here)
    by_date = sorted(found.values(), key=lambda one: one[1], reverse=True)
    return sorted(by_date, key=lambda one: one[0].games, reverse=True)


LAST_GAME = ("opponent__player", "event__starts_at", "event", "round")


def _with_people(
    player: Player, lines: Sequence[tuple[HeadToHead, Played]], names: Mapping[int, str]
) -> tuple[Opponent, ...]:
    people = public_players(player.store, [line.opponent for line, _ in lines], names)
    events = Event.objects.in_bulk({event for _, (_, event, _) in lines})
    return tuple(Opponent(line, people[line.opponent], events[event]) for line, (_, event, _) in lines)


def _kept_meetings(one: Player, other: Player, names: Mapping[int, str]) -> list[tuple[Played, Meeting]]:
    both = FinalSeat.objects.filter(is_game=True, entrant__player__in=(one, other), opponent__player__in=(one, other))
    seats = list(both.select_related("entrant__player", "event__campaign__store", "event__pack"))
    put_public_names(one.store, names, [seat.entrant for seat in seats])
    sides = {(seat.event_id, seat.round, seat.entrant.player_id): seat for seat in seats}
    return [
        (
            _when(seat.event, seat.round),
            Meeting(seat.event, seat.round, (_side(seat), _side(sides[event, round, other.pk])), seat.is_by_dice),
        )
        for (event, round, player), seat in sides.items()
        if player == one.pk
    ]


def _side(seat: FinalSeat) -> tuple[Entrant, Score]:
    return seat.entrant, Score(seat.battle_points, seat.fleet_points, (), seat.outcome)


def _game(match: TableState) -> Game:
    return Game((match.a.player_id, match.b.player_id), match.winner.player_id if match.winner else None)


def _meeting(state: EventState, round: RoundState, match: MatchState, first: Player) -> Meeting:
    sides = sorted(match.entrants, key=lambda entrant: entrant.player_id != first.pk)
    lines = tuple((side, round.scores[side.number]) for side in sides)
    return Meeting(state.event, round.number, lines, match.is_by_dice)


# season


def _places(entries: Sequence[Entrant], player: Player) -> Iterator[SeasonPlace]:
    """The player in the seasons of these entries' campaigns, the newest campaign first."""
    campaigns = {entry.event.campaign_id: entry.event.campaign for entry in entries}
    seasons = seasons_of([*campaigns.values()])
    for pk, campaign in campaigns.items():
        season = seasons[pk]
        yield from (SeasonPlace(campaign, row, len(season)) for row in season if row.line.player == player.pk)
