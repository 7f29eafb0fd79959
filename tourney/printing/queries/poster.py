"""What the poster of a campaign says (rule 5.6)."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from fleets.domain.cards import FACTIONS
from scoring.domain.pack import MonthPack as Rules
from scoring.domain.standings import Standing
from tourney.models import Campaign, Entrant, Event, FinalLine
from tourney.printing.domain.poster import NextMonth, Poster, PosterMonth, PosterName, Victories
from tourney.queries.campaigns import days_until, packs_of, with_progress
from tourney.queries.finals import Finals, finals_of
from tourney.queries.state import EventState, states_of
from tourney.templatetags.flagship import faction_slug

if TYPE_CHECKING:
    from tourney.queries.campaigns import EventProgress

MOST_MONTHS = 12
CODES = {name: code for code, name in FACTIONS.items()}


def poster_of(campaign: Campaign, now: datetime) -> Poster:
    """The months that were played or missed, the last twelve at most, and the next one."""
    events = list(with_progress(campaign.events.all()))
    come = [event for event in events if _is_to_come(event, now)]
    been = [event for event in events if event not in come][-MOST_MONTHS:]
    finals = finals_of([event for event in been if event.is_finished])
    playing = {state.event.pk: state for state in states_of([e for e in been if not e.is_finished], public=True)}
    months = tuple(
        _finished(event, finals[event.pk]) if event.is_finished else _playing(playing[event.pk]) for event in been
    )
    return Poster(
        store=campaign.store.name,
        title=campaign.storyline,
        span=_span(been),
        months=months,
        next=_announcement(campaign, events, come),
        victories=_victories(months),
        has_factions=any(place.mark for month in months for place in month.places),
    )


def _is_to_come(event: "EventProgress", now: datetime) -> bool:
    return not event.is_finished and not event.last_round and days_until(event, now) >= 0


def _finished(event: Event, finals: Finals) -> PosterMonth:
    factions = finals.factions
    victor = factions[0].faction if factions and not factions[0].shared else ""
    return PosterMonth(
        eyebrow=_eyebrow(event),
        name=event.name,
        places=tuple(_place(line, line.title, line.entrant) for line in finals.lines) if finals.rounds else (),
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
        places=tuple(_place(line, "", state.by_number[line.id]) for line in table),
        state=_standing(state, complete),
        victor="",
        victor_mark="",
    )


def _eyebrow(event: Event) -> str:
    number, date = event.pack.data.get("month"), _date(event)
    return date if number is None else f"Month {number} · {date}"


def _standing(state: EventState, complete: int) -> str:
    """What the ranks of a month are that is not finished."""
    if complete:
        return f"Ranks after round {complete} of {state.event.rounds_planned}"
    return "Round 1 is in play" if state.public_rounds else "Not played"


def _place(line: Standing | FinalLine, title: str, entrant: Entrant) -> PosterName:
    return PosterName(
        rank=line.rank,
        shared=line.shared,
        title=title,
        name=entrant.player.name,
        mark=faction_slug(entrant.faction) if entrant.faction else "",
        code=CODES.get(entrant.faction, entrant.faction[:3].upper()),
    )


def _victories(months: tuple[PosterMonth, ...]) -> tuple[Victories, ...]:
    """Most months first; those with as many in the order of their names."""
    won = Counter((month.victor, month.victor_mark) for month in months if month.victor)
    return tuple(Victories(mark, won[name, mark]) for name, mark in sorted(won, key=lambda key: (-won[key], key)))


def _announcement(campaign: Campaign, events: Sequence[Event], come: Sequence[Event]) -> NextMonth:
    """The next event; without a date, the month of the storyline after the last one; or how the storyline ends."""
    if come:
        return _announced(come[0])
    packs = packs_of(campaign.storyline)
    if following := _following(packs, {event.pack.slug for event in events}):
        limit = f" · {following.sp_limit} SP" if following.sp_limit else ""
        name = following.name or following.heading
        return NextMonth(f"Next: month {following.month}", name, f"The date will be announced{limit}")
    if packs and all(event.is_finished for event in events):
        return NextMonth("The storyline is complete", "Its last month is played")
    if packs:
        last = events[-1]
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


def _span(events: Sequence[Event]) -> str:
    """From when to when, in months of the calendar."""
    if not events:
        return "The first month is still to come"
    first, last = (f"{timezone.localtime(event.starts_at):%B %Y}" for event in (events[0], events[-1]))
    return first if first == last else f"{first} to {last}"


def _date(event: Event) -> str:
    starts_at = timezone.localtime(event.starts_at)
    return f"{starts_at.day} {starts_at:%b %Y}"
