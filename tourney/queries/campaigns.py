"""The months of a store: what stands where tonight, what comes next, who won."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypedDict, cast

from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from scoring.domain.factions import FactionLine
from scoring.domain.pack import MonthPack as Rules
from scoring.domain.season import MonthRecord, SeasonLine, season
from scoring.domain.standings import Standing
from scoring.shipped import shipped_packs
from tourney.models import Campaign, Event, EventQuerySet, Player, Round, Store
from tourney.queries.state import EventState, states_of

PAST_RESULTS = 6
FIRST_RANKS = 3
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
        return self.factions[0].faction if self.factions and not self.factions[0].shared else ""


@dataclass(frozen=True, slots=True)
class CampaignMonth:
    """One event of a campaign. `state` is finished, playing (rounds were drawn), today, planned or missed.

    `outcome` is how it ended; `so_far`, how it stands while it is played, from the first complete round on.
    """

    event: Event
    state: str
    is_today: bool
    players: int
    round: int = 0
    in_play: bool = False
    outcome: EventOutcome | None = None
    so_far: EventOutcome | None = None

    @property
    def crowd(self) -> str:
        """The number of players in words."""
        return {0: "nobody", 1: "1 player"}.get(self.players, f"{self.players} players")

    @property
    def number(self) -> int | None:
        """Which month of its storyline it is."""
        month: int | None = self.event.pack.data.get("month")
        return month

    @property
    def is_on(self) -> bool:
        """Whether it belongs on top of the store's page: being played, or today."""
        return self.is_today or self.state == "playing"

    @property
    def sentence(self) -> str:
        """Where the event stands, for everybody; a draft is nobody's business yet."""
        if self.state == "playing":
            return f"{self.round_sentence} {self.crowd}."
        if self.state in ("today", "planned"):
            return f"Registration is {'open' if self.event.registration_open else 'closed'}, {self.crowd} so far."
        return {"finished": "The ranks are final.", "missed": "It was not played."}[self.state]

    @property
    def round_sentence(self) -> str:
        """Where the rounds of a night stand that is being played."""
        round, planned = self.round, self.event.rounds_planned
        if self.in_play:
            return f"Round {round} of {planned} is in play."
        if round < planned:
            return f"Round {round} of {planned} is over. Round {round + 1} comes next."
        return "All rounds are over. The final ranks come next."


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's season so far."""

    line: SeasonLine
    name: str


@dataclass(frozen=True, slots=True)
class CampaignOverview:
    """A campaign: its months first to last, and the season over the `played` ones, best first.

    `people` is how many have taken part.
    """

    months: tuple[CampaignMonth, ...]
    season: tuple[SeasonRow, ...]
    people: int

    @property
    def played(self) -> tuple[CampaignMonth, ...]:
        """The months that count for the season, in the order of its lines' `by_month`."""
        return tuple(month for month in self.months if month.outcome)

    @property
    def last_played(self) -> int:
        """The furthest month of the storyline that is or was played; -1 before the first."""
        begun = (month.number for month in self.months if month.state in ("finished", "playing"))
        return max((number for number in begun if number is not None), default=-1)

    @property
    def leaders(self) -> tuple[SeasonRow, ...]:
        """Rule 5.7: the Fleet Admiral, or those who share the first place."""
        return tuple(row for row in self.season if row.line.rank == 1)


@dataclass(frozen=True, slots=True)
class Home:
    """What the home page of a store shows. `months` are those of the current campaign, first to last."""

    tonight: tuple[CampaignMonth, ...]
    next: CampaignMonth | None
    campaign: Campaign | None
    months: tuple[CampaignMonth, ...]
    past: tuple[CampaignMonth, ...]
    others: tuple[Campaign, ...]


def home_of(store: Store, now: datetime) -> Home:
    """Tonight, the current campaign, and the last results of the others, in a constant number of queries."""
    events = list(_with_progress(Event.objects.filter(campaign__store=store)))
    campaigns = list(store.campaigns.annotate(months=Count("events")).order_by("-pk"))
    months = [_month(event, now) for event in events]
    on = [month for month in months if month.is_on]
    planned = [month for month in months if month.state == "planned"]
    current = _current(campaigns, [*on, *planned, *reversed(months)])
    both = list(zip(events, months, strict=True))
    own = [event for event in events if event.campaign_id == getattr(current, "pk", None)]
    past = [event for event, m in both if m.state == "finished" and not m.is_on and event not in own]
    past = past[-PAST_RESULTS:]
    tonight = [event for event, month in both if month.is_on]
    outcomes = outcomes_of({event.pk: event for event in (*tonight, *own, *past)}.values())
    return Home(
        tonight=tuple(_month(event, now, outcomes) for event in tonight),
        next=planned[0] if planned else None,
        campaign=current,
        months=tuple(_month(event, now, outcomes) for event in own),
        past=tuple(_month(event, now, outcomes) for event in reversed(past)),
        others=tuple(campaign for campaign in campaigns if campaign != current),
    )


def book_of(campaign: Campaign, now: datetime) -> CampaignOverview:
    """The months of a campaign, first to last, and its season, in a constant number of queries."""
    events = list(_with_progress(campaign.events.all()))
    states = states_of([event for event in events if event.is_finished or event.last_round], public=True)
    finished = [state for state in states if state.is_finished]
    outcomes = _outcomes(states)
    return CampaignOverview(
        months=tuple(_month(event, now, outcomes) for event in events),
        season=season_of(finished),
        people=Player.objects.filter(entries__event__campaign=campaign).distinct().count(),
    )


def outcomes_of(events: Iterable[Event]) -> dict[int, EventOutcome]:
    """How each finished event ended, by its id."""
    return _outcomes(states_of([event for event in events if event.is_finished], public=True))


def _outcomes(states: Iterable[EventState]) -> dict[int, EventOutcome]:
    return {state.event.pk: outcome for state in states if (outcome := _outcome(state))}


def season_of(finished: Iterable[EventState]) -> tuple[SeasonRow, ...]:
    """Rule 5.7 over the finished months in which a round was played; one month alone makes no season."""
    months = [state for state in finished if state.closed_rounds]
    if len(months) < 2:
        return ()
    names = {entrant.player_id: entrant.player.name for state in months for entrant in state.entrants}
    records = [
        [
            MonthRecord(state.by_number[line.id].player_id, line.battle_points, line.fleet_points)
            for line in state.standings(len(state.closed_rounds))
        ]
        for state in months
    ]
    return tuple(SeasonRow(line, names[line.player]) for line in season(records))


def packs_of(storyline: str, packs: Sequence[Rules] | None = None) -> tuple[Rules, ...]:
    """Of these, or of the shipped ones, the months of that storyline, in their order.

    A campaign may add words to its storyline's name ("Dominion War 2027").
    """
    name = storyline.casefold()
    found = (pack for pack in packs or shipped_packs() if pack.storyline.casefold() in name)
    return tuple(sorted(found, key=lambda pack: pack.month or 0))


def by_storyline(packs: Iterable[Rules]) -> list[tuple[str, list[Rules]]]:
    """Packs under the name of their storyline; storylines of a single month together, last."""
    grouped = defaultdict(list)
    for pack in packs:
        grouped[pack.storyline].append(pack)
    several = [(name, months) for name, months in grouped.items() if len(months) > 1]
    single = [months[0] for months in grouped.values() if len(months) == 1]
    return [*several, ("Single months", single)] if single else several


def storylines(packs: Iterable[Rules]) -> tuple[str, ...]:
    """The storylines of these packs, each once, in their order."""
    return tuple(dict.fromkeys(pack.storyline for pack in packs))


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Progress(TypedDict):
        players: int
        last_round: int | None
        last_state: str | None

    type EventProgress = WithAnnotations[Event, _Progress]


def _with_progress(events: EventQuerySet) -> "Iterable[EventProgress]":
    """Each event with its number of players and its last public round, oldest event first."""
    drawn = Round.objects.filter(event=OuterRef("pk")).exclude(state=Round.State.DRAFT).order_by("-number")
    counted = events.with_context().annotate(
        players=Count("entrants"),
        last_round=Subquery(drawn.values("number")[:1]),
        last_state=Subquery(drawn.values("state")[:1]),
    )
    return cast("Iterable[EventProgress]", counted.order_by("starts_at", "pk"))


def _month(event: "EventProgress", now: datetime, outcomes: dict[int, EventOutcome] | None = None) -> CampaignMonth:
    found = (outcomes or {}).get(event.pk)
    return CampaignMonth(
        event=event,
        state=_state(event, now),
        is_today=days_until(event, now) == 0,
        players=event.players,
        round=event.last_round or 0,
        in_play=event.last_state == Round.State.PUBLISHED,
        outcome=found if event.is_finished else None,
        so_far=None if event.is_finished else found,
    )


def _state(event: "EventProgress", now: datetime) -> str:
    if event.is_finished:
        return "finished"
    if event.last_round:
        return "playing"
    days = days_until(event, now)
    return "today" if days == 0 else "planned" if days > 0 else "missed"


def days_until(event: Event, now: datetime) -> int:
    """In days of the store's calendar, whose time zone is the active one. A night ends at six, not at midnight."""
    day, today = (timezone.localdate(moment - NIGHT_AFTER_MIDNIGHT) for moment in (event.starts_at, now))
    return (day - today).days


def _current(campaigns: Sequence[Campaign], months: Sequence[CampaignMonth]) -> Campaign | None:
    """The campaign of the first of these months; without any month, the newest campaign."""
    if not months:
        return campaigns[0] if campaigns else None
    return next(campaign for campaign in campaigns if campaign.pk == months[0].event.campaign_id)


def _outcome(state: EventState) -> EventOutcome | None:
    after = len(state.closed_rounds if state.is_finished else state.complete_rounds)
    if not after:
        return None
    first = state.standings(after)[: max(FIRST_RANKS, len(state.rules.titles))]
    return EventOutcome(after, tuple(_ranked(state, line) for line in first), state.faction_lines(after))


def _ranked(state: EventState, line: Standing) -> RankedPlayer:
    entrant = state.by_number[line.id]
    return RankedPlayer(entrant.player_id, entrant.player.name, entrant.faction, line)
