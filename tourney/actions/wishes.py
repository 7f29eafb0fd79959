"""What a player asks the desk for on the phone: to concede, or to leave after this round.

The desk grants them by what it does anyway: it enters the concession, or drops the player.
"""

from collections.abc import Mapping

from django.db import transaction

from scoring.domain.points import MatchScore
from tourney.actions import results
from tourney.actions.record import (
    NOTHING_CHANGED,
    Actor,
    Refused,
    Stale,
    claim_idempotency_key,
    locked,
    record,
    still_there,
)
from tourney.domain.verbs import Verb
from tourney.models import Event, Seat, Wish
from tourney.queries.cases import concession_of
from tourney.queries.matches import TableState
from tourney.queries.results import ResultInput
from tourney.queries.slices import EventSlice
from tourney.queries.state import EventState, state_of
from tourney.queries.wishes import PlayerRequest, why_not_ask, wishes_of
from tourney.runtime.messages import Message, Param, message

ASKED = {
    Wish.Kind.CONCEDE: message("Round {round}: {player} asked to concede."),
    Wish.Kind.DROP: message("Round {round}: {player} asked to drop after this round."),
}
WITHDRAWN = {
    Wish.Kind.CONCEDE: message("Round {round}: {player} withdrew the request to concede."),
    Wish.Kind.DROP: message("Round {round}: {player} withdrew the request to drop after this round."),
}
DECLINED = {
    Wish.Kind.CONCEDE: message("Round {round}: {player}’s request to concede declined."),
    Wish.Kind.DROP: message("Round {round}: {player}’s request to drop after this round declined."),
}
PASSED_ON = {
    Wish.Kind.DROP: message("Round {round}: {player}’s request to drop after this round passed on to an organizer."),
}


@transaction.atomic
def ask(event: Event, number: int, kind: str, *, by: Actor, key: str = "") -> None:
    """Store that the player asks for it now, once more if it was declined before. Raises Refused."""
    event = locked(event)
    state = state_of(event)
    entrant = still_there(event.entrants, message("Your entry has been removed."), number=number)
    if not claim_idempotency_key(entrant, key, by=by):
        return
    if why := why_not_ask(state, number, kind):
        raise Refused(why)
    round = state.public_rounds[-1]
    seat = Seat.objects.get(round=round.row, entrant=entrant)
    old = Wish.objects.filter(seat=seat, kind=kind).first()
    if old and not old.answer:
        return
    if old:
        old.delete()
    Wish.objects.create(seat=seat, kind=kind, at=by.at)
    what = Message(ASKED[Wish.Kind(kind)].id, {"round": round.number, "player": str(entrant)})
    record(event, by=by, did=Verb.ASK, what=what, after={"round": round.number, "entrant": number, "wish": kind})


@transaction.atomic
def withdraw(event: Event, number: int, kind: str, *, by: Actor, key: str = "") -> None:
    """Take the player's wish back; nothing happens where it was answered meanwhile."""
    event = locked(event)
    state = state_of(event)
    asked = [
        one for one in wishes_of(state) if one.by.number == number and one.row.kind == kind and one.kind == "asked"
    ]
    if not asked or not claim_idempotency_key(state.by_number[number], key, by=by):
        return
    asked[0].row.delete()
    what = _said(WITHDRAWN, asked[0])
    record(event, by=by, did=Verb.TAKE_BACK_WISH, what=what, before=_facts(asked[0]))


@transaction.atomic
def decline(event: Event, wish: int, *, by: Actor, words: str = "") -> None:
    """The desk says no, and maybe why. Raises Refused."""
    event = locked(event)
    found = next((one for one in _open(state_of(event)) if one.row.pk == wish), None)
    if found is None:
        raise Refused(NOTHING_CHANGED, message("This request was already answered or withdrawn."))
    found.row.answer, found.row.words = Wish.Answer.DECLINED, words
    found.row.save()
    what = _said(DECLINED, found)
    record(event, by=by, did=Verb.DECLINE, what=what, after=_facts(found), reason=words)


@transaction.atomic
def pass_on(event: Event, wish: int, *, by: Actor) -> None:
    """A judge, who may not let a player go, gives the wish to an organizer; once. Raises Stale."""
    event = locked(event)
    found = next((one for one in _open(state_of(event)) if one.row.pk == wish and one.row.kind == Wish.Kind.DROP), None)
    if found is None:
        raise Stale(NOTHING_CHANGED, message("This request was already answered or withdrawn."))
    if found.row.passed_on:
        return
    found.row.passed_on = True
    found.row.save(update_fields=["passed_on"])
    record(event, by=by, did=Verb.PASS_ON, what=_said(PASSED_ON, found), after=_facts(found))


@transaction.atomic
def approve_concession(
    event: Event, wish: int, *, by: Actor, signing: results.Signing = results.NOT_ASKED
) -> tuple[EventSlice, TableState, MatchScore]:
    """Rule 2.9: who asked concedes, and the opponent gets what `cases_of` shows; with the table as it was before.

    Raises Stale, Refused, SheetsMissing.
    """
    event = locked(event)
    state = state_of(event)
    found = next((one for one in _open(state) if one.row.pk == wish and one.row.kind == Wish.Kind.CONCEDE), None)
    if found is None or not isinstance(found.match, TableState):
        raise Stale(NOTHING_CHANGED, message("This request was already answered or withdrawn."))
    option = concession_of(state, found.match, found.side)
    if option.why_not:
        raise Refused(*option.why_not)
    part, match = results.at_table(event, found.match.round.number, found.match.table)
    score = results.save_result(part, match, ResultInput(option.played), version=0, by=by, signing=signing)
    return part, match, score


def _open(state: EventState) -> list[PlayerRequest]:
    return [one for one in wishes_of(state) if one.kind == "asked"]


def _said(sentences: Mapping[Wish.Kind, Message], asked: PlayerRequest) -> Message:
    facts: dict[str, Param] = {"round": asked.match.round.number, "player": str(asked.by)}
    return Message(sentences[Wish.Kind(asked.row.kind)].id, facts)


def _facts(asked: PlayerRequest) -> dict[str, object]:
    return {"round": asked.match.round.number, "entrant": asked.by.number, "wish": asked.row.kind}
