"""Nights that are played in memory, and what can be wrong with them.

play_in_order(123)     # the same night every time; raises AssertionError with the seed in front
store_night(event, state, by=BY)     # the same night as rows of an event that is stored, written all together
"""

from copy import copy
from random import Random

from django.db import transaction
from django.db.models import Model
from django.db.models.base import ModelState

from scoring.domain.pack import as_data
from scoring.models import MonthPack
from scoring.shipped import shipped_pack
from tests.support.nights import AT
from tourney.actions.entrants import players_named
from tourney.actions.record import Actor, locked, record
from tourney.actions.simulation import Night, actor_at
from tourney.actions.simulation_in_memory import play_in_memory
from tourney.domain.verbs import Verb
from tourney.models import Campaign, Entrant, Event, Match, Result, Roll, RollOff, Round, Seat, Store
from tourney.models.play import SIDES
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState

PACKS = ("dominion-war-6", "temporal-cold-war-2", "drive", "tournament-2016")


def unsaved_event(pack: str = "dominion-war-6", *, rounds: int | None = None) -> Event:
    """An event of that month which no database knows."""
    rules = shipped_pack(pack)
    campaign = Campaign(store=Store(name="Nowhere", slug="nowhere"), storyline=rules.storyline)
    return Event(
        campaign=campaign,
        pack=MonthPack(slug=rules.slug, version=rules.version, data=as_data(rules)),
        slug=f"nowhere-{rules.slug}",
        name=rules.name,
        sp_limit=rules.sp_limit or 100,
        rounds_planned=rounds or rules.rounds,
        minutes=rules.minutes or 60,
        starts_at=AT,
    )


def play_in_order(seed: int) -> EventState:
    """Play the night of that seed in memory. Raises AssertionError where something of it is not in order."""
    dice = Random(seed)
    event = unsaved_event(dice.choice(PACKS), rounds=dice.choice((None, 2, 3, 4, 5)))
    night = Night(dice.choice((2, 3, dice.randint(2, 13), dice.randint(2, 13), 24)), dice.choice((0, 0, 1, 3)), 0.1)
    state = play_in_memory(event, night, random=dice, by=actor_at(AT))
    if wrong := [sentence for round in state.rounds for sentence in out_of_order(state, round)]:
        raise AssertionError(f"seed {seed}, {event.pack.slug}, {night}: {wrong}")
    return state


def out_of_order(state: EventState, round: RoundState) -> list[str]:
    """What is wrong with a round and the ranks after it, as sentences; [] if it is in order."""
    number = round.number
    there = {one.number for one in state.entrants if one.checked_in and one.registered_at <= round.row.published_at}
    there -= {one.number for one in state.entrants if one.dropped_from is not None and one.dropped_from <= number}
    seated = [entrant for match in round.matches for entrant in match.numbers]
    lines = state.standings(number)
    found = {
        "Somebody sits twice, or nowhere.": sorted(seated) == sorted(there),
        "Somebody has no score.": set(round.scores) == set(seated),
        "Not everybody who played is ranked once.": sorted(line.id for line in lines)
        == sorted({one for earlier in state.rounds[:number] for one in earlier.scores}),
        "The round is not closed.": (round.state, round.missing, round.tied) == (Round.State.CLOSED, [], []),
        "A rank is shared, though every tie was to be rolled.": not state.ties(number),
        "A throw decided nothing.": not any(state.is_void(one) for one in state.roll_offs),
    }
    return [sentence for sentence, right in found.items() if not right]


@transaction.atomic
def store_night(event: Event, state: EventState, *, by: Actor) -> None:
    """Write a night that was played in memory as rows of this event, which has nobody yet, each kind together."""
    event = locked(event)
    players = players_named(event.store, [one.player.name for one in state.entrants])
    entrants = {one.number: fresh(one, event=event, player=players[one.player.name]) for one in state.entrants}
    rounds = {round.number: fresh(round.row, event=event) for round in state.rounds}
    matches = [(match, fresh(match.row, round=rounds[match.round.number])) for match in state.matches]
    roll_offs = [(one, fresh(one.row, round=rounds[one.row.round.number])) for one in state.roll_offs]
    Entrant.objects.bulk_create(entrants.values())
    Round.objects.bulk_create(rounds.values())
    Match.objects.bulk_create(row for _, row in matches)
    Result.objects.bulk_create(fresh(match.result, match=row) for match, row in matches if match.result)
    Seat.objects.bulk_create(
        Seat(match=row, round=row.round, entrant=entrants[number], side=side)
        for match, row in matches
        for side, number in zip(SIDES, match.numbers, strict=False)
    )
    RollOff.objects.bulk_create(row for _, row in roll_offs)
    Roll.objects.bulk_create(fresh(roll, roll_off=row) for one, row in roll_offs for roll in one.rolls)
    for name in ("finished_at", "registration_open", "last_entrant_number"):
        setattr(event, name, getattr(state.event, name))
    event.save()
    record(event, by=by, did=Verb.FINISH_EVENT, what="Played in memory, and finished.")


def fresh[Row: Model](row: Row, **other: object) -> Row:
    """The row without an id, of these other rows."""
    row = copy(row)
    row._state, row.pk = ModelState(), None
    for name, value in other.items():
        setattr(row, name, value)
    return row
