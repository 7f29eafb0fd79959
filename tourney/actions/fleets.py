"""Fleets: built step by step, brought to an event, locked and unlocked, allowed what the rules forbid (rule 7)."""

from collections.abc import Callable
from dataclasses import replace
from secrets import token_urlsafe

from django.db import transaction
from django.db.models import QuerySet, Subquery

from fleets.domain.card_data import InvalidData, sheet_as_data, sheet_from_data
from fleets.domain.difference import difference
from fleets.domain.editing import CannotEdit, renumbered
from fleets.domain.legality import Violation
from fleets.domain.sheet import Sheet
from tourney.actions.record import (
    Actor,
    Refused,
    bump_version_and_notify,
    locked,
    record,
    refuse_if_finished,
    still_there,
)
from tourney.actions.sign_off import invalidate_signatures
from tourney.domain.verbs import Verb
from tourney.models import Event, Fleet, FleetStep, Player, Seat
from tourney.models.fleets import kept_step, readable_sheet
from tourney.queries.fleets import FleetState, state_of_fleet
from tourney.runtime.json_shapes import WrongShape, as_stored
from tourney.runtime.messages import Message, Param, in_english, message

STEPS_KEPT, STEPS_OF_PLAYER = 30, 300
"""Steps back of one fleet, and of all fleets of a player: each holds a whole sheet. The oldest go."""
MOST_FLEETS = 100
SHARE_BYTES = 16
LOCKED = message("Fleets are locked once round 1 starts (rule 7.1). Ask the organizer to unlock it.")

UNREADABLE = message("This fleet can’t be read. Import it again or build a new one.")
CANNOT_UNDO = message("The fleet before this step can’t be read, so the step can’t be undone.")

TOO_LATE = message("Round 1 has started (rule 7.1). Ask the organizer to enter your fleet.")
DELETED = message("This fleet was deleted.")
NOT_WRONG = message("This problem is already gone.")

type SheetEdit = Callable[[Sheet], Sheet]


@transaction.atomic
def make_fleet(player: Player, name: str, *, by: Actor, sheet: Sheet | None = None) -> Fleet:
    """A new fleet of the player, empty or as given; its name gets a number where another has it.

    Of a player whose record was merged it is a fleet of that other one. Raises Refused.
    """
    now = Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    if now is None:
        raise Refused(message("{player} was erased.", player=str(player)))
    if now.merged_into:
        return make_fleet(now.merged_into, name, by=by, sheet=sheet)
    taken = {known.casefold() for known in player.fleets.values_list("name", flat=True)}
    if len(taken) >= MOST_FLEETS:
        raise Refused(message("You can have up to {limit} fleets. Delete one you don’t need.", limit=MOST_FLEETS))
    data = _readable_data(renumbered(sheet or Sheet()))
    return Fleet.objects.create(player=player, name=_free_name(name, taken), data=data, changed_at=by.at)


@transaction.atomic
def make_and_bring(event: Event, number: int, player: Player, name: str, *, by: Actor, reason: str = "") -> Fleet:
    """A new empty fleet that flies at the event. The event is locked first, as everywhere, and then the player."""
    event = locked(event)
    return assign_to_event(event, number, make_fleet(player, name, by=by), by=by, reason=reason)


def copy_fleet(fleet: Fleet, *, by: Actor) -> Fleet:
    """The same sheet once more, as a fleet that flies nowhere yet: last month's, to be changed for this one.

    Raises Refused.
    """
    if fleet.readable_sheet is None:
        raise Refused(UNREADABLE)
    return make_fleet(fleet.player, fleet.name, by=by, sheet=fleet.sheet)


@transaction.atomic
def rename(fleet: Fleet, name: str) -> None:
    """Give the fleet another name; the sheet stays as it is, so this is no step and a lock does not forbid it."""
    now, row = _lock_fleet_and_event(fleet)
    taken = {known.casefold() for known in row.player.fleets.exclude(pk=row.pk).values_list("name", flat=True)}
    row.name = _free_name(name, taken)
    row.save(update_fields=["name"])
    if now.event:
        bump_version_and_notify(now.event)


@transaction.atomic
def share(fleet: Fleet) -> None:
    """A link for whoever the owner gives it to; one that is there stays. Raises Refused for what cannot be read."""
    _, row = _lock_fleet_and_event(fleet)
    if row.readable_sheet is None:
        raise Refused(UNREADABLE)
    if not row.share_key:
        row.share_key = token_urlsafe(SHARE_BYTES)
        row.save(update_fields=["share_key"])


@transaction.atomic
def withdraw(fleet: Fleet) -> None:
    """The link leads nowhere from now on; a new one is another."""
    _, row = _lock_fleet_and_event(fleet)
    row.share_key = ""
    row.save(update_fields=["share_key"])


@transaction.atomic
def delete_fleet(fleet: Fleet) -> None:
    """Delete a fleet; one that has played at an event stays with it. Raises Refused."""
    now, row = _lock_fleet_and_event(fleet)
    if now.is_seated and now.event:
        raise Refused(
            message(
                "{fleet} was played at {event}, so it can’t be deleted. Copy it to make changes.",
                fleet=row.name,
                event=now.event.name,
            )
        )
    _notify_if_changed(now, None)
    row.delete()


@transaction.atomic
def assign_to_event(event: Event, number: int, fleet: Fleet, *, by: Actor, reason: str = "") -> Fleet:
    """Let the player's fleet fly at the event, instead of the one before; one that flew elsewhere is copied.

    For a player who sits in a round already it is a change after the lock (rule 7.1): of an unlocked fleet with its
    lines in the journal, of none at all an unlocking, with a reason. Raises Refused.
    """
    event = locked(event)
    entrant = still_there(
        event.entrants.select_related("player"), message("This player has been removed."), number=number
    )
    fleet = still_there(
        Fleet.objects.select_for_update(), message("{fleet} has been removed.", fleet=fleet.name), pk=fleet.pk
    )
    if fleet.player_id != entrant.player_id:
        raise Refused(message("{fleet} isn’t one of {player}’s fleets.", fleet=fleet.name, player=str(entrant)))
    if fleet.readable_sheet is None:
        raise Refused(UNREADABLE)
    before = _of_entrant(event, number).select_for_update(of=("self",)).first()
    if before is not None and before.pk == fleet.pk:
        return before
    refuse_if_finished(event)
    old = _state(before, event) if before else None
    if old and old.is_locked:
        raise Refused(LOCKED)
    is_seated = Seat.objects.in_published_rounds().filter(entrant=entrant).exists()
    is_late = is_seated and before is None
    if is_late and not reason:
        raise Refused(TOO_LATE)
    if fleet.entrant_id is not None:
        fleet = copy_fleet(fleet, by=by)
    fleet.unlocked = before.unlocked if before else reason if is_late else ""
    if before is not None:
        fleet.version = max(fleet.version, before.version) + 1
        before.entrant, before.rulings, before.unlocked = None, [], ""
        before.save(update_fields=["entrant", "rulings", "unlocked"])
    fleet.entrant, fleet.rulings = entrant, []
    fleet.save(update_fields=["entrant", "rulings", "unlocked", "version"])
    if is_late:
        invalidate_signatures(fleet)
        facts = {"entrant": number, "unlocked": reason}
        what = message("{player}’s fleet entered after round 1 started.", player=str(entrant))
        record(event, by=by, did=Verb.UNLOCK_FLEET, what=what, after=facts, reason=reason)
    elif is_seated and old:
        _record_change(old, _state(fleet, event), did=message("Switched fleets."), by=by, reason=fleet.unlocked)
    else:
        bump_version_and_notify(event)
    return fleet


@transaction.atomic
def step(
    fleet: Fleet, change: SheetEdit, *, did: str | Message, by: Actor, key: str = "", reason: str = ""
) -> FleetState:
    """Change the sheet in one step that can be undone. Raises Refused where it is locked or cannot be done.

    `key` names the step on the device that sends it: the same step sent again changes nothing.
    """
    now, row = _lock_fleet_and_event(fleet)
    if key and row.steps.filter(key=key).exists():
        return now
    if now.is_locked:
        raise Refused(LOCKED)
    if now.is_unreadable:
        raise Refused(UNREADABLE)
    try:
        sheet = change(now.sheet)
    except CannotEdit as error:
        raise Refused(error.reason) from error
    if sheet == now.sheet:
        return now
    row.version += 1
    FleetStep.objects.create(fleet=row, number=row.version, did=kept_step(did), before=row.data, key=key)
    row.steps.filter(number__lte=row.version - STEPS_KEPT).delete()
    _forget_oldest_steps(row.player_id)
    return _save(now, row, sheet, did=did, by=by, reason=reason)


def _forget_oldest_steps(player: int) -> None:
    of_player = FleetStep.objects.filter(fleet__player=player)
    oldest = of_player.order_by("-pk").values_list("pk", flat=True)[STEPS_OF_PLAYER : STEPS_OF_PLAYER + 1]
    of_player.filter(pk__lte=Subquery(oldest)).delete()


@transaction.atomic
def undo(fleet: Fleet, *, by: Actor, number: int | None = None) -> Message | str:
    """Undo the last step; what it was. Raises Refused where there is none, or the fleet is locked.

    With `number`, the step that the person saw: if it is not the last any more, nothing is undone.
    """
    now, row = _lock_fleet_and_event(fleet)
    if now.is_locked:
        raise Refused(LOCKED)
    last = row.steps.filter(undone=False).last()
    if last is None:
        raise Refused(message("There’s nothing to undo."))
    if number is not None and number != last.number:
        raise Refused(message("This step was already undone, or another one followed. Check the fleet."))
    before = readable_sheet(last.before)
    if before is None:
        raise Refused(CANNOT_UNDO)
    row.version += 1
    last.undone = True
    last.save(update_fields=["undone"])
    sheet = replace(before, last_id=max(before.last_id, now.sheet.last_id))
    _save(now, row, sheet, did=message("Undone: {step}", step=last.said), by=by)
    return last.said


@transaction.atomic
def take_off(event: Event, number: int, *, by: Actor) -> None:
    """Take a fleet that cannot be read off the event, so that the player can bring another one; at any time.

    It stays with the player's fleets, who can delete it. Raises Refused for a fleet that can be read.
    """
    event = locked(event)
    row = _entered(event, number)
    if row.readable_sheet is not None:
        raise Refused(message("This fleet can be read, so it stays."))
    invalidate_signatures(row)
    whose, row.entrant, row.rulings, row.unlocked = row.entrant, None, [], ""
    row.save(update_fields=["entrant", "rulings", "unlocked"])
    what = message("{player}’s fleet removed from the event because it can’t be read.", player=str(whose))
    record(event, by=by, did=Verb.TAKE_OFF_FLEET, what=what, before={"entrant": number})


@transaction.atomic
def unlock(event: Event, number: int, *, reason: str, by: Actor) -> None:
    """Rule 7.1: the player's fleet may be changed again, for a reason that stays in the journal. Raises Refused."""
    event = locked(event)
    row = _entered(event, number)
    refuse_if_finished(event)
    if not reason:
        raise Refused(message("Give a reason for unlocking the fleet (rule 7.1)."))
    if not _state(row, event).is_locked:
        raise Refused(message("The fleet isn’t locked."))
    row.unlocked = reason
    row.save(update_fields=["unlocked"])
    facts = {"entrant": number, "unlocked": reason}
    what = message("{player}’s fleet unlocked.", player=str(row.entrant))
    record(event, by=by, did=Verb.UNLOCK_FLEET, what=what, after=facts, reason=reason)


@transaction.atomic
def lock_again(event: Event, number: int, *, by: Actor) -> None:
    """The end of an unlocking. Raises Refused."""
    event = locked(event)
    row = _entered(event, number)
    if not row.unlocked:
        raise Refused(message("The fleet is already locked."))
    row.unlocked = ""
    row.save(update_fields=["unlocked"])
    row.steps.all().delete()
    what = message("{player}’s fleet locked again.", player=str(row.entrant))
    record(event, by=by, did=Verb.LOCK_FLEET, what=what, after={"entrant": number})


def relock(seats: QuerySet[Seat]) -> None:
    """Rule 7.1: a round that begins locks the fleets of all who sit in it, those again that were unlocked before.

    For who comes later it begins with the seat.
    """
    unlocked = Fleet.objects.filter(entrant__seats__in=seats).exclude(unlocked="")
    FleetStep.objects.filter(fleet__in=unlocked).delete()
    unlocked.update(unlocked="")


@transaction.atomic
def allow(event: Event, number: int, rule: str, line: int, *, reason: str, by: Actor) -> None:
    """Rule 7.15: allow what that rule forbids about that line (0: the whole fleet); "" takes the ruling back.

    Only what is wrong now is allowed: what is worse later is wrong again. Raises Refused.
    """
    event = locked(event)
    row = _entered(event, number)
    refuse_if_finished(event)
    found = [one for one in _state(row, event).violations if (one.rule, one.line) == (rule, line)]
    if not found:
        raise Refused(NOT_WRONG)
    others = [one for one in row.rulings if (one["rule"], one["line"]) != (rule, line)]
    sentences = [in_english(one.sentence) for one in found] if reason else []
    new = [{"rule": rule, "line": line, "sentence": sentence, "reason": reason} for sentence in sentences]
    row.rulings = [*others, *new]
    row.save(update_fields=["rulings"])
    facts = [{"entrant": number, "rule": rule, "line": line, "reason": why} for why in (found[0].allowed, reason)]
    for_whom: dict[str, Param] = {"player": str(row.entrant), "problem": found[0].sentence, "rule": rule}
    what = message("No longer allowed for {player}: {problem} (rule {rule})", **for_whom)
    if reason:
        what = message("Allowed for {player}: {problem} (rule {rule})", **for_whom)
    record(event, by=by, did=Verb.ALLOW_VIOLATION, what=what, before=facts[0], after=facts[1], reason=reason)


def _lock_fleet_and_event(fleet: Fleet) -> tuple[FleetState, Fleet]:
    """The fleet as it is now, locked until the end of the transaction; its event first, so that no round begins."""
    while True:
        flies_at = Fleet.objects.filter(pk=fleet.pk).values_list("entrant__event", flat=True).first()
        event = locked(Event(pk=flies_at)) if flies_at else None
        rows = Fleet.objects.select_for_update(of=("self",)).select_related("entrant__player", "player")
        row = rows.filter(pk=fleet.pk).first()
        if row is None:
            raise Refused(DELETED)
        if (row.entrant.event_id if row.entrant else None) == flies_at:
            break
    if row.entrant and event:
        row.entrant.event = event
    return state_of_fleet(row), row


def _save(now: FleetState, row: Fleet, sheet: Sheet, *, did: str | Message, by: Actor, reason: str = "") -> FleetState:
    row.data, row.changed_at = _readable_data(sheet), by.at
    row.save(update_fields=["data", "changed_at", "version"])
    new = FleetState(row, now.event, is_seated=now.is_seated)
    if row.unlocked:
        _record_change(now, new, did=did, by=by, reason=reason)
    else:
        _notify_if_changed(now, new)
    return new


def _readable_data(sheet: Sheet) -> dict[str, object]:
    """The sheet as it is stored, rebuilt from that once. Raises Refused for what would not come back the same."""
    data = sheet_as_data(sheet)
    try:
        again = sheet_from_data(as_stored(data))
    except (InvalidData, WrongShape) as error:
        raise Refused(message("Not saved. Fix this first: {problem}.", problem=error.problem)) from error
    if again != sheet:
        raise Refused(message("Not saved. This fleet can’t be stored as it is. Type its cards by hand."))
    return data


def _record_change(old: FleetState, new: FleetState, *, did: str | Message, by: Actor, reason: str) -> None:
    """A change after the lock is in the journal, line by line, and has to be signed again (rules 7.1, 7.2)."""
    invalidate_signatures(new.row)
    gone, come = difference(old.sheet, new.sheet)
    if new.event is None or new.row.entrant is None:
        raise LookupError(f"{new.row.name} flies nowhere")
    number = new.row.entrant.number
    record(
        new.event,
        by=by,
        did=Verb.CHANGE_LOCKED_FLEET,
        what=message("{player}’s locked fleet changed. {step}", player=str(new.row.entrant), step=did),
        before={"entrant": number, "lines": list(gone)},
        after={"entrant": number, "lines": list(come)},
        reason=reason or new.row.unlocked,
    )


def _notify_if_changed(old: FleetState, new: FleetState | None) -> None:
    """Let open pages notice when what lists say of a fleet at an event is another."""
    if old.event is not None and _summary(old) != _summary(new):
        bump_version_and_notify(old.event)


def _summary(fleet: FleetState | None) -> tuple[bool, int, tuple[Violation, ...]] | None:
    return (fleet.is_empty, fleet.total, fleet.violations) if fleet else None


def _entered(event: Event, number: int) -> Fleet:
    row = _of_entrant(event, number).first()
    if row is None:
        raise Refused(message("This player has no fleet at the event."))
    return row


def _of_entrant(event: Event, number: int) -> QuerySet[Fleet]:
    return Fleet.objects.filter(entrant__event=event, entrant__number=number).select_related(
        "entrant__player", "player"
    )


def _state(row: Fleet, event: Event) -> FleetState:
    if row.entrant:
        row.entrant.event = event
    return state_of_fleet(row)


def _free_name(name: str, taken: set[str]) -> str:
    if name.casefold() not in taken:
        return name
    number = 2
    while f"{name} {number}".casefold() in taken:
        number += 1
    return f"{name[:55]} {number}"
