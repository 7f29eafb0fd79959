"""Whose fleet is not recorded and whose sheet is not signed, where the event asks for it (rules 7.1, 7.2)."""

from dataclasses import dataclass

from scoring.domain.points import Ending
from tourney.domain.missing import Gap, SheetGap, TableSheet, gaps_at, without_fleet
from tourney.models import Entrant, Event, Fleet, FleetsRecorded, Round, Seat
from tourney.queries.matches import TableState
from tourney.queries.slices import EventSlice
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message

COMPARED = (Ending.ELIMINATION, Ending.BOTH_ELIMINATED, Ending.TIME, Ending.SCENARIO, Ending.CONCESSION)
"""The endings of a match for which both sat down with their fleets; the others are a no-show or a judge's ruling."""
WAYS = {
    Gap.NOT_RECORDED: message("The desk records a fleet on its player’s page."),
    Gap.NOT_SIGNED: message("Sign it on the card, or tell the desk that it’s signed on paper."),
    Gap.CALLED: message("A judge settles the call first."),
}


@dataclass(frozen=True, slots=True)
class MissingFleets:
    """Rule 7.1: who plays a first round without a recorded fleet; `is_required`: the round waits for them."""

    entrants: tuple[Entrant, ...]
    is_required: bool

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the entrants."""
        return frozenset(one.number for one in self.entrants)

    @property
    def seen(self) -> str:
        """The numbers as a form says that they were seen."""
        return " ".join(str(one.number) for one in self.entrants)


@dataclass(frozen=True, slots=True)
class MissingSheets:
    """Rules 7.1, 7.2: what is missing at a table, each with its sentence; `is_required`: the result waits for it."""

    gaps: tuple[SheetGap, ...]
    sentences: tuple[Message, ...]
    is_required: bool

    @property
    def codes(self) -> frozenset[str]:
        """The gaps as forms name them."""
        return frozenset(gap.code for gap in self.gaps)

    @property
    def ways(self) -> tuple[Message, ...]:
        """What to do about it, in a sentence for each kind of gap."""
        return tuple(WAYS[gap] for gap in Gap if self._of(gap))

    @property
    def unrecorded(self) -> tuple[int, ...]:
        """The numbers of those whose fleet is not recorded."""
        return self._of(Gap.NOT_RECORDED)

    @property
    def unsigned(self) -> tuple[int, ...]:
        """The numbers of those whose recorded fleet the opponent has said nothing of."""
        return self._of(Gap.NOT_SIGNED)

    @property
    def called(self) -> tuple[int, ...]:
        """The numbers of those about whose fleet a judge is called."""
        return self._of(Gap.CALLED)

    @property
    def can_be_on_paper(self) -> bool:
        """Whether signatures on paper mend it, all of it where the result waits."""
        others = len(self.gaps) - len(self.unsigned) if self.is_required else len(self.called)
        return bool(self.unsigned) and not others

    def _of(self, kind: Gap) -> tuple[int, ...]:
        return tuple(gap.owner for gap in self.gaps if gap.gap is kind)


def is_required(event: Event) -> bool:
    """Whether round 1 and results wait for recorded and signed fleets."""
    return event.fleets_recorded == FleetsRecorded.REQUIRED


def missing_fleets(state: EventState) -> MissingFleets:
    """Who of those who start in the drafted round has no recorded fleet; of the state the rounds before may be missing.

    Nobody is asked where no fleet is recorded at the event and none has to be. Only round 1 waits for fleets.
    """
    has_to_be = is_required(state.event)
    recorded = _recorded_at(state.event) if any(one.has_fleet for one in state.entrants) else frozenset()
    found = without_fleet(state.starters(recorded), is_asked=has_to_be or bool(recorded))
    entrants = [state.by_number[number] for number in found]
    if entrants and state.starting_round > 1:
        played = set(Seat.objects.in_published_rounds().filter(entrant__in=entrants).values_list("entrant", flat=True))
        entrants = [one for one in entrants if one.pk not in played]
    return MissingFleets(tuple(entrants), has_to_be and state.starting_round == 1)


def _recorded_at(event: Event) -> frozenset[int]:
    """The numbers of those with a recorded fleet."""
    return frozenset(Fleet.objects.recorded().filter(entrant__event=event).values_list("entrant__number", flat=True))


def missing_sheets(state: EventSlice, match: TableState, ending: Ending) -> MissingSheets:
    """What is missing at a table, which was loaded alone, before its first result is saved; no query.

    Nothing of a match that was not played, or is ruled; and nothing where no fleet is recorded at the event and none
    has to be.
    """
    has_to_be = is_required(state.event)
    is_first = match.result is None and match.round.state == Round.State.PUBLISHED
    is_asked = is_first and ending in COMPARED and (has_to_be or state.has_fleets)
    gaps = gaps_at(_sheets(match), is_asked=is_asked)
    return MissingSheets(gaps, tuple(_sentence(match, gap) for gap in gaps), has_to_be)


def _sheets(match: TableState) -> list[TableSheet]:
    return [
        TableSheet(owner, is_recorded, said)
        for owner, (is_recorded, _), (_, said) in zip(match.numbers, match.sheets, reversed(match.sheets), strict=True)
    ]


def _sentence(match: TableState, gap: SheetGap) -> Message:
    owner = str(next(one for one in match.entrants if one.number == gap.owner))
    opponent = str(match.opponent_of(gap.owner))
    if gap.gap is Gap.NOT_RECORDED:
        return message("{owner}’s fleet isn’t recorded.", owner=owner)
    if gap.gap is Gap.NOT_SIGNED:
        return message("{opponent} hasn’t signed {owner}’s fleet.", opponent=opponent, owner=owner)
    return message("{opponent} has called a judge about {owner}’s fleet.", opponent=opponent, owner=owner)
