"""Arrivals and departures: how things stand for one player, the options in words, and what one of them changes."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from fleets.domain.surviving import left
from scoring.domain.points import NOT_PLAYED, Ending, Played, Score, sides_with_sp
from tourney.domain import swiss
from tourney.domain.arrivals import ArrivalOption, ArrivalSituation, ArrivalWay, Moment, Person, Phase, SeatStatus
from tourney.domain.arrivals import options as options_in
from tourney.domain.progress import FINISHED, names_of
from tourney.models import Entrant, PlayerReport, Round
from tourney.queries.history import Compared, TableAtMoment, compare
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.state import EventState
from tourney.queries.surviving import fleets_at
from tourney.queries.tokens import spent_in

DRAWS = 5
"""So many seeds must agree before the desk says who would have the next bye."""


MOST_PARTNERS = 6
"""So many of those without a table are offered as opponents; each is tried before it is shown."""


def options_of(state: EventState, number: int) -> tuple[ArrivalOption, ...]:
    """What can be done for that player now."""
    return options_in(situation_of(state, number))


def situation_of(state: EventState, number: int) -> ArrivalSituation:
    """One player and the open round, in the shape of the rule."""
    round, rounds_left = open_round(state), max(state.event.rounds_planned - len(state.rounds), 0)
    person = person_of(state.by_number[number])
    counted = sides_with_sp(state.rules, Ending.CONCESSION, 0) == (0, 1)
    if state.is_finished:
        return ArrivalSituation(person, Phase.FINISHED)
    if round is None:
        return ArrivalSituation(person, Phase.IDLE, rounds_left=rounds_left)
    return ArrivalSituation(
        person,
        Phase.DRAFT if round.state == Round.State.DRAFT else Phase.PLAYED,
        place=_place(state, round.match_of(number), number),
        bye=_free_bye(round, number),
        has_bye=round.bye is not None,
        waiting=tuple(one.number for one in _without_seat(state, round) if one.number != number)[:MOST_PARTNERS],
        rounds_left=rounds_left,
        concession_is_counted=counted,
    )


def open_round(state: EventState) -> RoundState | None:
    """The draft, or the round in play."""
    last = state.last_round
    return last if last and last.state != Round.State.CLOSED else None


def round_now(state: EventState) -> RoundState:
    """The draft, or the round in play. Raises LookupError where there is none."""
    if round := open_round(state):
        return round
    raise LookupError("no round is open")


def person_of(entrant: Entrant) -> Person:
    """Whether an entrant is gone, here or expected."""
    if entrant.dropped_from is not None:
        return Person.GONE
    return Person.HERE if entrant.checked_in else Person.EXPECTED


def _place(state: EventState, match: MatchState | None, number: int) -> SeatStatus:
    if match is None:
        return SeatStatus.NONE
    if match.is_bye:
        return SeatStatus.BYE
    if match.played:
        return SeatStatus.ABSENT if _was_absent(match, match.played, number) else SeatStatus.OVER
    begun = (
        any(match.destroyed)
        or spent_in(state, match.round.number) in match.numbers
        or PlayerReport.objects.filter(seat__match=match.row).exists()
    )
    return SeatStatus.BEGUN if begun else SeatStatus.OPEN


def _was_absent(match: MatchState, played: Played, number: int) -> bool:
    """Did not come, or conceded and went home: who comes all the same can still play."""
    out = played.out
    went_home = out is not None and played.ending is Ending.CONCESSION and match.entrants[out].dropped_from
    is_absent = played.ending in NOT_PLAYED or went_home
    return bool(is_absent) and (out is None or match.numbers[out] == number)


def _free_bye(round: RoundState, number: int) -> int | None:
    if round.bye is None or round.bye.a.number == number or round.bye.a.dropped_from is not None:
        return None
    return round.bye.a.number


def _without_seat(state: EventState, round: RoundState) -> list[Entrant]:
    """Who did not drop and does not sit in that round: those who are here first, of the others who registered last."""
    found = [one for one in state.entrants if one.dropped_from is None and not round.match_of(one.number)]
    return sorted(found, key=lambda one: (not one.checked_in, one.number if one.checked_in else -one.number))


# the options in words


def title(state: EventState, number: int, option: ArrivalOption) -> str:
    """One sentence without its full stop, for a heading and for the journal."""
    name, drawn = state.names[number], len(state.rounds)
    round = open_round(state)
    match = round.match_of(number) if round else None
    table, other = (match.table, match.opponent_of(number)) if match else (None, None)
    bye = round.bye.a if round and round.bye else None
    if option.way is ArrivalWay.NEXT:
        return f"{name} is paired from round {drawn + 1} on"
    if option.way is ArrivalWay.AFTER:
        plays = f"{name} plays round {drawn} and is" if match and round and round.missing else f"{name} is"
        return f"{plays} not paired from round {drawn + 1} on"
    if option.way is ArrivalWay.OUT:
        return f"The bye of {name} is taken away"
    if option.way is ArrivalWay.TAKES_BYE:
        return f"{name} has the bye of round {drawn}"
    if option.way is ArrivalWay.REDRAW:
        word = "without" if option.moment is Moment.GONE else "with"
        return f"Round {drawn} is drafted again {word} {name}"
    if option.way is ArrivalWay.BYE_PLAYER:
        return f"{name} plays {bye}, who has the bye"
    if option.way is ArrivalWay.TOGETHER and option.partner:
        return f"{name} plays {state.names[option.partner]}, who has no table either"
    if option.way is ArrivalWay.REOPEN:
        return f"Table {table} is open again: {name} plays {other}"
    if option.way is ArrivalWay.REPLACED:
        return f"{bye}, who has the bye, plays {other} instead of {name}"
    if option.way is ArrivalWay.OPPONENT_BYE:
        return f"{other} has the bye instead"
    if option.way is ArrivalWay.CONCEDES:
        return f"{name} left in the middle: a concession at table {table}"
    never = "is not there" if option.moment is Moment.LATE else "never sat down"
    return f"{name} {never}: a no-show at table {table}"


def rule(state: EventState, option: ArrivalOption) -> str:
    """What the rules say of it; empty where the effect says it all."""
    return {
        ArrivalWay.NEXT: "Missed rounds give no points and are no bye (rule 3.6)." if state.rounds else "",
        ArrivalWay.AFTER: "Points stay, and coming back is possible (rule 5.5).",
        ArrivalWay.NO_SHOW: "The player at the table scores like a bye; it is no bye and no meeting (rule 2.11).",
        ArrivalWay.CONCEDES: "The match is lost and the fleet counts as eliminated; what it earned stays (rule 2.9).",
        ArrivalWay.TAKES_BYE: "All tables stay as they are. The bye counts as one (rule 3.5).",
        ArrivalWay.OPPONENT_BYE: "All other tables stay as they are. The bye counts as one (rule 3.5).",
        ArrivalWay.OUT: "No points for this round.",
        ArrivalWay.REOPEN: "What was entered there goes; they play it now.",
    }.get(option.way, "")


STAYS = {
    Moment.LATE: "Whoever is late stays in the event.",
    Moment.GONE: "Whoever is gone is not paired any more, keeps the points, and can come back.",
}
"""What becomes of the player, whichever way is chosen."""


def as_it_is(state: EventState, number: int) -> str:
    """What follows where the desk does nothing."""
    name, now, drawn = state.names[number], situation_of(state, number), len(state.rounds)
    if now.phase is Phase.FINISHED:
        return f"{FINISHED} Open it again to change something here."
    if not now.rounds_left and (now.phase is Phase.IDLE or now.place is not SeatStatus.NONE):
        return "No further round is planned, so nothing needs to be done."
    if now.person is not Person.HERE:
        sits = f"stays at the table in round {drawn} and is" if now.place is not SeatStatus.NONE else "is"
        return f"{name} {sits} not paired from round {drawn + 1} on."
    if now.phase is not Phase.IDLE and now.place is SeatStatus.NONE:
        later = f"is paired from round {drawn + 1} on" if now.rounds_left else "does not play any more"
        return f"{name} {later}; no points for round {drawn}, and no bye (rule 3.6)."
    return f"{name} is paired in round {drawn + 1}."


def fleet_left(state: EventState, number: int) -> int:
    """SP left of the opponent's fleet as far as anybody knows: what was not marked, else the whole fleet."""
    match = state.rounds[-1].match_with(number)
    side = 1 - match.numbers.index(number)
    fleet = fleets_at(state, match)[side]
    return left(fleet.sheet, match.destroyed[side]).sp if fleet else state.event.sp_limit


# what an option changes


@dataclass(frozen=True, slots=True)
class ArrivalEffect:
    """What an option changes: tables and byes, points of the open round, and what to know of it, in sentences.

    `promise` is what is left of rule 3.4, `is_kept` whether no later round needs a rematch or a second bye.
    """

    tables: tuple[Compared[TableAtMoment], ...]
    points: tuple[Compared[str], ...]
    sentences: tuple[str, ...]
    promise: str
    is_kept: bool

    @property
    def fingerprint(self) -> str:
        """The same for the same effect: whoever confirms sends what was seen."""
        return sha256(repr(self).encode()).hexdigest()[:16]


def apart(effects: Sequence[ArrivalEffect]) -> tuple[ArrivalEffect, tuple[ArrivalEffect, ...]]:
    """What these effects say alike of rounds and tables, and what each says beside that: nothing has to be read twice.

    Tables and points stay with their effect. One effect alone has nothing in common with others.
    """
    if len(effects) < 2:
        return NOTHING, tuple(effects)
    alike = tuple(one for one in effects[0].sentences if all(one in other.sentences for other in effects))
    is_promised = len({(one.promise, one.is_kept) for one in effects}) == 1
    shared = replace(effects[0] if is_promised else NOTHING, tables=(), points=(), sentences=alike)
    return shared, tuple(_without(one, shared) for one in effects)


NOTHING = ArrivalEffect((), (), (), "", True)


def _without(effect: ArrivalEffect, shared: ArrivalEffect) -> ArrivalEffect:
    sentences = tuple(one for one in effect.sentences if one not in shared.sentences)
    return replace(effect, sentences=sentences, promise="" if shared.promise else effect.promise)


def effect(before: EventState, after: EventState) -> ArrivalEffect:
    """What lies between two moments of an event, as the desk must know it before it decides."""
    tables = compare(before, after).tables
    new = {one.label for one in tables if one.second}
    promise, is_kept = _promise(after)
    return ArrivalEffect(
        tables=tables,
        points=tuple(_points(before, after)),
        sentences=(*_second_bye(after, new), *_rematches(after, new), *_others(before, after, new), *_next(after)),
        promise=promise,
        is_kept=is_kept,
    )


def _promise(state: EventState) -> tuple[str, bool]:
    """Rule 3.4 for the rounds still to be drawn, if exactly those who are here stay."""
    drawn, planned = len(state.rounds), state.event.rounds_planned
    here = len(state.present(drawn + 1))
    if not drawn:
        return swiss.promise(here, planned), here >= 2 and planned < here + here % 2
    if drawn >= planned or here < 2:
        return "", here >= 2
    clean = swiss.clean_rounds_after(state.contenders(drawn + 1), (), None, rounds_left=planned - drawn)
    if clean is None:
        return UNKNOWN, True
    broken = swiss.forecast(clean, drawn + 1, planned)
    return broken or _kept(range(drawn + 1, planned + 1)), not broken


UNKNOWN = "Whether later rounds can do without a rematch and a second bye shows when they are drawn (rule 3.4)."


def _kept(rounds: Sequence[int]) -> str:
    numbers = f"Round{'s' if len(rounds) > 1 else ''} {names_of([str(number) for number in rounds])}"
    return f"{numbers} can do without a rematch and a second bye, if exactly these players stay (rule 3.4)."


def _points(before: EventState, after: EventState) -> Iterator[Compared[str]]:
    """Of the round in play: each player whose points of it are not the same."""
    was, now = _scores(before), _scores(after)
    for number in sorted({*was, *now}):
        first = _in_words(was[number]) if number in was else None
        second = _in_words(now[number]) if number in now else _no_points(after, number)
        if first != second:
            yield Compared(after.names[number], first, second)


def _no_points(after: EventState, number: int) -> str:
    seated = after.rounds[-1].match_of(number) is not None
    return "what the table brings" if seated else "no points for this round"


def _scores(state: EventState) -> dict[int, Score]:
    round = open_round(state)
    return round.scores if round and round.state == Round.State.PUBLISHED else {}


def _in_words(score: Score) -> str:
    battle = f"{score.battle_points} Battle Point{'' if score.battle_points == 1 else 's'}"
    if score.fleet_points is None:
        return f"{battle}, Fleet Points by the mean of the round (rule 2.10)"
    return f"{battle}, {score.fleet_points} Fleet Point{'' if score.fleet_points == 1 else 's'}"


def _second_bye(after: EventState, new: Collection[str]) -> Iterator[str]:
    """Rule 3.5: whether who has the bye now had one before."""
    round = open_round(after)
    if round and round.bye and f"Round {round.number}, bye" in new:
        byes = sum(one.bye is not None and one.bye.a is round.bye.a for one in after.rounds)
        if byes > 1:
            yield f"It is bye number {byes} for {round.bye.a} (rule 3.5)."


def _rematches(after: EventState, new: Collection[str]) -> Iterator[str]:
    """Rule 3.3 b: who meets again at a table that is new."""
    round = open_round(after)
    for match in round.tables if round else ():
        earlier = [str(one.number) for one in after.rounds[:-1] if _met(one, match.numbers)]
        if earlier and round and f"Round {round.number}, table {match.table}" in new:
            names = names_of([after.names[number] for number in match.numbers])
            yield f"{names} meet again: they met in round {names_of(earlier)} (rule 3.3)."


def _met(round: RoundState, numbers: tuple[int, ...]) -> bool:
    return any(match.is_meeting and set(match.numbers) == set(numbers) for match in round.tables)


def _others(before: EventState, after: EventState, new: Collection[str]) -> Iterator[str]:
    """The tables that stay, and who is here and has none from now on."""
    round = open_round(after)
    if round is None:
        return
    stay = sum(f"Round {round.number}, table {match.table}" not in new for match in round.tables)
    if new and stay:
        yield "1 other table stays as it is." if stay == 1 else f"{stay} other tables stay as they are."
    out, was = (_here_without_seat(state) for state in (after, before))
    if out != was and out:
        yield f"Without a table in round {round.number}: {names_of(out)}."


def _here_without_seat(state: EventState) -> list[str]:
    return [str(one) for one in _without_seat(state, state.rounds[-1]) if one.checked_in]


def _next(after: EventState) -> Iterator[str]:
    """What can be said of the next round."""
    number = len(after.rounds) + 1
    if number > after.event.rounds_planned:
        return
    here = len(after.present(number))
    if here < 2:
        yield f"Only {here} would be left for round {number}, so it could not be paired."
    elif here % 2:
        yield f"Round {number} has {here} players: {_next_bye(after, number)}."
    else:
        yield f"Round {number} has {here} players, so nobody has the bye."


def _next_bye(state: EventState, number: int) -> str:
    """As far as it is certain: the results are in, and no draw decides."""
    if number == 1 or len(state.complete_rounds) < len(state.rounds):
        return "one of them has the bye"
    byes = {state.pairing(number, seed=seed).bye for seed in range(DRAWS)}
    bye = byes.pop()
    return "one of them has the bye" if byes or bye is None else f"{state.names[bye]} would have the bye"
