"""The Fleet Build Sheet of an entrant, its round tables filled from what was played (rule 7.3)."""

from fleets.domain.build_sheet import AfterRow, BeforeRow, BuildSheet, blank, build_sheet
from tourney.models import Entrant
from tourney.queries.fleets import FleetState, day_of, fleets_of
from tourney.queries.sheets import RoundLine, Signers, rounds_of, signers_of
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.messages import message


def build_sheet_of(state: EventState, number: int, fleet: FleetState, signers: Signers | None = None) -> BuildSheet:
    """The page of that entrant's fleet at the event."""
    entrant = state.by_number[number]
    played = rounds_of(state, entrant, signers_of(state) if signers is None else signers)
    return build_sheet(
        fleet.sheet,
        date=day_of(state.event),
        event=state.event.name,
        faction=entrant.faction,
        name=entrant.player.name,
        rulings=fleet.row.rulings_by_line,
        notes=_notes(fleet),
        rounds=state.event.rounds_planned,
        before=[_before(round) for round in played if round.opponent],
        after=[_after(round) for round in played if round.result],
    )


def build_sheets_of(state: EventState) -> list[BuildSheet]:
    """The pages of everybody who has not dropped, A–Z; blank ones for those without a fleet here. In two queries."""
    fleets, signers = fleets_of(state), signers_of(state)
    staying = [entrant for entrant in state.with_place if entrant.dropped_from is None]
    return [
        build_sheet_of(state, entrant.number, fleets[entrant.number], signers)
        if entrant.number in fleets and (fleets[entrant.number].is_unreadable or not fleets[entrant.number].is_empty)
        else blank_sheet_of(state, entrant)
        for entrant in sorted(staying, key=lambda entrant: alphabetical(entrant.player.name))
    ]


def build_sheet_alone(fleet: FleetState) -> BuildSheet:
    """The page of a fleet that is not entered in an event."""
    return build_sheet(
        fleet.sheet,
        date=fleet.row.changed_at.date(),
        event="",
        faction="",
        name=fleet.row.player.name,
        notes=_notes(fleet),
    )


def _notes(fleet: FleetState) -> str:
    if fleet.is_unreadable:
        return str(message("This fleet can’t be read."))
    return str(message("Unlocked: {reason}.", reason=fleet.row.unlocked)) if fleet.row.unlocked else ""


def blank_sheet_of(state: EventState, entrant: Entrant | None = None) -> BuildSheet:
    """A blank page for the event, to be written by hand."""
    return blank(
        date=day_of(state.event),
        event=state.event.name,
        rounds=state.event.rounds_planned,
        faction=entrant.faction if entrant else "",
        name=entrant.player.name if entrant else "",
    )


def _before(round: RoundLine) -> BeforeRow:
    """Rule 7.2: whom the player met, and the initials of an opponent who signed the sheet."""
    name = round.opponent.player.name if round.opponent else ""
    return BeforeRow(round.number, name, _initials(name) if round.signed else "")


def _after(round: RoundLine) -> AfterRow:
    """Rule 7.3: how the round ended for the player."""
    return AfterRow(round.number, round.result, round.battle_points, round.fleet_points, round.so_far)


def _initials(name: str) -> str:
    return "".join(word[0].upper() for word in name.split() if word[0].isalnum())[:4]
