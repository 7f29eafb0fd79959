"""Arrivals and departures: what can be done for one player as the event stands (rules 2.9, 2.11, 3.6, 3.9)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Person(StrEnum):
    """A player of the event: registered and not checked in, here, or dropped."""

    EXPECTED = "expected"
    CHECKED_IN = "here"
    DROPPED = "gone"


class Phase(StrEnum):
    """No round is open; one is a draft; one is in play; the event is finished."""

    IDLE = "idle"
    DRAFT = "draft"
    PLAYED = "played"
    FINISHED = "finished"


class SeatStatus(StrEnum):
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
    DROPS_LATER = "leaves"
    DROPS_NOW = "gone"
    RETURNS = "returns"


class ArrivalWay(StrEnum):
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


BY_HAND = frozenset(
    {ArrivalWay.BYE_PLAYER, ArrivalWay.TOGETHER, ArrivalWay.TAKES_BYE, ArrivalWay.REPLACED, ArrivalWay.OPPONENT_BYE}
)
"""Rule 3.9: these seat somebody by hand, so they need a reason."""


@dataclass(frozen=True, slots=True)
class ArrivalSituation:
    """One player and the open round.

    `bye` is who else has the bye there and could play, `has_bye` whether anybody has it. `waiting` are the others
    without a seat, `rounds_left` the planned rounds not drawn yet. `concession_is_counted`: where a concession scores
    as it stands (rule 2.9), it is entered at its table.
    """

    person: Person
    phase: Phase
    place: SeatStatus = SeatStatus.NONE
    bye: int | None = None
    has_bye: bool = False
    waiting: tuple[int, ...] = ()
    rounds_left: int = 0
    concession_is_counted: bool = False


@dataclass(frozen=True, slots=True)
class ArrivalOption:
    """One way to go on; `partner` is who they play with TOGETHER."""

    moment: Moment
    way: ArrivalWay
    partner: int | None = None

    @property
    def key(self) -> str:
        """What stands in an address, for example "arrives-together-7"."""
        return "-".join(str(part) for part in (self.moment, self.way, self.partner) if part is not None)

    @property
    def is_by_hand(self) -> bool:
        """Whether this way seats somebody by hand (rule 3.9)."""
        return self.way in BY_HAND


def options(now: ArrivalSituation) -> tuple[ArrivalOption, ...]:
    """Every sensible option, those that seat somebody first. Empty when nothing can follow for this player."""
    if now.phase is Phase.FINISHED:
        return ()
    return (*_coming(now), *_not_at_the_table(now), *_dropping_later(now), *_dropping_now(now))


def _coming(now: ArrivalSituation) -> Iterator[ArrivalOption]:
    moment = Moment.RETURNS if now.person is Person.DROPPED else Moment.ARRIVES
    if now.place is SeatStatus.NONE:
        yield from _into_the_round(now, moment)
    if now.place is SeatStatus.ABSENT:
        yield ArrivalOption(moment, ArrivalWay.REOPEN)
    if now.person is not Person.CHECKED_IN and now.rounds_left:
        yield ArrivalOption(moment, ArrivalWay.NEXT)


def _into_the_round(now: ArrivalSituation, moment: Moment) -> Iterator[ArrivalOption]:
    """Rule 3.3 a: everybody is seated, with at most one bye. In a round in play only an empty place can be filled."""
    if now.phase is Phase.IDLE:
        return
    if now.phase is Phase.DRAFT:
        yield ArrivalOption(moment, ArrivalWay.REDRAW)
    if now.bye is not None:
        yield ArrivalOption(moment, ArrivalWay.BYE_PLAYER)
    for partner in now.waiting:
        yield ArrivalOption(moment, ArrivalWay.TOGETHER, partner)
    if now.phase is Phase.DRAFT and not now.has_bye:
        yield ArrivalOption(moment, ArrivalWay.TAKES_BYE)


def _not_at_the_table(now: ArrivalSituation) -> Iterator[ArrivalOption]:
    if now.person is Person.CHECKED_IN and now.phase is Phase.PLAYED and now.place is SeatStatus.OPEN:
        yield ArrivalOption(Moment.LATE, ArrivalWay.NO_SHOW)
        if now.bye is not None:
            yield ArrivalOption(Moment.LATE, ArrivalWay.REPLACED)


def _dropping_later(now: ArrivalSituation) -> Iterator[ArrivalOption]:
    if now.person is Person.CHECKED_IN and now.rounds_left:
        yield ArrivalOption(Moment.DROPS_LATER, ArrivalWay.AFTER)


def _dropping_now(now: ArrivalSituation) -> Iterator[ArrivalOption]:
    """Whoever sits in the open round leaves a place behind."""
    for way in _ways_without(now):
        yield ArrivalOption(Moment.DROPS_NOW, way)


def _ways_without(now: ArrivalSituation) -> Iterator[ArrivalWay]:
    if now.place not in (SeatStatus.BYE, SeatStatus.OPEN, SeatStatus.BEGUN):
        return
    if now.phase is Phase.DRAFT:
        yield ArrivalWay.REDRAW
    elif now.place is SeatStatus.OPEN:
        yield ArrivalWay.NO_SHOW
    if now.phase is Phase.PLAYED and now.place is not SeatStatus.BYE and not now.concession_is_counted:
        yield ArrivalWay.CONCEDES
    if now.place is SeatStatus.BYE:
        yield ArrivalWay.OUT
    if now.place is SeatStatus.OPEN and now.bye is not None:
        yield ArrivalWay.REPLACED
    if now.phase is Phase.DRAFT and now.place is SeatStatus.OPEN and not now.has_bye:
        yield ArrivalWay.OPPONENT_BYE
