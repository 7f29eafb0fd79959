"""Rehearsals: a copy of an event in a sandbox, played on step by step, and discarded.

The copy lives at a store of its own (`Store.rehearsal`), with a campaign and players of its own, so that nothing that
asks for a store's events, players or tokens can find it. Nothing of the real event is changed, not even its version.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import connection, models, transaction

from tourney.actions import entrants, events, rounds, simulation
from tourney.actions.finals import TABLES as FINALS
from tourney.actions.record import Actor, Refused, Stale, bump_version_and_notify, locked, record
from tourney.domain.verbs import Verb
from tourney.models import (
    Campaign,
    CardSteps,
    Entrant,
    Event,
    Fleet,
    FleetsRecorded,
    FleetStep,
    HouseRuling,
    IdempotencyKey,
    Joining,
    JournalEntry,
    JournalLink,
    JudgeCall,
    Match,
    NameKeys,
    OwnPack,
    Pace,
    PackDraft,
    PackedHistory,
    PackVersion,
    Penalty,
    PlayedSheet,
    Player,
    PlayerCard,
    PlayerMerge,
    PlayerReport,
    Rehearsal,
    Result,
    Roll,
    RollOff,
    Round,
    RowChange,
    Seat,
    SheetCheck,
    Store,
    TalonClass,
    TokenLine,
    Wish,
)
from tourney.queries.fleets import fleets_of, statuses
from tourney.queries.rehearsal import MOST_AT_ONCE, tables_at_once
from tourney.queries.state import EventState, state_of
from tourney.queries.tables import needs_of
from tourney.runtime.messages import Message, Param, message, nmessage

TITLE = "Rehearsal: "
LIFE = timedelta(days=3)
MOST_PLAYERS = 500
COPIED = (*(name for name in events.Settings.__slots__ if name != "name"), "pack", "prizes", "tables", "other_tables")


class Over(Refused):
    """The night is at its end."""


# the copy


@dataclass(frozen=True, slots=True)
class RehearsalPlan:
    """With how many made-up players beside those who are registered, and how it goes on."""

    made_up: int
    pace: str = Pace.STEP


@transaction.atomic
def begin(event: Event, plan: RehearsalPlan, *, by: Actor, seed: int) -> Event:
    """A copy of the event as it stands, to be played; the same seed gives the same night. Raises Refused."""
    discard_old(by.at)
    event = locked(event)
    state = state_of(event)
    coming = [entrant for entrant in state.entrants if entrant.dropped_from is None]
    if reasons := _why_not_begin(state, len(coming) + plan.made_up):
        raise Refused(*reasons)
    row = Rehearsal.objects.create(
        event=event,
        pace=plan.pace,
        seed=seed,
        registered=len(coming),
        made_up=plan.made_up,
        held=_held(state) if event.fleets_must_be_legal else 0,
        by_name=by.name,
        begun_at=by.at,
        ends_at=by.at + LIFE,
    )
    copy = _copy(event, row)
    what = message("Rehearsal of “{event}” started.", event=event.name)
    record(copy, by=by, did=Verb.BEGIN_REHEARSAL, what=what)
    _copy_players(coming, copy, by)
    if plan.made_up:
        simulation.register(copy, plan.made_up, random=Random(seed), by=by)
    return Event.objects.with_context().get(pk=copy.pk)


def _why_not_begin(state: EventState, players: int) -> tuple[Message, ...]:
    if state.event.store.rehearsal_id:
        return (message("This is already a rehearsal. Rehearse the event itself."),)
    if state.is_finished or state.public_rounds:
        return (message("The event has started, so it can’t be rehearsed."),)
    if Rehearsal.objects.filter(event=state.event).exists():
        return (message("This event already has a rehearsal. Delete it to start another."),)
    if not 2 <= players <= MOST_PLAYERS:
        facts: dict[str, Param] = {"most": MOST_PLAYERS, "players": players}
        return (message("A rehearsal has 2 to {most} players. This one would have {players}.", **facts),)
    return ()


def _held(state: EventState) -> int:
    """How many could not be checked in for want of a legal fleet (rule 7)."""
    found = statuses(state, fleets_of(state))
    return sum(found[entrant.number].kind != "legal" for entrant in state.entrants if entrant.dropped_from is None)


def _copy(event: Event, row: Rehearsal) -> Event:
    store = Store.objects.create(
        slug=f"rehearsal-{secrets.token_hex(10)}",  # nobody comes there by guessing
        name=event.store.name,
        time_zone=event.store.time_zone,
        locale=event.store.locale,
        names_shown=event.store.names_shown,
        rehearsal=row,
    )
    storyline = _titled(Campaign, "storyline", event.campaign.storyline)
    campaign = Campaign.objects.create(store=store, slug="rehearsal", storyline=storyline)
    settings = {name: getattr(event, name) for name in COPIED}
    settings |= {"fleets_must_be_legal": False, "fleets_recorded": FleetsRecorded.ASKED}  # nobody sits there to sign
    settings |= {"places": None, "sign_up_closes_at": None}  # made-up players come beside those who are registered
    return Event.objects.create(campaign=campaign, slug=store.slug, name=_titled(Event, "name", event.name), **settings)


def _titled(model: type[models.Model], field: str, text: str) -> str:
    return f"{TITLE}{text}"[: getattr(model._meta.get_field(field), "max_length", None)]


def _copy_players(coming: list[Entrant], copy: Event, by: Actor) -> None:
    """Everybody who is registered, under the same number, with faction, fleet and needs, but not here yet."""
    if not coming:
        return
    needs = needs_of(*(entrant.player for entrant in coming))
    players = Player.objects.bulk_create(
        Player(
            store=copy.store,
            name=entrant.player.name,
            fixed_table=needs[entrant.player_id].fixed,
            near_door=needs[entrant.player_id].near_door,
            quiet=needs[entrant.player_id].quiet,
        )
        for entrant in coming
    )
    rows = Entrant.objects.bulk_create(
        Entrant(
            event=copy,
            player=player,
            number=entrant.number,
            faction=entrant.faction,
            plays_without=entrant.plays_without,
            registered_at=entrant.registered_at,
            by_self=entrant.by_self,
        )
        for entrant, player in zip(coming, players, strict=True)
    )
    there = {entrant.pk: row for entrant, row in zip(coming, rows, strict=True)}
    Fleet.objects.bulk_create(
        Fleet(
            player=there[entrant].player,
            entrant=there[entrant],
            name=fleet.name,
            data=fleet.data,
            rulings=fleet.rulings,
            changed_at=fleet.changed_at,
        )
        for fleet in Fleet.objects.filter(entrant__in=coming)
        if fleet.readable_sheet is not None and (entrant := fleet.entrant_id)
    )
    Event.objects.filter(pk=copy.pk).update(last_entrant_number=max(entrant.number for entrant in coming))
    facts = {"entrants": [[entrant.number, entrant.player.name, entrant.faction] for entrant in coming]}
    what = nmessage("Copied with {count} registered player.", "Copied with {count} registered players.", len(coming))
    record(copy, by=by, did=Verb.REGISTER, what=what, after=facts)


# playing


@transaction.atomic
def step(event: Event, *, expected_version: int, at: datetime) -> int:
    """The next step of the night, as made-up people do it; the version after it.

    `expected_version` is that of the page that asks: a step for a page that is older is Stale, so two open pages
    play no faster than one. Raises Refused where people have to decide. Raises Over.
    """
    event = locked(event)
    if event.version != expected_version:
        raise Stale(message("Something changed here. Check the page, then continue."))
    state = state_of(event)
    rehearsal = event.store.rehearsal
    if rehearsal is None:
        raise Refused(message("This event isn’t a rehearsal."))
    random = Random(f"{rehearsal.seed} {event.version}")
    next_step = state.next_step
    do = _STEPS.get(next_step.kind)
    if do is None:
        raise Over(message("The rehearsal is over: its ranks are final."))
    if next_step.kind == "pair" and next_step.reasons:
        raise Refused(*next_step.reasons)
    do(event, state, random, Actor(user=None, name="rehearsal", at=at))
    return Event.objects.values_list("version", flat=True).get(pk=event.pk)


def _check_in(event: Event, state: EventState, random: Random, by: Actor) -> None:
    if not entrants.check_in(event, by=by):
        raise Refused(*state.next_step.reasons)


def _pair(event: Event, state: EventState, random: Random, by: Actor) -> None:
    rounds.pair_round(event, seed=random.randrange(2**31), by=by)


def _publish(event: Event, state: EventState, random: Random, by: Actor) -> None:
    for entrant in state.without_faction:  # whom nobody can ask here
        entrants.play_without(event, entrant.number, by=by)
    rounds.publish_round(event, state.rounds[-1].number, by=by)
    rounds.start_clock(event, state.rounds[-1].number, by=by)


def _results(event: Event, state: EventState, random: Random, by: Actor) -> None:
    """A part of the tables has played; where they are few, every other of them with a phone."""
    round = state.rounds[-1]
    brought = fleets_of(state)
    part = tables_at_once(len(round.tables))
    for place, match in enumerate(round.missing[:part]):
        by_phone = place % 2 == 0 and part < MOST_AT_ONCE
        simulation.play_table(event, match, brought, random=random, by=by, by_phone=by_phone)


def _roll_off(event: Event, state: EventState, random: Random, by: Actor) -> None:
    """Those that are tied at a table roll; then all who are tied."""
    tables = [(match.round.number, RollOff.Kind.TABLE, match.numbers) for round in state.rounds for match in round.tied]
    ties = [(state.rounds[-1].number, *tie) for tie in state.rolls_to_do()]
    for number, kind, group in (tables or ties)[:MOST_AT_ONCE]:
        simulation.roll(event, number, kind, sorted(group), random=random, by=by)


def _close(event: Event, state: EventState, random: Random, by: Actor) -> None:
    rounds.close_round(event, state.rounds[-1].number, by=by)


def _finish(event: Event, state: EventState, random: Random, by: Actor) -> None:
    events.finish_event(event, by=by)


_STEPS: Mapping[str, Callable[[Event, EventState, Random, Actor], None]] = {
    "check_in": _check_in,
    "pair": _pair,
    "publish": _publish,
    "results": _results,
    "roll_off": _roll_off,
    "close": _close,
    "finish": _finish,
}


@transaction.atomic
def set_pace(event: Event, pace: str) -> None:
    """Set another pace from now on; all open pages of the rehearsal notice."""
    event = locked(event)
    Rehearsal.objects.filter(store=event.store).update(pace=pace)
    bump_version_and_notify(event)


# throwing away

OF_EVENT: tuple[tuple[type[models.Model], str], ...] = (
    *((model, "event") for model in FINALS),
    (PackedHistory, "event"),
    (SheetCheck, "seat__round__event"),
    (Wish, "seat__round__event"),
    (PlayerReport, "seat__round__event"),
    (Result, "match__round__event"),
    (Penalty, "round__event"),
    (Roll, "roll_off__round__event"),
    (RollOff, "round__event"),
    (Seat, "round__event"),
    (PlayedSheet, "event"),
    (Match, "round__event"),
    (Round, "event"),
    (TokenLine, "event"),
    (JudgeCall, "entrant__event"),
    (IdempotencyKey, "entrant__event"),
    (Joining, "event"),
)
OF_STORE: tuple[tuple[type[models.Model], str], ...] = (
    (FleetStep, "fleet__player__store"),
    (Fleet, "player__store"),
    (Entrant, "event__campaign__store"),
    (PlayerCard, "player__store"),
    (CardSteps, "player__store"),
    (NameKeys, "player__store"),
    (PlayerMerge, "store"),
    (Player, "store"),
    (HouseRuling, "store"),
    (TalonClass, "store"),
    (PackDraft, "store"),
    (PackVersion, "own__store"),
    (OwnPack, "store"),
    (JournalLink, "store"),
    (JournalEntry, "store"),
)
"""Every row of a rehearsal but those that make it one; each before those it points to."""


@transaction.atomic
def discard(row: Rehearsal) -> None:
    """Delete the copy and all that was done there. The database lets this happen to a rehearsal alone."""
    delete_rows_of(row.store)
    delete_all(Rehearsal.objects.filter(pk=row.pk))


def delete_rows_of(store: Store) -> None:
    """The store, and every row of `OF_EVENT` and `OF_STORE` with it, where the database lets them go."""
    events = Event._base_manager.filter(campaign__store=store)  # also those that were deleted: their rows stay
    events_there = list(events.select_for_update().values_list("pk", flat=True))
    for model, way in OF_EVENT:
        delete_all(model._default_manager.filter(**{f"{way}__in": events_there}))
    for model, way in OF_STORE:
        delete_all(model._default_manager.filter(**{way: store}))
    delete_all(Event._base_manager.filter(pk__in=events_there))
    delete_all(RowChange.objects.filter(event__in=events_there))  # that the events are gone is noted there, too
    delete_all(Campaign.objects.filter(store=store))
    delete_all(Store.objects.filter(pk=store.pk))


def discard_old(now: datetime) -> None:
    """Those whose days are over."""
    _discard_all(Rehearsal.objects.filter(ends_at__lte=now))


def discard_at(store: Store) -> None:
    """All rehearsals of that store's events: they hold names."""
    _discard_all(Rehearsal.objects.filter(event__campaign__store=store))


def _discard_all(rows: models.QuerySet[Rehearsal]) -> None:
    for row in rows.select_related("store").order_by("pk"):
        discard(row)


def delete_all(rows: models.QuerySet[Any]) -> None:
    """PROTECT, which asks row by row, is for what is real; the constraints of the database hold here as well."""
    rows._raw_delete(connection.alias)
