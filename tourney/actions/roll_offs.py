"""Dice that break ties: at a table, in the standings, between factions (rule 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db import transaction

from scoring.domain import roll_offs
from tourney.actions.record import (
    NOTHING_CHANGED,
    Actor,
    Refused,
    Stale,
    claim_idempotency_key,
    locked,
    record,
    refuse_if_finished,
)
from tourney.actions.reports import refuse_if_by_desk
from tourney.domain.roll_offs import outcome
from tourney.domain.verbs import Verb
from tourney.models import Event, Roll, RollOff
from tourney.queries.matches import RollOffState, TableState
from tourney.queries.roll_offs import dice_said, rolled_by_software, tied_groups
from tourney.queries.state import EventState, state_of
from tourney.runtime.messages import Message, Param, in_a_row, message, pmessage

DICE = 5


@transaction.atomic
def roll_dice(
    event: Event,
    number: int,
    kind: str,
    group: Sequence[int],
    counts: Mapping[int, int],
    *,
    by: Actor,
    roll: int | None = None,
) -> None:
    """Record one physical roll: Battle Stations (0 to 5) of each player who is still tied.

    `roll` is the number of the roll that the person saw as the next one; another one is Stale. Raises Refused.
    """
    _roll_by_hand(state_of(locked(event)), number, kind, group, counts, by=by, roll=roll)


def _roll_by_hand(
    state: EventState,
    number: int,
    kind: str,
    group: Sequence[int],
    counts: Mapping[int, int],
    *,
    by: Actor,
    roll: int | None,
) -> None:
    roll_off = _open_roll_off(state, number, kind, group)
    _refuse_another(roll, roll_off)
    _refuse_impossible(counts)
    by_hand = {str(n): counts[n] for n in sorted(counts)}
    roll_off = _with_roll(roll_off, Roll(roll_off=roll_off.row, number=len(roll_off.rolls) + 1, counts=by_hand))
    order = [one for one in state.in_order(number, kind, roll_off.group) if one in counts]
    rolled = message("Roll-off in round {round}: {rolls}.", round=number, rolls=_rolls(state, counts, order))
    what = in_a_row([rolled, outcome(state.levels_in_order(roll_off), state.names)])
    record(state.event, by=by, did=Verb.THROW_DICE, what=what, after=_facts(roll_off))


@transaction.atomic
def roll_by_software(event: Event, number: int, kind: str, group: Sequence[int], *, seed: str, by: Actor) -> None:
    """Roll until nobody is tied. Seed and faces are stored, so that anybody can re-compute them (rule 4.3)."""
    _roll_by_software(state_of(locked(event)), number, kind, group, seed=seed, by=by)


def _roll_by_software(state: EventState, number: int, kind: str, group: Sequence[int], *, seed: str, by: Actor) -> None:
    roll_off = _open_roll_off(state, number, kind, group)
    while roll_off.still_tied:
        roll_off = _with_roll(roll_off, rolled_by_software(state.rules, roll_off, seed))
    result = outcome(state.levels_in_order(roll_off), state.names)
    rolled = message("Roll-off in round {round}, rolled by Flagship: {result}", round=number, result=result)
    what = in_a_row([rolled, message("Seed: {seed}.", seed=seed)])
    record(state.event, by=by, did=Verb.ROLL_BY_SOFTWARE, what=what, after=_facts(roll_off))


@transaction.atomic
def roll_all_by_software(
    event: Event, number: int, seeds: Mapping[tuple[str, tuple[int, ...]], str], *, by: Actor
) -> None:
    """The same for each of these ties, kind and group, with the seed of its own; all of them or none."""
    state = state_of(locked(event))
    for (kind, group), seed in seeds.items():
        _roll_by_software(state, number, kind, group, seed=seed, by=by)


@transaction.atomic
def say_dice(
    event: Event,
    number: int,
    entrant: int,
    counts: Mapping[int, int] | None,
    *,
    roll: int,
    seed: str,
    by: Actor,
    key: str = "",
    confirms: bool = False,
) -> None:
    """What one player of a tied table says of its next roll: the Battle Stations of both, or None to have it rolled.

    Where the other player's phone says the same, that is the roll, made by hand or by software with that seed; until
    then the desk decides, too. Who `confirms` means what the other said, as the phone showed it. Raises Refused, Stale.
    """
    event = locked(event)
    state = state_of(event)
    round = state.round(number)
    match = round.match_of(entrant) if round else None
    if not isinstance(match, TableState) or match.state != "tied":
        return
    if not claim_idempotency_key(state.by_number[entrant], key, by=by):
        return
    refuse_if_finished(event)
    refuse_if_by_desk(event)
    tie = (number, RollOff.Kind.TABLE, tuple(sorted(match.numbers)))
    _refuse_another(roll, match.roll_off)
    _refuse_impossible(counts or {})
    theirs = next((said for one, said in dice_said(match, roll).items() if one != entrant), None)
    other = str(match.opponent_of(entrant))
    if confirms and (theirs is None or theirs.counts != counts):
        raise Stale(message("Not confirmed. {player} changed the dice. Check them again.", player=other))
    if theirs and theirs.counts == counts:
        match.row.seats.update(dice=[])
        both = replace(by, name="both players")
        if counts is None:
            _roll_by_software(state, *tie, seed=seed, by=both)
        else:
            _roll_by_hand(state, *tie, counts, by=both, roll=roll)
        return
    _keep_said(state, match, entrant, counts, roll=roll, by=by)


def _keep_said(
    state: EventState, match: TableState, entrant: int, counts: Mapping[int, int] | None, *, roll: int, by: Actor
) -> None:
    """What the player says of the roll, until the other player says the same; nothing where it is said already."""
    said = [roll, *(counts[one] for one in match.numbers)] if counts else [roll]
    seat = match.row.seats.get(entrant=state.by_number[entrant])
    if seat.dice == said:
        return
    seat.dice = said
    seat.save(update_fields=["dice"])
    number, player = match.round.number, str(state.by_number[entrant])
    where: dict[str, Param] = {"round": number, "table": match.table or 0, "player": player}
    what = message("Round {round}, table {table}: {player} asks for dice rolled by Flagship.", **where)
    if counts:
        rolls = _rolls(state, counts, match.numbers)
        what = message("Round {round}, table {table}: {player} entered the dice: {rolls}.", rolls=rolls, **where)
    record(state.event, by=by, did=Verb.SAY_DICE, what=what, after={"round": number, "entrant": entrant, "dice": said})


def _refuse_another(roll: int | None, roll_off: RollOffState | None) -> None:
    if roll is not None and roll != (len(roll_off.rolls) if roll_off else 0) + 1:
        raise Stale(message("Not saved. Someone else already entered roll {roll}. Check it below.", roll=roll))


def _refuse_impossible(counts: Mapping[int, int]) -> None:
    if wrong := [count for count in counts.values() if not 0 <= count <= DICE]:
        facts: dict[str, Param] = {"count": wrong[0], "dice": DICE}
        raise Refused(message("{dice} dice can’t show {count} Battle Stations. Enter 0 to {dice} (rule 4.1).", **facts))


def _open_roll_off(state: EventState, number: int, kind: str, group: Sequence[int]) -> RollOffState:
    """The roll-off of a tie that is to be broken, under the event's lock. Raises Refused."""
    refuse_if_finished(state.event)
    group = tuple(sorted(group))
    roll_off = state.roll_off(number, kind, group)
    if roll_off and roll_off.is_broken and not state.is_void(roll_off):
        raise Refused(
            NOTHING_CHANGED,
            message(
                "This tie is already broken: {result}", result=outcome(state.levels_in_order(roll_off), state.names)
            ),
        )
    if group not in tied_groups(state, number, kind):
        raise Refused(_why_no_roll(state, number, kind, group))
    if roll_off is None:
        row = RollOff.objects.create(round=state.rounds[number - 1].row, kind=kind, group=list(group))
        roll_off = RollOffState(row, [])
    roll_off.row.rolls.filter(number__gt=len(roll_off.rolls)).delete()  # what cannot be read is rolled again
    return roll_off


def _why_no_roll(state: EventState, number: int, kind: str, group: tuple[int, ...]) -> Message:
    if kind != RollOff.Kind.FACTION:
        return message("These players aren’t tied, so there’s nothing to roll for (rule 4.3).")
    if group in tied_groups(state, number, RollOff.Kind.STANDING):
        return message(
            "{names} share a rank. Roll for that first: the roll also decides the victorious faction (rule 5.3).",
            names=[state.names[one] for one in group],
        )
    return message("These players’ factions aren’t tied, so there’s nothing to roll for (rule 5.3).")


def _with_roll(roll_off: RollOffState, roll: Roll) -> RollOffState:
    """The roll-off after one more roll, which is saved."""
    after = RollOffState(roll_off.row, [*roll_off.rolls, roll])
    try:
        after.levels  # noqa: B018 - asks whether the roll fits
    except roll_offs.RollDoesNotFit as error:
        raise Refused(str(error)) from error
    roll.save()
    return after


def _rolls(state: EventState, counts: Mapping[int, int], order: Sequence[int]) -> list[Message]:
    return [pmessage("a roll", "{name} {count}", name=state.names[number], count=counts[number]) for number in order]


def _facts(roll_off: RollOffState) -> dict[str, object]:
    rolls = [{"counts": t.counts, "faces": t.faces, "seed": t.seed} for t in roll_off.rolls]
    number = roll_off.row.round.number
    return {"round": number, "kind": roll_off.row.kind, "group": list(roll_off.group), "throws": rolls}
