"""The Commendation Award Token: who gets it, and what became of it (rules 6.1 to 6.4)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from scoring.domain.played import capital
from tourney.runtime.messages import Message, Param, message

EFFECT = message("Re-roll any 1 of your own attack or defense dice, once, in one Battle Round (rule 6.3).")

# who gets it


@dataclass(frozen=True, slots=True)
class Placed:
    """A player in last month's final ranks; `title` is empty where the rank has none or is shared."""

    player: int
    rank: int
    title: str = ""


def foremost(order: Sequence[Placed], present: Collection[int], declined: Collection[int] = ()) -> tuple[int, ...]:
    """Rules 6.1, 6.2: the first of last month's players (best rank first) who is present and has not declined.

    Several where they share that rank and have not rolled off (rule 5.2): then nobody gets the token yet.
    """
    return tuple(one.player for one in _first(order, present, declined))


def why(
    order: Sequence[Placed],
    present: Collection[int],
    names: Mapping[int, str],
    month: str | Message,
    declined: Collection[int] = (),
) -> Message:
    """Rules 6.1, 6.2: one plain sentence about who gets the token. `month` is how last month is called."""
    first = _first(order, present, declined)
    if not first and declined:
        return message("No one who played {month} takes the token (rule 6.2).", month=month)
    if not first:
        return message("No one who played {month} is here, so there is no token (rule 6.2).", month=month)
    if len(first) > 1:
        return message(
            "{names} share rank {rank} of {month}. Have them roll off before you give the token (rule 4.4).",
            names=[names[one.player] for one in first],
            rank=first[0].rank,
            month=month,
        )
    best, chosen = order[0], first[0]
    name, title = capital(names[chosen.player]), _title(chosen)
    if chosen.rank == best.rank:
        return message("{name} is {title} of {month} (rule 6.1).", name=name, title=title, month=month)
    facts: dict[str, Param] = {
        "best": capital(names[best.player]), "best_title": _title(best), "month": month,
        "name": names[chosen.player], "title": title,
    }  # fmt: skip
    if best.player not in declined:
        if declined:
            return message(
                "{best}, {best_title} of {month}, isn’t here; {name}, {title}, is the highest who takes it (rule 6.2).",
                **facts,
            )
        return message(
            "{best}, {best_title} of {month}, isn’t here; {name}, {title}, is the highest who is (rule 6.2).", **facts
        )
    return message(
        "{best}, {best_title} of {month}, declined it; {name}, {title}, is the highest who takes it (rule 6.2).",
        **facts,
    )


def _title(placed: Placed) -> str | Message:
    if placed.title:
        return placed.title
    return message("first") if placed.rank == 1 else message("rank {rank}", rank=placed.rank)


def _first(order: Sequence[Placed], present: Collection[int], declined: Collection[int]) -> list[Placed]:
    """Those of the best rank among who can get it: several while they are tied."""
    able = [one for one in order if one.player in present and one.player not in declined]
    return [one for one in able if one.rank == able[0].rank]


# what became of it


class LedgerKind(StrEnum):
    """What a line of the ledger says happened to the token of an event."""

    GRANTED = "granted"
    PASSED_ON = "passed on"
    DECLINED = "declined"
    WITHDRAWN = "taken back"
    SPENT = "spent"
    UNSPENT = "unspent"
    LOST = "lost"
    RETURNED = "returned"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One line: `player` got it, declined it, spent it …, or should have had it (CORRECTED, None: nobody)."""

    kind: LedgerKind
    player: int | None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """Where the token of an event is: `state` is free (nobody has it), held, spent or lost.

    `holder` has it, spent it in `round`, or lost it. `declined` did not want it. `due` should have had it by last
    month's ranks as they were known when that was last looked at; `is_given` tells whether it was given at all.
    """

    state: str = "free"
    holder: int | None = None
    round: int | None = None
    declined: frozenset[int] = frozenset()
    due: int | None = None

    @property
    def is_given(self) -> bool:
        """Whether the token is anything but free."""
        return self.state != "free"


class LineDoesNotFit(Exception):
    """The ledger cannot go on with this line; the message says why, without names."""


POSSIBLE = {
    LedgerKind.GRANTED: ("free",),
    LedgerKind.PASSED_ON: ("held",),
    LedgerKind.DECLINED: ("free", "held"),
    LedgerKind.WITHDRAWN: ("held",),
    LedgerKind.SPENT: ("held",),
    LedgerKind.UNSPENT: ("spent",),
    LedgerKind.LOST: ("held",),
    LedgerKind.RETURNED: ("lost",),
    LedgerKind.CORRECTED: ("held", "spent", "lost"),
}
"""In which state of the token each line can be written: it is one token, and spent or lost it is gone (rule 6.3)."""

OF_THE_HOLDER = (
    LedgerKind.DECLINED,
    LedgerKind.WITHDRAWN,
    LedgerKind.SPENT,
    LedgerKind.UNSPENT,
    LedgerKind.LOST,
    LedgerKind.RETURNED,
)

NOW = {
    "free": message("No one has the token now."),
    "held": message("The token is already given."),
    "spent": message("The token is spent, and stays spent (rule 6.3)."),
    "lost": message("The token was lost when the event finished (rule 6.3)."),
}


def token_after(lines: Iterable[LedgerLine]) -> Token:
    """Rules 6.3, 6.4: where the token is after these lines, oldest first. Raises LineDoesNotFit."""
    token = Token()
    for line in lines:
        token = after_line(token, line)
    return token


def after_line(token: Token, line: LedgerLine) -> Token:
    """Where the token is after one more line. Raises LineDoesNotFit."""
    if why_not := why_not_line(token, line):
        raise LineDoesNotFit(why_not)
    if line.player is None or line.kind is LedgerKind.CORRECTED:
        return replace(token, due=line.player)
    match line.kind:
        case LedgerKind.GRANTED | LedgerKind.PASSED_ON:
            return Token("held", line.player, due=line.player, declined=token.declined - {line.player})
        case LedgerKind.DECLINED:
            return Token(declined=token.declined | {line.player})
        case LedgerKind.WITHDRAWN:
            return Token(declined=token.declined)
        case LedgerKind.SPENT:
            return replace(token, state="spent", round=line.round)
        case LedgerKind.UNSPENT | LedgerKind.RETURNED:
            return replace(token, state="held", round=None)
        case LedgerKind.LOST:
            return replace(token, state="lost")
        case _ as never:
            assert_never(never)


def why_not_line(token: Token, line: LedgerLine) -> Message | None:
    """Why the ledger cannot go on with this line, as a sentence; None if it can."""
    if token.state not in POSSIBLE[line.kind]:
        return NOW[token.state]
    if token.is_given and line.kind in OF_THE_HOLDER and line.player != token.holder:
        return message("Another player has the token.")
    if line.kind == LedgerKind.PASSED_ON and line.player == token.holder:
        return message("This player already has the token.")
    if line.player is None and line.kind != LedgerKind.CORRECTED:
        return message("Say which player the token belongs to.")
    if (line.round is not None) != (line.kind in (LedgerKind.SPENT, LedgerKind.UNSPENT)):
        return message("Say in which round the token is spent.")
    if line.kind == LedgerKind.UNSPENT and line.round != token.round:
        return message("The token was spent in round {round}.", round=token.round or 0)
    return None
