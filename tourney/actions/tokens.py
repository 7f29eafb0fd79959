"""The Commendation Award Token: granted, passed on, spent, lost; each step is a line of the ledger (rule 6)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from scoring.domain.commendation import LedgerKind, LedgerLine, why_not_line
from tourney.actions.record import (
    NOTHING_CHANGED,
    Actor,
    Refused,
    Stale,
    bump_version_and_notify,
    claim_idempotency_key,
    locked,
    record,
    refuse_if_finished,
    still_there,
)
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, TokenLine
from tourney.queries.state import EventState, state_of
from tourney.queries.tokens import (
    LastMonth,
    Offer,
    TokenState,
    battles_of,
    checked_in_at_start,
    checked_in_when_given,
    last_month,
    months_after,
    offer_of,
    token_of,
)
from tourney.runtime.messages import Message, Param, in_a_row, in_english, message

DID = {
    LedgerKind.GRANTED: Verb.GRANT_TOKEN,
    LedgerKind.PASSED_ON: Verb.PASS_ON_TOKEN,
    LedgerKind.DECLINED: Verb.DECLINE_TOKEN,
    LedgerKind.WITHDRAWN: Verb.TAKE_BACK_TOKEN,
    LedgerKind.SPENT: Verb.SPEND_TOKEN,
    LedgerKind.UNSPENT: Verb.UNSPEND_TOKEN,
    LedgerKind.LOST: Verb.LOSE_TOKEN,
    LedgerKind.RETURNED: Verb.RETURN_TOKEN,
    LedgerKind.CORRECTED: Verb.CORRECT_TOKEN,
}


@dataclass(frozen=True, slots=True)
class Ledger:
    """An event, locked, with its token: where the next line is written."""

    event: Event
    state: EventState
    token: TokenState

    def refuse(self, line: LedgerLine) -> None:
        """Raise Refused where the ledger cannot go on with this line."""
        if why := why_not_line(self.token.now, line):
            raise Refused(why)

    def write(
        self,
        kind: LedgerKind,
        entrant: Entrant | None,
        what: Message,
        *,
        by: Actor,
        reason: str | Message = "",
        round: int | None = None,
        here: Sequence[Entrant] = (),
    ) -> None:
        """One line of the ledger and one of the journal. Raises Refused where it does not fit."""
        number = entrant.number if entrant else None
        self.refuse(LedgerLine(kind, number, round))
        TokenLine.objects.create(
            event=self.event,
            number=len(self.token.lines) + 1,
            kind=kind.value,
            entrant=entrant,
            round=round,
            here=sorted(one.number for one in here),
            reason=in_english(reason),
            said=reason.as_data() if isinstance(reason, Message) else None,
            by_name=by.name,
            at=by.at,
        )
        after = {"entrant": number, **({"round": round} if round else {})}
        record(self.event, by=by, did=DID[kind], what=what, after=after, reason=in_english(reason))


# the desk


@transaction.atomic
def grant(event: Event, number: int, *, by: Actor) -> None:
    """Rules 6.1, 6.2: that entrant has the token from now on; from who had it, it is passed on.

    Only to whom the rules offer it now, or to who declined it before; to others it is Stale.
    """
    ledger = _open_ledger(event)
    last = last_month(ledger.event)
    offer = offer_of(ledger.state, ledger.token, last)
    entrant, why = _taker(ledger, offer, number)
    here = checked_in_at_start(ledger.state)
    if ledger.token.is_given:
        what = message(
            "{holder}’s commendation token passed on to {player}.",
            holder=str(ledger.token.holder),
            player=str(entrant),
        )
        kind = LedgerKind.PASSED_ON
    else:
        what, kind = message("{player} got the commendation token.", player=str(entrant)), LedgerKind.GRANTED
    ledger.write(kind, entrant, in_a_row([what, why]), by=by, reason=why, here=here)


def _taker(ledger: Ledger, offer: Offer, number: int) -> tuple[Entrant, str | Message]:
    entrant = ledger.state.by_number.get(number)
    if entrant and offer.kind in ("grant", "pass_on") and entrant == offer.entrant:
        return entrant, offer.why
    if ledger.token.state == "free" and number in ledger.token.now.declined and entrant:
        return entrant, message("{player} declined it at first, but takes it after all.", player=str(entrant))
    ledger.refuse(LedgerLine(LedgerKind.PASSED_ON if ledger.token.is_given else LedgerKind.GRANTED, number))
    raise Stale(
        NOTHING_CHANGED, message("Someone else has updated the token."), offer.why or message("Check the token again.")
    )


@transaction.atomic
def decline(event: Event, number: int, *, reason: str, by: Actor) -> None:
    """Who has the token, or is offered it, does not want it; it goes to the next highest, when the desk grants it.

    Raises Stale.
    """
    ledger = _open_ledger(event)
    _with_reason(reason)
    offer = offer_of(ledger.state, ledger.token, last_month(ledger.event))
    entrant = ledger.token.holder or offer.entrant
    if entrant is None or entrant.number != number:
        raise Stale(NOTHING_CHANGED, message("It’s another player’s turn now. Check the token again."))
    what = message("{player} declined the commendation token.", player=str(entrant))
    ledger.write(LedgerKind.DECLINED, entrant, what, by=by, reason=reason)


@transaction.atomic
def withdraw(event: Event, *, reason: str, by: Actor) -> None:
    """Nobody has the token any more; only while it is not spent."""
    ledger = _open_ledger(event)
    _with_reason(reason)
    who = ledger.token.holder
    ledger.refuse(LedgerLine(LedgerKind.WITHDRAWN, who.number if who else None))
    ledger.write(LedgerKind.WITHDRAWN, who, _withdrawn(who), by=by, reason=reason)


def _withdrawn(who: Entrant | None) -> Message:
    return message("Commendation token taken back from {player}.", player=str(who))


@transaction.atomic
def unspend(event: Event, *, reason: str, by: Actor) -> None:
    """It was not spent: the holder has the token again. The line that said so stays."""
    ledger = _open_ledger(event)
    _with_reason(reason)
    who, round = ledger.token.holder, ledger.token.round
    ledger.refuse(LedgerLine(LedgerKind.UNSPENT, who.number if who else None, round or 0))
    facts: dict[str, Param] = {"round": round or 0, "player": str(who)}
    what = message("Not spent in round {round}: {player} has the commendation token again.", **facts)
    ledger.write(LedgerKind.UNSPENT, who, what, by=by, reason=reason, round=round)


# the player, or the desk for the player


@transaction.atomic
def spend(event: Event, number: int, *, by: Actor, entrant: int | None = None, key: str = "") -> None:
    """Rule 6.3: the holder spends the token in that round, where they sat down for a battle.

    `entrant` is whose phone says so, with its `key`; the desk names nobody. Raises Refused.
    """
    event = locked(event)
    if entrant is not None and not claim_idempotency_key(
        still_there(event.entrants, message("Your entry has been removed."), number=entrant), key, by=by
    ):
        return
    ledger = _open_ledger(event)
    who = ledger.token.holder
    ledger.refuse(LedgerLine(LedgerKind.SPENT, entrant or (who.number if who else None), number))
    if who is None or number not in [match.round.number for match in battles_of(ledger.state, who.number)]:
        facts: dict[str, Param] = {"player": str(who), "round": number}
        raise Refused(
            message("{player} isn’t at a table in round {round}, so the token can’t be spent there.", **facts)
        )
    what = message("{player} spent the commendation token in round {round}.", player=str(who), round=number)
    ledger.write(LedgerKind.SPENT, who, what, by=by, round=number)


# with the event


def lose(event: Event, state: EventState, *, by: Actor) -> None:
    """Rule 6.3: the event is finished, and a token that nobody spent is lost. Under the event's lock."""
    ledger = _ledger(event, state)
    if ledger and ledger.token.state == "held":
        who = ledger.token.holder
        what = message("{player} didn’t spend the commendation token, so it’s lost.", player=str(who))
        ledger.write(LedgerKind.LOST, who, what, by=by)


def give_again(event: Event, *, by: Actor) -> None:
    """The event is opened again, and so is the token that was lost with its end. Under the event's lock."""
    ledger = _ledger(event, state_of(event))
    if ledger and ledger.token.state == "lost":
        who = ledger.token.holder
        what = message("The event was reopened: {player} has the commendation token again.", player=str(who))
        ledger.write(LedgerKind.RETURNED, who, what, by=by)


def refuse_unless_spent_at_a_table(event: Event) -> None:
    """A step is taken back: not the battle in which the token was spent (rule 6.3). Under the event's lock.

    Raises Refused.
    """
    state = state_of(event)
    token = token_of(state)
    if token is None or token.holder is None or token.state != "spent":
        return
    if token.round not in [match.round.number for match in battles_of(state, token.holder.number)]:
        raise Refused(
            NOTHING_CHANGED,
            message(
                "{player} spent the commendation token in round {round}, so that round stays. "
                "If it wasn’t spent, correct that in the ledger first.",
                player=str(token.holder),
                round=token.round or 0,
            ),
        )


# what follows from last month


def notify_later_months(event: Event) -> None:
    """The ranks of this event are open, or it is played from now on: pages of the months after it notice."""
    for later in months_after(event):
        bump_version_and_notify(later)


def correct_months_after(event: Event, *, by: Actor) -> None:
    """Rule 6.4: the ranks of this event are final, maybe once more: the ledgers of the months after it show it."""
    last = None
    for later in months_after(event):
        last = last or last_month(later)
        if last:
            _look_again(later, last, by=by, because=message("The ranks of {event} were corrected.", event=last.name))
        bump_version_and_notify(later)


def correct_after_merge(players: Iterable[int], *, by: Actor, because: Message) -> None:
    """Rule 6.4: who played which month is known better now: the ledgers of these players' campaigns show it."""
    found = Event.objects.filter(campaign__events__entrants__player__in=players, token_lines__isnull=False)
    for event in Event.objects.with_context().filter(pk__in=set(found.values_list("pk", flat=True))).order_by("pk"):
        if last := last_month(event):
            _look_again(event, last, by=by, because=because)


def _look_again(event: Event, last: LastMonth, *, by: Actor, because: Message) -> None:
    """One line, if by now another one of those who were there should have had the token."""
    ledger = _ledger(locked(event), state_of(event))
    if not ledger or not ledger.token.is_given or not last.is_final:
        return
    due = last.foremost(checked_in_when_given(ledger.state, ledger.token), ledger.token.now.declined)
    should = due[0] if due else None
    if len(due) > 1 or (should.number if should else None) == ledger.token.now.due:
        return
    what = in_a_row([because, *_should_have(ledger, should)])
    ledger.write(LedgerKind.CORRECTED, should, what, by=by, reason=what)


def _should_have(ledger: Ledger, should: Entrant | None) -> list[Message]:
    who, token = str(ledger.token.holder), ledger.token
    if should == token.holder:
        return [message("{player} should have had the commendation token after all.", player=who)]
    now = {
        "spent": message(
            "{player} spent it in round {round}, and it stays spent (rule 6.4).", player=who, round=token.round or 0
        ),
        "lost": message("{player}, who had it, didn’t spend it.", player=who),
        "held": message("{player} has it.", player=who),
    }
    said = [_due(should), now[token.state]]
    if should and token.state == "held" and not ledger.state.public_rounds:
        said.append(message("It can be passed on to {player}.", player=str(should)))
    return said


def _due(should: Entrant | None) -> Message:
    if should is None:
        return message("No one who was checked in should have had the commendation token.")
    return message("{player} should have had the commendation token.", player=str(should))


def leave(entrant: Entrant, *, by: Actor) -> None:
    """Somebody who will not play gives the token back, if they have it. Under the event's lock."""
    ledger = _ledger(entrant.event, state_of(entrant.event))
    if ledger and ledger.token.state == "held" and ledger.token.of(entrant):
        why = message("The player won’t play.")
        ledger.write(LedgerKind.WITHDRAWN, entrant, _withdrawn(entrant), by=by, reason=why)


def _open_ledger(event: Event) -> Ledger:
    event = locked(event)
    ledger = _ledger(event, state_of(event))
    if ledger is None:
        raise Refused(message("There’s no commendation token this month."))
    refuse_if_finished(event)
    return ledger


def _ledger(event: Event, state: EventState) -> Ledger | None:
    """None where the month is played without."""
    token = token_of(state)
    return Ledger(event, state, token) if token else None


def _with_reason(reason: str) -> None:
    if not reason:
        raise Refused(message("Give a reason. It’s kept in the ledger."))
