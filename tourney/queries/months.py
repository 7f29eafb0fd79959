"""Events as lists show them: a few columns of each, where it stands or how it ended, all of them in one query."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from scoring.domain.factions import FactionLine, victorious
from scoring.domain.standings import Standing
from scoring.models import MonthPack
from tourney.domain.places import how_many_wait
from tourney.models import Campaign, Event, FinalRanking, Round, Store
from tourney.queries.finals import faction_lines
from tourney.queries.shown_names import short_names
from tourney.queries.state import EventState, states_of
from tourney.runtime.kept import VersionedCache, memory
from tourney.runtime.messages import Message, message, nmessage
from tourney.runtime.packed import with_columns

FIRST_RANKS = 3
ALL_RANKS = 10_000
NIGHT_AFTER_MIDNIGHT = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A line of final ranks, with who it is in all months."""

    player: int
    name: str
    faction: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """How an event ended, or stands after so many rounds: its first ranks (rule 5.1), and the factions where the month
    has any (rule 5.3)."""

    after: int
    first: tuple[RankedPlayer, ...]
    factions: tuple[FactionLine, ...]

    @property
    def winner(self) -> str:
        """The name of the first in rank."""
        return self.first[0].name

    @property
    def title(self) -> str:
        """The title of the first in rank."""
        return self.first[0].standing.title

    @property
    def victorious(self) -> str:
        """The victorious faction, empty if there is none or the first place is shared."""
        first = victorious(self.factions)
        return first.faction if first else ""


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event with what lists say of it: its players, its last public round with that one's state, and how it ended.

    `waiting` is how many of its players are on the waiting list. The event has the columns `OF_EVENT` alone. `is_kept`
    is whether what a finished one came to is stored.
    """

    event: Event
    players: int
    waiting: int
    last_round: int | None
    last_state: str | None
    is_kept: bool
    outcome: EventOutcome | None


@dataclass(frozen=True, slots=True)
class CampaignMonth:
    """One event of a campaign. `state` is finished, canceled, playing (rounds were drawn), today, planned or missed.

    `takes_sign_ups`: players may register themselves. `outcome` is how it ended; `so_far`, how it stands while it is
    played, from the first complete round on.
    """

    event: Event
    state: str
    is_today: bool
    players: int
    round: int = 0
    in_play: bool = False
    takes_sign_ups: bool = False
    outcome: EventOutcome | None = None
    so_far: EventOutcome | None = None

    @property
    def crowd(self) -> Message:
        """The number of players in words."""
        if not self.players:
            return message("no players")
        return nmessage("{count} player", "{count} players", self.players)

    @property
    def number(self) -> int | None:
        """Which month of its storyline it is."""
        month: int | None = self.event.pack.data.get("month")
        return month

    @property
    def sentence(self) -> Message:
        """Where the event stands, for everybody; a draft is nobody's business yet."""
        if self.state == "playing":
            return message("{rounds} Players: {players}.", rounds=self.round_sentence, players=self.players)
        if self.state == "canceled":
            return message("This event is canceled.")
        if self.state not in ("today", "planned"):
            return message("The ranks are final.") if self.state == "finished" else message("It was not played.")
        if self.takes_sign_ups:
            return message("Registration is open, {players} so far.", players=self.crowd)
        return message("Registration is closed, {players} so far.", players=self.crowd)

    @property
    def round_sentence(self) -> Message:
        """Where the rounds of a night stand that is being played."""
        round, planned = self.round, self.event.rounds_planned
        if self.in_play:
            return message("Round {round} of {planned} is in play.", round=round, planned=planned)
        if round < planned:
            return message(
                "Round {round} of {planned} is over. Round {next} comes next.",
                round=round,
                planned=planned,
                next=round + 1,
            )
        return message("All rounds are over. The final ranks come next.")


OF_EVENT = (
    "id",
    "campaign_id",
    "slug",
    "name",
    "pack_id",
    "sp_limit",
    "rounds_planned",
    "minutes",
    "starts_at",
    "registration_open",
    "fleets_shown",
    "address",
    "ends",
    "places",
    "sign_up_closes_at",
    "finished_at",
    "canceled_at",
)
"""The columns that are read of an event, in the order of its model; without what only its own pages show."""

PACK = OF_EVENT.index("pack_id")

LISTED = f"""
    SELECT e.{", e.".join(OF_EVENT)}, pack.digest,
        (SELECT json_build_array(count(*), count(*) FILTER (WHERE n.dropped_from IS NULL),
            count(*) FILTER (WHERE n.dropped_from IS NULL AND n.checked_in))
        FROM tourney_entrant n WHERE n.event_id = e.id), drawn.number, drawn.state,
        f.rounds, f.factions::json, (
            SELECT json_agg(json_build_array(n.player_id, p.name, n.number, n.faction, l.rank, l.shared,
                l.battle_points, l.fleet_points, l.dropped, l.title) ORDER BY l.place)
            FROM tourney_finalline l JOIN tourney_entrant n ON n.id = l.entrant_id
            JOIN tourney_player p ON p.id = n.player_id
            WHERE l.event_id = e.id
            AND l.place <= greatest(%(ranks)s, coalesce(jsonb_array_length(pack.data -> 'titles'), 0))
        )
    FROM tourney_event e JOIN scoring_monthpack pack ON pack.id = e.pack_id
    LEFT JOIN tourney_finalranking f ON f.event_id = e.id
    LEFT JOIN LATERAL (
        SELECT r.number, r.state FROM tourney_round r WHERE r.event_id = e.id AND r.state <> %(draft)s
        ORDER BY r.number DESC LIMIT 1
    ) drawn ON true
    WHERE e.id = ANY(%(events)s) AND e.deleted_at IS NULL
    ORDER BY e.starts_at, e.id
"""


def listed(
    store: Store, events: Sequence[int], campaigns: Iterable[Campaign], *, ranks: int = FIRST_RANKS
) -> list[ListedEvent]:
    """The store's events of these ids, the oldest first, in one query; for everybody to read.

    Of a finished event so many first ranks, at least all that have a title. `campaigns` are those of the events.
    """
    if not events:
        return []
    with connection.cursor() as cursor:
        cursor.execute(LISTED, {"events": list(events), "ranks": ranks, "draft": Round.State.DRAFT})
        rows = cursor.fetchall()
    names, by_id = short_names(store), {campaign.pk: campaign for campaign in campaigns}
    width = len(OF_EVENT)
    packs = packs_of_events({(row[PACK], row[width]) for row in rows})
    found = []
    for row in rows:
        event = with_columns(Event, OF_EVENT, row[:width])
        event.campaign, event.pack = by_id[event.campaign_id], packs[row[PACK]]
        (players, coming, here), last_round, last_state, after, factions, lines = row[width + 1 :]
        waiting = how_many_wait(here, coming, event.places)
        outcome = _kept_outcome(after, factions, lines, names) if after and event.is_finished else None
        found.append(ListedEvent(event, players, waiting, last_round, last_state, after is not None, outcome))
    return found


def outcomes_of(found: Sequence[ListedEvent], *, ranks: int = FIRST_RANKS) -> dict[int, EventOutcome]:
    """How each of these finished events ended, by its id; computed where nothing is kept of it (yet)."""
    missing = [one.event.pk for one in found if one.event.is_finished and not one.is_kept]
    kept = {one.event.pk: one.outcome for one in found if one.outcome}
    return kept | computed_outcomes(missing, ranks=ranks)


def computed_outcomes(events: Sequence[int], *, ranks: int = FIRST_RANKS) -> dict[int, EventOutcome]:
    """How each of these events of one store ended, or stands after its last complete round, by its rows."""
    states = states_of(list(Event.objects.with_context().filter(pk__in=events)), public=True) if events else ()
    return {state.event.pk: outcome for state in states if (outcome := _outcome(state, ranks))}


def packs_of_events(asked: Collection[tuple[int, str]]) -> dict[int, MonthPack]:
    """The stored packs of these ids and digests, by the id. A row never changes, so this process reads each once."""
    return _packs.get_many(dict(asked), MonthPack.objects.in_bulk)


_packs: VersionedCache[MonthPack] = VersionedCache(memory(0.01), lambda pack: 9_000)


def month_of(found: ListedEvent, now: datetime, outcomes: Mapping[int, EventOutcome]) -> CampaignMonth:
    """The event as its campaign shows it at that moment, with its outcome among these, if it has any."""
    event, outcome = found.event, outcomes.get(found.event.pk)
    return CampaignMonth(
        event=event,
        state="canceled"
        if event.is_canceled
        else state_at(now, event.starts_at, event.is_finished, bool(found.last_round)),
        is_today=days_from(event.starts_at, now) == 0,
        players=found.players,
        round=found.last_round or 0,
        in_play=found.last_state == Round.State.PUBLISHED,
        takes_sign_ups=event.takes_sign_ups(now),
        outcome=outcome if event.is_finished else None,
        so_far=None if event.is_finished else outcome,
    )


def state_at(now: datetime, starts_at: datetime, is_finished: bool, is_drawn: bool) -> str:
    """The state of a `CampaignMonth`, of an event that starts then; `is_drawn`: a round of it is public."""
    if is_finished:
        return "finished"
    if is_drawn:
        return "playing"
    days = days_from(starts_at, now)
    return "today" if days == 0 else "planned" if days > 0 else "missed"


def days_until(event: Event, now: datetime) -> int:
    """The days until the event by the calendar of the active time zone, the store's. A night ends at six."""
    return days_from(event.starts_at, now)


def is_ahead(event: Event, now: datetime) -> bool:
    """Whether the day of the event is still to come."""
    return days_until(event, now) > 0


def days_from(starts_at: datetime, now: datetime) -> int:
    """The same for an event that starts then."""
    day, today = (timezone.localdate(moment - NIGHT_AFTER_MIDNIGHT) for moment in (starts_at, now))
    return (day - today).days


FACTIONS = FinalRanking._meta.get_field("factions")


def _kept_outcome(
    after: int, factions: list[dict[str, Any]], lines: list[list[Any]] | None, names: Mapping[int, str]
) -> EventOutcome:
    first = tuple(_kept_rank(*line, names=names) for line in lines or ())
    return EventOutcome(after, first, faction_lines(FACTIONS.as_read(factions)))


def _kept_rank(
    player: int,
    name: str,
    number: int,
    faction: str,
    rank: int,
    shared: bool,
    battle_points: int,
    fleet_points: int,
    dropped: bool,
    title: str,
    *,
    names: Mapping[int, str],
) -> RankedPlayer:
    standing = Standing(number, rank, shared, battle_points, fleet_points, (), dropped, title)
    return RankedPlayer(player, names.get(player, name), faction, standing)


def _outcome(state: EventState, ranks: int) -> EventOutcome | None:
    after = len(state.closed_rounds if state.is_finished else state.complete_rounds)
    if not after:
        return None
    first = state.standings(after)[: max(ranks, len(state.rules.titles))]
    return EventOutcome(after, tuple(ranked(state, line) for line in first), state.faction_lines(after))


def ranked(state: EventState, line: Standing) -> RankedPlayer:
    """The line of these standings, with who it is in all months."""
    entrant = state.by_number[line.id]
    return RankedPlayer(entrant.player_id, entrant.player.name, entrant.faction, line)
