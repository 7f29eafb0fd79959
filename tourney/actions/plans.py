"""Before an event begins plans change: another date, another month pack; it is canceled, held after all, or deleted."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from scoring.domain.pack import MonthPack as Rules
from scoring.models import MonthPack
from tourney.actions import rehearsal
from tourney.actions.events import closing_before, moved_from, notify_campaign_events, pack_facts
from tourney.actions.record import (
    Actor,
    Refused,
    explain,
    locked_with_campaign,
    record,
    record_at_store,
    refuse_if_done_since,
    refuse_if_finished,
)
from tourney.domain import progress
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, Joining, JudgeCall, Rehearsal
from tourney.queries.regulars import faction_at
from tourney.queries.state import state_of
from tourney.runtime.json_shapes import instant
from tourney.runtime.messages import message

CHANGES = (Verb.CHANGE_EVENT, Verb.CHANGE_MONTH, Verb.POSTPONE_EVENT, Verb.CANCEL_EVENT, Verb.HOLD_EVENT)
"""What changes an event's plans under somebody else's hands."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month pack that an event is to be played by, with the SP limit (rule 2.2)."""

    rules: Rules
    sp_limit: int


@transaction.atomic
def change_month(event: Event, month: Month, *, by: Actor) -> None:
    """The event is played by another month pack; only before round 1 is drawn. Raises Refused.

    Name, rounds and minutes are the new pack's, unless somebody had chosen others than the old one's. A faction that it
    doesn't have is no longer declared; where it has others, the player is asked again (rule 1.4).
    """
    event = _not_begun(event, by)
    before, printed = _facts(event), event.pack.rules
    if event.name in (printed.name, str(printed.heading)):
        event.name = month.rules.name or str(month.rules.heading)
    if event.rounds_planned == printed.rounds:
        event.rounds_planned = month.rules.rounds
    if event.minutes == printed.minutes:
        event.minutes = month.rules.minutes
    event.pack, event.sp_limit = MonthPack.objects.keep(month.rules), month.sp_limit
    event.__dict__.pop("rules", None)
    event.save()
    after = _facts(event)
    if before != after:
        if gone := _without_faction(event):
            before["entrants"] = [[one.number, one.player.name, one.faction] for one in gone]
            after["entrants"] = [[one.number, one.player.name, ""] for one in gone]
            event.entrants.filter(pk__in=[one.pk for one in gone]).update(faction="")
        what = message("Month changed to “{name}”.", name=month.rules.heading)
        record(event, by=by, did=Verb.CHANGE_MONTH, what=what, before=before, after=after)
        notify_campaign_events(event)


@transaction.atomic
def postpone_event(event: Event, starts_at: datetime, *, by: Actor) -> None:
    """The event gets another date, and its players see so; only before round 1 is drawn. Raises Refused.

    Its sign-up closes as long before it as it did.
    """
    event = _not_begun(event, by)
    before = _dates(event)
    if event.starts_at == starts_at:
        raise Refused(message("That’s the event’s date already. Choose another one."))
    event.sign_up_closes_at = closing_before(event, starts_at)
    event.moved_from, event.starts_at = moved_from(event, starts_at), starts_at
    event.save()
    what = message("Event moved to another date.")
    record(event, by=by, did=Verb.POSTPONE_EVENT, what=what, before=before, after=_dates(event))
    notify_campaign_events(event)


@transaction.atomic
def cancel_event(event: Event, *, by: Actor) -> None:
    """The event doesn't take place; who is registered stays so, and sees it. Raises Refused."""
    event = _not_begun(event, by)
    before = _dates(event)
    event.canceled_at, event.registration_open, event.join_word = by.at, False, ""
    event.save()
    Joining.objects.filter(event=event).delete()
    JudgeCall.objects.filter(entrant__event=event).delete()
    record(event, by=by, did=Verb.CANCEL_EVENT, what=message("Event canceled."), before=before, after=_dates(event))
    notify_campaign_events(event)


@transaction.atomic
def hold_event(event: Event, *, by: Actor) -> None:
    """A canceled event takes place after all, with registration as it was. Raises Refused."""
    event = locked_with_campaign(event)
    if reasons := progress.why_not_hold(event.is_canceled):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *CHANGES)
    before = _dates(event)
    canceled = event.journal.filter(did=Verb.CANCEL_EVENT).order_by("pk").last()
    event.canceled_at = None
    event.registration_open = bool(canceled and (canceled.before or {}).get("registration_open"))
    event.save()
    what = message("The event takes place after all.")
    record(event, by=by, did=Verb.HOLD_EVENT, what=what, before=before, after=_dates(event))
    notify_campaign_events(event)


@transaction.atomic
def delete_event(event: Event, *, by: Actor) -> None:
    """An event that nobody played goes, with everyone's registration; the store's journal keeps that it was there.

    Its row stays behind, without a page, for the entries of its own journal, which are never deleted. Raises Refused.
    """
    event = locked_with_campaign(event)
    if reasons := progress.why_not_call_off(state_of(event).facts):
        raise Refused(*reasons)
    if event.token_lines.exists():
        raise Refused(message("The ledger of the Commendation Award Token names this event. Cancel it instead."))
    refuse_if_done_since(event, by, *CHANGES, Verb.REGISTER)
    for row in Rehearsal.objects.filter(event=event):
        rehearsal.discard(row)
    Joining.objects.filter(event=event).delete()
    event.entrants.all().delete()
    before: dict[str, object] = {"name": event.name, "starts_at": instant(event.starts_at)}
    notify_campaign_events(event)
    event.slug, event.deleted_at, event.registration_open, event.announcements = f"deleted-{event.pk}", by.at, False, []
    event.save()
    day = timezone.localtime(event.starts_at).date().isoformat()
    what = message("Event “{name}” of {day} deleted.", name=event.name, day=day)
    explain(record_at_store(event.store, by=by, did=Verb.DELETE_EVENT, what=what, before=before))


def _not_begun(event: Event, by: Actor) -> Event:
    """The event, locked with its campaign. Raises Refused once it has begun, or somebody else was faster."""
    event = locked_with_campaign(event)
    refuse_if_finished(event)
    if reasons := progress.why_not_call_off(state_of(event).facts):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *CHANGES)
    return event


def _without_faction(event: Event) -> list[Entrant]:
    """Whose faction the month doesn't have, which may have none at all (rule 1.4)."""
    declared = event.entrants.exclude(faction="").select_related("player")
    return [one for one in declared if not faction_at(event, one.faction)]


def _facts(event: Event) -> dict[str, object]:
    plain = {name: getattr(event, name) for name in ("name", "sp_limit", "rounds_planned", "minutes")}
    return pack_facts(event) | plain


def _dates(event: Event) -> dict[str, object]:
    return {
        "starts_at": instant(event.starts_at),
        "sign_up_closes_at": instant(event.sign_up_closes_at),
        "canceled_at": instant(event.canceled_at),
        "registration_open": event.registration_open,
    }
