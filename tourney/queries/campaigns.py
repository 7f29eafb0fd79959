"""The months of a store: what stands where tonight, what comes next, who won."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, TypedDict, cast

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.domain.factions import FactionLine
from scoring.domain.pack import MonthPack as Rules
from scoring.domain.season import MonthRecord, SeasonLine, season, sums_of
from scoring.domain.standings import Standing
from scoring.models import MonthPack
from scoring.shipped import shipped_packs
from tourney.models import Campaign, Entrant, Event, EventQuerySet, FinalLine, Player, Round, Store
from tourney.queries.finals import Finals, finals_of, standing_of, without_finals
from tourney.queries.shown_names import short_names
from tourney.queries.state import EventState, states_of

PAST_RESULTS = 6
MONTHS_OF_A_PAGE = 12
FIRST_RANKS = 3
NIGHT_AFTER_MIDNIGHT = timedelta(hours=6)
LATELY = timedelta(days=2)
"""Whoever began longer ago does not play today, in whatever time zone."""


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
    """A campaign: the months of one page, first to last, and the season over all finished ones, best first.

    Page 1 has the last months. `people` is how many have taken part.
    """

    months: tuple[CampaignMonth, ...]
    season: tuple[SeasonRow, ...]
    people: int
    page: "Page[EventProgress]"

    @property
    def played(self) -> tuple[CampaignMonth, ...]:
        """The months that count for the season, in the order of its lines' `by_month`."""
        return tuple(month for month in self.months if month.outcome)

    @property
    def count(self) -> int:
        """The number of months on all pages."""
        return self.page.paginator.count

    @property
    def leaders(self) -> tuple[SeasonRow, ...]:
        """Rule 5.7: the Fleet Admiral, or those who share the first place."""
        return tuple(row for row in self.season if row.line.rank == 1)


@dataclass(frozen=True, slots=True)
class Home:
    """What the home page of a store shows. `months` are the last of the current campaign, first to last."""

    tonight: tuple[CampaignMonth, ...]
    next: CampaignMonth | None
    campaign: Campaign | None
    months: tuple[CampaignMonth, ...]
    past: tuple[CampaignMonth, ...]
    others: tuple[Campaign, ...]


def home_of(store: Store, now: datetime) -> Home:
    """Tonight, the current campaign, and the last results of the others, in a constant number of queries."""
    events = Event.objects.filter(campaign__store=store)
    campaigns = list(store.campaigns.annotate(months=Count("events")).order_by("-pk"))
    lately = list(with_progress(events.filter(finished_at=None) | events.filter(starts_at__gt=now - LATELY)))
    months = [_month(event, now) for event in lately]
    on = [month for month in months if month.is_on]
    planned = [month for month in months if month.state == "planned"]
    current = _current(store, campaigns, [*on, *planned])
    tonight = [event for event, month in zip(lately, months, strict=True) if month.is_on]
    own = list(with_progress(current.events.all()).reverse()[:MONTHS_OF_A_PAGE])[::-1] if current else []
    finished = events.exclude(finished_at=None).exclude(pk__in=[event.pk for event in tonight])
    past = list(with_progress(finished.exclude(campaign=current)).reverse()[:PAST_RESULTS])
    outcomes = outcomes_of({event.pk: event for event in (*tonight, *own, *past)}.values())
    return Home(
        tonight=tuple(_month(event, now, outcomes) for event in tonight),
        next=planned[0] if planned else None,
        campaign=current,
        months=tuple(_month(event, now, outcomes) for event in own),
        past=tuple(_month(event, now, outcomes) for event in past),
        others=tuple(campaign for campaign in campaigns if campaign != current),
    )


def book_of(campaign: Campaign, now: datetime, page: str | int | None = 1) -> CampaignOverview:
    """The months of that page, first to last, and the season of the campaign, in a constant number of queries.

    A page that is not there is the nearest one that is.
    """
    shown = Paginator(with_progress(campaign.events.all()).reverse(), MONTHS_OF_A_PAGE).get_page(page)
    events: list[EventProgress] = list(shown)[::-1]
    ended = outcomes_of(events)
    playing = states_of([event for event in events if event.last_round and not event.is_finished], public=True)
    outcomes = ended | _outcomes(playing)
    return CampaignOverview(
        months=tuple(_month(event, now, outcomes) for event in events),
        season=season_of(campaign, [event for event in events if event.pk in ended]),
        people=Player.objects.filter(entries__event__campaign=campaign).distinct().count(),
        page=shown,
    )


def packs_in(campaign: Campaign) -> tuple[frozenset[tuple[str, int | None]], int]:
    """The slugs and the numbers of all its months' packs, and the furthest month of the storyline that is or was
    played, -1 before the first; in two queries."""
    drawn = Exists(Round.objects.filter(event=OuterRef("pk")).exclude(state=Round.State.DRAFT))
    begun = ExpressionWrapper(Q(finished_at__isnull=False) | Q(drawn), output_field=BooleanField())
    found = set(campaign.events.order_by().annotate(begun=begun).values_list("pack", "begun"))
    packs = MonthPack.objects.in_bulk({pack for pack, _ in found})
    numbers = {pk: pack.data.get("month") for pk, pack in packs.items()}
    furthest = max((numbers[pk] for pk, begun in found if begun and numbers[pk] is not None), default=-1)
    return frozenset((pack.slug, numbers[pk]) for pk, pack in packs.items()), furthest


def outcomes_of(events: Iterable[Event]) -> dict[int, EventOutcome]:
    """How each finished event of a store ended, by its id."""
    finished = [event for event in events if event.is_finished]
    most = max((_first_ranks(event) for event in finished), default=0)
    return _outcomes_of_finals(finished, finals_of(finished, first=most))


def _outcomes_of_finals(events: Iterable[Event], finals: dict[int, Finals]) -> dict[int, EventOutcome]:
    return {
        event.pk: EventOutcome(
            found.rounds,
            tuple(_of_line(line) for line in found.lines[: _first_ranks(event)]),
            found.factions,
        )
        for event in events
        if (found := finals.get(event.pk)) and found.rounds
    }


def _of_line(line: FinalLine) -> RankedPlayer:
    return RankedPlayer(line.entrant.player_id, line.entrant.player.name, line.entrant.faction, standing_of(line))


def _first_ranks(event: Event) -> int:
    return max(FIRST_RANKS, len(event.rules.titles))


def _outcomes(states: Iterable[EventState]) -> dict[int, EventOutcome]:
    return {state.event.pk: outcome for state in states if (outcome := _outcome(state))}


def season_of(campaign: Campaign, shown: Sequence[Event] = ()) -> tuple[SeasonRow, ...]:
    """Rule 5.7 over the finished months in which a round was played, `shown` among them; one alone makes no season.

    Only the months that are shown are in the lines' `by_month`.
    """
    (season,) = seasons_of([campaign], {campaign.pk: shown}).values()
    return season


def seasons_of(
    campaigns: Sequence[Campaign],
    shown: Mapping[int, Sequence[Event]] = MappingProxyType({}),
) -> dict[int, tuple[SeasonRow, ...]]:
    """The season of each of these campaigns of one store, by its id, in a constant number of queries.

    `shown` are the finished months that are in the lines' `by_month`, by campaign.
    """
    records = _records_of([event for events in shown.values() for event in events])
    played = Exists(Round.objects.filter(event=OuterRef("pk"), state=Round.State.CLOSED))
    others = Event.objects.filter(played, campaign__in=campaigns).exclude(finished_at=None).exclude(pk__in=[*records])
    months = Counter(others.values_list("campaign", flat=True))
    earlier: defaultdict[int, list[MonthRecord]] = defaultdict(list)
    sums = FinalLine.objects.filter(event__in=others.values("pk")).values_list("event__campaign", "entrant__player")
    for campaign, *found in sums.annotate(Sum("battle_points"), Sum("fleet_points"), Count("pk")):
        earlier[campaign].append(MonthRecord(*found))
    computed = [line for found in finals_of(without_finals(others)).values() for line in found.lines]
    for line in computed:
        of_one = MonthRecord(line.entrant.player_id, line.battle_points, line.fleet_points)
        earlier[line.event.campaign_id] = list(sums_of([*earlier[line.event.campaign_id], of_one]))
    lines = {
        campaign.pk: season([records[event.pk] for event in shown.get(campaign.pk, ())], earlier[campaign.pk])
        for campaign in campaigns
        if months[campaign.pk] + len(shown.get(campaign.pk, ())) > 1
    }
    names = _names(campaigns[0].store, {line.player for found in lines.values() for line in found}) if lines else {}
    return {
        campaign.pk: tuple(SeasonRow(line, names[line.player]) for line in lines.get(campaign.pk, ()))
        for campaign in campaigns
    }


def _records_of(events: Sequence[Event]) -> dict[int, list[MonthRecord]]:
    """What each player took home from each of these finished events, by its id."""
    if not events:
        return {}
    found: dict[int, list[MonthRecord]] = {}
    kept = FinalLine.objects.filter(event__in=events)
    for event, *facts in kept.values_list("event", "entrant__player", "battle_points", "fleet_points"):
        found.setdefault(event, []).append(MonthRecord(*facts))
    missing = finals_of([event for event in events if event.pk not in found])
    return found | {
        pk: [MonthRecord(line.entrant.player_id, line.battle_points, line.fleet_points) for line in finals.lines]
        for pk, finals in missing.items()
    }


def _names(store: Store, players: Collection[int]) -> dict[int, str]:
    """The names of these players as everybody may read them, by their ids."""
    return dict(Player.objects.filter(pk__in=players).values_list("pk", "name")) | short_names(store)


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


def with_progress(events: EventQuerySet) -> "QuerySet[EventProgress]":
    """Each event with its number of players and its last public round, oldest event first."""
    drawn = Round.objects.filter(event=OuterRef("pk")).exclude(state=Round.State.DRAFT).order_by("-number")
    entrants = Entrant.objects.filter(event=OuterRef("pk")).order_by().values("event").annotate(n=Count("pk"))
    found = events.with_context().annotate(
        players=Coalesce(Subquery(entrants.values("n")), 0),
        last_round=Subquery(drawn.values("number")[:1]),
        last_state=Subquery(drawn.values("state")[:1]),
    )
    return cast("QuerySet[EventProgress]", found.order_by("starts_at", "pk"))


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


def _current(store: Store, campaigns: Sequence[Campaign], months: Sequence[CampaignMonth]) -> Campaign | None:
    """The campaign of the first of these months, else of the store's last event; without any, the newest campaign."""
    events = Event.objects.filter(campaign__store=store).order_by("-starts_at", "-pk")
    last = None if months else events.values_list("campaign", flat=True).first()
    pk = months[0].event.campaign_id if months else last
    return next((campaign for campaign in campaigns if campaign.pk == pk), campaigns[0] if campaigns else None)


def _outcome(state: EventState) -> EventOutcome | None:
    after = len(state.closed_rounds if state.is_finished else state.complete_rounds)
    if not after:
        return None
    first = state.standings(after)[: max(FIRST_RANKS, len(state.rules.titles))]
    return EventOutcome(after, tuple(_ranked(state, line) for line in first), state.faction_lines(after))


def _ranked(state: EventState, line: Standing) -> RankedPlayer:
    entrant = state.by_number[line.id]
    return RankedPlayer(entrant.player_id, entrant.player.name, entrant.faction, line)
