"""What is handed over at the end of a night: titles, rule 5.4, the store's prizes; and who took part."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.domain.factions import FactionLine
from scoring.domain.pack import BEST_OF_EACH_FACTION
from scoring.domain.prizes import Claim, InvalidPrizes, Prize, claims, left_over, parse_prizes
from scoring.domain.standings import Standing
from tourney.models import Entrant, Event
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.messages import Message, message

MAP_ELEMENTS = message("Set of map elements")


@dataclass(frozen=True, slots=True)
class Gift:
    """Something for one player. `condition` says what must happen first, `why` what it is for where no rank says it."""

    what: str | Message
    why: Message | None = None
    condition: Message | None = None


@dataclass(frozen=True, slots=True)
class AwardLine:
    """A player with everything they get; `left_after` is the last round of somebody who dropped."""

    standing: Standing
    entrant: Entrant
    gifts: tuple[Gift, ...]
    left_after: int | None


@dataclass(frozen=True, slots=True)
class Awards:
    """What is handed over after the complete rounds: players in rank order, and what no rank has a right to."""

    lines: tuple[AwardLine, ...]
    left_over: tuple[tuple[Prize, int], ...]

    @property
    def has_gifts(self) -> bool:
        """Whether anybody gets anything."""
        return any(line.gifts for line in self.lines)


def awards_of(state: EventState) -> Awards:
    """Everybody in rank order after the complete rounds with what they get as it stands; empty before the first."""
    complete = len(state.complete_rounds)
    if not complete:
        return Awards((), ())
    table, prizes = state.standings(complete), prizes_of(state.event)
    own, best = claims(prizes, table), best_of_factions(state, state.faction_lines(complete))
    lines = tuple(
        AwardLine(
            line,
            state.by_number[line.id],
            (*_map_elements(best, line.id), *(_gift(state, claim) for claim in own[line.id])),
            _left_after(state.by_number[line.id], complete),
        )
        for line in table
    )
    return Awards(lines, left_over(prizes, table))


def best_of_factions(state: EventState, factions: Sequence[FactionLine]) -> dict[int, str]:
    """Rule 5.4: the highest-ranked player of each faction with the faction, where the month gives that award."""
    if BEST_OF_EACH_FACTION not in state.rules.awards:
        return {}
    return {line.champion: line.faction for line in factions}


def prizes_won(state: EventState) -> list[tuple[str, Message]]:
    """Each prize of a finished event and who gets it, in words; without those that nobody gets."""
    complete = len(state.complete_rounds)
    prizes, table = prizes_of(state.event), state.standings(complete)
    won = [(prize, [id for id, own in claims((prize,), table).items() if own]) for prize in prizes]
    return [
        (
            prize.what,
            message("{names}", names=tuple(state.names[id] for id in ids)) if prize.ranks else message("Everyone"),
        )
        for prize, ids in won
        if ids
    ]


def prizes_of(event: Event) -> tuple[Prize, ...]:
    """The event's list; empty where an erased name was taken out of it so that it cannot be read any more."""
    try:
        return parse_prizes(event.prizes)
    except InvalidPrizes:
        return ()


def list_before(event: Event) -> Event | None:
    """The last event of the store before this one that has a prize list."""
    earlier = Event.objects.filter(campaign__store=event.store, starts_at__lt=event.starts_at).exclude(prizes="")
    return earlier.order_by("-starts_at", "-pk").first()


def participants_of(state: EventState) -> list[Entrant]:
    """Who played, A–Z; before round 1 is published, who is here."""
    played = {who.id for who in state.participants(len(state.public_rounds))}
    people = [one for one in state.entrants if one.number in played] if played else state.present(1)
    return sorted(people, key=lambda entrant: (alphabetical(entrant.player.name), entrant.number))


def _map_elements(best: dict[int, str], number: int) -> tuple[Gift, ...]:
    return (Gift(MAP_ELEMENTS, why=message("best of {faction}", faction=best[number])),) if number in best else ()


def _gift(state: EventState, claim: Claim) -> Gift:
    """What is still shared depends on the dice (rule 4.4)."""
    if not claim.among:
        return Gift(claim.what)
    names = tuple(state.names[number] for number in claim.among)
    return Gift(claim.what, condition=message("{pieces} for {names}: roll off", pieces=claim.pieces, names=names))


def _left_after(entrant: Entrant, complete: int) -> int | None:
    return None if entrant.dropped_from is None or entrant.dropped_from > complete + 1 else entrant.dropped_from - 1
