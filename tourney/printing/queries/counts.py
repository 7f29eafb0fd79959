"""On about how many sheets each document of a night is printed, as the print centre says it."""

from collections.abc import Callable

from fleets.domain.build_sheet import SHIPS_PER_PAGE
from tourney.models import Entrant
from tourney.printing.domain.counts import SETTINGS, WIDTH, row_height, sheets_for
from tourney.printing.domain.documents import DOCUMENTS, NUMBERS_PER_PAGE, USUAL_SLIPS, ForEach, letters
from tourney.printing.queries.documents import SPARE_LINES, check_in_lines, record_lines, score_lines
from tourney.queries import public
from tourney.queries.awards import awards_of, participants_of
from tourney.queries.fleets import fleets_of
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState
from tourney.queries.tables import tables_needed

NOTE = 110
SCORE_HEADS = 110
CHECK_IN_HEADS = 90
STEPS_BY_HAND = 1150
"""In tenths of a millimetre, as those of `tourney/printing/domain/counts.py`."""


counts = ForEach[Callable[[EventState, str], int]]()
"""Of each document that goes on more than one sheet: on how many."""


def sheets_needed(state: EventState, kind: str, size: str) -> int:
    """Of one copy, on paper of that size, with the latest round and the usual number of slips on a sheet."""
    return 1 if DOCUMENTS[kind].is_one_sheet else counts.works[kind](state, size)


def _name(entrant: Entrant | None) -> str:
    return entrant.player.name if entrant else ""


def _last(state: EventState) -> RoundState:
    return (state.public_rounds or state.rounds)[-1]


@counts("pairings")
def _pairings(state: EventState, size: str) -> int:
    lines, width = public.names_in(_last(state)), (WIDTH[size] - 150) // 2 - 40
    both = [(_name(line.own.entrant), _name(line.other.entrant if line.other else None)) for line in lines]
    setting = SETTINGS[letters([name for name, _ in both])]
    return sheets_for([row_height([(name, width) for name in names], setting) for names in both], size)


@counts("tables")
def _tables(state: EventState, size: str) -> int:
    width = WIDTH[size] * 45 // 100 - 90
    both = [[_name(one) for one in match.entrants] for match in _last(state).matches]
    setting = SETTINGS[letters([max(names, key=len) for names in both])]
    return sheets_for([row_height([(name, width) for name in names], setting) for names in both], size)


@counts("slips")
def _slips(state: EventState, size: str) -> int:
    return -(-len(_last(state).tables) // USUAL_SLIPS)


@counts("standings")
def _standings(state: EventState, size: str) -> int:
    names = [_name(line.entrant) for line in state.standing_lines(len(state.complete_rounds))]
    setting, width = SETTINGS[letters(names)], WIDTH[size] - 700
    return sheets_for([row_height([(name, width)], setting) for name in names], size)


@counts("score-sheet")
def _score_sheet(state: EventState, size: str) -> int:
    lines = score_lines(state)
    names = [_name(line.entrant) for line in lines]
    set_in = letters([name for name in names if name], names.count(""))
    columns = len(lines[0].scores) + 1 + any(line.so_far and line.standing is None for line in lines)
    width, least = max(300, WIDTH[size] - 210 * columns - 250), {"large": 112, "medium": 97, "small": 82}[set_in]
    rows = [row_height([(name, width)], SETTINGS["condensed" if len(name) > 30 else "small"], least) for name in names]
    return sheets_for([*rows, NOTE], size, column_heads=SCORE_HEADS)


@counts("record")
def _record(state: EventState, size: str) -> int:
    lines, rounds = record_lines(state), len(state.public_rounds)
    width = (WIDTH[size] - 200) // (rounds + 1) - 40
    rows = [
        row_height([(name, width) for name in (_name(line.entrant), *map(str, line.met))], SETTINGS["small"])
        for line in lines
    ]
    return sheets_for([*rows, NOTE], size)


@counts("by-hand")
def _by_hand(state: EventState, size: str) -> int:
    number = len(state.public_rounds) + 1
    if number > state.event.rounds_planned:
        return 1
    tables = max(len(state.present(number)) // 2, 3) + 2
    return sheets_for([97] * tables, size, before=STEPS_BY_HAND)


@counts("check-in")
def _check_in(state: EventState, size: str) -> int:
    names, spare = [_name(entrant) for entrant, _ in check_in_lines(state)], SPARE_LINES * 2
    setting, width = SETTINGS[letters(names, spare)], WIDTH[size] // 2 - 260
    rows = [row_height([(name, width)], setting, 80) for name in [*names, *[""] * spare]]
    return sheets_for(rows, size, column_heads=CHECK_IN_HEADS)


@counts("build-sheets")
def _build_sheets(state: EventState, size: str) -> int:
    fleets, staying = fleets_of(state), [one for one in state.with_place if one.dropped_from is None]
    ships = [len(fleets[one.number].sheet.ships) if one.number in fleets else 0 for one in staying]
    return sum(max(1, -(-count // SHIPS_PER_PAGE)) for count in ships)


@counts("awards")
def _awards(state: EventState, size: str) -> int:
    lines, width = [line for line in awards_of(state).lines if line.gifts], WIDTH[size] * 46 // 100 - 90
    names = [_name(line.entrant) for line in lines]
    setting = SETTINGS[letters(names, sum(len(line.gifts) - 1 for line in lines))]
    lines_of_gifts = (sum(1 + bool(gift.why or gift.condition) for gift in line.gifts) for line in lines)
    gifts = [setting.air + (setting.line + 5) * count for count in lines_of_gifts]
    rows = [row_height([(name, width)], setting, least) for name, least in zip(names, gifts, strict=True)]
    return sheets_for([*rows, NOTE], size)


@counts("signatures")
def _signatures(state: EventState, size: str) -> int:
    width = WIDTH[size] * 58 // 100 - 440
    rows = [row_height([(_name(one), width)], SETTINGS["small"], 112) for one in participants_of(state)]
    return sheets_for(rows, size)


@counts("table-numbers")
def _table_numbers(state: EventState, size: str) -> int:
    return -(-tables_needed(state) // NUMBERS_PER_PAGE)


@counts("tents")
def _tents(state: EventState, size: str) -> int:
    return tables_needed(state)
