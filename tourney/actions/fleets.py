"""Fleets: built step by step, brought to an event, locked and unlocked, allowed what the rules forbid (rule 7)."""

from collections.abc import Callable

from django.db import transaction

from fleets.domain.card_data import sheet_as_data, sheet_from_data
from fleets.domain.difference import difference
from fleets.domain.editing import CannotEdit
from fleets.domain.sheet import Sheet
from tourney.actions.record import Refused, Stamp, changed, locked, record
from tourney.actions.sign_off import look_again
from tourney.models import Event, Fleet, FleetStep, Player, Seat
from tourney.queries.fleets import FleetState, state_of_fleet

STEPS_KEPT = 30
MOST_FLEETS = 100
LOCKED = "The fleet is locked since round 1 began (rule 7.1). The organizer can unlock it with a reason."

TOO_LATE = "Round 1 has begun (rule 7.1). The organizer can still enter a fleet, with a reason."

type Change = Callable[[Sheet], Sheet]


@transaction.atomic
def make_fleet(player: Player, name: str, *, by: Stamp, sheet: Sheet | None = None) -> Fleet:
    """A new fleet of the player, empty or as given; its name gets a number where another has it."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    taken = {known.casefold() for known in player.fleets.values_list("name", flat=True)}
    if len(taken) >= MOST_FLEETS:
        raise Refused(f"There are {MOST_FLEETS} fleets already. Delete one that is not needed any more.")
    data = sheet_as_data(sheet or Sheet())
    return Fleet.objects.create(player=player, name=_free_name(name, taken), data=data, changed_at=by.at)


def copy_fleet(fleet: Fleet, *, by: Stamp) -> Fleet:
    """The same sheet once more, as a fleet that flies nowhere yet: last month's, to be changed for this one."""
    return make_fleet(fleet.player, fleet.name, by=by, sheet=fleet.sheet)


@transaction.atomic
def rename(fleet: Fleet, name: str) -> None:
    """Another name; the sheet stays as it is, so this is no step and a lock does not forbid it."""
    taken = {known.casefold() for known in fleet.player.fleets.exclude(pk=fleet.pk).values_list("name", flat=True)}
    Fleet.objects.filter(pk=fleet.pk).update(name=_free_name(name, taken))
    if event := Event.objects.filter(entrants__fleet=fleet).first():
        changed(event)


@transaction.atomic
def delete_fleet(fleet: Fleet) -> None:
    """Away with a fleet; one that has played at an event stays with it."""
    now, _ = _at_hand(fleet)
    if now.is_locked:
        raise Refused(f"{fleet.name} has played at {now.event.name}, so it stays. Make a copy to change it.")
    _see(now, None)
    now.row.delete()


@transaction.atomic
def bring(event: Event, number: int, fleet: Fleet, *, by: Stamp, reason: str = "") -> Fleet:
    """Let the player's fleet fly at the event, instead of the one before; one that flew elsewhere is copied.

    For a player who sits in a round already it is an unlocking, with a reason (rule 7.1).
    """
    event = locked(event)
    entrant = event.entrants.select_related("player").get(number=number)
    fleet = Fleet.objects.select_for_update().get(pk=fleet.pk)
    if fleet.player_id != entrant.player_id:
        raise Refused(f"{fleet.name} is not a fleet of {entrant}.")
    before = Fleet.objects.filter(entrant=entrant).select_related("entrant", "player").first()
    if before is not None and before.pk == fleet.pk:
        return before
    if event.finished_at:
        raise Refused("The event is finished. Re-open it first.")
    if before is not None and _state(before, event).is_locked:
        raise Refused(LOCKED)
    is_late = before is None and Seat.objects.in_published_rounds().filter(entrant=entrant).exists()
    if is_late and not reason:
        raise Refused(TOO_LATE)
    if fleet.entrant_id is not None:
        fleet = copy_fleet(fleet, by=by)
    fleet.entrant, fleet.rulings, fleet.unlocked = entrant, [], before.unlocked if before else reason * is_late
    if before is not None:
        before.entrant, before.rulings, before.unlocked = None, [], ""
        before.save()
    fleet.save()
    if is_late:
        facts = {"entrant": number, "unlocked": reason}
        what = f"Fleet of {entrant} entered after round 1 began."
        record(event, by=by, did="unlock_fleet", what=what, after=facts, reason=reason)
    else:
        changed(event)
    return fleet


@transaction.atomic
def step(fleet: Fleet, change: Change, *, did: str, by: Stamp, key: str = "", reason: str = "") -> FleetState:
    """Change the sheet in one step that can be undone. Raises Refused where it is locked or cannot be done.

    `key` names the step on the device that sends it: the same step sent again changes nothing.
    """
    now, row = _at_hand(fleet)
    if key and row.steps.filter(key=key).exists():
        return now
    if now.is_locked:
        raise Refused(LOCKED)
    try:
        sheet = change(now.sheet)
    except CannotEdit as error:
        raise Refused(str(error)) from error
    if sheet == now.sheet:
        return now
    row.version += 1
    FleetStep.objects.create(fleet=row, number=row.version, did=did, before=row.data, key=key)
    row.steps.filter(number__lte=row.version - STEPS_KEPT).delete()
    return _save(now, row, sheet, did=did, by=by, reason=reason)


@transaction.atomic
def undo(fleet: Fleet, *, by: Stamp) -> str:
    """Take the last step back; what it was. Raises Refused where there is none, or the fleet is locked."""
    now, row = _at_hand(fleet)
    if now.is_locked:
        raise Refused(LOCKED)
    last = row.steps.order_by("number").last()
    if last is None:
        raise Refused("There is nothing to undo.")
    _save(now, row, sheet_from_data(last.before), did=f"Undone: {last.did}", by=by)
    last.delete()
    return last.did


@transaction.atomic
def unlock(event: Event, number: int, *, reason: str, by: Stamp) -> None:
    """Rule 7.1: the player's fleet may be changed again, for a reason that stays in the journal."""
    event = locked(event)
    row = _entered(event, number)
    if event.finished_at:
        raise Refused("The event is finished. Re-open it before you unlock a fleet.")
    if not reason:
        raise Refused("Say why the fleet is unlocked; the reason stays in the journal (rule 7.1).")
    if not _state(row, event).is_locked:
        raise Refused("The fleet is not locked. Nothing was changed.")
    row.unlocked = reason
    row.save()
    facts = {"entrant": number, "unlocked": reason}
    record(event, by=by, did="unlock_fleet", what=f"Fleet of {row.entrant} unlocked.", after=facts, reason=reason)


@transaction.atomic
def lock_again(event: Event, number: int, *, by: Stamp) -> None:
    """The end of an unlocking."""
    event = locked(event)
    row = _entered(event, number)
    if not row.unlocked:
        raise Refused("The fleet is locked already. Nothing was changed.")
    row.unlocked = ""
    row.save()
    row.steps.all().delete()
    record(event, by=by, did="lock_fleet", what=f"Fleet of {row.entrant} locked again.", after={"entrant": number})


@transaction.atomic
def allow(event: Event, number: int, rule: str, line: int, *, reason: str, by: Stamp) -> None:
    """Rule 7.15: allow what that rule forbids about that line (0: the whole fleet); "" takes the ruling back."""
    event = locked(event)
    row = _entered(event, number)
    now = _state(row, event)
    found = next((one for one in now.violations if (one.rule, one.line) == (rule, line)), None)
    if found is None:
        raise Refused("This is no longer wrong with the fleet. Nothing was changed.")
    others = [one for one in row.rulings if (one["rule"], one["line"]) != (rule, line)]
    row.rulings = [*others, {"rule": rule, "line": line, "reason": reason}] if reason else others
    row.save()
    verb = "Allowed" if reason else "No longer allowed"
    facts = [{"entrant": number, "rule": rule, "line": line, "reason": why} for why in (found.allowed, reason)]
    what = f"{verb} for {row.entrant}: {found.sentence} (rule {rule})"
    record(event, by=by, did="allow_violation", what=what, before=facts[0], after=facts[1], reason=reason)


def _at_hand(fleet: Fleet) -> tuple[FleetState, Fleet]:
    """The fleet as it is now, locked until the end of the transaction; its event too, so that no round begins."""
    entrant = Fleet.objects.filter(pk=fleet.pk).values_list("entrant__event", flat=True).first()
    event = locked(Event(pk=entrant)) if entrant else None
    row = Fleet.objects.select_for_update(of=("self",)).select_related("entrant__player", "player").filter(pk=fleet.pk)
    row = row.first()
    if row is None:
        raise Refused("This fleet was deleted meanwhile.")
    if event is not None and row.entrant is not None:
        row.entrant.event = event
    return state_of_fleet(row), row


def _save(now: FleetState, row: Fleet, sheet: Sheet, *, did: str, by: Stamp, reason: str = "") -> FleetState:
    row.data, row.changed_at = sheet_as_data(sheet), by.at
    row.save()
    new = FleetState(row, now.event)
    if row.unlocked:
        _record_change(now, new, did=did, by=by, reason=reason)
    else:
        _see(now, new)
    return new


def _record_change(old: FleetState, new: FleetState, *, did: str, by: Stamp, reason: str) -> None:
    """A change after the lock is in the journal, line by line, and has to be signed anew (rules 7.1, 7.2)."""
    look_again(new.row)
    gone, come = difference(old.sheet, new.sheet)
    number = new.row.entrant.number
    record(
        new.event,
        by=by,
        did="change_locked_fleet",
        what=f"Fleet of {new.row.entrant} changed after the lock. {did}",
        before={"entrant": number, "lines": list(gone)},
        after={"entrant": number, "lines": list(come)},
        reason=reason or new.row.unlocked,
    )


def _see(old: FleetState, new: FleetState | None) -> None:
    """Let open pages notice when what lists say of a fleet at an event is another."""
    if old.event is not None and _summary(old) != _summary(new):
        changed(old.event)


def _summary(fleet: FleetState | None) -> tuple | None:
    return fleet and (fleet.is_empty, fleet.total, fleet.violations)


def _entered(event: Event, number: int) -> Fleet:
    row = Fleet.objects.filter(entrant__event=event, entrant__number=number).select_related("entrant__player").first()
    if row is None:
        raise Refused("This player has no fleet at the event.")
    return row


def _state(row: Fleet, event: Event) -> FleetState:
    row.entrant.event = event
    return state_of_fleet(row)


def _free_name(name: str, taken: set[str]) -> str:
    if name.casefold() not in taken:
        return name
    number = 2
    while f"{name} {number}".casefold() in taken:
        number += 1
    return f"{name[:55]} {number}"
