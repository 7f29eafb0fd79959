"""Arrivals and departures: what can be done for one player as the event stands (rules 2.9, 2.11, 3.6, 3.9)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Person(StrEnum):
    """A player of the event: registered and not checked in, here, or dropped."""

    EXPECTED = "expected"
    HERE = "here"
    GONE = "gone"


class Phase(StrEnum):
    """No round is open; one is a draft; one is in play; the event is finished."""

    IDLE = "idle"
    DRAFT = "draft"
    PLAYED = "played"
    FINISHED = "finished"


class Place(StrEnum):
    """Where the player sits in the open round.

    A table is open, begun (something was reported or marked there), over, or over because this player was absent:
    did not come, or conceded.
    """

    NONE = "none"
    BYE = "bye"
    OPEN = "open"
    BEGUN = "begun"
    OVER = "over"
    ABSENT = "absent"


class Moment(StrEnum):
    """What happened: comes late, is not at the table yet, leaves later, is gone now, comes back."""

    ARRIVES = "arrives"
    LATE = "late"
    LEAVES = "leaves"
    GONE = "gone"
    RETURNS = "returns"


class Way(StrEnum):
    """What the desk can do about it."""

    NEXT = "next"
    REDRAW = "redraw"
    BYE_PLAYER = "bye-player"
    TOGETHER = "together"
    TAKES_BYE = "takes-bye"
    REOPEN = "reopen"
    REPLACED = "replaced"
    OPPONENT_BYE = "opponent-bye"
    OUT = "out"
    NO_SHOW = "no-show"
    CONCEDES = "concedes"
    AFTER = "after"


BY_HAND = frozenset({Way.BYE_PLAYER, Way.TOGETHER, Way.TAKES_BYE, Way.REPLACED, Way.OPPONENT_BYE})
"""Rule 3.9: these seat somebody by hand, so they need a reason."""


@dataclass(frozen=True, slots=True)
class Situation:
    """One player and the open round.

    `bye` is who else has the bye there and could play, `has_bye` whether anybody has it. `waiting` are the others
    without a seat, `rounds_left` the planned rounds not drawn yet. `concession_is_counted`: where a concession scores
    as it stands (rule 2.9), it is entered at its table.
    """

    person: Person
    phase: Phase
    place: Place = Place.NONE
    bye: int | None = None
    has_bye: bool = False
    waiting: tuple[int, ...] = ()
    rounds_left: int = 0
    concession_is_counted: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One way to go on; `partner` is who they play with TOGETHER."""

    moment: Moment
    way: Way
    partner: int | None = None

    @property
    def key(self) -> str:
        """What stands in an address, for example "arrives-together-7"."""
        return "-".join(str(part) for part in (self.moment, self.way, self.partner) if part is not None)

    @property
    def is_by_hand(self) -> bool:
        return self.way in BY_HAND


def options(now: Situation) -> tuple[Option, ...]:
    """Every sensible option, those that seat somebody first. Empty when nothing can follow for this player."""
    if now.phase is Phase.FINISHED:
        return ()
    return (*_coming(now), *_not_at_the_table(now), *_leaving(now), *_gone(now))


def _coming(now: Situation) -> Iterator[Option]:
    moment = Moment.RETURNS if now.person is Person.GONE else Moment.ARRIVES
    if now.place is Place.NONE:
        yield from _into_the_round(now, moment)
    if now.place is Place.ABSENT:
        yield Option(moment, Way.REOPEN)
    if now.person is not Person.HERE and now.rounds_left:
        yield Option(moment, Way.NEXT)


def _into_the_round(now: Situation, moment: Moment) -> Iterator[Option]:
    """Rule 3.3 a: everybody is seated, with at most one bye. In a round in play only an empty place can be filled."""
    if now.phase is Phase.IDLE:
        return
    if now.phase is Phase.DRAFT:
        yield Option(moment, Way.REDRAW)
    if now.bye is not None:
        yield Option(moment, Way.BYE_PLAYER)
    for partner in now.waiting:
        yield Option(moment, Way.TOGETHER, partner)
    if now.phase is Phase.DRAFT and not now.has_bye:
        yield Option(moment, Way.TAKES_BYE)


def _not_at_the_table(now: Situation) -> Iterator[Option]:
    if now.person is Person.HERE and now.phase is Phase.PLAYED and now.place is Place.OPEN:
        yield Option(Moment.LATE, Way.NO_SHOW)
        if now.bye is not None:
            yield Option(Moment.LATE, Way.REPLACED)


def _leaving(now: Situation) -> Iterator[Option]:
    if now.person is Person.HERE and now.rounds_left:
        yield Option(Moment.LEAVES, Way.AFTER)


def _gone(now: Situation) -> Iterator[Option]:
    """Whoever sits in the open round leaves a place behind."""
    for way in _ways_without(now):
        yield Option(Moment.GONE, way)


def _ways_without(now: Situation) -> Iterator[Way]:
    if now.place not in (Place.BYE, Place.OPEN, Place.BEGUN):
        return
    if now.phase is Phase.DRAFT:
        yield Way.REDRAW
    elif now.place is Place.OPEN:
        yield Way.NO_SHOW
    if now.phase is Phase.PLAYED and now.place is not Place.BYE and not now.concession_is_counted:
        yield Way.CONCEDES
    if now.place is Place.BYE:
        yield Way.OUT
    if now.place is Place.OPEN and now.bye is not None:
        yield Way.REPLACED
    if now.phase is Phase.DRAFT and now.place is Place.OPEN and not now.has_bye:
        yield Way.OPPONENT_BYE
