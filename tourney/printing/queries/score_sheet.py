"""The score sheet: players by rounds with Battle and Fleet Points, as data and as text."""

from typing import Any

from tourney.queries.rulings import rulings_until
from tourney.queries.state import EventState, StandingLine
from tourney.runtime.messages import message, minus


def as_data(state: EventState) -> dict[str, Any]:
    """The standings after the last complete round as JSON-able data."""
    after = len(state.complete_rounds)
    return {
        "event": state.event.slug,
        "pack": {"slug": state.rules.slug, "version": state.rules.version},
        "after_round": after,
        "final": state.is_finished,
        "standings": [_line(line, state.is_finished) for line in state.standing_lines(after)],
        "factions": [
            {
                "rank": line.rank,
                "faction": line.faction,
                "battle_points": line.battle_points,
                "fleet_points": line.fleet_points,
                "players": line.players,
            }
            for line in state.faction_lines(after)
        ],
        "rulings": [
            str(message("Round {number}: {ruling}", number=one.round, ruling=one.sentence))
            for one in rulings_until(state, after)
        ],
        "seeds": [round.row.seed for round in state.rounds],
    }


def _line(line: StandingLine, final: bool) -> dict[str, Any]:
    standing = line.standing
    return {
        "rank": standing.rank,
        "shared": standing.shared,
        "title": standing.title if final else "",
        "number": standing.id,
        "name": line.entrant.player.name,
        "faction": line.entrant.faction,
        "battle_points": standing.battle_points,
        "fleet_points": standing.fleet_points,
        "rounds": [
            score
            and {
                "battle_points": score.battle_points,
                "fleet_points": score.fleet_points,
                "as": score.outcome,
            }
            for score in standing.rounds
        ],
        "dropped": standing.dropped,
        "why": line.why,
    }


def as_text(state: EventState) -> str:
    """The score sheet for a terminal, columns aligned."""
    data = as_data(state)
    rounds = range(1, data["after_round"] + 1)
    columns = (
        message("Rank"),
        message("Name"),
        message("Faction"),
        *(message("Round {number}", number=n) for n in rounds),
        message("Battle"),
        message("Fleet"),
        message("Title"),
    )
    head = list(map(str, columns))
    rows = [head]
    for line in data["standings"]:
        cells = [
            f"{minus(score['battle_points'])}/{minus(score['fleet_points'])}{_sign(score['as'])}" if score else "–"
            for score in line["rounds"]
        ]
        name = str(message("{name} (dropped)", name=line["name"])) if line["dropped"] else line["name"]
        points = [str(minus(line["battle_points"])), str(minus(line["fleet_points"]))]
        rows.append([str(line["rank"]), name, line["faction"], *cells, *points, line["title"]])
    title = message(
        "{event}, {limit} SP, after round {number}",
        event=state.event.name,
        limit=state.event.sp_limit,
        number=data["after_round"],
    )
    text = [str(title), "", *_aligned(rows, left={1, 2, len(head) - 1})]
    if data["factions"]:
        text += ["", str(message("Factions"))]
        text += _aligned(
            [
                [str(f["rank"]), f["faction"], str(minus(f["battle_points"])), str(minus(f["fleet_points"]))]
                for f in data["factions"]
            ],
            left={1},
        )
    if data["rulings"]:
        text += ["", str(message("Rulings")), *data["rulings"]]
    seeds = message("Round seeds: {seeds}", seeds=", ".join(map(str, data["seeds"])))
    return "\n".join([*text, "", str(seeds)])


def _sign(outcome: str) -> str:
    return {"bye": " B", "win": " W", "loss": " L"}.get(outcome, f" {outcome}")


def _aligned(rows: list[list[str]], left: set[int]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
