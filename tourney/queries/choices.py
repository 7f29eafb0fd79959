"""Rule 3.7: what can be done when a draft cannot keep everything, and what each choice would do."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tourney.domain import swiss
from tourney.queries.matches import RoundState
from tourney.queries.state import EventState
from tourney.runtime.messages import Message, message, nmessage


class PairingChoice(StrEnum):
    """How the round is paired all the same."""

    USUAL = "usual"
    OLDEST = "oldest"


WORDS = {
    PairingChoice.USUAL: message("as few repeat opponents as possible"),
    PairingChoice.OLDEST: message("a rematch of the oldest meeting, and no further bye while someone has had fewer"),
}


@dataclass(frozen=True, slots=True)
class ChoicePreview:
    """One choice with its effect: what gives way, in sentences, and how many of its tables are new."""

    choice: PairingChoice
    title: Message
    effects: tuple[Message, ...]
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
    found = [_way(state, draft, PairingChoice.USUAL, message("As few repeat opponents as possible"), usual)]
    if set(_seats(oldest)) != set(_seats(usual)):
        found.append(_way(state, draft, PairingChoice.OLDEST, _title(usual, oldest), oldest))
    return found


def new_seats(draft: RoundState, pairing: swiss.Pairing) -> list[tuple[int, ...]]:
    """The ids, ascending, of each table and of the bye that the draft does not have."""
    drafted = {tuple(sorted(match.numbers)) for match in draft.matches}
    return [seats for seats in _seats(pairing) if seats not in drafted]


def forecast(state: EventState, draft: RoundState) -> Message | None:
    """Rule 3.4: which planned round cannot be clean after this draft as it stands now, swaps by hand included."""
    seated = {number for match in draft.matches for number in match.numbers}
    contenders = [one for one in state.contenders(draft.number) if one.id in seated]
    if len(contenders) < len(seated):
        return None
    planned = state.event.rounds_planned
    tables = [match.numbers for match in draft.tables]
    bye = draft.bye.a.number if draft.bye else None
    clean = swiss.clean_rounds_after(contenders, tables, bye, rounds_left=planned - draft.number)
    return None if clean is None else swiss.forecast(clean, draft.number + 1, planned)


def _way(
    state: EventState, draft: RoundState, choice: PairingChoice, title: Message, pairing: swiss.Pairing
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


def _title(usual: swiss.Pairing, oldest: swiss.Pairing) -> Message:
    """The bye goes to somebody else only where that spares one who has had more byes."""
    if oldest.bye == usual.bye:
        return message("Rematch the oldest meeting")
    (spared,) = [reason for reason in usual.relaxed if reason.ids == (usual.bye,)]
    if spared.numbers[0] == 1:
        return message("A rematch rather than a second bye")
    return message("A rematch rather than another bye")


def _given_up(state: EventState, draft: RoundState, pairing: swiss.Pairing) -> Iterator[Message]:
    for reason in pairing.relaxed:
        if len(reason.ids) == 2:
            yield _meet_again(state, draft, reason)
        else:
            yield nmessage(
                "{player} then has {count} bye.",
                "{player} then has {count} byes.",
                reason.numbers[0] + 1,
                player=state.names[reason.ids[0]],
            )


def _meet_again(state: EventState, draft: RoundState, reason: swiss.Reason) -> Message:
    rounds = tuple(round.number for round in state.rounds[: draft.number - 1] if _met(round, set(reason.ids)))
    player, opponent = (state.names[id] for id in reason.ids)
    if len(rounds) == 1:
        return message(
            "{player} and {opponent} meet again. They met in round {round}.",
            player=player,
            opponent=opponent,
            round=rounds[0],
        )
    return message(
        "{player} and {opponent} meet again. They met in rounds {rounds}.",
        player=player,
        opponent=opponent,
        rounds=rounds,
    )


def _met(round: RoundState, two: set[int]) -> bool:
    """Whether these two played each other; a table to which somebody did not come is no meeting (rule 3.6)."""
    found = next((match for match in round.tables if set(match.numbers) == two), None)
    return found is not None and found.is_meeting


def _greatest_difference(state: EventState, draft: RoundState, pairing: swiss.Pairing) -> Message:
    points = {one.id: one.battle_points for one in state.contenders(draft.number)}
    greatest = max(abs(points[a] - points[b]) for a, b in pairing.pairs)
    if not greatest:
        return message("At every table both players have the same Battle Points.")
    return nmessage(
        "Opponents are at most {count} Battle Point apart.",
        "Opponents are at most {count} Battle Points apart.",
        greatest,
    )


def _seats(pairing: swiss.Pairing) -> Iterator[tuple[int, ...]]:
    """The ids of each table, and of the bye, ascending."""
    yield from (tuple(sorted(pair)) for pair in pairing.pairs)
    if pairing.bye is not None:
        yield (pairing.bye,)
