"""A player calls a judge for anything but a fleet sheet (`sign_off.call_judge`); either side ends the call."""

from django.db import transaction

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
from tourney.models import Entrant, Event, JudgeCall
from tourney.queries.judge_calls import ABOUT, table_now, why_no_call
from tourney.queries.state import state_of
from tourney.runtime.messages import Message, Param, message


@transaction.atomic
def call(event: Event, number: int, about: str, *, by: Actor, words: str = "", key: str = "") -> None:
    """Call a judge to that player, in a round or between two, on the day; one call at a time. Raises Refused."""
    event = locked(event)
    entrant = _caller(event, number)
    if not claim_idempotency_key(entrant, key, by=by):
        return
    state = state_of(event)
    if reasons := why_no_call(state, by.at):
        raise Refused(*reasons)
    if JudgeCall.objects.filter(entrant=entrant).exists():
        raise Refused(message("You already called a judge."))
    row = JudgeCall.objects.create(entrant=entrant, about=about, words=words, at=by.at)
    table = table_now(state, number)
    facts: dict[str, Param] = {"player": str(entrant), "about": ABOUT[JudgeCall.About(about)]}
    what = message("{player} called a judge ({about}).", **facts)
    if table:
        what = message("Table {table}: {player} called a judge ({about}).", table=table, **facts)
    record(event, by=by, did=Verb.ASK_FOR_JUDGE, what=what, after=_facts(row), reason=words)


@transaction.atomic
def cancel(event: Event, number: int, *, by: Actor, key: str = "") -> None:
    """The player needs no judge any more; nothing happens where the call is over."""
    event = locked(event)
    entrant = _caller(event, number)
    row = JudgeCall.objects.filter(entrant=entrant).first()
    if row is None or not claim_idempotency_key(entrant, key, by=by):
        return
    _end(event, row, message("{player} no longer needs a judge.", player=str(entrant)), by)


@transaction.atomic
def answer(event: Event, pk: int, *, by: Actor) -> Entrant:
    """A judge is coming; nothing happens where one comes already. The player who called. Raises Stale."""
    event = locked(event)
    row = _open(event, pk)
    if not row.is_answered:
        row.is_answered = True
        row.save(update_fields=["is_answered"])
        what = message("A judge is coming to {player}.", player=str(row.entrant))
        record(event, by=by, did=Verb.ANSWER_CALL, what=what, after=_facts(row))
    return row.entrant


@transaction.atomic
def end(event: Event, pk: int, *, by: Actor) -> Entrant:
    """The judge is done. The player who called. Raises Stale."""
    event = locked(event)
    row = _open(event, pk)
    _end(event, row, message("{player}’s call for a judge is done.", player=str(row.entrant)), by)
    return row.entrant


def _caller(event: Event, number: int) -> Entrant:
    return still_there(event.entrants, message("Your entry has been removed."), number=number)


def _open(event: Event, pk: int) -> JudgeCall:
    row = JudgeCall.objects.filter(pk=pk, entrant__event=event).select_related("entrant__player").first()
    if row is None:
        raise Stale(NOTHING_CHANGED, message("This call is already over."))
    return row


def _end(event: Event, row: JudgeCall, what: Message, by: Actor) -> None:
    before = _facts(row)
    row.delete()
    record(event, by=by, did=Verb.END_CALL, what=what, before=before)


def _facts(row: JudgeCall) -> dict[str, object]:
    return {"entrant": row.entrant.number, "call": row.about}
