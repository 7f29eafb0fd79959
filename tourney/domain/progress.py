"""What may happen next at an event, and if not, why not: one place for the desk, the actions and the tests."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """One round: `missing` and `level` are table numbers, `ties` are the names of players still to be rolled off.

    `rivals` are the names of the champions whose factions are tied for the victory (rule 5.3), `waiting`
    those of who is here and has no place in a draft, `undeclared` those who have to say for which faction they play
    before it is published (rule 1.4).
    """

    number: int
    state: str
    tables: int
    missing: tuple[int, ...] = ()
    level: tuple[int, ...] = ()
    ties: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """An event as far as its progress depends on it. `present` counts who would be paired now."""

    rounds_planned: int
    present: int
    rounds: tuple[RoundFacts, ...] = ()
    finished: bool = False

    @property
    def last(self) -> RoundFacts | None:
        """The last round, None before the first."""
        return self.rounds[-1] if self.rounds else None


@dataclass(frozen=True, slots=True)
class NextStep:
    """The one next step: `kind` is check_in, pair, publish, results, roll_off, close, finish or finished."""

    kind: str
    round: int
    reasons: tuple[str, ...] = ()


def next_step(facts: Facts) -> NextStep:
    """The step the desk offers first, with what is still missing for it."""
    last = facts.last
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


FINISHED = "The event is finished."


def why_not_change(is_finished: bool) -> tuple[str, ...]:
    """What keeps the desk from changing anything of an event whose ranks are final; empty while it goes on."""
    return (f"{FINISHED} Re-open it first.",) if is_finished else ()


def why_not_take_part(is_finished: bool) -> tuple[str, ...]:
    """What keeps a player from registering, signing or marking, who cannot re-open it; empty while it goes on."""
    return (FINISHED,) if is_finished else ()


def why_not_correct(is_finished: bool, reason: str) -> tuple[str, ...]:
    """What keeps a result of an event whose ranks are final from being corrected; empty where a reason is given."""
    return (f"{FINISHED.removesuffix('.')}: say why its result is corrected.",) if is_finished and not reason else ()


def why_not_reopen(is_finished: bool) -> tuple[str, ...]:
    """What keeps an event from being opened again: it goes on; empty where its ranks are final."""
    return () if is_finished else ("The event is not finished, so there is nothing to re-open.",)


def why_not_pair(facts: Facts) -> tuple[str, ...]:
    """Rules 1.1 and 3: what keeps the next round from being paired; empty if nothing does."""
    if reasons := why_not_change(facts.finished):
        return reasons
    last = facts.last
    if last is not None:
        if last.state == "draft":
            return (f"Round {last.number} is already drafted. Publish it, or throw the draft away.",)
        if last.state == "published":
            return (f"Round {last.number} is still in play. Close it first.",)
        if last.number >= facts.rounds_planned:
            return (f"All {facts.rounds_planned} planned rounds are played.",)
        reasons = unfinished(facts)
    if facts.present < 2:
        reasons = (*reasons, f"{_players(facts.present)} checked in. A round needs at least two.")
        if last is not None:
            reasons = (*reasons, f"If nobody comes back, finish the event after round {last.number} in its settings.")
    return reasons


def why_not_publish(facts: Facts, number: int) -> tuple[str, ...]:
    """Rules 1.4, 3.3 a and 3.7: a round is published once, from its draft; nobody is left out of it, somebody plays,
    and everybody was asked for a faction."""
    last, reasons = facts.last, no_draft(facts, number)
    if last is None or reasons:
        return reasons
    if waiting := last.waiting:
        have = "has" if len(waiting) == 1 else "have"
        seat = "Seat them" if len(waiting) > 1 else "Find a place"
        ways = f"{seat}, pair the round again, take the check-in back, or drop who has left."
        return (f"{names_of(waiting)} {have} no place in round {number}. {ways}",)
    if not last.tables:
        return (f"Nobody plays in round {number}. Find two who do, or throw the draft away.",)
    if last.undeclared:
        return (why_undeclared(last.undeclared),)
    return ()


def why_undeclared(names: Sequence[str]) -> str:
    """Rule 1.4: who has to say for which faction they play, and what to do."""
    have, each = ("has", "one") if len(names) == 1 else ("have", "one for each")
    return f"{names_of(names)} {have} no faction yet (rule 1.4). Choose {each}, or press “Plays without”."


def no_draft(facts: Facts, number: int) -> tuple[str, ...]:
    """Why the draft of that round cannot be changed: it is gone, or published."""
    last = facts.last
    if last is None or last.number != number:
        return (f"There is no draft of round {number}. It may have been thrown away meanwhile.",)
    if last.state != "draft":
        return (f"Round {number} is already published. Nothing was changed.",)
    return ()


def why_not_close(facts: Facts, number: int) -> tuple[str, ...]:
    """Rules 2.10 and 4: a round closes when every result is in and every tie that matters is rolled off."""
    last = facts.last
    if last is None or last.number != number or last.state == "draft":
        return (f"Round {number} is not in play.",)
    if last.state == "closed":
        return (f"Round {number} is already closed. Nothing was changed.",)
    return unfinished(facts)


def why_not_finish(facts: Facts) -> tuple[str, ...]:
    """Rules 4.4 and 5: final ranks need a closed last round and no open tie."""
    last = facts.last
    if facts.finished:
        return ("The event is already finished. Nothing was changed.",)
    if last is None:
        return ("No round has been played yet.",)
    if last.state == "draft":
        return (f"Round {last.number} is drafted. Play it, or throw the draft away.",)
    if last.state != "closed":
        return (f"Round {last.number} is not closed yet.",)
    return unfinished(facts)


def unfinished(facts: Facts) -> tuple[str, ...]:
    """What the last round still waits for: results, roll-offs at tables, roll-offs in the standings.

    A table of an earlier round is level again when a correction made it so.
    """
    *earlier, last = facts.rounds
    return (
        *(
            f"Round {round.number}, table {table} is level since a correction: roll off at the table."
            for round in earlier
            for table in round.level
        ),
        *(f"Table {table} has no result yet." for table in last.missing),
        *(f"Table {table} is level: roll off at the table." for table in last.level),
        *(f"{names} are tied: roll off (rule 4.1)." for names in last.ties),
        *(f"The victorious faction is tied: {names} roll off (rule 5.3)." for names in last.rivals),
    )


def names_of(names: Sequence[str]) -> str:
    """ "A and B", "A, B and C"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _players(number: int) -> str:
    return {0: "Nobody is", 1: "Only one player is"}.get(number, f"{number} players are")
