"""What a correction changes, or a penalty: the event before it and after it, for the page that shows it first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from zlib import crc32

from scoring.domain.points import Score
from tourney.domain.corrections import PlaceChange, StandingsPlace, otherwise, side_by_side, what_to_read
from tourney.domain.swiss.model import Seats
from tourney.models import RollOff, Round
from tourney.queries.history import against
from tourney.queries.matches import MatchState, RollOffState, RoundState
from tourney.queries.repairs import PairingCheck, checks_of_round, open_round
from tourney.queries.slices import EventSlice
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

NOT_SAID = Message("")


class Grade(StrEnum):
    """How much is asked before a correction is saved: nothing, a look at its effect, or that and typed words."""

    PLAIN = "plain"
    SHOWN = "shown"
    TYPED = "typed"


def grade_of(state: EventSlice, number: int) -> Grade:
    """Of a correction in that round: in play, right before it, or older; what is finished is older than all."""
    last = state.round_rows[-1] if state.round_rows else None
    if state.is_finished:
        return Grade.TYPED
    if last is None or (number == last.number and last.state != Round.State.CLOSED):
        return Grade.PLAIN
    now = last.number + (last.state == Round.State.CLOSED)
    return Grade.SHOWN if number == now - 1 else Grade.TYPED


@dataclass(frozen=True, slots=True)
class Scored:
    """A player's points of the corrected round, (Battle, Fleet); None while dice decide. `is_mean`: rule 2.10, 2.11."""

    name: str
    before: tuple[int, int | None] | None
    after: tuple[int, int | None] | None
    is_mean: bool


@dataclass(frozen=True, slots=True)
class RankedLine:
    """A line of the standings side by side, with its name."""

    name: str
    line: PlaceChange


@dataclass(frozen=True, slots=True)
class Later:
    """A round that was drawn after the corrected one: `tables` are those that would have been made otherwise."""

    number: int
    is_open: bool
    tables: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A table of the open round, or its bye (no number), that has other players after it."""

    table: int | None
    before: str | Message
    after: str | Message
    why: Message


@dataclass(frozen=True, slots=True)
class CorrectionEffect:
    """What differs between the event before and after a step. `after` counts the rounds that the ranks are of.

    `ranks` are blocks of lines that follow one another. `rolls`, `ends` and what does not pass `checks` are sentences;
    `moved` and `checks` are of the open round.
    """

    scores: tuple[Scored, ...]
    after: int
    ranks: tuple[tuple[RankedLine, ...], ...]
    rolls: tuple[Message, ...]
    ends: tuple[str | Message, ...]
    later: tuple[Later, ...]
    moved: tuple[Moved, ...]
    checks: tuple[PairingCheck, ...]

    @property
    def broken(self) -> tuple[Message, ...]:
        """What the open round would not keep."""
        return tuple(check.sentence for check in self.checks if not check.is_kept)

    @property
    def kept(self) -> tuple[Message, ...]:
        """What the open round would keep, in sentences."""
        return tuple(check.sentence for check in self.checks if check.is_kept)

    @property
    def fingerprint(self) -> int:
        """A number for the effect without its reasons, by which what was seen is held against what happens."""
        moved = tuple(replace(one, why=NOT_SAID) for one in self.moved)
        return crc32(repr(replace(self, moved=moved)).encode())

    @property
    def is_nothing(self) -> bool:
        """Whether nothing would change."""
        return not (self.scores or self.ranks or self.rolls or self.ends or self.moved)

    @property
    def open_round(self) -> Later | None:
        """The round in play, or drafted, if it would have been paired otherwise."""
        return next((later for later in self.later if later.is_open and later.tables), None)


def effect_of(
    before: EventState, after: EventState, number: int, ledger: Sequence[str | Message] = ()
) -> CorrectionEffect:
    """What a step that concerns round `number` changes; `ledger` are the lines it adds to those of the token."""
    about = before.rounds[number - 1]
    counted = len(before.complete_rounds)
    now = open_round(after)
    return CorrectionEffect(
        scores=tuple(_scores(about, after.rounds[number - 1], after)) if about.state == Round.State.CLOSED else (),
        after=counted,
        ranks=_ranks(before, after, counted),
        rolls=tuple(_rolls(before, after)),
        ends=(*_ends(before, after, counted), *ledger),
        later=tuple(_later(before, after, number)),
        moved=tuple(_moved(before, after, now)) if now else (),
        checks=checks_of_round(after, now) if now else (),
    )


def moved_by(effect: CorrectionEffect, before: EventState, after: EventState) -> CorrectionEffect:
    """The effect with the open round paired anew besides: `before` is the event it is of, `after` with the new seats.

    Nobody is moved from a table with a result, so that nothing else of the effect is any different.
    """
    now = after.rounds[-1]
    return replace(effect, moved=tuple(_moved(before, after, now)), checks=checks_of_round(after, now))


# the corrected round, and the ranks


def _scores(before: RoundState, after: RoundState, state: EventState) -> Iterator[Scored]:
    for match in after.matches:
        for number in match.numbers:
            was, now = before.scores.get(number), after.scores.get(number)
            if _points(was) != _points(now):
                score = now or was
                is_mean = score is not None and score.outcome in ("bye", "no-show win")
                is_mean = is_mean and _penalties(before, number) == _penalties(after, number)
                yield Scored(state.names[number], _points(was), _points(now), is_mean)


def _penalties(round: RoundState, number: int) -> list[int]:
    return [one.row.pk for one in round.penalties if one.entrant.number == number]


def _points(score: Score | None) -> tuple[int, int | None] | None:
    return (score.battle_points, score.fleet_points) if score and score.outcome != "undecided" else None


def _ranks(before: EventState, after: EventState, counted: int) -> tuple[tuple[RankedLine, ...], ...]:
    if before.standings(counted) is after.standings(counted):
        return ()
    blocks = what_to_read(side_by_side(_places(before, counted), _places(after, counted)))
    return tuple(tuple(RankedLine(after.names[line.id], line) for line in block) for block in blocks)


def _places(state: EventState, after: int) -> tuple[StandingsPlace, ...]:
    return tuple(
        StandingsPlace(one.id, one.rank, one.shared, one.battle_points, one.fleet_points)
        for one in state.standings(after)
    )


# dice


def _rolls(before: EventState, after: EventState) -> Iterator[Message]:
    first = _first_of_another(before, after)
    was_void = {one.row.pk: before.is_void(one) for one in before.roll_offs if one.row.round.number >= first}
    for one in (one for one in after.roll_offs if one.row.round.number >= first):
        void = after.is_void(one)
        if void != was_void.get(one.row.pk, void):
            yield _void(after, one) if void else _counts_again(after, one)
    yield from _tied(before, after)
    known = before.rolls_to_do()
    for kind, group in after.rolls_to_do():
        if (kind, group) in known:
            continue
        if kind == RollOff.Kind.FACTION:
            yield message(
                "{names} are tied now and roll off for the victorious faction (rule 5.3).", names=_names(after, group)
            )
        else:
            yield message("{names} are tied now and roll off (rule 4.1).", names=_names(after, group))
    yield from _too_late_to_roll(before, after, first)


def _first_of_another(before: EventState, after: EventState) -> int:
    """The number of the first round that is another object: what follows from those before it is the same."""
    pairs = zip(before.rounds, after.rounds, strict=False)
    return next((now.number for was, now in pairs if was is not now), len(before.rounds) + 1)


def _void(state: EventState, one: RollOffState) -> Message:
    round = one.row.round.number
    names = _names(state, state.in_order(round, one.row.kind, one.group))
    if one.row.kind == RollOff.Kind.TABLE:
        return message(
            "The roll-off of {names} at the table in round {round} no longer counts: the tie is gone (rule 4.3).",
            names=names,
            round=round,
        )
    if one.row.kind == RollOff.Kind.FACTION:
        return message(
            "The roll-off of {names} for the faction after round {round} no longer counts: the tie is gone (rule 4.3).",
            names=names,
            round=round,
        )
    return message(
        "The roll-off of {names} after round {round} no longer counts: the tie is gone (rule 4.3).",
        names=names,
        round=round,
    )


def _counts_again(state: EventState, one: RollOffState) -> Message:
    round = one.row.round.number
    names = _names(state, state.in_order(round, one.row.kind, one.group))
    if one.row.kind == RollOff.Kind.TABLE:
        return message(
            "The roll-off of {names} at the table in round {round} counts again (rule 4.3).", names=names, round=round
        )
    if one.row.kind == RollOff.Kind.FACTION:
        return message(
            "The roll-off of {names} for the faction after round {round} counts again (rule 4.3).",
            names=names,
            round=round,
        )
    return message("The roll-off of {names} after round {round} counts again (rule 4.3).", names=names, round=round)


def _tied(before: EventState, after: EventState) -> Iterator[Message]:
    was = {match.row.pk for round in before.rounds for match in round.tied}
    for match in (match for round in after.rounds for match in round.tied):
        if match.row.pk not in was:
            number, open = match.round.number, open_round(after)
            yield message(
                "Table {table} of round {round} is tied: the dice decide at the table (rule 2.7).",
                table=match.table or 0,
                round=number,
            )
            if open and open is not after.round(number):
                yield message(
                    "What that means for round {round} shows on its page once they have been rolled.",
                    round=open.number,
                )


def _too_late_to_roll(before: EventState, after: EventState, first: int) -> Iterator[Message]:
    """Ties after a round, that one or later, whose successor is drawn: nothing waits for them now (rule 4.4)."""
    for round in after.complete_rounds[first - 1 : len(after.rounds) - 1]:
        was = before.ties(round.number)
        for group in after.ties(round.number):
            if group not in was:
                yield message(
                    "{names} are tied after round {round} now. They don’t roll off: round {next} is already paired.",
                    names=_names(after, group),
                    round=round.number,
                    next=round.number + 1,
                )


# titles, factions


def _ends(before: EventState, after: EventState, counted: int) -> Iterator[Message]:
    if before.is_finished and not after.is_finished:
        yield message("The event reopens: its ranks are final once the dice have been rolled.")
    if counted < before.event.rounds_planned and not before.is_finished:
        return
    was, now = _titles(before, counted), _titles(after, counted)
    for title in dict.fromkeys((*was, *now)):
        if was.get(title) != now.get(title):
            yield _instead(title, was.get(title), now.get(title))
    won, wins = _victor(before, counted), _victor(after, counted)
    if won != wins:
        yield _wins_instead(won, wins)


def _titles(state: EventState, after: int) -> dict[str, str]:
    return {line.title: state.names[line.id] for line in state.standings(after) if line.title}


def _victor(state: EventState, after: int) -> str | None:
    best = [line.faction for line in state.faction_lines(after) if line.rank == 1]
    return best[0] if len(best) == 1 else None


def _instead(title: str | Message, was: str | None, now: str | None) -> Message:
    if was and now:
        return message("{player} is {title}, no longer {before}.", player=now, title=title, before=was)
    if now:
        return message("{player} is {title}.", player=now, title=title)
    return message("{player} is no longer {title}.", player=was or "", title=title)


def _wins_instead(was: str | None, now: str | None) -> Message:
    if was and now:
        return message("{faction} is the victorious faction, no longer {before}.", faction=now, before=was)
    if now:
        return message("{faction} is the victorious faction.", faction=now)
    return message("{faction} is no longer the victorious faction.", faction=was or "")


# later rounds


def _later(before: EventState, after: EventState, number: int) -> Iterator[Later]:
    known = len(after.complete_rounds)
    for round in after.rounds[number:]:
        is_open = round.state != Round.State.CLOSED
        if round.number - 1 > known:  # a table before it is tied
            continue
        drawn = before.rounds[round.number - 1]
        tables = otherwise(_engine(before, drawn), _engine(after, drawn), [match.numbers for match in drawn.matches])
        yield Later(round.number, is_open, tuple(_label(drawn.match_with(seats[0])) for seats in tables))


def _engine(state: EventState, drawn: RoundState) -> list[Seats]:
    """How that round is paired from the results of this state."""
    pairing = state.paired_again(drawn)
    bye = [] if pairing.bye is None else [(pairing.bye,)]
    return [*((one.a, one.b) for one in pairing.tables), *bye]


def _label(match: MatchState) -> Message:
    return message("the bye") if match.table is None else message("table {table}", table=match.table)


# the open round


def _moved(before: EventState, after: EventState, now: RoundState) -> Iterator[Moved]:
    was = before.rounds[now.number - 1]
    for match in now.matches:
        old = was.bye if match.table is None else was.match_at(match.table)
        if old and set(old.numbers) != set(match.numbers):
            yield Moved(match.table, against(before, old), against(after, match), match.why)


def _names(state: EventState, group: Sequence[int]) -> tuple[str, ...]:
    return tuple(state.names[number] for number in group)
