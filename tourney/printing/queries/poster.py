"""What the poster of a campaign says (rule 5.6)."""

from collections import Counter
from datetime import datetime

from django.utils import timezone

from fleets.domain.cards import FACTIONS
from scoring.domain.pack import MonthPack as Rules
from scoring.domain.standings import Standing
from tourney.models import Campaign, Event
from tourney.printing.domain.poster import NextMonth, Poster, PosterMonth, PosterName, Victories
from tourney.queries.campaigns import days_until, packs_of
from tourney.queries.state import EventState, states_of
from tourney.templatetags.flagship import faction_slug

MOST_MONTHS = 12
CODES = {name: code for code, name in FACTIONS.items()}


def poster_of(campaign: Campaign, now: datetime) -> Poster:
    """The months that were played or missed, the last twelve at most, and the next one."""
    states = states_of(list(campaign.events.with_context().order_by("starts_at", "pk")), public=True)
    come = [state for state in states if _is_to_come(state, now)]
    been = [state for state in states if state not in come][-MOST_MONTHS:]
    months = tuple(map(_month, been))
    return Poster(
        store=campaign.store.name,
        title=campaign.storyline,
        span=_span([state.event for state in been]),
        months=months,
        next=_announcement(campaign, states, come),
        victories=_victories(months),
        has_factions=any(place.mark for month in months for place in month.places),
    )


def _is_to_come(state: EventState, now: datetime) -> bool:
    return not state.is_finished and not state.public_rounds and days_until(state.event, now) >= 0


def _month(state: EventState) -> PosterMonth:
    complete = len(state.complete_rounds)
    factions = state.faction_lines(complete) if state.is_finished else ()
    victor = factions[0].faction if factions and not factions[0].shared else ""
    number = state.event.pack.data.get("month")
    date = _date(state.event)
    return PosterMonth(
        eyebrow=date if number is None else f"Month {number} · {date}",
        name=state.event.name,
        places=tuple(_place(state, line) for line in state.standings(complete)) if complete else (),
        state=_standing(state, complete),
        victor=victor,
        victor_mark=faction_slug(victor) if victor else "",
    )


def _standing(state: EventState, complete: int) -> str:
    """What the ranks of a month are, unless they are final."""
    if state.is_finished:
        return ""
    if complete:
        return f"Ranks after round {complete} of {state.event.rounds_planned}"
    return "Round 1 is in play" if state.public_rounds else "Not played"


def _place(state: EventState, line: Standing) -> PosterName:
    faction = state.by_number[line.id].faction
    return PosterName(
        rank=line.rank,
        shared=line.shared,
        title=line.title if state.is_finished else "",
        name=state.names[line.id],
        mark=faction_slug(faction) if faction else "",
        code=CODES.get(faction, faction[:3].upper()),
    )


def _victories(months: tuple[PosterMonth, ...]) -> tuple[Victories, ...]:
    """Most months first; those with as many in the order of their names."""
    won = Counter((month.victor, month.victor_mark) for month in months if month.victor)
    return tuple(Victories(mark, won[name, mark]) for name, mark in sorted(won, key=lambda key: (-won[key], key)))


def _announcement(campaign: Campaign, states: list[EventState], come: list[EventState]) -> NextMonth:
    """The next event; without a date, the month of the storyline after the last one; or how the storyline ends."""
    if come:
        return _announced(come[0].event)
    packs = packs_of(campaign.storyline)
    if following := _following(packs, {state.event.pack.slug for state in states}):
        limit = f" · {following.sp_limit} SP" if following.sp_limit else ""
        name = following.name or following.heading
        return NextMonth(f"Next: month {following.month}", name, f"The date will be announced{limit}")
    if packs and all(state.is_finished for state in states):
        return NextMonth("The storyline is complete", "Its last month is played")
    if packs:
        last = states[-1].event
        return NextMonth("The storyline ends with", last.name, _when(last))
    return NextMonth("Next month", "To be announced")


def _announced(event: Event) -> NextMonth:
    number = event.pack.data.get("month")
    eyebrow = "Next month" if number is None else f"Next: month {number}"
    return NextMonth(eyebrow, event.name, _when(event))


def _when(event: Event) -> str:
    starts_at = timezone.localtime(event.starts_at)
    return f"{starts_at:%A} {starts_at.day} {starts_at:%B %Y, %H:%M} · {event.sp_limit} SP"


def _following(packs: tuple[Rules, ...], played: set[str]) -> Rules | None:
    """The month after the last one played; if none was, the first, which a month 0 comes before."""
    last = max((place for place, pack in enumerate(packs) if pack.slug in played or pack.month == 0), default=-1)
    return packs[last + 1] if last + 1 < len(packs) else None


def _span(events: list[Event]) -> str:
    """From when to when, in months of the calendar."""
    if not events:
        return "The first month is still to come"
    first, last = (f"{timezone.localtime(event.starts_at):%B %Y}" for event in (events[0], events[-1]))
    return first if first == last else f"{first} to {last}"


def _date(event: Event) -> str:
    starts_at = timezone.localtime(event.starts_at)
    return f"{starts_at.day} {starts_at:%b %Y}"
