"""Pair, change by hand, publish, run the clock, close."""

from collections.abc import Collection
from copy import copy
from datetime import timedelta

from django.db import transaction

from tourney.actions import tokens
from tourney.actions.fleets import relock
from tourney.actions.missing import refuse_without_fleets
from tourney.actions.record import (
    NOTHING_CHANGED,
    Actor,
    Refused,
    locked,
    locked_with_campaign,
    record,
    refuse_if_done_since,
)
from tourney.domain import progress, swiss
from tourney.domain.verbs import DRAWN, SCORED, TIMED, Verb
from tourney.models import Event, Match, PlayedSheet, Round, Seat
from tourney.queries.by_hand import engine_pairing
from tourney.queries.choices import WORDS, PairingChoice, new_seats, proposed
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.shared import last_round_under_lock, state_under_lock
from tourney.queries.state import EventState, state_of
from tourney.queries.tables import numbers_for
from tourney.runtime.messages import Message, Param, in_a_row, message, nmessage
from tourney.runtime.packed import insert_packed

TOO_FEW = message("Fewer than two players are checked in.")


@transaction.atomic
def pair_round(event: Event, *, seed: int, by: Actor, number: int | None = None) -> Round:
    """Draft the next round (rule 3). `number` is the round the person meant to pair; another one is refused.

    Raises Refused.
    """
    event = locked(event)
    state = state_under_lock(event)
    next_number = len(state.rounds) + 1
    if number is not None and number != next_number:
        raise Refused(NOTHING_CHANGED, _not_this_round(number, next_number))
    if reasons := progress.why_not_pair(state.facts):
        raise Refused(*reasons)
    pairing = state.pairing(next_number, seed=seed)
    row = _save(state, next_number, pairing)
    what = in_a_row([message("Round {round} drafted.", round=next_number), _seed(seed)])
    record(event, by=by, did=Verb.PAIR_ROUND, what=what, after=_drafted(next_number, pairing))
    return row


@transaction.atomic
def choose(event: Event, number: int, choice: PairingChoice, *, by: Actor) -> None:
    """Rule 3.7: draft the round again as the desk chose, with the same seed; the choice stands in the journal.

    Raises Refused.
    """
    event = locked(event)
    state = state_of(event)
    if reasons := progress.no_draft(state.facts, number):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *DRAWN)
    round = state.rounds[-1]
    if len(state.present(number)) < 2:
        raise Refused(NOTHING_CHANGED, TOO_FEW)
    pairing = proposed(state, round, choice)
    if new_seats(round, pairing) == []:
        raise Refused(NOTHING_CHANGED, message("The draft already seats everyone this way."))
    before = _discarded(round)
    round.row.delete()
    _save(state, number, pairing)
    what = message("Round {round} re-paired by choice: {choice} (rule 3.7).", round=number, choice=WORDS[choice])
    after = _drafted(number, pairing) | {"choice": choice.value}
    record(event, by=by, did=Verb.CHOOSE, what=what, before=before, after=after)


@transaction.atomic
def back_to_the_engine(event: Event, number: int, *, by: Actor) -> None:
    """Everybody who is here sits as the engine draws it, with the seed of the draft; what a hand changed is gone.

    Raises Refused.
    """
    event = locked(event)
    state = state_of(event)
    if reasons := progress.no_draft(state.facts, number):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *DRAWN)
    draft = state.rounds[-1]
    pairing = engine_pairing(state, draft)
    if pairing is None:
        raise Refused(NOTHING_CHANGED, TOO_FEW)
    before = _discarded(draft)
    draft.row.delete()
    _save(state, number, pairing)
    what = in_a_row([message("Round {round} reset to automatic pairings.", round=number), _seed(pairing.seed)])
    record(event, by=by, did=Verb.BACK_TO_THE_ENGINE, what=what, before=before, after=_drafted(number, pairing))


def _not_this_round(number: int, next_number: int) -> Message:
    if number < next_number:
        return message("Round {round} is already paired.", round=number)
    return message("Pair round {next} before round {round}.", next=next_number, round=number)


def _seed(seed: int) -> Message:
    """Rule 3.1, as `verbs.SEED_TOLD`."""
    return message("Seed: {seed}.", seed=seed)


def _save(state: EventState, number: int, pairing: swiss.Pairing) -> Round:
    row = Round.objects.create(
        event=state.event,
        number=number,
        seed=pairing.seed,
        relaxed_rules=[reason.as_data() for reason in pairing.relaxed],
    )
    entrants, plan = state.by_number, planned_matches(state, row, pairing)
    insert_packed([match for match, _ in plan])
    insert_packed(
        [
            Seat(match_id=match.pk, round_id=row.pk, entrant_id=entrants[number].pk, side=side)
            for match, numbers in plan
            for side, number in zip("ab", numbers, strict=False)
        ]
    )
    return row


def planned_matches(state: EventState, round: Round, pairing: swiss.Pairing) -> list[tuple[Match, tuple[int, ...]]]:
    """The matches of the pairing in that round, not saved, each with the numbers of who sits there, side a first."""
    tables = zip(numbers_for(state, round.number, pairing.pairs), pairing.tables, strict=True)
    plan: list[tuple[Match, tuple[int, ...]]] = [
        (Match(round=round, table=table, reason=seating.reason.as_data()), (seating.a, seating.b))
        for table, seating in tables
    ]
    if pairing.bye is not None and pairing.bye_reason is not None:
        plan.append((Match(round=round, table=None, reason=pairing.bye_reason.as_data()), (pairing.bye,)))
    return plan


def _drafted(number: int, pairing: swiss.Pairing) -> dict[str, object]:
    tables = [list(pair) for pair in pairing.pairs]
    return {"round": number, "seed": pairing.seed, "tables": tables, "bye": pairing.bye}


def _numbers(match: MatchState) -> list[int]:
    return list(match.numbers)


def _discarded(round: RoundState) -> dict[str, object]:
    return {"round": round.number, "seed": round.row.seed, "matches": [_numbers(match) for match in round.matches]}


@transaction.atomic
def discard_draft(event: Event, number: int, *, by: Actor, stop: bool = False) -> None:
    """Discard a draft; a published round stays. `stop`: rather than play it, the event is to end (rule 3.7).

    Raises Refused.
    """
    event = locked(event)
    state = state_of(event)
    if reasons := progress.no_draft(state.facts, number):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *DRAWN)
    if stop and number == 1:
        raise Refused(message("No round has been played, so there’s nothing to finish. Discard the draft instead."))
    round = state.rounds[-1]
    what = message("Draft of round {round} discarded.", round=number)
    if stop:
        facts: dict[str, Param] = {"round": number, "last": number - 1}
        what = message("Draft of round {round} discarded: the event ends after round {last} (rule 3.7).", **facts)
    before = _discarded(round)
    round.row.delete()
    record(event, by=by, did=Verb.DISCARD_DRAFT, what=what, before=before)


@transaction.atomic
def publish_round(event: Event, number: int, *, by: Actor, without: Collection[int] | None = None) -> None:
    """Show the draft to everybody. What had to be relaxed (rule 3.7) is written into the journal with it.

    `without` are the numbers of those whom the person saw listed without a recorded fleet (rule 7.1); None for who is
    not asked. Raises Refused.
    """
    event = locked(event)
    state = last_round_under_lock(event)
    if reasons := progress.why_not_publish(state.facts, number):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *DRAWN)
    refuse_without_fleets(state, without)
    row = copy(state.rounds[-1].row)
    row.state, row.published_at = Round.State.PUBLISHED, by.at
    row.save()
    relock(Seat.objects.filter(round=row))
    relaxed = relaxed_sentences(state, state.rounds[-1])
    after = {"round": number, "matches": [_numbers(match) for match in state.rounds[-1].matches]}
    what = in_a_row([message("Round {round} published.", round=number), *relaxed])
    record(event, by=by, did=Verb.PUBLISH_ROUND, what=what, after=after)


def relaxed_sentences(state: EventState, round: RoundState) -> list[Message]:
    """What the pairing of this round could not keep, in plain words (rule 3.7); what a swap undid is left out."""
    reasons = [swiss.sayable(data, state.names) for data in round.row.relaxed_rules]
    sitting = [set(match.numbers) for match in round.matches]
    return [swiss.sentence(reason, state.names) for reason in reasons if set(reason.ids) in sitting]


@transaction.atomic
def close_round(event: Event, number: int, *, by: Actor) -> None:
    """Rules 2.10 and 4: every result is in, the bye has its Fleet Points, every tie that matters is broken.

    Raises Refused.
    """
    event = locked_with_campaign(event) if number == 1 else locked(event)
    state = state_under_lock(event)
    if reasons := progress.why_not_close(state.facts, number):
        raise Refused(*reasons)
    refuse_if_done_since(event, by, *SCORED)
    round = state.rounds[-1]
    row = copy(round.row)
    row.state, row.closed_at = Round.State.CLOSED, by.at
    row.ends_at = row.paused_seconds_left = None
    row.save()
    _keep_sheets(row)
    scores = [[n, s.battle_points, s.fleet_points] for n, s in sorted(round.scores.items())]
    record(
        event,
        by=by,
        did=Verb.CLOSE_ROUND,
        what=message("Round {round} closed.", round=number),
        after={"round": number, "scores": scores},
    )
    if number == 1:
        tokens.notify_later_months(event)


def _keep_sheets(round: Round) -> None:
    """What is corrected later is corrected with the fleets that played, not with what they became.

    A fleet that cannot be read closes no round and opens none: it is as if it stood on paper.
    """
    brought = Seat.objects.filter(round=round, entrant__fleet__isnull=False).select_related("entrant__fleet")
    seats = [seat for seat in brought if seat.entrant.fleet.readable_sheet is not None]
    sheets = PlayedSheet.objects.keep(round.event_id, (seat.entrant.fleet.data for seat in seats))
    for seat, sheet in zip(seats, sheets, strict=True):
        seat.sheet = sheet
    Seat.objects.bulk_update(seats, ["sheet"])


# the clock (rule 1.1)


@transaction.atomic
def start_clock(event: Event, number: int, *, by: Actor) -> None:
    """Start the round's clock, or let a paused one run on. Raises Refused."""
    event, row, before = _clock_in_play(event, number)
    if row.ends_at:
        raise Refused(message("The round {round} clock is already running.", round=number))
    seconds = event.minutes * 60 if row.paused_seconds_left is None else row.paused_seconds_left
    row.ends_at, row.paused_seconds_left = by.at + timedelta(seconds=seconds), None
    _save_clock(event, row, before, Verb.START_CLOCK, message("Round {round} clock started.", round=number), by)


@transaction.atomic
def pause_clock(event: Event, number: int, *, by: Actor) -> None:
    """Stop the clock of the round in play, and keep its seconds left. Raises Refused if it is not running."""
    event, row, before = _clock_in_play(event, number)
    if row.ends_at is None:
        raise Refused(message("The round {round} clock isn’t running.", round=number))
    row.paused_seconds_left, row.ends_at = max(0, round((row.ends_at - by.at).total_seconds())), None
    _save_clock(event, row, before, Verb.PAUSE_CLOCK, message("Round {round} clock paused.", round=number), by)


@transaction.atomic
def extend_clock(event: Event, number: int, minutes: int, *, by: Actor, reason: str = "") -> None:
    """Give the round more minutes (negative: fewer). A clock whose time is up runs again from now. Raises Refused."""
    if not minutes:
        raise Refused(message("0 minutes changes nothing. Enter how many minutes to add or take off."))
    event, row, before = _clock_in_play(event, number)
    refuse_if_done_since(event, by, *TIMED)
    more = timedelta(minutes=minutes)
    if row.ends_at:
        row.ends_at = max(row.ends_at, by.at) + more if minutes > 0 else row.ends_at + more
    else:
        left = event.minutes * 60 if row.paused_seconds_left is None else row.paused_seconds_left
        row.paused_seconds_left = max(0, left + round(more.total_seconds()))
    what = nmessage(
        "Round {round} clock: {count} minute added.",
        "Round {round} clock: {count} minutes added.",
        minutes,
        round=number,
    )
    if minutes < 0:
        what = nmessage(
            "Round {round} clock: {count} minute taken off.",
            "Round {round} clock: {count} minutes taken off.",
            -minutes,
            round=number,
        )
    _save_clock(event, row, before, Verb.EXTEND_CLOCK, what, by, reason)


def _clock_in_play(event: Event, number: int) -> tuple[Event, Round, dict[str, object]]:
    """The event, locked, its round in play, and the facts of the clock before anything is changed."""
    event = locked(event)
    row = event.rounds.filter(number=number, state=Round.State.PUBLISHED).first()
    if row is None:
        raise Refused(message("Round {round} isn’t in play, so its clock can’t be changed.", round=number))
    return event, row, _clock(row)


def _save_clock(
    event: Event, row: Round, before: dict[str, object], did: Verb, what: Message, by: Actor, reason: str = ""
) -> None:
    row.save()
    record(event, by=by, did=did, what=what, before=before, after=_clock(row), reason=reason)


def _clock(row: Round) -> dict[str, object]:
    ends_at = row.ends_at.isoformat() if row.ends_at else None
    return {"round": row.number, "ends_at": ends_at, "paused_left": row.paused_seconds_left}
