"""What differs between two month packs, field by field and in words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from scoring.domain.building import CardLimit, CostChange
from scoring.domain.pack import MonthPack, as_data
from scoring.domain.pack_guide import SECTIONS, TEXTS, Guide, GuideTable, in_words, value_at
from scoring.domain.words import change_cards, limit_cards
from tourney.runtime.messages import Message, in_a_row, message, pmessage

NOT_COMPARED = ("slug",)
ABSENT = "–"

type PackRow = dict[str, Any]
"""A row of a list of the pack, as `as_data` gives it."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One field: where it stands, both values in words, and a sentence where something came or went."""

    section: Message
    label: str | Message
    before: str | Message
    after: str | Message
    sentence: Message | None = None


def differences(before: MonthPack, after: MonthPack) -> tuple[FieldDifference, ...]:
    """All of them, in the order of the guide; the packs' own addresses and versions are no difference."""
    old, new = as_data(before), as_data(after)
    return tuple(
        found
        for section in SECTIONS
        for found in (
            *_of_fields(section.title, section.guides, old, new),
            *(one for rows in section.rows for one in _of_rows(section.title, rows, old[rows.field], new[rows.field])),
        )
    )


def merged(base: MonthPack, theirs: MonthPack, mine: MonthPack) -> dict[str, Any]:
    """My data with what only they changed since the base; where both changed a field, mine stays."""
    old, other, own = as_data(base), as_data(theirs), as_data(mine)
    return {key: other[key] if own[key] == old[key] else own[key] for key in own}


def in_short(found: Sequence[FieldDifference]) -> Message:
    """One line: "SP limit: 100 SP → 120 SP. Bonus “Beacons” added."."""
    return in_a_row([one.sentence or _changed(one) for one in found])


def _changed(one: FieldDifference) -> Message:
    return message("{field}: {before} → {after}.", field=one.label, before=one.before, after=one.after)


def _of_fields(
    section: Message, guides: Sequence[Guide], old: PackRow, new: PackRow, of: str | Message = ""
) -> Iterator[FieldDifference]:
    for guide in guides:
        before, after = value_at(old, guide.field), value_at(new, guide.field)
        if before != after and guide.field not in NOT_COMPARED:
            sentence = _came_and_went(guide, before, after) if guide.kind == TEXTS else None
            label = pmessage("a field", "{row}: {field}", row=of, field=guide.label) if of else guide.label
            yield FieldDifference(section, label, in_words(guide, before), in_words(guide, after), sentence)


def _of_rows(section: Message, rows: GuideTable, old: list[PackRow], new: list[PackRow]) -> Iterator[FieldDifference]:
    former, gone = _former(rows, old, new)
    for before, after in zip(former, new, strict=True):
        if before is None:
            text = _row_in_words(rows, after)
            name = _name(rows, after)
            yield FieldDifference(section, name, ABSENT, text, _added(rows, name))
        else:
            yield from _of_fields(section, rows.guides, before, after, of=_name(rows, before))
    for row in gone:
        text, name = _row_in_words(rows, row), _name(rows, row)
        yield FieldDifference(section, name, text, ABSENT, _removed(rows, name))
    kept = [row for row in former if row is not None]
    if [row for row in old if row in kept] != kept:
        names = (in_a_row([[_name(rows, row) for row in table]]) for table in (old, new))
        yield FieldDifference(section, ORDERS[rows.field], *names)


def _former(rows: GuideTable, old: list[PackRow], new: list[PackRow]) -> tuple[list[PackRow | None], list[PackRow]]:
    """What each new row was (None: added), and the old rows that are gone.

    First those that are the same belong together, then those with the same key, name or count.
    """
    left = list(range(len(old)))
    found: dict[int, int] = {}
    for same in SAME[rows.field]:
        for place, row in enumerate(new):
            match = next((index for index in left if same(old[index]) == same(row)), None)
            if place not in found and match is not None:
                found[place] = match
                left.remove(match)
    former = [old[found[place]] if place in found else None for place in range(len(new))]
    return former, [old[index] for index in left]


SAME: dict[str, tuple[Callable[[PackRow], object], ...]] = {
    "tallies": (dict.copy, itemgetter("key"), itemgetter("name")),
    "bonuses": (dict.copy, itemgetter("tally", "name"), itemgetter("name"), itemgetter("tally")),
    "card_limits": (dict.copy, itemgetter("title", "kind", "faction"), itemgetter("title", "how_many")),
    "cost_changes": (dict.copy, itemgetter("kind", "faction", "side"), itemgetter("faction", "side")),
}
"""By what rows of a field are told to be the same one, the surest sign first."""


ORDERS = {
    "tallies": message("Order of counts"),
    "bonuses": message("Order of bonuses"),
    "card_limits": message("Order of card rules"),
    "cost_changes": message("Order of cost changes"),
}


def _added(rows: GuideTable, name: str | Message) -> Message:
    return {
        "tallies": message("Count “{name}” added.", name=name),
        "bonuses": message("Bonus “{name}” added.", name=name),
        "card_limits": message("Card rule “{name}” added.", name=name),
        "cost_changes": message("Cost change “{name}” added.", name=name),
    }[rows.field]


def _removed(rows: GuideTable, name: str | Message) -> Message:
    return {
        "tallies": message("Count “{name}” removed.", name=name),
        "bonuses": message("Bonus “{name}” removed.", name=name),
        "card_limits": message("Card rule “{name}” removed.", name=name),
        "cost_changes": message("Cost change “{name}” removed.", name=name),
    }[rows.field]


def _name(rows: GuideTable, row: PackRow) -> str | Message:
    if rows.field == "card_limits":
        return limit_cards(CardLimit(**row))
    return change_cards(CostChange(**row)) if rows.field == "cost_changes" else str(row["name"])


def _row_in_words(rows: GuideTable, row: PackRow) -> Message:
    said = [guide for guide in rows.guides if guide.field not in ("name", "key", "tally") and row[guide.field]]
    if not said:
        return message("no limits")
    return in_a_row(
        message("{field}: {value}.", field=guide.label, value=in_words(guide, row[guide.field])) for guide in said
    )


def _came_and_went(guide: Guide, before: list[str], after: list[str]) -> Message:
    came, went = ([one for one in a if one not in b] for a, b in ((after, before), (before, after)))
    if came and went:
        return message("{field}: {came} added; {went} removed.", field=guide.label, came=came, went=went)
    if came:
        return message("{field}: {came} added.", field=guide.label, came=came)
    if went:
        return message("{field}: {went} removed.", field=guide.label, went=went)
    return message("{field}: order changed.", field=guide.label)
