"""What was decided beside the play: no-shows, concessions, double losses, rulings, penalties; for everybody to read."""

from dataclasses import dataclass

from scoring.domain.points import Ending, Played
from tourney.models import Penalty
from tourney.queries.matches import MatchState, PenaltyState, RoundState
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message, nmessage, pmessage

WORDS = {
    Ending.NO_SHOW: message("No-show"),
    Ending.BOTH_NO_SHOWS: message("No-show"),
    Ending.CONCESSION: message("Conceded"),
    Ending.DOUBLE_LOSS: message("Double loss"),
    Ending.RULING: message("Ruling"),
}
"""The endings that are marked, and the mark."""


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A mark of one word, and the sentence that says who, what, by which rule and why.

    `about` are the entrants who carry the mark, `table` who sat there; `penalty` is the row it stands for, if any.
    """

    round: int
    about: tuple[int, ...]
    table: tuple[int, ...]
    word: Message
    sentence: Message
    penalty: Penalty | None = None

    @property
    def to_remove(self) -> Message:
        """What is asked before the penalty is removed."""
        return message("Remove this penalty? {ruling} You can undo it.", ruling=self.sentence)


def rulings_in(round: RoundState) -> tuple[RulingNote, ...]:
    """All of a round, in table order, penalties last."""
    return (
        *(ruling for match in round.tables if match.result for ruling in _of_match(match)),
        *(_of_penalty(round, penalty) for penalty in round.penalties),
    )


def rulings_at(round: RoundState, match: MatchState) -> tuple[RulingNote, ...]:
    """Those of one match: both of its players read them."""
    penalties = (_of_penalty(round, one) for one in round.penalties if one.entrant.number in match.numbers)
    return (*_of_match(match), *penalties)


def is_ruled(round: RoundState, match: MatchState) -> bool:
    """Whether there is any of `rulings_at`."""
    result, played = match.result, match.played
    if any(one.entrant.number in match.numbers for one in round.penalties):
        return True
    if result is None or played is None or match.score is None:
        return False
    return bool(played.ending in WORDS or result.adjustment_a or result.adjustment_b or result.ruling)


def rulings_about(state: EventState, after: int) -> dict[int, list[RulingNote]]:
    """Those of the first `after` rounds, by the entrant who carries the mark."""
    found: dict[int, list[RulingNote]] = {}
    for ruling in rulings_until(state, after):
        for number in ruling.about:
            found.setdefault(number, []).append(ruling)
    return found


def rulings_until(state: EventState, after: int) -> list[RulingNote]:
    """Those of the first `after` rounds, in order."""
    return [ruling for round in state.rounds[:after] for ruling in rulings_in(round)]


def _of_match(match: MatchState) -> list[RulingNote]:
    found: list[RulingNote] = []
    result, played, score = match.result, match.played, match.score
    if result is None or played is None or score is None:
        return found
    if played.ending in WORDS:
        sentence = _with_reason(_decided(match, played), result.ruling)
        word = WORDS[Ending(played.ending)]
        found.append(RulingNote(match.round.number, _marked(match, played), match.numbers, word, sentence))
    for entrant, points in zip(match.entrants, (result.adjustment_a, result.adjustment_b), strict=True):
        if points:
            what = message(
                "{player} gets {points} by a ruling (rule 2.12).", player=str(entrant), points=_fleet_points(points)
            )
            sentence = _with_reason(what, result.ruling)
            found.append(RulingNote(match.round.number, (entrant.number,), match.numbers, message("Ruling"), sentence))
    if result.ruling and not found:
        sentence = _with_reason(message("A judge ruled at this table (rule 2.12)."), result.ruling)
        found.append(RulingNote(match.round.number, match.numbers, match.numbers, message("Ruling"), sentence))
    return found


def _decided(match: MatchState, played: Played) -> Message:
    """Who it concerns, by which rule."""
    names = [str(one) for one in match.entrants]
    if played.ending is Ending.BOTH_NO_SHOWS:
        return message("{names} were both no-shows (rule 2.11).", names=tuple(names))
    if played.ending is Ending.DOUBLE_LOSS or played.out is None:
        return message("By a ruling, both players lose (rule 2.12).")
    player, opponent = names[played.out], names[1 - played.out]
    if played.ending is Ending.NO_SHOW:
        return message(
            "{player} was a no-show, so {opponent} scores like a bye (rule 2.11).", player=player, opponent=opponent
        )
    if played.ending is Ending.CONCESSION:
        return message("{player} conceded, so {opponent} wins (rule 2.9).", player=player, opponent=opponent)
    return message("By a ruling, {player} wins (rule 2.12).", player=opponent)


def _marked(match: MatchState, played: Played) -> tuple[int, ...]:
    """Who carries the mark: whoever did not come or conceded; both of a double loss or a ruling."""
    if played.out is None or played.ending is Ending.RULING:
        return match.numbers
    return (match.numbers[played.out],)


def _of_penalty(round: RoundState, penalty: PenaltyState) -> RulingNote:
    row, number = penalty.row, penalty.entrant.number
    is_less = row.battle_points < 0 or row.fleet_points < 0
    what = message("{player} gets {points} (rule 2.12).", player=str(penalty.entrant), points=points_of(row))
    match = round.match_of(number)
    at = match.numbers if match else (number,)
    word = message("Penalty") if is_less else message("Ruling")
    return RulingNote(round.number, (number,), at, word, _with_reason(what, row.reason), row)


def _with_reason(ruling: Message, reason: str) -> Message:
    if not reason:
        return ruling
    return message("{ruling} Reason: {reason}.", ruling=ruling, reason=reason.rstrip("."))


def points_of(row: Penalty) -> Message:
    """The points of a penalty in words: "−1 Battle Point and −10 Fleet Points"."""
    if not row.fleet_points:
        return _battle_points(row.battle_points)
    if not row.battle_points:
        return _fleet_points(row.fleet_points)
    return pmessage(
        "a list", "{some} and {last}", some=_battle_points(row.battle_points), last=_fleet_points(row.fleet_points)
    )


def points_in_short(battle_points: int, fleet_points: int) -> Message:
    """ "−1 BP, −10 FP"; what is 0 is left out."""
    battle = message("{points} BP", points=_signed(battle_points))
    fleet = message("{points} FP", points=_signed(fleet_points))
    if not (battle_points and fleet_points):
        return battle if battle_points else fleet
    return pmessage("a list", "{some}, {one}", some=battle, one=fleet)


def penalty_in_words(player: str, battle_points: int, fleet_points: int) -> Message:
    """What a penalty does, for its button: "Deduct 10 FP from Onyx"."""
    points, (least, most) = points_in_short(battle_points, fleet_points), sorted((battle_points, fleet_points))
    if least == most == 0:
        return message("Deduct points from {player}", player=player)
    if most <= 0:
        return message("Deduct {points} from {player}", points=_unsigned(battle_points, fleet_points), player=player)
    if least >= 0:
        return message("Give {player} {points}", points=_unsigned(battle_points, fleet_points), player=player)
    return message("Change {player}’s points: {points}", points=points, player=player)


def _unsigned(battle_points: int, fleet_points: int) -> Message:
    """ "1 BP and 10 FP"; what is 0 is left out."""
    battle = message("{points} BP", points=str(abs(battle_points)))
    fleet = message("{points} FP", points=str(abs(fleet_points)))
    if not (battle_points and fleet_points):
        return battle if battle_points else fleet
    return pmessage("a list", "{some} and {last}", some=battle, last=fleet)


def _battle_points(points: int) -> Message:
    return nmessage("{points} Battle Point", "{points} Battle Points", abs(points), points=_signed(points))


def _fleet_points(points: int) -> Message:
    return nmessage("{points} Fleet Point", "{points} Fleet Points", abs(points), points=_signed(points))


def _signed(points: int) -> str:
    return f"{points:+}".replace("-", "−")
