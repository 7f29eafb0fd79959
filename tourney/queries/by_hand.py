"""Rule 3.9: a draft as it can be changed by hand, and what is wrong at each of its tables, at once."""

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.domain import swiss
from tourney.domain.by_hand import Places
from tourney.models import Entrant
from tourney.queries.choices import chosen, new_seats, proposed
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.state import EventState
from tourney.queries.tables import lacking, sat_here_before
from tourney.runtime.messages import Message, message, nmessage

type Contenders = Mapping[int, swiss.Contender]
"""By entrant number."""


def places_of(draft: RoundState) -> Places:
    """Who sits where in the draft; the bye under None."""
    return {match.table: match.numbers for match in draft.matches}


def waiting(state: EventState, round: RoundState) -> list[Entrant]:
    """Who is here and has no place in that round, in the order of their entries."""
    return [entrant for entrant in state.present(round.number) if round.match_of(entrant.number) is None]


def engine_pairing(state: EventState, draft: RoundState) -> swiss.Pairing | None:
    """What the engine draws for everybody here, with the seed of the draft and as the desk chose (rule 3.7)."""
    if len(state.present(draft.number)) < 2:
        return None
    return proposed(state, draft, chosen(draft))


@dataclass(frozen=True, slots=True)
class Board:
    """A draft beside the engine's: what to know of each match (by its table, the bye under None) and of the whole."""

    waiting: tuple[Entrant, ...]
    warnings: dict[int | None, list[Message]]
    idle: Message | None
    is_engines: bool


def board_of(state: EventState, draft: RoundState) -> Board:
    """The draft with everything that a hand should know before it is published; nothing is forbidden by it."""
    return state.memoized(("board", draft.number), lambda: _board_of(state, draft))


def _board_of(state: EventState, draft: RoundState) -> Board:
    engine, contenders = engine_pairing(state, draft), {one.id: one for one in state.contenders(draft.number)}
    left = waiting(state, draft)
    return Board(
        waiting=tuple(left),
        warnings={
            match.table: [*_by_hand(state, draft, match, contenders, engine), *_of_table(state, match)]
            for match in draft.matches
        },
        idle=_idle(draft, left),
        is_engines=engine is not None and not left and not draft.is_by_hand and not new_seats(draft, engine),
    )


def _of_table(state: EventState, match: MatchState) -> list[Message]:
    """The room: needs that this table does not meet, and who sits here again where that was to be avoided."""
    if match.is_bye:
        return []
    again = sat_here_before(state, match) if match.row.manual_reason or state.event.other_tables else []
    return [
        *lacking(state, match),
        *(message("{player} sat at this table in round {round}.", player=name, round=number) for name, number in again),
    ]


def _by_hand(
    state: EventState, draft: RoundState, match: MatchState, contenders: Contenders, engine: swiss.Pairing | None
) -> list[Message]:
    """What rule 3.3 has against a pairing made by hand."""
    seated = [contenders[number] for number in match.numbers if number in contenders]
    if not match.row.manual_reason or len(seated) < len(match.numbers):
        return []
    if match.is_bye:
        return _about_the_bye(state, draft, seated[0], engine)
    one, other = seated
    found = [*_met(state, draft, match), *_far_apart(one, other, contenders, engine)]
    if state.rules.keep_factions_apart and "same faction" in swiss.flags(one, other) and draft.number == 1:
        found.append(message("Both play for the same faction (rule 3.3 f)."))
    return found


def _about_the_bye(
    state: EventState, draft: RoundState, one: swiss.Contender, engine: swiss.Pairing | None
) -> list[Message]:
    had = tuple(round.number for round in state.rounds[: draft.number - 1] if _had_bye(round, one.id))
    player = state.names[one.id]
    if len(had) == 1:
        return [message("{player} already had the bye in round {round} (rule 3.5).", player=player, round=had[0])]
    if had:
        return [message("{player} already had the bye in rounds {rounds} (rule 3.5).", player=player, rounds=had)]
    if engine and engine.bye is not None and engine.bye != one.id:
        return [message("By rule 3.5 the bye would go to {player}.", player=state.names[engine.bye])]
    return []


def _had_bye(round: RoundState, number: int) -> bool:
    return round.bye is not None and round.bye.a.number == number


def _met(state: EventState, draft: RoundState, match: MatchState) -> list[Message]:
    rounds = tuple(
        round.number
        for round in state.rounds[: draft.number - 1]
        for before in round.tables
        if set(before.numbers) == set(match.numbers) and before.is_meeting
    )
    if len(rounds) == 1:
        return [message("They met in round {round} (rule 3.3 b).", round=rounds[0])]
    return [message("They met in rounds {rounds} (rule 3.3 b).", rounds=rounds)] if rounds else []


def _far_apart(
    a: swiss.Contender, b: swiss.Contender, contenders: Contenders, engine: swiss.Pairing | None
) -> list[Message]:
    """Battle Points that lie further apart than at any table of the engine's."""
    apart = abs(a.battle_points - b.battle_points)
    most = max((_apart(contenders, pair) for pair in engine.pairs), default=0) if engine else apart
    if apart <= most:
        return []
    return [
        nmessage(
            "They are {count} Battle Point apart. Paired by the rules, it is at most {most} (rule 3.3 d).",
            "They are {count} Battle Points apart. Paired by the rules, it is at most {most} (rule 3.3 d).",
            apart,
            most=most,
        )
    ]


def _apart(contenders: Contenders, pair: tuple[int, int]) -> int:
    a, b = pair
    return abs(contenders[a].battle_points - contenders[b].battle_points)


def _idle(draft: RoundState, left: list[Entrant]) -> Message | None:
    """Two or more without an opponent could play each other."""
    alone = [*left, *([draft.bye.a] if draft.bye else [])]
    names = tuple(entrant.player.name for entrant in alone)
    if len(alone) < 2:
        return None
    if len(alone) == 2:
        return message("{names} could play each other (rule 3.3 a).", names=names)
    return message("Two of {names} could play each other (rule 3.3 a).", names=names)
