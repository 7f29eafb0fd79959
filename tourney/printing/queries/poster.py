"""What the poster of a campaign says (rule 5.6), in the language that is active: its words are measured."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from fleets.domain.cards import FACTIONS
from scoring.domain.pack import MonthPack as Rules
from scoring.domain.season import PLAIN
from scoring.domain.season_words import rules_said
from tourney.models import Campaign, Event, Round
from tourney.printing.domain.poster import NextMonth, Poster, PosterMonth, PosterName, Victories
from tourney.printing.queries.branding import brand_of
from tourney.queries.campaigns import packs_of
from tourney.queries.faction_marks import faction_slug
from tourney.queries.months import ALL_RANKS, EventOutcome, RankedPlayer, days_from, listed, outcomes_of, ranked
from tourney.queries.state import EventState, states_of
from tourney.runtime.locales import written
from tourney.runtime.messages import in_a_row, message

MOST_MONTHS = 12
CODES = {name: code for code, name in FACTIONS.items()}


@dataclass(frozen=True, slots=True)
class PosterEvent:
    """An event of the campaign, as far as the order of its months goes; `is_drawn`: a round of it is public.

    A pack of the store's own has another slug than the month that it is a copy of, but its storyline and number.
    """

    pk: int
    starts_at: datetime
    pack: str
    is_finished: bool
    is_drawn: bool
    storyline: str
    month: int | None

    def plays(self, pack: Rules) -> bool:
        """Whether that month is what this event plays."""
        is_copy = pack.month is not None and (self.storyline, self.month) == (pack.storyline, pack.month)
        return self.pack == pack.slug or is_copy

    def is_to_come(self, now: datetime) -> bool:
        """Whether nothing of it was played yet, and its day is not over."""
        return not self.is_finished and not self.is_drawn and days_from(self.starts_at, now) >= 0


def poster_of(campaign: Campaign, now: datetime) -> Poster:
    """The months that were played or missed, the last twelve at most, and the next one."""
    events = _events_of(campaign)
    come = [event.pk for event in events if event.is_to_come(now)]
    been = [event.pk for event in events if event.pk not in come][-MOST_MONTHS:]
    shown = [*been, *come[:1], *(event.pk for event in events[-1:])]
    listed_events = listed(campaign.store, shown, [campaign], ranks=ALL_RANKS)
    found = {one.event.pk: one.event for one in listed_events}
    ended = outcomes_of([one for one in listed_events if one.event.pk in been], ranks=ALL_RANKS)
    playing = _states([pk for pk in been if not found[pk].is_finished])
    months = tuple(
        _finished(found[pk], ended.get(pk)) if found[pk].is_finished else _playing(playing[pk]) for pk in been
    )
    return Poster(
        store=campaign.store.name,
        title=campaign.storyline,
        span=_span([found[pk] for pk in been]),
        months=months,
        next=_announcement(campaign, events, found[come[0]] if come else None, found),
        victories=_victories(months),
        season=_season(campaign),
        has_factions=any(place.mark for month in months for place in month.places),
        brand=brand_of(campaign.store),
    )


def _season(campaign: Campaign) -> str:
    """The rules of its season in words, where the store set any (rule 5.8)."""
    rules = campaign.season_rules
    return "" if rules == PLAIN else str(in_a_row(rules_said(rules)))


def _events_of(campaign: Campaign) -> list[PosterEvent]:
    """All of them, first to last."""
    drawn = Exists(Round.objects.filter(event=OuterRef("pk")).exclude(state=Round.State.DRAFT))
    ended = ExpressionWrapper(Q(finished_at__isnull=False), output_field=BooleanField())
    rows = campaign.events.filter(canceled_at=None).annotate(ended=ended, drawn=drawn).order_by("starts_at", "pk")
    facts = ("pk", "starts_at", "pack__slug", "ended", "drawn", "pack__data__storyline", "pack__data__month")
    return [PosterEvent(*row) for row in rows.values_list(*facts)]


def _states(events: Sequence[int]) -> dict[int, EventState]:
    rows = list(Event.objects.with_context().filter(pk__in=events)) if events else []
    return {state.event.pk: state for state in states_of(rows, public=True)}


def _finished(event: Event, outcome: EventOutcome | None) -> PosterMonth:
    victor = outcome.victorious if outcome else ""
    return PosterMonth(
        eyebrow=_eyebrow(event),
        name=event.name,
        places=tuple(_place(one, one.standing.title) for one in outcome.first) if outcome else (),
        state="",
        victor=victor,
        victor_mark=faction_slug(victor) if victor else "",
    )


def _playing(state: EventState) -> PosterMonth:
    """Its ranks so far, without titles."""
    complete = len(state.complete_rounds)
    table = state.standings(complete) if complete else ()
    return PosterMonth(
        eyebrow=_eyebrow(state.event),
        name=state.event.name,
        places=tuple(_place(ranked(state, line), "") for line in table),
        state=_standing(state, complete),
        victor="",
        victor_mark="",
    )


def _eyebrow(event: Event) -> str:
    number, date = event.pack.data.get("month"), _date(event)
    return date if number is None else str(message("Month {number} · {date}", number=number, date=date))


def _standing(state: EventState, complete: int) -> str:
    """What the ranks of a month are that is not finished."""
    if complete:
        return str(
            message("Ranks after round {number} of {rounds}", number=complete, rounds=state.event.rounds_planned)
        )
    return str(message("Round 1 in progress") if state.public_rounds else message("Not played yet"))


def _place(one: RankedPlayer, title: str) -> PosterName:
    return PosterName(
        rank=one.standing.rank,
        shared=one.standing.shared,
        title=title,
        name=one.name,
        mark=faction_slug(one.faction) if one.faction else "",
        code=CODES.get(one.faction, one.faction[:3].upper()),
    )


def _victories(months: tuple[PosterMonth, ...]) -> tuple[Victories, ...]:
    """Most months first; those with as many in the order of their names."""
    won = Counter((month.victor, month.victor_mark) for month in months if month.victor)
    return tuple(Victories(mark, won[name, mark]) for name, mark in sorted(won, key=lambda key: (-won[key], key)))


def _announcement(
    campaign: Campaign, events: Sequence[PosterEvent], coming: Event | None, found: Mapping[int, Event]
) -> NextMonth:
    """The next event; without a date, the month of the storyline after the last one; or how the storyline ends.

    It is complete with its last month, if none before it was left out; nobody misses a month 0.
    """
    if coming:
        return _announced(coming)
    packs = packs_of(campaign.storyline)
    played = {pack.slug for pack in packs if any(event.plays(pack) for event in events)}
    if following := _following(packs, played):
        name, limit = following.name or str(following.heading), following.sp_limit
        date = message("Date to be announced · {limit} SP", limit=limit) if limit else message("Date to be announced")
        return NextMonth(_next(following.month), name, str(date))
    if packs and not all(event.is_finished for event in events):
        last = found[events[-1].pk]
        return NextMonth(str(message("The finale")), last.name, _when(last))
    if packs and all(pack.slug in played or pack.month == 0 for pack in packs):
        return NextMonth(str(message("The storyline is complete")), str(message("All months have been played")))
    return NextMonth(str(message("Next month")), str(message("To be announced")))


def _announced(event: Event) -> NextMonth:
    return NextMonth(_next(event.pack.data.get("month")), event.name, _when(event))


def _next(number: int | None) -> str:
    return str(message("Next month") if number is None else message("Next: month {number}", number=number))


def _when(event: Event) -> str:
    return str(message("{date} · {limit} SP", date=written(event.starts_at, "full day, time"), limit=event.sp_limit))


def _following(packs: tuple[Rules, ...], played: set[str]) -> Rules | None:
    """The month after the last one played; if none was, the first, which a month 0 comes before."""
    last = max((place for place, pack in enumerate(packs) if pack.slug in played or pack.month == 0), default=-1)
    return packs[last + 1] if last + 1 < len(packs) else None


def _span(events: Sequence[Event]) -> str:
    """From when to when, in months of the calendar."""
    if not events:
        return str(message("The first month is still to come"))
    first, last = (written(event.starts_at, "month") for event in (events[0], events[-1]))
    return first if first == last else str(message("{first} to {last}", first=first, last=last))


def _date(event: Event) -> str:
    return written(event.starts_at, "day")
