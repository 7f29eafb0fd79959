"""The short address of an event (/7F3), which follows from its key: what it is, and where it leads."""

from datetime import datetime

from tourney.domain import short_codes
from tourney.models import Event, Player, Round


def short_code_of(event: Event) -> str:
    """The code of its short address; empty for a rehearsal, where nobody comes who was not led there."""
    return "" if event.store.rehearsal_id else short_codes.code_of(event.pk)


def event_with_code(code: str) -> Event | None:
    """The event whose code that is."""
    number = short_codes.number_of(code)
    real = Event.objects.with_context().filter(campaign__store__rehearsal=None)
    return real.filter(pk=number).first() if number else None


def leads_to_join(event: Event, player: Player | None, now: datetime) -> bool:
    """Whether it leads to the page to join: until play starts, for who is not in yet."""
    if not event.takes_sign_ups(now) or event.is_finished:
        return False
    if player and event.entrants.filter(player=player, dropped_from=None).exists():
        return False
    return not event.rounds.exclude(state=Round.State.DRAFT).exists()
