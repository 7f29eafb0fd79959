"""The order of the players after a round, and why (rules 4.1–4.4, 5.1, 5.2, 5.5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from scoring.domain.pack import MonthPack
from scoring.domain.played import capital
from scoring.domain.points import Score
from scoring.domain.ranks import ranked, title
from scoring.domain.roll_offs import DiceRoll, RollOffRolls, levels, rolls_after, still_tied
from tourney.runtime.messages import Message, Param, message, nmessage

Rounds = Sequence[Mapping[int, Score]]
"""For each round so far, the known scores by entrant."""

type Groups = Sequence[Sequence[Line]]
"""Everybody in order after some rounds, who is tied before any dice in one group (`groups_by_points`)."""


@dataclass(frozen=True, slots=True)
class Participant:
    """An entrant: dropped_from is the first round that they no longer play."""

    id: int
    faction: str = ""
    first_round: int = 1
    dropped_from: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings; title is empty while the rank is shared, a round without a score is None."""

    id: int
    rank: int
    shared: bool
    battle_points: int
    fleet_points: int
    rounds: tuple[Score | None, ...]
    dropped: bool
    title: str


@dataclass(frozen=True, slots=True)
class Line:
    """A participant with their sums, before roll-offs."""

    id: int
    battle_points: int
    fleet_points: int
    rounds: tuple[Score | None, ...]
    dropped: bool
    yet_to_play: bool

    @property
    def order(self) -> tuple[int, int, bool, bool]:
        """The key by which they stand; the same for all in a group."""
        return -self.battle_points, -self.fleet_points, self.yet_to_play, self.dropped


def standings(
    rules: MonthPack, participants: Sequence[Participant], rounds: Rounds, roll_offs: Sequence[RollOffRolls] = ()
) -> tuple[Standing, ...]:
    """Rules 5.1, 5.2, 5.5: everybody in order after these rounds.

    Battle Points, then Fleet Points, then those who dropped behind those who did not, then the roll-off made
    after the last of these rounds by exactly the group that is tied. Ties that are left share a rank and
    stand by id. Somebody whose first round is still to come stands behind all with the same points.
    Fleet Points that are not known yet count 0.
    """
    return standings_of(rules, groups_by_points(participants, rounds), len(rounds), roll_offs)


def standings_of(
    rules: MonthPack, groups: Groups, after: int, roll_offs: Sequence[RollOffRolls] = ()
) -> tuple[Standing, ...]:
    """The standings of these groups after so many rounds."""
    rolls = rolls_after(after, roll_offs)
    in_order = [
        (line, place) for group in groups for place, level in enumerate(_levels(group, rolls)) for line in level
    ]
    table = ranked(in_order, level=lambda item: (item[0].order, item[1]))
    return tuple(_standing(rules, line, rank, shared) for rank, shared, (line, _) in table)


def ties(
    rules: MonthPack, participants: Sequence[Participant], rounds: Rounds, roll_offs: Sequence[RollOffRolls] = ()
) -> tuple[tuple[int, ...], ...]:
    """Rules 4.1, 4.4: the groups that must roll off (again), best first, each as it was first tied, by id.

    Nobody rolls before the first round, and nobody whose first round is still to come.
    """
    return ties_left(tied(participants, rounds), len(rounds), roll_offs)


def ties_left(
    tied: Iterable[tuple[int, ...]], after: int, roll_offs: Sequence[RollOffRolls] = ()
) -> tuple[tuple[int, ...], ...]:
    """Of the groups that were tied after so many rounds (`tied`) those that dice have not parted yet (rule 4.1)."""
    rolls = rolls_after(after, roll_offs)
    return tuple(group for group in tied if still_tied(group, rolls.get(group, ())))


def tied(participants: Sequence[Participant], rounds: Rounds) -> tuple[tuple[int, ...], ...]:
    """Rules 4.1, 4.3: the groups that were tied after these rounds before any dice, best first, each by id.

    A roll-off of any other group is void.
    """
    return tied_of(groups_by_points(participants, rounds))


def tied_of(groups: Groups) -> tuple[tuple[int, ...], ...]:
    """Those of these groups that are tied, by id."""
    return tuple(tuple([line.id for line in group]) for group in groups if len(group) > 1 and not group[0].yet_to_play)


def why(
    table: Sequence[Standing], names: Mapping[int, str], roll_offs: Sequence[RollOffRolls] = ()
) -> dict[int, Message]:
    """Rule 3.8: one plain sentence for everybody's rank, by entrant."""
    ranks = [list(group) for _, group in groupby(table, key=lambda standing: standing.rank)]
    rolls = rolls_after(len(table[0].rounds), roll_offs) if table else {}
    level = tied_before_dice(table)
    found = {}
    for place, equals in enumerate(ranks):
        above = ranks[place - 1][-1] if place else None
        below = ranks[place + 1][0] if place + 1 < len(ranks) else None
        for own in equals:
            dice = rolls.get(level.get(_points(own), ()), ())
            found[own.id] = _shared(own, equals, names) if own.shared else _placed(own, above, below, names, dice)
    return found


def groups_by_points(participants: Sequence[Participant], rounds: Rounds) -> Groups:
    """Everybody in order after these rounds, before any dice; in a group by id."""
    lines = [(line.order, line.id, line) for line in (_line(who, rounds) for who in participants)]
    lines.sort()
    return [[line for _, _, line in group] for _, group in groupby(lines, key=itemgetter(0))]


def _line(who: Participant, rounds: Rounds) -> Line:
    scores = tuple(scores.get(who.id) for scores in rounds)
    known = [score for score in scores if score]
    return Line(
        id=who.id,
        battle_points=sum([score.battle_points for score in known]),
        fleet_points=sum([score.fleet_points or 0 for score in known]),
        rounds=scores,
        dropped=who.dropped_from is not None and who.dropped_from <= len(rounds),
        yet_to_play=who.first_round > len(rounds),
    )


def _levels(group: Sequence[Line], rolls: Mapping[tuple[int, ...], Sequence[DiceRoll]]) -> Iterator[list[Line]]:
    by_id = {line.id: line for line in group}
    for level in levels(tuple(by_id), rolls.get(tuple(by_id), ())):
        yield [by_id[id] for id in level]


def _standing(rules: MonthPack, line: Line, rank: int, shared: bool) -> Standing:
    return Standing(
        id=line.id,
        rank=rank,
        shared=shared,
        battle_points=line.battle_points,
        fleet_points=line.fleet_points,
        rounds=line.rounds,
        dropped=line.dropped,
        title="" if shared else title(rules, rank),
    )


def _placed(
    own: Standing, above: Standing | None, below: Standing | None, names: Mapping[int, str], rolls: Sequence[DiceRoll]
) -> Message:
    """Of a rank that is not shared; `above` and `below` stand next to it."""
    if above:
        return _behind(own, above, names, rolls)
    if below:
        return _ahead(own, below, names, rolls)
    return message("{name} is rank 1, as the only player.", name=capital(names[own.id]))


def _shared(own: Standing, equals: Sequence[Standing], names: Mapping[int, str]) -> Message:
    others = [names[one.id] for one in equals if one.id != own.id]
    facts: dict[str, Param] = {"name": capital(names[own.id]), "rank": own.rank, "others": others}
    if not any(own.rounds):
        return message("{name} shares rank {rank} with {others}: none of them has a result yet.", **facts)
    return nmessage(
        "{name} shares rank {rank} with {others}: tied on {count} Battle Point and {fleet_points} Fleet Points "
        "until they roll off.",
        "{name} shares rank {rank} with {others}: tied on {count} Battle Points and {fleet_points} Fleet Points "
        "until they roll off.",
        own.battle_points,
        fleet_points=own.fleet_points,
        **facts,
    )


def _behind(own: Standing, other: Standing, names: Mapping[int, str], rolls: Sequence[DiceRoll]) -> Message:
    who: dict[str, Param] = {"name": capital(names[own.id]), "rank": own.rank, "other": names[other.id]}
    if own.battle_points != other.battle_points:
        return message(
            "{name} is rank {rank}: {other} has more Battle Points, {more} to {fewer}.",
            more=other.battle_points, fewer=own.battle_points, **who,
        )  # fmt: skip
    if own.fleet_points != other.fleet_points:
        return nmessage(
            "{name} is rank {rank}: tied with {other} on {count} Battle Point, but {other} has more Fleet Points, "
            "{more} to {fewer}.",
            "{name} is rank {rank}: tied with {other} on {count} Battle Points, but {other} has more Fleet Points, "
            "{more} to {fewer}.",
            own.battle_points, more=other.fleet_points, fewer=own.fleet_points, **who,
        )  # fmt: skip
    if own.dropped != other.dropped:
        return message(
            "{name} is rank {rank}: tied with {other} on Battle Points and Fleet Points, "
            "but players who dropped rank below those who stayed.",
            **who,
        )
    if rolled := _rolled(other, own, rolls):
        return message(
            "{name} is rank {rank}: tied with {other} on Battle Points and Fleet Points, "
            "but {other} won the roll-off, {more} Battle Stations to {fewer}.",
            more=rolled[0], fewer=rolled[1], **who,
        )  # fmt: skip
    return message(
        "{name} is rank {rank}: tied with {other} on Battle Points and Fleet Points, but {name} hasn’t played yet.",
        **who,
    )


def _ahead(own: Standing, other: Standing, names: Mapping[int, str], rolls: Sequence[DiceRoll]) -> Message:
    who: dict[str, Param] = {"name": capital(names[own.id]), "other": names[other.id]}
    if own.battle_points != other.battle_points:
        return message(
            "{name} is rank 1 with more Battle Points than {other}, {more} to {fewer}.",
            more=own.battle_points, fewer=other.battle_points, **who,
        )  # fmt: skip
    if own.fleet_points != other.fleet_points:
        return nmessage(
            "{name} is rank 1: tied with {other} on {count} Battle Point, but with more Fleet Points, "
            "{more} to {fewer}.",
            "{name} is rank 1: tied with {other} on {count} Battle Points, but with more Fleet Points, "
            "{more} to {fewer}.",
            own.battle_points, more=own.fleet_points, fewer=other.fleet_points, **who,
        )  # fmt: skip
    if own.dropped != other.dropped:
        return message(
            "{name} is rank 1: tied with {other} on Battle Points and Fleet Points, "
            "but players who dropped rank below those who stayed.",
            **who,
        )
    if rolled := _rolled(own, other, rolls):
        return message(
            "{name} is rank 1: tied with {other} on Battle Points and Fleet Points, "
            "and won the roll-off, {more} Battle Stations to {fewer}.",
            more=rolled[0], fewer=rolled[1], **who,
        )  # fmt: skip
    return message(
        "{name} is rank 1: tied with {other} on Battle Points and Fleet Points, but {other} hasn’t played yet.", **who
    )


def tied_before_dice(table: Sequence[Standing]) -> dict[tuple[int, int, bool], tuple[int, ...]]:
    """By points, who were tied before the dice: the group whose roll-off counts (rule 4.3)."""
    playing = sorted((one for one in table if any(one.rounds)), key=lambda one: (_points(one), one.id))
    return {points: tuple(one.id for one in group) for points, group in groupby(playing, key=_points)}


def _points(own: Standing) -> tuple[int, int, bool]:
    return own.battle_points, own.fleet_points, own.dropped


def _rolled(ahead: Standing, behind: Standing, rolls: Sequence[DiceRoll]) -> tuple[int, int] | None:
    """The Battle Stations of both in the roll that put one ahead of the other; None without such a roll."""
    for roll in rolls:
        counts = dict(roll.counts)
        if counts.get(ahead.id) != counts.get(behind.id):
            return counts[ahead.id], counts[behind.id]
    return None
