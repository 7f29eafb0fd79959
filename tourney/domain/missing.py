"""What is still missing before a round is published (rules 1.4, 7.1) and before a result is saved (rule 7.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Starter:
    """Somebody who is here for a round. `has_played`: they sit in a published round already."""

    number: int
    faction: str = ""
    plays_without: bool = False
    has_fleet: bool = False
    has_played: bool = False


def without_faction(starters: Iterable[Starter], *, has_allegiance: bool) -> tuple[int, ...]:
    """Rule 1.4: the numbers of those who play their first round and have not said for which faction, or for none.

    Nobody in a month without allegiance.
    """
    if not has_allegiance:
        return ()
    return tuple(one.number for one in starters if not one.has_played and not one.faction and not one.plays_without)


def without_fleet(starters: Iterable[Starter], *, is_asked: bool) -> tuple[int, ...]:
    """Rule 7.1: the numbers of those who play their first round without a recorded fleet; nobody if none is asked."""
    return tuple(one.number for one in starters if is_asked and not one.has_played and not one.has_fleet)


class Gap(StrEnum):
    """What is missing of a sheet at a table."""

    NOT_RECORDED = "fleet"
    NOT_SIGNED = "sign"
    CALLED = "call"


@dataclass(frozen=True, slots=True)
class TableSheet:
    """The sheet of a player at a table. `said` is what the opponent says of it: signed, called, or empty."""

    owner: int
    is_recorded: bool
    said: str = ""


@dataclass(frozen=True, slots=True)
class SheetGap:
    """Rules 7.1, 7.2: what is missing of the sheet of the player with the number `owner`."""

    owner: int
    gap: Gap

    @property
    def code(self) -> str:
        """A short word for it in a form, such as "sign4"."""
        return f"{self.gap}{self.owner}"


def gaps_at(sheets: Sequence[TableSheet], *, is_asked: bool) -> tuple[SheetGap, ...]:
    """Rules 7.1, 7.2: what is missing of the sheets of a table; nothing if none is asked.

    Nobody can sign a sheet that is not recorded, so that of one of these only that is missing.
    """
    found = ((one, _gap(one)) for one in sheets if is_asked)
    return tuple(SheetGap(one.owner, gap) for one, gap in found if gap)


def _gap(sheet: TableSheet) -> Gap | None:
    if not sheet.is_recorded:
        return Gap.NOT_RECORDED
    if sheet.said == "signed":
        return None
    return Gap.CALLED if sheet.said == "called" else Gap.NOT_SIGNED
