"""Month packs: everything that varies from one month of a storyline to the next (docs/month-packs.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from scoring.domain.building import (
    CardLimit,
    CostChange,
    FleetFormat,
    building_contradictions,
    read_card_limit,
    read_cost_change,
    read_fleet,
)
from scoring.domain.reading import CHOOSE, FieldError, Reader, does_not_fit, not_while, one_of
from tourney.runtime.bounds import shown
from tourney.runtime.languages import LANGUAGES
from tourney.runtime.messages import Message, Printed, in_a_row, message

FORMAT = 1

PER = ("flat", "count")
TO = ("each", "winner", "most", "fewest")
RESOURCE_RULES = ("exactly one", "at most one", "any number", "one per ship", "none")
RESOURCE_CHOICES = ("storyline", "any", "not retired")
CONCESSIONS = ("eliminated", "as it stands")
TABLE_ROLL_OFFS = ("attack", "attack against defense")
PAIRING_STYLES = ("neighbours", "halves", "random")
ROLL_OFFS_BETWEEN_ROUNDS = ("every", "pairing")
BEST_OF_EACH_FACTION = "best of each faction"
AWARDS = (BEST_OF_EACH_FACTION,)
ZERO_POINTS = message("0 points changes nothing. Type a number above 0 for a bonus, or below 0 for a penalty.")


class InvalidPack(Exception):
    """The data is no month pack; `errors` holds every reason at once."""

    def __init__(self, errors: tuple[FieldError, ...]) -> None:
        super().__init__("; ".join(map(str, errors)))
        self.errors = errors


class LimitNotChosen(Exception):
    """The pack leaves the SP limit to the organizer, and nobody has chosen one yet; `message` says so."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Tally:
    """Something counted at a table for each side; ticked rather than counted when max_each is 1.

    max_total counts both sides together (the tokens in play). A tally in `excludes` cannot be above zero on
    either side while this one is above zero on either side.
    """

    key: str
    name: str
    max_each: int | None = None
    max_total: int | None = None
    excludes: tuple[str, ...] = ()
    reminder: str = ""


@dataclass(frozen=True, slots=True)
class Bonus:
    """Rule 2.8: Fleet Points for a tally, once ("flat") or for every one counted; negative is a penalty."""

    tally: str
    name: str
    points: int
    per: str
    to: str
    decides_winner: bool


@dataclass(frozen=True, slots=True)
class ResourceRule:
    """Rule 7.11: how many resources a fleet has, from which choice, and the one this month brings.

    cost is in SP as printed: "20", or a formula in words. `only` are the ones that may be taken, if not all.
    """

    rule: str = "exactly one"
    choice: str = "any"
    name: str = ""
    cost: str = ""
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthPack:
    """The rules of one month. Absent numbers: sp_limit, the organizer is asked; fleet_point_base, it is
    the SP limit; bye_fleet_points, it is the mean of the others (rule 2.10)."""

    slug: str
    version: int = 1
    storyline: str
    month: int | None = None
    name: str = ""
    released: str = ""
    language: str = "en"
    rounds: int = 3
    minutes: int = 60
    sp_limit: int | None = None
    fleet_point_base: int | None = None
    win: int = 2
    bye: int = 2
    loss: int = 1
    no_show: int = 0
    bye_fleet_points: int | None = None
    bye_counts_as_win: bool = False
    concession: str = "eliminated"
    allegiance: bool = False
    factions: tuple[str, ...] = ()
    token: bool = False
    resource: ResourceRule = field(default_factory=ResourceRule)
    fleet: FleetFormat = field(default_factory=FleetFormat)
    card_limits: tuple[CardLimit, ...] = ()
    cost_changes: tuple[CostChange, ...] = ()
    tallies: tuple[Tally, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    bonuses_known: bool = True
    win_conditions: tuple[str, ...] = ()
    ends_when: str = ""
    table_roll_off: str = "attack"
    titles: tuple[str, ...] = ("Admiral", "Vice Admiral")
    awards: tuple[str, ...] = ()
    pairing_style: str = "neighbours"
    roll_offs_between_rounds: str = "every"
    keep_factions_apart: bool = False
    prize_ship: str = ""
    notes: str = ""

    @property
    def base(self) -> int:
        """Rule 2.2: the number Fleet Points start from. Raises LimitNotChosen."""
        base = self.sp_limit if self.fleet_point_base is None else self.fleet_point_base
        if base is None:
            raise LimitNotChosen(
                message("{month} has no SP limit yet. Choose the one printed on its overview.", month=self.heading)
            )
        return base

    @property
    def heading(self) -> Message:
        """What the month is called on a page: "Dominion War, month 6: The Last Battle of DS9"."""
        if self.month is None and not self.name:
            return in_a_row([self.storyline])
        if self.month is None:
            return message("{storyline}: {name}", storyline=self.storyline, name=self.name)
        if not self.name:
            return message("{storyline}, month {month}", storyline=self.storyline, month=self.month)
        return message("{storyline}, month {month}: {name}", storyline=self.storyline, month=self.month, name=self.name)

    def with_choices(
        self, sp_limit: int | None = None, rounds: int | None = None, minutes: int | None = None
    ) -> "MonthPack":
        """This pack with what the organizer chose for one event; None keeps a value. Raises InvalidPack."""
        chosen = {"sp_limit": sp_limit, "rounds": rounds, "minutes": minutes}
        return parse(as_data(self) | {key: value for key, value in chosen.items() if value is not None})


def as_data(pack: MonthPack) -> dict[str, Any]:
    """The pack as JSON-able data of format 1, every field written out; `parse` is its inverse."""
    return {"format": FORMAT, **_plain(pack)}


def parse(data: Mapping[str, Any]) -> MonthPack:
    """The month pack that the data describes. Raises InvalidPack with every error at once."""
    errors: list[FieldError] = []
    reader = Reader(data, errors)
    reader.number("format", low=FORMAT, high=FORMAT)
    values = _head(reader) | _points(reader) | _people(reader) | _table(reader) | _evening(reader)
    reader.refuse_unknown()
    pack = _for_readers(MonthPack(**values))
    said = {error.field for error in errors}
    errors += [error for error in _contradictions(pack) if error.field not in said]
    if errors:
        raise InvalidPack(tuple(errors))
    return pack


def printed_texts(pack: MonthPack) -> Iterator[str]:
    """What the pack says in its own language; its names, titles and factions are the same in every language."""
    counted = (text for tally in pack.tallies for text in (tally.name, tally.reminder))
    bonuses = (bonus.name for bonus in pack.bonuses)
    others = (*pack.win_conditions, pack.ends_when, pack.notes, pack.resource.cost)
    yield from (text for text in (*counted, *bonuses, *others) if any(map(str.isalpha, text)))


def _for_readers(pack: MonthPack) -> MonthPack:
    """The pack with every one of `printed_texts` in the reader's language, where there is a translation."""

    def said(text: str) -> Printed:
        return Printed(text, pack.language)

    return replace(
        pack,
        tallies=tuple(replace(one, name=said(one.name), reminder=said(one.reminder)) for one in pack.tallies),
        bonuses=tuple(replace(one, name=said(one.name)) for one in pack.bonuses),
        win_conditions=tuple(map(said, pack.win_conditions)),
        ends_when=said(pack.ends_when),
        notes=said(pack.notes),
        resource=replace(pack.resource, cost=said(pack.resource.cost)),
    )


def _head(reader: Reader) -> dict[str, Any]:
    return {
        "slug": reader.text("slug", longest=60, like=r"[a-z0-9]+(-[a-z0-9]+)*", example="dominion-war-6"),
        "version": reader.number("version", 1, low=1, high=9999),
        "storyline": reader.text("storyline", longest=80),
        "month": reader.number("month", None, low=0, high=99),
        "name": reader.text("name", "", longest=80),
        "released": reader.text("released", "", like=r"[0-9]{4}-(0[1-9]|1[0-2])", example="2014-03"),
        "language": reader.choice("language", LANGUAGES, "en"),
        "rounds": reader.number("rounds", 3, low=1, high=12),
        "minutes": reader.number("minutes", 60, low=1, high=600),
        "sp_limit": reader.number("sp_limit", None, low=1, high=1000),
    }


def _points(reader: Reader) -> dict[str, Any]:
    return {
        "fleet_point_base": reader.number("fleet_point_base", None, low=0, high=1000),
        "win": reader.number("win", 2, low=0, high=100),
        "bye": reader.number("bye", 2, low=0, high=100),
        "loss": reader.number("loss", 1, low=0, high=100),
        "no_show": reader.number("no_show", 0, low=0, high=100),
        "bye_fleet_points": reader.number("bye_fleet_points", None, low=0, high=1000),
        "bye_counts_as_win": reader.flag("bye_counts_as_win", False),
        "concession": reader.choice("concession", CONCESSIONS, "eliminated"),
    }


def _people(reader: Reader) -> dict[str, Any]:
    return {
        "allegiance": reader.flag("allegiance", False),
        "factions": reader.texts("factions", longest=40),
        "token": reader.flag("token", False),
        "resource": _resource(reader.table("resource")),
        "fleet": read_fleet(reader.table("fleet")),
        "card_limits": tuple(read_card_limit(row) for row in reader.tables("card_limits")),
        "cost_changes": tuple(read_cost_change(row) for row in reader.tables("cost_changes")),
    }


def _table(reader: Reader) -> dict[str, Any]:
    return {
        "tallies": tuple(_tally(row) for row in reader.tables("tallies")),
        "bonuses": tuple(_bonus(row) for row in reader.tables("bonuses")),
        "bonuses_known": reader.flag("bonuses_known", True),
        "win_conditions": reader.texts("win_conditions"),
        "ends_when": reader.text("ends_when", ""),
        "table_roll_off": reader.choice("table_roll_off", TABLE_ROLL_OFFS, "attack"),
    }


def _evening(reader: Reader) -> dict[str, Any]:
    return {
        "titles": reader.texts("titles", ("Admiral", "Vice Admiral"), longest=40),
        "awards": reader.texts("awards"),
        "pairing_style": reader.choice("pairing_style", PAIRING_STYLES, "neighbours"),
        "roll_offs_between_rounds": reader.choice("roll_offs_between_rounds", ROLL_OFFS_BETWEEN_ROUNDS, "every"),
        "keep_factions_apart": reader.flag("keep_factions_apart", False),
        "prize_ship": reader.text("prize_ship", ""),
        "notes": reader.text("notes", "", longest=2000, lines=True),
    }


def _resource(reader: Reader) -> ResourceRule:
    resource = ResourceRule(
        rule=reader.choice("rule", RESOURCE_RULES, "exactly one"),
        choice=reader.choice("choice", RESOURCE_CHOICES, "any"),
        name=reader.text("name", "", longest=80),
        cost=reader.text("cost", "", longest=80),
        only=reader.texts("only", longest=80),
    )
    reader.refuse_unknown()
    return resource


def _tally(reader: Reader) -> Tally:
    tally = Tally(
        key=reader.text("key", longest=40, like=r"[a-z][a-z0-9_]*", example="mission_tokens"),
        name=reader.text("name", longest=80),
        max_each=reader.number("max_each", None, low=1, high=999),
        max_total=reader.number("max_total", None, low=1, high=1998),
        excludes=reader.texts("excludes"),
        reminder=reader.text("reminder", ""),
    )
    reader.refuse_unknown()
    return tally


def _bonus(reader: Reader) -> Bonus:
    bonus = Bonus(
        tally=reader.text("tally", longest=40),
        name=reader.text("name", longest=80),
        points=reader.number("points", low=-1000, high=1000),
        per=reader.choice("per", PER),
        to=reader.choice("to", TO),
        decides_winner=reader.flag("decides_winner"),
    )
    reader.refuse_unknown()
    return bonus


def _contradictions(pack: MonthPack) -> list[FieldError]:
    """What is wrong between fields that are each well-formed."""
    return [
        *_tally_contradictions(pack.tallies),
        *_bonus_contradictions(pack),
        *_other_contradictions(pack),
        *building_contradictions(pack.fleet, pack.card_limits, pack.cost_changes, pack.sp_limit),
    ]


def _tally_contradictions(tallies: tuple[Tally, ...]) -> list[FieldError]:
    found = []
    keys = [tally.key for tally in tallies]
    for index, tally in enumerate(tallies):
        at = f"tallies[{index}]"
        if tally.key in keys[:index]:
            wrong = message(
                "The key “{key}” is taken by an earlier tally. Choose a different one.", key=shown(tally.key)
            )
            plain = message(
                "The short name “{key}” is taken by another count. Choose a different one.", key=shown(tally.key)
            )
            found.append(FieldError(f"{at}.key", wrong, plain))
        if tally.max_each and tally.max_total and tally.max_each > tally.max_total:
            wrong = message(
                "This is more than {field}, {most}. Lower this number, or raise the other.",
                field="max_total",
                most=tally.max_total,
            )
            plain = message(
                "This is more than both players together can have, {total}. Lower this number, or raise the other.",
                total=tally.max_total,
            )
            found.append(FieldError(f"{at}.max_each", wrong, plain))
        for place, other in enumerate(tally.excludes):
            if other == tally.key or other not in keys:
                wrong = message(
                    "There is no other tally with the key “{key}”. Correct it, or remove it.", key=shown(other)
                )
                plain = message("“{key}” is no longer counted. Untick it.", key=shown(other))
                found.append(FieldError(f"{at}.excludes[{place}]", wrong, plain))
    return found


def _bonus_contradictions(pack: MonthPack) -> list[FieldError]:
    found = []
    keys = [tally.key for tally in pack.tallies]
    for index, bonus in enumerate(pack.bonuses):
        at = f"bonuses[{index}]"
        if bonus.tally and bonus.tally not in keys:
            wrong = _no_tally(bonus.tally, tuple(filter(None, keys)))
            plain = message("“{key}” is no longer counted. Choose what these points are for.", key=shown(bonus.tally))
            found.append(FieldError(f"{at}.tally", wrong, plain))
        if bonus.points == 0:
            found.append(FieldError(f"{at}.points", ZERO_POINTS))
        if bonus.to == "winner" and bonus.decides_winner:
            wrong = message(
                "Only the winner gets these points, so they can’t decide who wins. Type false, or change “{field}”.",
                field="to",
            )
            plain = message(
                "Only the winner gets these points, so they can’t decide who wins. "
                "Untick this, or give them to each player."
            )
            found.append(FieldError(f"{at}.decides_winner", wrong, plain))
        if bonus in pack.bonuses[:index]:
            wrong = message("This is the same as a bonus above. Change it, or remove one of the two.")
            found.append(FieldError(at, wrong))
    return found


def _no_tally(key: str, keys: tuple[str, ...]) -> Message:
    if not keys:
        return message("There is no tally with the key “{key}”. Add one to {field}.", key=shown(key), field="tallies")
    return in_a_row([message("There is no tally with the key “{key}”.", key=shown(key)), one_of(keys)])


def _other_contradictions(pack: MonthPack) -> list[FieldError]:
    found = []
    if pack.factions and not pack.allegiance:
        wrong = not_while("allegiance", "false")
        plain = message("Players don’t declare a faction. Tick that they do, or clear the list.")
        found.append(FieldError("factions", wrong, plain))
    for index, award in enumerate(pack.awards):
        if award not in AWARDS:
            found.append(FieldError(f"awards[{index}]", in_a_row([does_not_fit(award), one_of(AWARDS)]), CHOOSE))
        elif award == BEST_OF_EACH_FACTION and not pack.allegiance:
            wrong = not_while("allegiance", "false")
            plain = message("This award needs factions. Let players declare a faction, or untick it.")
            found.append(FieldError(f"awards[{index}]", wrong, plain))
    if pack.resource.rule == "none" and (pack.resource.name or pack.resource.cost):
        wrong = message("The month brings a resource that no fleet may have. Change this, or clear its name and cost.")
        found.append(FieldError("resource.rule", wrong))
    if pack.resource.rule == "none" and pack.resource.only:
        wrong = not_while("rule", "'none'")
        plain = message("No fleet may have a resource. Choose how many each may have, or clear the list.")
        found.append(FieldError("resource.only", wrong, plain))
    return found


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Printed):
        return value.as_written
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
