"""What a player does about an event without the desk: come again, change the faction, withdraw before round 1."""

from django.db import transaction

from tourney.actions import entrants, fleets, joining
from tourney.actions.places import moving_up
from tourney.actions.record import Actor, Refused, locked, record
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, Fleet, Player
from tourney.queries.months import is_ahead
from tourney.queries.regulars import why_no_change
from tourney.runtime.messages import message


@transaction.atomic
def come(
    event: Event, player: Player, faction: str, fleet: Fleet | None, *, by: Actor, sender: joining.Sender
) -> Entrant:
    """Register the player, whose card the phone holds, with that faction, and enter the fleet; once, however often.

    A fleet that can't be entered keeps nobody out. Raises Refused.
    """
    event = locked(event)
    there = event.entrants.select_related("player").filter(player=player).first()
    if there:
        return there
    joined = joining.join(event, (player.name, faction), by=by, sender=sender, is_known=True)
    entrant = joined.entrant
    if entrant is None:  # under a name of before a merge
        return event.entrants.select_related("player").get(player=player.person)
    if fleet:
        try:
            fleets.assign_to_event(event, entrant.number, fleet, by=by)
        except Refused:  # deleted meanwhile, or no room for a copy: the card says that none is entered
            return entrant
    return entrant


@transaction.atomic
def change_faction(event: Event, number: int, faction: str, *, by: Actor) -> None:
    """Rule 1.4: the player declares another faction before round 1 is paired. Raises Refused."""
    event = locked(event)
    _refuse_once_paired(event)
    entrants.change_faction(event, number, faction, by=by)


@transaction.atomic
def withdraw(event: Event, number: int, *, by: Actor) -> None:
    """The player doesn't come after all; only before round 1 is paired. Nothing happens the second time.

    Raises Refused.
    """
    event = locked(event)
    entrant = event.entrants.select_related("player").filter(number=number).first()
    if entrant is None:
        return
    _refuse_once_paired(event)
    if entrant.token_lines.exists():
        raise Refused(message("You’re in the ledger of the commendation token. Ask at the counter."))
    if entrants.may_be_seated_again(entrant):
        raise Refused(message("You were paired in a round that can be restored. Ask at the counter."))
    before = {
        "entrants": [[number, entrant.player.name, entrant.faction]],
        "players": {str(number): entrant.player_id},
    }
    what = message("{player} withdrew from the event.", player=str(entrant))
    with moving_up(event, by=by):
        entrant.delete()
        record(event, by=by, did=Verb.WITHDRAW, what=what, before=before)


@transaction.atomic
def check_in(event: Event, number: int, *, by: Actor) -> None:
    """The player is here, as they say on their phone: on the day, before round 1, where the desk allows it.

    Raises Refused.
    """
    event = locked(event)
    _refuse_once_paired(event)
    if not event.checks_in_by_phone or is_ahead(event, by.at):
        raise Refused(message("Check in at the counter."))
    entrants.check_in(event, [number], by=by)


def _refuse_once_paired(event: Event) -> None:
    if reasons := why_no_change(event):
        raise Refused(*reasons)
