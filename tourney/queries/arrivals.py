"""Arrivals and departures: how things stand for one player, the options in words, and what one of them changes."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from fleets.domain.surviving import left
from scoring.domain.points import NOT_PLAYED, Ending, Played, Score, sides_with_sp
from tourney.domain import swiss
from tourney.domain.arrivals import ArrivalOption, ArrivalSituation, ArrivalWay, Moment, Person, Phase, SeatStatus
from tourney.domain.arrivals import options as options_in
from tourney.models import Entrant, PlayerReport, Round
from tourney.queries.history import Compared, TableAtMoment, compare, label_of
from tourney.queries.matches import MatchState, RoundState
from tourney.queries.state import EventState
from tourney.queries.surviving import fleets_at
from tourney.queries.tokens import spent_in
from tourney.runtime.messages import Message, message, nmessage

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
        return Person.DROPPED
    return Person.CHECKED_IN if entrant.checked_in else Person.EXPECTED


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
    found = [one for one in state.with_place if one.dropped_from is None and not round.match_of(one.number)]
    return sorted(found, key=lambda one: (not one.checked_in, one.number if one.checked_in else -one.number))


# the options in words


def title(state: EventState, number: int, option: ArrivalOption) -> Message:
    """One sentence without its full stop, for a heading and for the journal."""
    player, drawn = state.names[number], len(state.rounds)
    round = open_round(state)
    match = round.match_of(number) if round else None
    if option.way is ArrivalWay.NEXT:
        if option.moment is Moment.RETURNS:
            return message("{player} plays again from round {round} on", player=player, round=drawn + 1)
        return message("{player} starts in round {round}", player=player, round=drawn + 1)
    if option.way is ArrivalWay.AFTER:
        if match and round and round.missing:
            return message("{player} plays round {round} and then drops", player=player, round=drawn)
        return message("{player} drops before round {round}", player=player, round=drawn + 1)
    if option.way is ArrivalWay.OUT:
        return message("The bye of {player} is removed", player=player)
    if option.way is ArrivalWay.TAKES_BYE:
        return message("{player} gets the bye of round {round}", player=player, round=drawn)
    if option.way is ArrivalWay.REDRAW:
        if option.moment is Moment.DROPS_NOW:
            return message("Round {round} is re-paired without {player}", player=player, round=drawn)
        return message("Round {round} is re-paired with {player}", player=player, round=drawn)
    if option.way is ArrivalWay.TOGETHER and option.partner:
        opponent = state.names[option.partner]
        return message("{player} plays {opponent}, who has no table either", player=player, opponent=opponent)
    return _title_at_a_table(state, number, option)


def _title_at_a_table(state: EventState, number: int, option: ArrivalOption) -> Message:
    """What becomes of the player's table, or of the table where who has the bye sits from now on."""
    player, round = state.names[number], open_round(state)
    match = round.match_of(number) if round else None
    table, opponent = (match.table or 0, str(match.opponent_of(number) or "")) if match else (0, "")
    bye = str(round.bye.a) if round and round.bye else ""
    if option.way is ArrivalWay.BYE_PLAYER:
        return message("{player} plays {opponent}, who has the bye", player=player, opponent=bye)
    if option.way is ArrivalWay.REOPEN:
        return message(
            "Table {table} reopens: {player} plays {opponent}", table=table, player=player, opponent=opponent
        )
    if option.way is ArrivalWay.REPLACED:
        return message(
            "{substitute}, who has the bye, plays {opponent} instead of {player}",
            substitute=bye,
            opponent=opponent,
            player=player,
        )
    if option.way is ArrivalWay.OPPONENT_BYE:
        return message("{opponent} gets the bye instead", opponent=opponent)
    if option.way is ArrivalWay.CONCEDES:
        return message("{player} left mid-match: a concession at table {table}", player=player, table=table)
    if option.moment is Moment.LATE:
        return message("{player} isn’t there: a no-show at table {table}", player=player, table=table)
    return message("{player} never sat down: a no-show at table {table}", player=player, table=table)


RULES = {
    ArrivalWay.NEXT: message("Missed rounds score nothing and don’t count as byes (rule 3.6)."),
    ArrivalWay.AFTER: message("Points stay, and the player can come back (rule 5.5)."),
    ArrivalWay.NO_SHOW: message(
        "The opponent scores as with a bye, but it counts as neither a bye nor a meeting (rule 2.11)."
    ),
    ArrivalWay.CONCEDES: message(
        "The match is lost and the fleet counts as eliminated. What it earned stays (rule 2.9)."
    ),
    ArrivalWay.TAKES_BYE: message("All tables stay as they are. It counts as a bye (rule 3.5)."),
    ArrivalWay.OPPONENT_BYE: message("All other tables stay as they are. It counts as a bye (rule 3.5)."),
    ArrivalWay.OUT: message("No points for this round."),
    ArrivalWay.REOPEN: message("What was entered there is removed; they play it now."),
}


def rule(state: EventState, option: ArrivalOption) -> Message | None:
    """What the rules say of it; None where the effect says it all."""
    return None if option.way is ArrivalWay.NEXT and not state.rounds else RULES.get(option.way)


STAYS = {
    Moment.LATE: message("A late player stays in the event."),
    Moment.DROPS_NOW: message("A player who drops isn’t paired any more, keeps the points, and can come back."),
}
"""What becomes of the player, whichever way is chosen."""


def as_it_is(state: EventState, number: int) -> Message:
    """What follows where the desk does nothing."""
    name, now, drawn = state.names[number], situation_of(state, number), len(state.rounds)
    if now.phase is Phase.FINISHED:
        return message("The event is finished. Reopen it to change anything here.")
    if not now.rounds_left and (now.phase is Phase.IDLE or now.place is not SeatStatus.NONE):
        return message("No further round is planned, so there is nothing to do.")
    if now.person is not Person.CHECKED_IN:
        if now.place is SeatStatus.NONE:
            return message("{player} isn’t paired from round {round} on.", player=name, round=drawn + 1)
        return message(
            "{player} stays at the table in round {drawn} and isn’t paired from round {round} on.",
            player=name,
            drawn=drawn,
            round=drawn + 1,
        )
    if now.phase is not Phase.IDLE and now.place is SeatStatus.NONE:
        if now.rounds_left:
            return message(
                "{player} is paired from round {round} on. Round {drawn} scores nothing and doesn’t count as a bye "
                "(rule 3.6).",
                player=name,
                drawn=drawn,
                round=drawn + 1,
            )
        return message(
            "{player} doesn’t play any more. Round {drawn} scores nothing and doesn’t count as a bye (rule 3.6).",
            player=name,
            drawn=drawn,
        )
    return message("{player} is paired in round {round}.", player=name, round=drawn + 1)


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
    points: tuple[Compared[Message], ...]
    sentences: tuple[Message, ...]
    promise: Message | None
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
    is_promised = all((one.promise, one.is_kept) == (effects[0].promise, effects[0].is_kept) for one in effects)
    shared = replace(effects[0] if is_promised else NOTHING, tables=(), points=(), sentences=alike)
    return shared, tuple(_without(one, shared) for one in effects)


NOTHING = ArrivalEffect((), (), (), None, True)


def _without(effect: ArrivalEffect, shared: ArrivalEffect) -> ArrivalEffect:
    sentences = tuple(one for one in effect.sentences if one not in shared.sentences)
    return replace(effect, sentences=sentences, promise=None if shared.promise else effect.promise)


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


def _promise(state: EventState) -> tuple[Message | None, bool]:
    """Rule 3.4 for the rounds still to be drawn, if exactly those who are here stay."""
    drawn, planned = len(state.rounds), state.event.rounds_planned
    here = len(state.present(drawn + 1))
    if not drawn:
        return swiss.promise(here, planned), here >= 2 and planned < here + here % 2
    if drawn >= planned or here < 2:
        return None, here >= 2
    clean = swiss.clean_rounds_after(state.contenders(drawn + 1), (), None, rounds_left=planned - drawn)
    if clean is None:
        return UNKNOWN, True
    broken = swiss.forecast(clean, drawn + 1, planned)
    return broken or _kept(range(drawn + 1, planned + 1)), not broken


UNKNOWN = message("Whether later rounds avoid rematches and second byes shows when they are paired (rule 3.4).")


def _kept(rounds: Sequence[int]) -> Message:
    if len(rounds) == 1:
        return message(
            "Round {round} needs no rematch and no second bye if exactly these players stay (rule 3.4).",
            round=rounds[0],
        )
    return message(
        "Rounds {rounds} need no rematch and no second bye if exactly these players stay (rule 3.4).",
        rounds=tuple(rounds),
    )


def _points(before: EventState, after: EventState) -> Iterator[Compared[Message]]:
    """Of the round in play: each player whose points of it are not the same."""
    was, now = _scores(before), _scores(after)
    for number in sorted({*was, *now}):
        first = _in_words(was[number]) if number in was else None
        second = _in_words(now[number]) if number in now else _no_points(after, number)
        if first != second:
            yield Compared(after.names[number], first, second)


def _no_points(after: EventState, number: int) -> Message:
    seated = after.rounds[-1].match_of(number) is not None
    return message("whatever they score at the table") if seated else message("no points for this round")


def _scores(state: EventState) -> dict[int, Score]:
    round = open_round(state)
    return round.scores if round and round.state == Round.State.PUBLISHED else {}


def _in_words(score: Score) -> Message:
    battle = nmessage("{count} Battle Point", "{count} Battle Points", score.battle_points)
    if score.fleet_points is None:
        return message(
            "{battle_points}, and the round’s average Fleet Points (rule 2.10)",
            battle_points=battle,
        )
    fleet = nmessage("{count} Fleet Point", "{count} Fleet Points", score.fleet_points)
    return message("{battle_points}, {fleet_points}", battle_points=battle, fleet_points=fleet)


def _second_bye(after: EventState, new: Collection[str | Message]) -> Iterator[Message]:
    """Rule 3.5: whether who has the bye now had one before."""
    round = open_round(after)
    if round and round.bye and label_of(round.bye) in new:
        byes = sum(one.bye is not None and one.bye.a is round.bye.a for one in after.rounds)
        if byes > 1:
            yield nmessage(
                "{player} then has {count} bye (rule 3.5).",
                "{player} then has {count} byes (rule 3.5).",
                byes,
                player=str(round.bye.a),
            )


def _rematches(after: EventState, new: Collection[str | Message]) -> Iterator[Message]:
    """Rule 3.3 b: who meets again at a table that is new."""
    round = open_round(after)
    for match in round.tables if round else ():
        earlier = tuple(one.number for one in after.rounds[:-1] if _met(one, match.numbers))
        if earlier and label_of(match) in new:
            player, opponent = (after.names[number] for number in match.numbers)
            if len(earlier) == 1:
                yield message(
                    "{player} and {opponent} meet again. They met in round {round} (rule 3.3).",
                    player=player,
                    opponent=opponent,
                    round=earlier[0],
                )
            else:
                yield message(
                    "{player} and {opponent} meet again. They met in rounds {rounds} (rule 3.3).",
                    player=player,
                    opponent=opponent,
                    rounds=earlier,
                )


def _met(round: RoundState, numbers: tuple[int, ...]) -> bool:
    return any(match.is_meeting and set(match.numbers) == set(numbers) for match in round.tables)


def _others(before: EventState, after: EventState, new: Collection[str | Message]) -> Iterator[Message]:
    """The tables that stay, and who is here and has none from now on."""
    round = open_round(after)
    if round is None:
        return
    stay = sum(label_of(match) not in new for match in round.tables)
    if new and stay:
        yield nmessage("{count} other table stays as it is.", "{count} other tables stay as they are.", stay)
    out, was = (_checked_in_without_seat(state) for state in (after, before))
    if out != was and out:
        yield message("Without a table in round {round}: {names}.", round=round.number, names=out)


def _checked_in_without_seat(state: EventState) -> tuple[str, ...]:
    return tuple(str(one) for one in _without_seat(state, state.rounds[-1]) if one.checked_in)


def _next(after: EventState) -> Iterator[Message]:
    """What can be said of the next round."""
    number = len(after.rounds) + 1
    if number > after.event.rounds_planned:
        return
    here = len(after.present(number))
    if here == 0:
        yield message("No one would be left for round {round}, so it could not be paired.", round=number)
    elif here == 1:
        yield message("Only one player would be left for round {round}, so it could not be paired.", round=number)
    elif here % 2:
        yield _next_bye(after, number, here)
    else:
        yield message("Round {round} has {players} players, so no bye.", round=number, players=here)


def _next_bye(state: EventState, number: int, here: int) -> Message:
    """As far as it is certain: the results are in, and no draw decides."""
    somebody = message("Round {round} has {players} players, so one of them has the bye.", round=number, players=here)
    if number == 1 or len(state.complete_rounds) < len(state.rounds):
        return somebody
    byes = {state.pairing(number, seed=seed).bye for seed in range(DRAWS)}
    bye = byes.pop()
    if byes or bye is None:
        return somebody
    return message(
        "Round {round} has {players} players, and {player} would have the bye.",
        round=number,
        players=here,
        player=state.names[bye],
    )
