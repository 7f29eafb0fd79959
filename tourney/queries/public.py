"""What the public pages of an event show. Drafts are nobody's business here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zlib import crc32

from django.utils import timezone

from scoring.domain import roll_offs
from scoring.domain.standings import Standing
from tourney.domain.progress import names_of
from tourney.models import Entrant, Roll, RollOff, Round
from tourney.queries.matches import MatchState, RollOffState, RoundState, SeatScore
from tourney.queries.rulings import RulingNote, rulings_about, rulings_at
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.messages import Message, message


@dataclass(frozen=True, slots=True)
class EventSituation:
    """Where the event stands: `kind` is before, playing, between, over (all rounds played) or finished.

    `round` is the last one everybody may see. `to_roll` names the groups that are tied and have to roll off now.
    `may_join` says whether who joins by phone now still plays.
    """

    kind: str
    round: RoundState | None = None
    to_roll: tuple[str, ...] = ()
    may_join: bool = False

    @property
    def next_round(self) -> int:
        """The number of the round to come, from 1."""
        return self.round.number + 1 if self.round else 1


def situation_of(state: EventState) -> EventSituation:
    """Where the event stands, for everybody: drafts are left out."""
    return _situation_when(state, state.event.takes_sign_ups(timezone.now()))


def _situation_when(state: EventState, is_open: bool) -> EventSituation:
    may_join = is_open and not state.is_finished and len(state.public_rounds) < state.event.rounds_planned
    return state.memoized(("situation", is_open), lambda: replace(_situation_of(state), may_join=may_join))


def _situation_of(state: EventState) -> EventSituation:
    round = state.public_rounds[-1] if state.public_rounds else None
    if state.is_finished:
        return EventSituation("finished", round)
    if round is None:
        return EventSituation("before")
    if round.state == Round.State.PUBLISHED:
        return EventSituation("playing", round, _to_roll(state, round))
    return EventSituation("over" if round.number >= state.event.rounds_planned else "between", round)


def _to_roll(state: EventState, round: RoundState) -> tuple[str, ...]:
    """Rules 4.4 and 5.3: the ties that keep the round open; after the last round also the one between factions."""
    if not round.is_complete:
        return ()
    groups = state.ties_to_roll(round.number)
    if not groups and round.number >= state.event.rounds_planned:
        groups = tuple(filter(None, [state.faction_tie(round.number)]))
    return tuple(names_of([state.names[number] for number in group]) for group in groups)


# pairings


@dataclass(frozen=True, slots=True)
class PublicTable:
    """A match of a round, or its bye, with one line per player, and what was decided beside the play."""

    match: MatchState
    sides: list[SeatScore]
    rulings: tuple[RulingNote, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """Whose row it is."""
        return self.match.numbers

    @property
    def key(self) -> int:
        """Changes with the reasons and sums, so that what a reader has opened stays open until they do."""
        score = self.match.score
        return _key(self.match.why, score.why if score else "", *(side.score for side in self.sides))


@dataclass(frozen=True, slots=True)
class NameLine:
    """One player of a round for the list A–Z: `own` and `other` (None with a bye) are the sides of the match."""

    match: MatchState
    own: SeatScore
    other: SeatScore | None

    @property
    def numbers(self) -> tuple[int, ...]:
        """Whose row it is."""
        return (self.own.entrant.number,)


def tables_of(round: RoundState) -> list[PublicTable]:
    """The matches in table order, the bye last."""
    return [PublicTable(match, round.lines(match), rulings_at(round, match)) for match in round.matches]


def names_in(round: RoundState) -> list[NameLine]:
    """Every player of the round, A–Z."""
    lines = [
        NameLine(match, own, next((side for side in sides if side is not own), None))
        for match, sides in ((match, round.lines(match)) for match in round.matches)
        for own in sides
    ]
    return sorted(lines, key=lambda line: (alphabetical(line.own.entrant.player.name), line.own.entrant.number))


def _key(*shown: object) -> int:
    return crc32(repr(shown).encode())


# standings


@dataclass(frozen=True, slots=True)
class RankLine:
    """A row of the standings. `came_in` is the first round played if it is not round 1, `left_after` the last one."""

    standing: Standing
    entrant: Entrant
    why: Message
    came_in: int | None
    left_after: int | None
    rulings: Sequence[RulingNote] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """Whose row it is."""
        return (self.standing.id,)

    @property
    def key(self) -> int:
        """Changes with the reason, so that one that a reader has opened stays open until it does."""
        return _key(self.standing.id, self.why)


def rank_lines(state: EventState, after: int) -> list[RankLine]:
    """The standings after that many rounds, with who came late, who has dropped by then, and what was ruled."""
    return state.memoized_after("rank lines", after, lambda: _rank_lines(state, after)) if after else []


def _rank_lines(state: EventState, after: int) -> list[RankLine]:
    first = {who.id: who.first_round for who in state.participants(after)}
    rulings = rulings_about(state, after)
    return [
        RankLine(
            line.standing,
            line.entrant,
            line.why,
            came_in=first[line.standing.id] if first[line.standing.id] > 1 else None,
            left_after=_left_after(line.entrant, after),
            rulings=rulings.get(line.standing.id, ()),
        )
        for line in state.standing_lines(after)
    ]


def _left_after(entrant: Entrant, after: int) -> int | None:
    return None if entrant.dropped_from is None or entrant.dropped_from > after + 1 else entrant.dropped_from - 1


# roll-offs


@dataclass(frozen=True, slots=True)
class Roller:
    """One player's part of a roll; `faces` is empty for dice rolled by hand."""

    entrant: Entrant
    count: int
    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollLine:
    number: int
    seed: str
    rollers: tuple[Roller, ...]


@dataclass(frozen=True, slots=True)
class RollOffLine:
    """A roll-off of the register. `order` names the group best first; it is empty while somebody is tied."""

    row: RollOff
    who: str
    rolls: tuple[RollLine, ...]
    order: str
    is_void: bool
    table: int | None

    @property
    def seed(self) -> str:
        """The seed of the first roll, empty for dice of hands."""
        return self.rolls[0].seed if self.rolls else ""


def roll_off_lines(state: EventState) -> list[RollOffLine]:
    """The register, the latest round first."""
    return [line for round in reversed(state.rounds) for line in roll_offs_of(state, round.number)]


def roll_offs_of(state: EventState, number: int) -> list[RollOffLine]:
    """Those of one round."""
    return [roll_off_line(state, one) for one in state.roll_offs if one.row.round.number == number]


def roll_off_line(state: EventState, roll_off: RollOffState) -> RollOffLine:
    """The roll-off with every roll of it."""
    order = "" if roll_off.still_tied else names_of([state.names[level[0]] for level in roll_off.levels])
    match = state.rounds[roll_off.row.round.number - 1].match_of(roll_off.group[0])
    group = state.in_order(roll_off.row.round.number, roll_off.row.kind, roll_off.group)
    return RollOffLine(
        row=roll_off.row,
        who=names_of([state.names[number] for number in group]),
        rolls=tuple(RollLine(one.number, one.seed, tuple(_rollers(state, one, group))) for one in roll_off.rolls),
        order=order,
        is_void=state.is_void(roll_off),
        table=match.table if roll_off.row.kind == RollOff.Kind.TABLE and match else None,
    )


def _rollers(state: EventState, roll: Roll, group: Sequence[int]) -> list[Roller]:
    counts = {int(number): count for number, count in roll.counts.items()}
    return [
        Roller(state.by_number[number], counts[number], tuple(roll.faces.get(str(number), ())))
        for number in group
        if number in counts
    ]


def dice_of(state: EventState) -> list[tuple[Message, tuple[Message, ...]]]:
    """The faces, in their order, of each kind of die that is rolled at this event (rule 4.2)."""
    dice = [(message("attack die"), roll_offs.ATTACK_DIE)]
    if state.rules.table_roll_off != "attack":
        dice.append((message("defense die"), roll_offs.DEFENSE_DIE))
    return [(die, tuple(roll_offs.FACE_NAMES[face] for face in faces)) for die, faces in dice]
