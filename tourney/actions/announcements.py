"""What the desk tells everybody: announce, take down."""

from datetime import timedelta

from django.db import transaction

from tourney.actions.record import Actor, Refused, locked, record
from tourney.domain.progress import why_not_change
from tourney.domain.verbs import Verb
from tourney.models import Announcement, Event
from tourney.runtime.messages import message

MOST_AT_A_TIME = 3


@transaction.atomic
def announce(event: Event, text: str, *, by: Actor, minutes: int | None = None) -> None:
    """Show the text on the screens and on phones, for so many minutes, or until it is taken down.

    The same words again only change until when they are shown. Raises Refused.
    """
    event = locked(event)
    if reasons := why_not_change(event.is_finished):
        raise Refused(*reasons)
    shown = event.announced(by.at)
    before = next((one for one in shown if one.text == text), None)
    if before is None and len(shown) == MOST_AT_A_TIME:
        raise Refused(message("{most} announcements are already showing. Remove one first.", most=MOST_AT_A_TIME))
    after = Announcement(text, by.at + timedelta(minutes=minutes) if minutes else None)
    _save(event, [after if one is before else one for one in shown] if before else [*shown, after])
    what = message("Announced: “{text}”", text=text)
    record(event, by=by, did=Verb.ANNOUNCE, what=what, before=_facts(before), after=_facts(after))


@transaction.atomic
def take_down(event: Event, text: str, *, by: Actor) -> None:
    """Stop showing it; nothing happens where it is not shown any more."""
    event = locked(event)
    shown = event.announced(by.at)
    gone = next((one for one in shown if one.text == text), None)
    if gone:
        _save(event, [one for one in shown if one is not gone])
        what = message("Announcement removed: “{text}”", text=text)
        record(event, by=by, did=Verb.TAKE_DOWN, what=what, before=_facts(gone))


def _save(event: Event, shown: list[Announcement]) -> None:
    event.announcements = [one.row for one in shown]
    event.save(update_fields=["announcements"])


def _facts(one: Announcement | None) -> dict[str, object] | None:
    return dict(zip(("announcement", "shown_until"), one.row, strict=True)) if one else None
