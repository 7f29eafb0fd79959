"""Rule 3.7: what can be done when a draft cannot keep everything, and what each choice would do."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tourney.domain import swiss
from tourney.domain.progress import names_of
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState


class PairingChoice(StrEnum):
    """How the round is paired all the same."""

    USUAL = "usual"
    OLDEST = "oldest"


WORDS = {
    PairingChoice.USUAL: "as few repeated opponents as possible",
    PairingChoice.OLDEST: "the rematch of the oldest meeting, and no further bye while somebody has had fewer",
}


@dataclass(frozen=True, slots=True)
class ChoicePreview:
    """One choice with its effect: what gives way, in sentences, and how many of its tables are new."""

    choice: PairingChoice
    title: str
    effects: tuple[str, ...]
    tables: int
    new_tables: int
    is_draft: bool


def chosen(draft: RoundState) -> PairingChoice:
    """As what it was drafted."""
    oldest = any(reason["kind"] == "rematch_chosen" for reason in draft.row.relaxed_rules)
    return PairingChoice.OLDEST if oldest else PairingChoice.USUAL


def proposed(state: EventState, draft: RoundState, choice: PairingChoice) -> swiss.Pairing:
    """How that choice pairs everybody who is here now, with the seed of the draft."""
    return state.pairing(draft.number, seed=draft.row.seed, no_second_bye=choice is PairingChoice.OLDEST)


def ways(state: EventState, draft: RoundState) -> list[ChoicePreview]:
    """The choices that differ, for a draft in which somebody meets again or has another bye; else nothing."""
    if not draft.row.relaxed_rules or len(state.present(draft.number)) < 2:
        return []
    usual, oldest = (proposed(state, draft, choice) for choice in PairingChoice)
    found = [_way(state, draft, PairingChoice.USUAL, "As few repeated opponents as possible", usual)]
    if set(_seats(oldest)) != set(_seats(usual)):
        found.append(_way(state, draft, PairingChoice.OLDEST, _title(usual, oldest), oldest))
    return found


def new_seats(draft: RoundState, pairing: swiss.Pairing) -> list[tuple[int, ...]]:
    """The ids, ascending, of each table and of the bye that the draft does not have."""
    drafted = {tuple(sorted(match.numbers)) for match in draft.matches}
    return [seats for seats in _seats(pairing) if seats not in drafted]


def forecast(state: EventState, draft: RoundState) -> str:
    """Rule 3.4: which planned round cannot be clean after this draft as it stands now, swaps by hand included."""
    seated = {number for match in draft.matches for number in match.numbers}
    contenders = [one for one in state.contenders(draft.number) if one.id in seated]
    if len(contenders) < len(seated):
        return ""
    planned = state.event.rounds_planned
    tables = [match.numbers for match in draft.tables]
    bye = draft.bye.a.number if draft.bye else None
    clean = swiss.clean_rounds_after(contenders, tables, bye, rounds_left=planned - draft.number)
    return "" if clean is None else swiss.forecast(clean, draft.number + 1, planned)


def _way(
    state: EventState, draft: RoundState, choice: PairingChoice, title: str, pairing: swiss.Pairing
) -> ChoicePreview:
    new = new_seats(draft, pairing)
    return ChoicePreview(
        choice=choice,
        title=title,
        effects=(*_given_up(state, draft, pairing), _greatest_difference(state, draft, pairing)),
        tables=len(pairing.pairs),
        new_tables=sum(len(seats) == 2 for seats in new),
        is_draft=not new,
    )


def _title(usual: swiss.Pairing, oldest: swiss.Pairing) -> str:
    """The bye goes to somebody else only where that spares one who has had more byes."""
    if oldest.bye == usual.bye:
        return "The oldest meeting again"
    (spared,) = [reason for reason in usual.relaxed if reason.ids == (usual.bye,)]
    return f"A rematch rather than {_one_more(spared)} bye"


def _given_up(state: EventState, draft: RoundState, pairing: swiss.Pairing) -> Iterator[str]:
    for reason in pairing.relaxed:
        if len(reason.ids) == 2:
            yield f"{names_of([state.names[id] for id in reason.ids])} meet again; {_last_time(state, draft, reason)}."
        else:
            yield f"{state.names[reason.ids[0]]} has {_one_more(reason)} bye."


def _one_more(bye: swiss.Reason) -> str:
    return {1: "a second", 2: "a third"}.get(bye.numbers[0], "one more")


def _last_time(state: EventState, draft: RoundState, reason: swiss.Reason) -> str:
    rounds = [str(round.number) for round in state.rounds[: draft.number - 1] if _met(round, set(reason.ids))]
    return f"they met in round{'s' if len(rounds) > 1 else ''} {names_of(rounds)}"


def _met(round: RoundState, two: set[int]) -> bool:
    """Whether these two played each other; a table to which somebody did not come is no meeting (rule 3.6)."""
    found = next((match for match in round.tables if set(match.numbers) == two), None)
    return found is not None and found.is_meeting


def _greatest_difference(state: EventState, draft: RoundState, pairing: swiss.Pairing) -> str:
    points = {one.id: one.battle_points for one in state.contenders(draft.number)}
    greatest = max(abs(points[a] - points[b]) for a, b in pairing.pairs)
    if not greatest:
        return "At every table both have the same Battle Points."
    lie = "1 Battle Point lies" if greatest == 1 else f"{greatest} Battle Points lie"
    return f"At most {lie} between two at a table."


def _seats(pairing: swiss.Pairing) -> Iterator[tuple[int, ...]]:
    """The ids of each table, and of the bye, ascending."""
    yield from (tuple(sorted(pair)) for pair in pairing.pairs)
    if pairing.bye is not None:
        yield (pairing.bye,)
