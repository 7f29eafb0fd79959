"""The Fleet Build Sheet of an entrant, its round tables filled from what was played (rule 7.3)."""

from collections.abc import Iterator

from fleets.domain.build_sheet import AfterRow, BeforeRow, BuildSheet, blank, build_sheet
from tourney.models import SheetCheck
from tourney.queries.fleets import FleetState, day_of
from tourney.queries.state import EventState


def build_sheet_of(state: EventState, number: int, fleet: FleetState) -> BuildSheet:
    """The page of that entrant's fleet at the event."""
    entrant = state.by_number[number]
    return build_sheet(
        fleet.sheet,
        date=day_of(state.event),
        event=state.event.name,
        faction=entrant.faction,
        name=entrant.player.name,
        rulings=fleet.row.rulings_by_line,
        notes=f"Unlocked: {fleet.row.unlocked}." if fleet.row.unlocked else "",
        rounds=state.event.rounds_planned,
        before=tuple(_before(state, number)),
        after=tuple(_after(state, number)),
    )


def build_sheet_alone(fleet: FleetState) -> BuildSheet:
    """The page of a fleet that flies nowhere yet."""
    return build_sheet(fleet.sheet, date=fleet.row.changed_at.date(), event="", faction="", name=fleet.row.player.name)


def blank_sheet_of(state: EventState) -> BuildSheet:
    """An empty page for the event, to be written by hand."""
    return blank(date=day_of(state.event), event=state.event.name, rounds=state.event.rounds_planned)


def _before(state: EventState, number: int) -> Iterator[BeforeRow]:
    """Rule 7.2: whom the player met, and the initials of opponents who signed the sheet."""
    checks = SheetCheck.objects.filter(
        seat__round__event=state.event, seat__match__seats__entrant__number=number, state=SheetCheck.State.SIGNED
    ).exclude(seat__entrant__number=number)
    signed = {check.seat.round.number: check for check in checks.select_related("seat__round")}
    for round in state.public_rounds:
        match = round.match_of(number)
        if match and not match.is_bye:
            opponent = match.opponent_of(number).player.name
            yield BeforeRow(round.number, opponent, _initials(opponent) if round.number in signed else "")


def _after(state: EventState, number: int) -> Iterator[AfterRow]:
    """W, L or B with the Fleet Points, as far as they are known."""
    so_far = 0
    for round in state.public_rounds:
        match, score = round.match_of(number), round.scores.get(number)
        if match is None or score is None or score.fleet_points is None:
            continue
        so_far += score.fleet_points
        won = match.winner and match.winner.number == number
        yield AfterRow(round.number, "B" if match.is_bye else "W" if won else "L", score.fleet_points, so_far)


def _initials(name: str) -> str:
    return "".join(word[0].upper() for word in name.split() if word[0].isalnum())[:4]
