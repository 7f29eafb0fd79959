"""The tables of an event that are saved as CSV, of a state with the names that its reader may read."""

from collections.abc import Callable, Mapping

from scoring.domain.commendation import LedgerKind
from scoring.domain.points import Score
from scoring.domain.words import yes_or_no
from tourney.models import Entrant
from tourney.queries import public
from tourney.queries.shown_names import in_public_words
from tourney.queries.state import EventState
from tourney.queries.tokens import token_of
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message
from tourney.sharing.domain.tables import Cell, ExportTable

OUTCOMES = {
    "win": message("Win"),
    "loss": message("Loss"),
    "bye": message("Bye"),
    "no-show win": message("Win by no-show"),
    "no-show": message("No-show"),
    "undecided": message("Roll-off"),
}
HAPPENED = {
    LedgerKind.GRANTED: message("Given"),
    LedgerKind.PASSED_ON: message("Passed on"),
    LedgerKind.DECLINED: message("Declined"),
    LedgerKind.WITHDRAWN: message("Withdrawn"),
    LedgerKind.SPENT: message("Spent"),
    LedgerKind.UNSPENT: message("Not spent after all"),
    LedgerKind.LOST: message("Lost"),
    LedgerKind.RETURNED: message("Restored"),
    LedgerKind.CORRECTED: message("Ranks corrected"),
}
NUMBER, PLAYER, FACTION, ROUND = message("Number"), message("Player"), message("Faction"), message("Round")
BATTLE_POINTS, FLEET_POINTS = message("Battle Points"), message("Fleet Points")
DROPPED_AFTER = message("Dropped after round")


def players(state: EventState) -> ExportTable:
    """Everybody registered, by number."""
    return ExportTable(
        (NUMBER, PLAYER, FACTION, message("Checked in"), DROPPED_AFTER),
        [
            (
                one.number,
                one.player.name,
                one.faction,
                yes_or_no(one.checked_in),
                None if one.dropped_from is None else one.dropped_from - 1,
            )
            for one in state.entrants
        ],
    )


def pairings(state: EventState) -> ExportTable:
    """A row for each player of each round that everybody may see, table by table."""
    rows = [
        (
            round.number,
            match.table,
            side.entrant.player.name,
            _name(match.opponent_of(side.entrant.number)),
            OUTCOMES[side.score.outcome] if side.score else None,
            *_points(side.score),
        )
        for round in state.public_rounds
        for match in round.matches
        for side in round.lines(match)
    ]
    heads = (ROUND, message("Table"), PLAYER, message("Opponent"), message("Result"), BATTLE_POINTS, FLEET_POINTS)
    return ExportTable(heads, rows)


def standings(state: EventState) -> ExportTable:
    """The ranks after the complete rounds, with the points of each round."""
    after = len(state.complete_rounds)
    heads: list[Message] = [message("Rank"), PLAYER, FACTION, message("Title"), BATTLE_POINTS, FLEET_POINTS]
    for number in range(1, after + 1):
        heads.append(message("Round {number}: Battle Points", number=number))
        heads.append(message("Round {number}: Fleet Points", number=number))
    rows: list[tuple[Cell, ...]] = []
    for line in public.rank_lines(state, after):
        standing = line.standing
        points = [cell for score in standing.rounds for cell in _points(score)]
        title = standing.title if state.is_finished else ""
        sums = standing.battle_points, standing.fleet_points
        who = line.entrant.player.name, line.entrant.faction
        rows.append((standing.rank, *who, title, *sums, *points, line.left_after))
    return ExportTable([*heads, DROPPED_AFTER], rows)


def factions(state: EventState) -> ExportTable:
    """Rule 5.3 after the complete rounds."""
    heads = (message("Rank"), FACTION, BATTLE_POINTS, FLEET_POINTS, message("Players"), message("Best player"))
    return ExportTable(
        heads,
        [
            (one.rank, one.faction, one.battle_points, one.fleet_points, one.players, state.names[one.champion])
            for one in state.faction_lines(len(state.complete_rounds))
        ],
    )


def tokens(state: EventState, *, is_public: bool) -> ExportTable:
    """The ledger of the event's token, the oldest line first."""
    token, in_words = token_of(state), in_public_words(state.event.store) if is_public else str
    heads = (message("Date and time"), message("What happened"), PLAYER, ROUND, message("Reason"))
    rows = [
        (
            written(row.at, "day, time"),
            HAPPENED[LedgerKind(row.kind)],
            _name(row.entrant),
            row.round,
            in_words(str(row.why)),
        )
        for row in (token.lines if token else ())
    ]
    return ExportTable(heads, rows)


def _name(entrant: Entrant | None) -> str | None:
    return entrant.player.name if entrant else None


def _points(score: Score | None) -> tuple[int | None, int | None]:
    return (score.battle_points, score.fleet_points) if score else (None, None)


TITLES = {
    "standings": message("Standings"),
    "pairings": message("Pairings"),
    "players": message("Players"),
    "factions": message("Factions"),
    "tokens": message("Commendation Award Token"),
}


def tables_in(state: EventState, *, is_public: bool) -> Mapping[str, Callable[[], ExportTable]]:
    """What makes each table that there is of the event by now, by its name in addresses; in the order of `TITLES`."""
    after = len(state.complete_rounds)
    there = {
        "standings": after > 0,
        "pairings": bool(state.public_rounds),
        "players": bool(state.entrants),
        "factions": after > 0 and state.rules.allegiance,
        "tokens": state.rules.token,
    }
    make = {
        "standings": lambda: standings(state),
        "pairings": lambda: pairings(state),
        "players": lambda: players(state),
        "factions": lambda: factions(state),
        "tokens": lambda: tokens(state, is_public=is_public),
    }
    return {name: make[name] for name in TITLES if there[name]}
