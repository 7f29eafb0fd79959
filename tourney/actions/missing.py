"""A round is published, and a result saved, with what is missing seen first, or not before it is there (7.1, 7.2)."""

from collections.abc import Collection

from scoring.domain.points import Ending
from tourney.actions.record import Refused
from tourney.queries.matches import TableState
from tourney.queries.missing import MissingFleets, MissingSheets, missing_fleets, missing_sheets
from tourney.queries.slices import EventSlice
from tourney.queries.state import EventState
from tourney.runtime.messages import message, nmessage


class FleetsMissing(Refused):
    """Fleets are not recorded before a round, `missing`."""

    def __init__(self, missing: MissingFleets) -> None:
        names = [str(one) for one in missing.entrants]
        what = nmessage(
            "{names} has no recorded fleet (rule 7.1).",
            "{names} have no recorded fleet (rule 7.1).",
            len(names),
            names=names,
        )
        way = message("Check the list, then publish the round anyway.")
        if missing.is_required:
            way = message("Everyone needs one before round 1 at this event. Record it, or undo the check-in.")
        super().__init__(what, way)
        self.missing = missing


class SheetsMissing(Refused):
    """Sheets of a table are not recorded or not signed before its result, `missing`."""

    def __init__(self, missing: MissingSheets) -> None:
        super().__init__(*missing.sentences, *missing.ways)
        self.missing = missing


def refuse_without_fleets(state: EventState, seen: Collection[int] | None) -> None:
    """Rule 7.1: raises FleetsMissing where the draft waits for fleets, or for somebody to see whose are missing.

    `seen` are the numbers of those whom the person saw listed; None for who is not asked.
    """
    missing = missing_fleets(state)
    if missing.entrants and (missing.is_required or (seen is not None and not missing.numbers <= set(seen))):
        raise FleetsMissing(missing)


def refuse_without_sheets(state: EventSlice, match: TableState, ending: Ending, seen: Collection[str] | None) -> None:
    """Rules 7.1, 7.2: raises SheetsMissing where the result waits for sheets, or for somebody to see what is missing.

    `seen` is what the person saw of it, as `MissingSheets.codes`; None for who is not asked.
    """
    missing = missing_sheets(state, match, ending)
    if missing.gaps and (missing.is_required or (seen is not None and not missing.codes <= set(seen))):
        raise SheetsMissing(missing)
