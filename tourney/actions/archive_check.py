"""Whether an archive can be read (docs/archive.md): the schema first, then what a schema cannot say."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, overload

from jsonschema import Draft202012Validator, FormatChecker, ValidationError

from fleets.domain.card_data import InvalidData, sheet_from_data
from scoring.domain.commendation import LedgerKind, LedgerLine, LineDoesNotFit, token_after
from scoring.domain.pack import InvalidPack, MonthPack, parse
from scoring.domain.points import problems
from scoring.domain.prizes import InvalidPrizes, parse_prizes
from scoring.domain.roll_offs import RollDoesNotFit, battle_stations, levels, roll_faces
from tourney.domain import swiss
from tourney.domain.archive_file import not_storable
from tourney.domain.joining import MOST_ENTRANTS
from tourney.models import PlayerReport, Result, RollOff, Round, Seat
from tourney.queries.matches import played_of, roll_facts
from tourney.queries.players import lowercased_by_database
from tourney.queries.results import needs_ruling
from tourney.queries.roll_offs import die_by
from tourney.runtime.bounds import shown
from tourney.runtime.json_acceptor import acceptor
from tourney.runtime.messages import Message

SCHEMAS = {
    version: json.loads(Path(__file__).with_name(f"archive-{version}.schema.json").read_text()) for version in (1, 2)
}
SCHEMA = SCHEMAS[2]
"""That of the archives which are written; those of earlier versions are read still."""
SHOWN = 20
MOST_ERRORS = 1000
LONGEST_ERROR = 300

FORMATS = FormatChecker(formats=())


class InvalidArchive(Exception):
    """The file is no archive that can be read. `errors` are sentences, each with the path of the field."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors[:SHOWN]))
        self.errors = errors


def check(data: Any) -> MonthPack:
    """The pack of a valid archive. Raises InvalidArchive with the path of every offending field."""
    _refuse(not_storable(data))
    _refuse(_wrong_by_schema(data))
    facts: dict[str, Any] = data  # which the schema has just said
    try:
        pack = parse(facts["pack"])
    except InvalidPack as error:
        raise InvalidArchive(
            [f"$.pack.{wrong.field}: {wrong.message.in_english()}" for wrong in error.errors]
        ) from error
    event = facts["event"]
    rules = pack.with_choices(sp_limit=event["sp_limit"], rounds=event["rounds_planned"], minutes=event["minutes"])
    _refuse(
        [
            *_wrong_event(facts),
            *_wrong_entrants(facts),
            *_wrong_rounds(facts, rules),
            *_wrong_token(facts, rules),
            *_wrong_messages(facts),
        ]
    )
    return pack


@overload
def instant(text: str) -> datetime: ...


@overload
def instant(text: None) -> None: ...


def instant(text: str | None) -> datetime | None:
    """The moment that the archive writes so."""
    return datetime.fromisoformat(text) if text else None


def result_row(facts: dict[str, Any]) -> Result:
    """The result of a match, not saved yet."""
    return Result(**facts | {"entered_at": instant(facts["entered_at"])})


def report_row(facts: dict[str, Any], seat: Seat | None = None) -> PlayerReport:
    """One side's report, not saved yet."""
    return PlayerReport(seat=seat, **facts | {"at": instant(facts["at"])})


def _refuse(errors: Iterable[str]) -> None:
    if errors := list(islice(errors, MOST_ERRORS)):
        raise InvalidArchive(errors)


# the schema


@FORMATS.checks("date-time", raises=ValueError)
def _is_instant(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


CHECKS = {name: partial(FORMATS.conforms, format=name) for name in FORMATS.checkers}
ACCEPTORS = {version: acceptor(schema, CHECKS) for version, schema in SCHEMAS.items()}
IS_RIGHT = ACCEPTORS[2]


def _wrong_by_schema(data: object) -> list[str]:
    """What is wrong is named by the slower reader of schemas; for what is right nobody waits for it."""
    version = 1 if isinstance(data, dict) and data.get("version") == 1 else 2
    if ACCEPTORS[version](data):
        return []
    found = Draft202012Validator(SCHEMAS[version], format_checker=FORMATS).iter_errors(data)
    fields = islice((one for error in found for one in _fields(error)), MOST_ERRORS)
    errors = sorted(fields, key=lambda error: list(map(str, error.absolute_path)))
    return [f"{error.json_path}: {shown(error.message, LONGEST_ERROR)}" for error in errors]


def _fields(error: ValidationError) -> Iterator[ValidationError]:
    """The errors inside of this one that name a field: of "an object or null", what is wrong with the object."""
    inner = [one for one in error.context if one.validator != "type" or one.relative_path]
    if not inner:
        yield error
    for one in inner:
        yield from _fields(one)


# what the schema cannot say


def _wrong_messages(data: dict[str, Any]) -> Iterator[str]:
    for name in ("journal", "token"):
        for number, entry in enumerate(data.get(name, ())):
            if entry.get("said") is not None:
                try:
                    Message.from_data(entry["said"])
                except (LookupError, TypeError, ValueError, AttributeError) as error:
                    yield f"$.{name}[{number}].said: is no message ({shown(str(error), LONGEST_ERROR)})"


def _wrong_event(data: dict[str, Any]) -> Iterator[str]:
    rounds, planned = data["rounds"], data["event"]["rounds_planned"]
    if len(rounds) > planned:
        yield f"$.event.rounds_planned: {planned} planned, but {len(rounds)} are drawn"
    if data["event"]["finished_at"] and not (rounds and rounds[-1]["state"] == Round.State.CLOSED):
        yield "$.event.finished_at: an event is finished after a closed round"
    numbers = [table["number"] for table in data["event"].get("tables", ())]
    if len(set(numbers)) < len(numbers):
        yield "$.event.tables: each number is one table’s"
    try:
        parse_prizes(data["event"].get("prizes", ""))
    except InvalidPrizes as error:
        yield from (f"$.event.prizes: {wrong}" for wrong in error.errors)


def _wrong_entrants(data: dict[str, Any]) -> Iterator[str]:
    last = 0
    names: Counter[str] = Counter()
    if len(data["entrants"]) > MOST_ENTRANTS:
        yield f"$.entrants: an event has at most {MOST_ENTRANTS} players"
    keys = lowercased_by_database(entrant["name"] for entrant in data["entrants"])
    for place, entrant in enumerate(data["entrants"]):
        path, number = f"$.entrants[{place}]", entrant["number"]
        names[keys[entrant["name"]]] += 1
        if number == last:
            yield f"{path}.number: {number} is used twice"
        elif number < last:
            yield f"{path}.number: {number} comes after {last}; numbers ascend"
        if names[keys[entrant["name"]]] > 1:
            yield f"{path}.name: “{entrant['name']}” is registered twice"
        yield from _wrong_fleet(f"{path}.fleet", entrant.get("fleet"))
        last = max(last, number)


def _wrong_fleet(path: str, fleet: dict[str, Any] | None) -> Iterator[str]:
    if fleet is None:
        return
    yield from _wrong_sheet(f"{path}.sheet", fleet["sheet"])


def _wrong_sheet(path: str, sheet: dict[str, Any]) -> Iterator[str]:
    try:
        sheet_from_data(sheet)
    except InvalidData as error:
        yield f"{path}: {error}"


def _wrong_rounds(data: dict[str, Any], rules: MonthPack) -> Iterator[str]:
    names = {entrant["number"]: entrant["name"] for entrant in data["entrants"]}
    for place, round in enumerate(data["rounds"]):
        path = f"$.rounds[{place}]"
        if round["number"] != place + 1:
            yield f"{path}.number: {round['number']} is where round {place + 1} should be"
        if round["state"] != Round.State.CLOSED and place + 1 < len(data["rounds"]):
            yield f"{path}.state: only the last round can be {round['state']}"
        for index, reason in enumerate(round["relaxed"]):
            yield from _wrong_reason(f"{path}.relaxed[{index}]", reason, names)
        yield from _wrong_times(path, round)
        yield from _wrong_seats(path, round, names)
        yield from _wrong_played(path, round)
        yield from _wrong_results(path, round, rules)
        yield from _wrong_reports(path, round, rules)
        yield from _wrong_penalties(path, round)
        yield from _wrong_roll_offs(path, round, names, rules)


def _wrong_reason(path: str, reason: dict[str, Any], names: dict[int, str]) -> Iterator[str]:
    try:
        swiss.sentence(swiss.Reason.from_data(reason), names)
    except (LookupError, ValueError):
        yield f"{path}: no sentence can be made of this reason and these players"


def _wrong_times(path: str, round: dict[str, Any]) -> Iterator[str]:
    is_draft, is_closed = round["state"] == Round.State.DRAFT, round["state"] == Round.State.CLOSED
    if (round["published_at"] is None) != is_draft:
        yield f"{path}.published_at: a draft has none, every other round has one"
    if (round["closed_at"] is None) == is_closed:
        yield f"{path}.closed_at: a closed round has one, no other has"
    if round["ends_at"] and round["paused_left"] is not None:
        yield f"{path}.paused_left: a clock runs or is paused, not both"
    for name in ("ends_at", "paused_left"):
        if round[name] is not None and (is_draft or is_closed):
            yield f"{path}.{name}: only a round in play has a clock"


def _wrong_seats(path: str, round: dict[str, Any], names: dict[int, str]) -> Iterator[str]:
    seated, last, byes = set(), 0, 0
    for place, match in enumerate(round["matches"]):
        here, table = f"{path}.matches[{place}]", match["table"]
        for seat, number in enumerate(match["seats"]):
            if number not in names:
                yield f"{here}.seats[{seat}]: there is no entrant {number}"
            if number in seated:
                yield f"{here}.seats[{seat}]: entrant {number} sits twice in this round"
            seated.add(number)
        if (len(match["seats"]) == 1) != (table is None):
            yield f"{here}.table: a match of two has a table, a bye has none"
        elif table is None:
            byes += 1
            if byes > 1:
                yield f"{here}.seats: a round has one bye at most (rule 3.3 a)"
        elif table == last:
            yield f"{here}.table: table {table} is used twice in this round"
        elif table < last or byes:
            yield f"{here}.table: tables ascend, and the bye comes last"
        last = max(last, table or 0)
        for name in ("destroyed", "played", "checks", "reports", "wishes"):
            if len(match.get(name, match["seats"])) != len(match["seats"]):
                yield f"{here}.{name}: there is one for each seat"
        yield from _wrong_reason(f"{here}.reason", match["reason"], names)
    if not last and round["state"] != Round.State.DRAFT:
        yield f"{path}.matches: a round has a table at least"


def _wrong_played(path: str, round: dict[str, Any]) -> Iterator[str]:
    for place, match in enumerate(round["matches"]):
        for seat, sheet in enumerate(match.get("played", ())):
            here = f"{path}.matches[{place}].played[{seat}]"
            if sheet is None:
                continue
            if round["state"] != Round.State.CLOSED:
                yield f"{here}: only a closed round has the sheets that played"
            yield from _wrong_sheet(here, sheet)


def _wrong_results(path: str, round: dict[str, Any], rules: MonthPack) -> Iterator[str]:
    for place, match in enumerate(round["matches"]):
        here, result = f"{path}.matches[{place}].result", match["result"]
        is_bye = len(match["seats"]) == 1
        if result is None:
            if round["state"] == Round.State.CLOSED and not is_bye:
                yield f"{here}: a closed round has every result"
        elif is_bye or round["state"] == Round.State.DRAFT:
            yield f"{here}: {'a bye' if is_bye else 'a draft'} has no result"
        elif (result["condition"] is None) != (result["condition_side"] == ""):
            yield f"{here}.condition_side: a win condition has a side, and only that"
        else:
            played = played_of(result_row(result))
            yield from (f"{here}.{_field(problem.field)}: {problem.message}" for problem in problems(rules, played))
            if needs_ruling(played) and not result["ruling"]:
                yield f"{here}.ruling: a ruling needs its reason (rule 2.12)"


def _wrong_penalties(path: str, round: dict[str, Any]) -> Iterator[str]:
    seated, given = {number for match in round["matches"] for number in match["seats"]}, set()
    for place, penalty in enumerate(round.get("penalties", ())):
        here = f"{path}.penalties[{place}]"
        facts = tuple(penalty[name] for name in ("entrant", "battle_points", "fleet_points", "reason"))
        if round["state"] == Round.State.DRAFT:
            yield f"{here}: a draft has no penalties"
        if penalty["entrant"] not in seated:
            yield f"{here}.entrant: entrant {penalty['entrant']} does not sit in this round"
        if not penalty["battle_points"] and not penalty["fleet_points"]:
            yield f"{here}.fleet_points: a penalty changes points"
        if facts in given:
            yield f"{here}: the same penalty is given once"
        given.add(facts)


def _wrong_reports(path: str, round: dict[str, Any], rules: MonthPack) -> Iterator[str]:
    for place, match in enumerate(round["matches"]):
        here, is_draft = f"{path}.matches[{place}]", round["state"] == Round.State.DRAFT
        for seat, facts in enumerate(match.get("reports", ())):
            there = f"{here}.reports[{seat}]"
            if facts is None:
                continue
            if is_draft or match["table"] is None:
                yield f"{there}: {'a draft' if is_draft else 'a bye'} has no report"
            elif (facts["condition"] is None) != (facts["condition_side"] == ""):
                yield f"{there}.condition_side: a win condition has a side, and only that"
            else:
                found = problems(rules, played_of(report_row(facts)))
                yield from (f"{there}.{_field(problem.field)}: {problem.message}" for problem in found)
        for seat, asked in enumerate(match.get("wishes", ())):
            if len({one["kind"] for one in asked}) < len(asked):
                yield f"{here}.wishes[{seat}]: each is asked for once"
            elif asked and is_draft:
                yield f"{here}.wishes[{seat}]: a draft has no wish"


def _wrong_token(data: dict[str, Any], rules: MonthPack) -> Iterator[str]:
    """Rule 6: the ledger of one token, of entrants and rounds that exist."""
    lines, numbers = data.get("token", ()), {entrant["number"] for entrant in data["entrants"]}
    if lines and not rules.token:
        yield "$.token: this month is played without the token"
    for place, line in enumerate(lines):
        if line["entrant"] is not None and line["entrant"] not in numbers:
            yield f"$.token[{place}].entrant: there is no entrant {line['entrant']}"
        if line["round"] is not None and line["round"] > len(data["rounds"]):
            yield f"$.token[{place}].round: there is no round {line['round']}"
    try:
        token_after(LedgerLine(LedgerKind(line["kind"]), line["entrant"], line["round"]) for line in lines)
    except LineDoesNotFit as error:
        yield f"$.token: {error}"


def _field(name: str) -> str:
    """Where the archive has the field of a problem: tally_ds9_a is ds9 of tallies_a."""
    if not name.startswith("tally_"):
        return name
    key, side = name.removeprefix("tally_").rsplit("_", 1)
    return f"tallies_{side}.{key}"


def _wrong_roll_offs(path: str, round: dict[str, Any], names: dict[int, str], rules: MonthPack) -> Iterator[str]:
    seated = [sorted(match["seats"]) for match in round["matches"] if match["table"]]
    seen = set()
    for place, roll_off in enumerate(round["roll_offs"]):
        here, kind, group = f"{path}.roll_offs[{place}]", roll_off["kind"], roll_off["group"]
        if round["state"] == Round.State.DRAFT:
            yield f"{here}: a draft has no roll-off"
        if unknown := sorted(set(group) - set(names)):
            yield f"{here}.group: there is no entrant {unknown[0]}"
        if group != sorted(set(group)):
            yield f"{here}.group: each entrant number once, in ascending order"
        elif (kind, *group) in seen:
            yield f"{here}.group: this group has rolled off here already"
        elif kind == RollOff.Kind.TABLE and group not in seated:
            yield f"{here}.group: these two do not sit at one table in this round"
        seen.add((kind, *group))
        yield from _wrong_rolls(f"{here}.throws", roll_off, rules)


def _wrong_rolls(path: str, roll_off: dict[str, Any], rules: MonthPack) -> Iterator[str]:
    """Rules 4.1, 4.3: rolls fit their group, and anybody can re-compute what the software rolled."""
    kind, group = roll_off["kind"], roll_off["group"]
    try:
        levels(group, [roll_facts(roll["counts"]) for roll in roll_off["throws"]])
    except RollDoesNotFit as error:
        yield f"{path}: {error}"
        return
    for place, roll in enumerate(roll_off["throws"]):
        seed, faces, counts = roll["seed"], roll["faces"], roll["counts"]
        rolled = {}
        if seed:
            rolled = {
                n: list(roll_faces(seed, place + 1, int(n), die=die_by(rules, kind, group, int(n)))) for n in counts
            }
        if faces != rolled:
            yield f"{path}[{place}].faces: not what the seed gives (rule 4.3)"
        elif seed and counts != {number: battle_stations(shown) for number, shown in faces.items()}:
            yield f"{path}[{place}].counts: not the Battle Stations of the faces"
