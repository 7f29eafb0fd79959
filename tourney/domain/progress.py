"""What may happen next at an event, and if not, why not: one place for the desk, the actions and the tests."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.runtime.messages import Message, message, said


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round: `missing` and `level` are table numbers, `ties` the names of those who still roll off together.

    `rivals` are the names of the champions whose factions are tied for the victory (rule 5.3), `waiting`
    those of who is here and has no place in a draft, `undeclared` those who have to say for which faction they play
    before it is published (rule 1.4).
    """

    number: int
    state: str
    tables: int
    missing: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    ties: tuple[tuple[str, ...], ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    waiting: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """An event as far as its progress depends on it. `present` counts who would be paired now."""

    rounds_planned: int
    present: int
    rounds: tuple[RoundFacts, ...] = ()
    finished: bool = False
    canceled: bool = False

    @property
    def last(self) -> RoundFacts | None:
        """The last round, None before the first."""
        return self.rounds[-1] if self.rounds else None


@dataclass(frozen=True, slots=True)
class NextStep:
    """The one next step: `kind` is check_in, pair, publish, results, roll_off, close, finish, finished or canceled."""

    kind: str
    round: int
    reasons: tuple[Message, ...] = ()


def next_step(facts: Facts) -> NextStep:
    """The step the desk offers first, with what is still missing for it."""
    last = facts.last
    if facts.canceled:
        return NextStep("canceled", 0)
    if facts.finished:
        return NextStep("finished", last.number if last else 0)
    if last is None:
        reasons = why_not_pair(facts)
        return NextStep("check_in" if reasons else "pair", 1, reasons)
    if last.state == "draft":
        return NextStep("publish", last.number, why_not_publish(facts, last.number))
    if last.missing:
        return NextStep("results", last.number, unfinished(facts))
    if open_ones := unfinished(facts):
        return NextStep("roll_off", last.number, open_ones)
    if last.state == "published":
        return NextStep("close", last.number)
    if last.number < facts.rounds_planned:
        return NextStep("pair", last.number + 1, why_not_pair(facts))
    return NextStep("finish", last.number, why_not_finish(facts))


FINISHED = message("The event is finished.")
CANCELED = message("This event is canceled.")


def why_not_call_off(facts: Facts) -> tuple[Message, ...]:
    """What keeps an event from being postponed, canceled, deleted or played by another pack: it has begun."""
    last = facts.last
    if facts.finished:
        return (message("The event is finished. Its results stay."),)
    if last is None:
        return ()
    if last.number == 1 and last.state == "draft":
        return (message("Round 1 is drafted. Discard the draft first."),)
    return (message("Round 1 has begun, so the event stays as it is."),)


def why_not_hold(is_canceled: bool) -> tuple[Message, ...]:
    """What keeps an event from being held after all: it takes place; empty where it is canceled."""
    return () if is_canceled else (message("The event isn’t canceled."),)


def why_not_change(is_finished: bool, is_canceled: bool = False) -> tuple[Message, ...]:
    """What keeps the desk from changing anything of an event whose ranks are final, or that is canceled; empty while
    it goes on."""
    if is_canceled:
        return (message("The event is canceled. Hold it after all first."),)
    return (message("The event is finished. Reopen it first."),) if is_finished else ()


def why_not_take_part(is_finished: bool, is_canceled: bool = False) -> tuple[Message, ...]:
    """What keeps a player from registering, signing or marking, who cannot reopen it; empty while it goes on."""
    if is_canceled:
        return (CANCELED,)
    return (FINISHED,) if is_finished else ()


def why_not_correct(is_finished: bool, reason: str) -> tuple[Message, ...]:
    """What keeps a result of an event whose ranks are final from being corrected; empty where a reason is given."""
    if not is_finished or reason:
        return ()
    return (message("The event is finished. Give a reason to change one of its results."),)


def why_not_reopen(is_finished: bool) -> tuple[Message, ...]:
    """What keeps an event from being opened again: it goes on; empty where its ranks are final."""
    return () if is_finished else (message("The event isn’t finished, so there is nothing to reopen."),)


def why_not_pair(facts: Facts) -> tuple[Message, ...]:
    """Rules 1.1 and 3: what keeps the next round from being paired; empty if nothing does."""
    if reasons := why_not_change(facts.finished, facts.canceled):
        return reasons
    last = facts.last
    if last is not None:
        if last.state == "draft":
            return (message("Round {round} is already drafted. Publish it or discard the draft.", round=last.number),)
        if last.state == "published":
            return (message("Round {round} is still being played. Close it first.", round=last.number),)
        if last.number >= facts.rounds_planned:
            return (message("Round {round} was the last planned round.", round=facts.rounds_planned),)
        reasons = unfinished(facts)
    if facts.present < 2:
        reasons = (*reasons, _too_few(facts.present))
        if last is not None:
            ask = message(
                "If no one comes back, finish the event after round {round} in its settings.", round=last.number
            )
            reasons = (*reasons, ask)
    return reasons


def why_not_publish(facts: Facts, number: int) -> tuple[Message, ...]:
    """Rules 1.4, 3.3 a and 3.7: a round is published once, from its draft; nobody is left out of it, somebody plays,
    and everybody was asked for a faction."""
    last, reasons = facts.last, no_draft(facts, number)
    if last is None or reasons:
        return reasons
    if last.waiting:
        return (_left_out(last.waiting, number),)
    if not last.tables:
        return (message("No one plays in round {round}. Pair two players, or discard the draft.", round=number),)
    if last.undeclared:
        return (why_undeclared(last.undeclared),)
    return ()


def why_undeclared(names: Sequence[str]) -> Message:
    """Rule 1.4: who has to say for which faction they play, and what to do."""
    if len(names) == 1:
        return message(
            "{name} has no faction yet (rule 1.4). Choose one, or press “No faction”.",
            name=names[0],
        )
    return message(
        "{names} have no faction yet (rule 1.4). Choose one for each, or press “No faction”.",
        names=tuple(names),
    )


def no_draft(facts: Facts, number: int) -> tuple[Message, ...]:
    """Why the draft of that round cannot be changed: it is gone, or published."""
    last = facts.last
    if last is None or last.number != number:
        return (message("There is no draft of round {round} any more.", round=number),)
    if last.state != "draft":
        return (message("Round {round} is already published.", round=number),)
    return ()


def why_not_close(facts: Facts, number: int) -> tuple[Message, ...]:
    """Rules 2.10 and 4: a round closes when every result is in and every tie that matters is rolled off."""
    last = facts.last
    if last is None or last.number != number or last.state == "draft":
        return (message("Round {round} isn’t being played.", round=number),)
    if last.state == "closed":
        return (message("Round {round} is already closed.", round=number),)
    return unfinished(facts)


def why_not_finish(facts: Facts) -> tuple[Message, ...]:
    """Rules 4.4 and 5: final ranks need a closed last round and no open tie."""
    last = facts.last
    if facts.finished:
        return (message("The event is already finished."),)
    if last is None:
        return (message("No round has been played yet."),)
    if last.state == "draft":
        return (message("Round {round} is only drafted. Play it or discard the draft.", round=last.number),)
    if last.state != "closed":
        return (message("Round {round} isn’t closed yet.", round=last.number),)
    return unfinished(facts)


def unfinished(facts: Facts) -> tuple[Message, ...]:
    """What the last round still waits for: results, roll-offs at tables, roll-offs in the standings.

    A table of an earlier round is tied again when a correction made it so.
    """
    *earlier, last = facts.rounds
    return (
        *(
            message(
                "Table {table} of round {round} is tied after a correction. Roll off at the table.",
                table=table,
                round=round.number,
            )
            for round in earlier
            for table in round.tied
        ),
        *(message("Table {table} has no result yet.", table=table) for table in last.missing),
        *(message("Table {table} is tied. Roll off at the table.", table=table) for table in last.tied),
        *(message("{names} are tied. Roll off (rule 4.1).", names=names) for names in last.ties),
        *(
            message("The victorious faction is tied: {names} roll off (rule 5.3).", names=names)
            for names in last.rivals
        ),
    )


def names_of(names: Sequence[str]) -> str:
    """ "A and B", "A, B and C", as the reader lists them; in a message, the names themselves are the parameter."""
    return said(tuple(names))


def _too_few(present: int) -> Message:
    if present == 1:
        return message("Only one player is checked in. A round needs at least two.")
    return message("No one is checked in. A round needs at least two players.")


def _left_out(names: Sequence[str], number: int) -> Message:
    if len(names) == 1:
        return message(
            "{name} has no place in round {round}. Find one, re-pair the round, undo the check-in, or drop the player.",
            name=names[0],
            round=number,
        )
    return message(
        "{names} have no place in round {round}. Seat them, re-pair the round, undo their check-in, or drop those "
        "who left.",
        names=tuple(names),
        round=number,
    )
