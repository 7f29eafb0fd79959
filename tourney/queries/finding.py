"""Where a player sits, found by name. Only what is public: a draft is not looked at."""

from dataclasses import dataclass

from scoring.domain.standings import Standing
from tourney.models import Entrant, Player, Round
from tourney.queries.matches import MatchState, RoundState, SeatScore
from tourney.queries.rulings import RulingNote, rulings_at
from tourney.queries.state import EventState
from tourney.runtime.alphabet import alphabetical
from tourney.runtime.letters import plain

ENOUGH_LETTERS = 3  # to look inside of words


@dataclass(frozen=True, slots=True)
class PlayerPlace:
    """The answer for one player.

    `kind` is table, bye or unpaired while a round is in play; before and between rounds it is waiting, absent (not
    checked in yet), queued (for a place, `queue` is the number on the waiting list) or dropped; after the event it is
    final. `own` and `other` are the sides of the player's match of `round`; `standing` is the player's line after the
    last complete round.
    """

    entrant: Entrant
    kind: str
    round: RoundState | None = None
    match: MatchState | None = None
    own: SeatScore | None = None
    other: SeatScore | None = None
    standing: Standing | None = None
    queue: int = 0

    @property
    def rulings(self) -> tuple[RulingNote, ...]:
        """What was decided at the player's table of `round` beside the play."""
        return rulings_at(self.round, self.match) if self.round and self.match else ()


@dataclass(frozen=True, slots=True)
class NameSearch:
    """What a name gave: one place, or several to choose from (`places`), or nothing; `others` sound alike."""

    text: str
    places: tuple[PlayerPlace, ...]
    others: tuple[Entrant, ...] = ()

    @property
    def place(self) -> PlayerPlace | None:
        """The one place that was found, None for none or several."""
        return self.places[0] if len(self.places) == 1 else None


def find(state: EventState, text: str) -> NameSearch | None:
    """Everybody whose name is this text, or begins with it or a word of it, or holds it; None for an empty text.

    Capitals and accents do not matter, unless they are what tells two players apart. Where names are shown short, whole
    words of the full name find it too; its letters one by one do not, lest they can be guessed.
    """
    text = " ".join(text.split())
    wanted = plain(text)
    if not wanted:
        return None
    far = {entrant: _how_far(wanted, entrant.player) for entrant in state.entrants}
    matching = sorted(
        (entrant for entrant in state.entrants if far[entrant] is not None),
        key=lambda entrant: (far[entrant], alphabetical(entrant.player.name)),
    )
    exact = [entrant for entrant in matching if text.casefold() in map(str.casefold, _names(entrant.player))]
    exact = exact or [entrant for entrant in matching if wanted in map(plain, _names(entrant.player))]
    if len(exact) == 1:
        others = tuple(entrant for entrant in matching if entrant is not exact[0])
        return NameSearch(text, (place_of(state, exact[0]),), others)
    return NameSearch(text, tuple(place_of(state, entrant) for entrant in matching))


def place_of(state: EventState, entrant: Entrant) -> PlayerPlace:
    """Where that player is to be found now."""
    round = state.public_rounds[-1] if state.public_rounds else None
    match = round.match_of(entrant.number) if round else None
    sides = round.lines(match) if round and match else []
    return PlayerPlace(
        entrant,
        _kind(state, round, match, entrant),
        round,
        match,
        own=next((side for side in sides if side.entrant is entrant), None),
        other=next((side for side in sides if side.entrant is not entrant), None),
        standing=standing_after(state, entrant, len(state.complete_rounds)),
        queue=queue_of(state, entrant),
    )


def queue_of(state: EventState, entrant: Entrant) -> int:
    """The entrant's number on the waiting list, 0 for who has a place."""
    return state.waiting_list.index(entrant.number) + 1 if entrant.number in state.waiting_list else 0


def standing_after(state: EventState, entrant: Entrant, after: int) -> Standing | None:
    """That player's line after so many rounds; None before the first, and as long as a result of them is missing."""
    if not 1 <= after <= len(state.complete_rounds):
        return None
    lines = state.memoized_after("by number", after, lambda: {line.id: line for line in state.standings(after)})
    return lines.get(entrant.number)


def _names(player: Player) -> tuple[str, str]:
    return player.name, player.full_name


def _how_far(wanted: str, player: Player) -> int | None:
    """0: the name begins so; 1: a later word of it does; 2: it stands inside; 3: hidden words; None: not at all."""
    name = plain(player.name)
    if name.startswith(wanted):
        return 0
    if f" {wanted}" in name:
        return 1
    if len(wanted) >= ENOUGH_LETTERS and wanted in name:
        return 2
    return 3 if set(wanted.split()) <= set(plain(player.full_name).split()) else None


def _kind(state: EventState, round: RoundState | None, match: MatchState | None, entrant: Entrant) -> str:
    if state.is_finished:
        return "final"
    if round and round.state == Round.State.PUBLISHED and match:
        return "bye" if match.is_bye else "table"
    if entrant.dropped_from is not None:
        return "dropped"
    if entrant.number in state.waiting_list:
        return "queued"
    if not entrant.checked_in:
        return "absent"
    return "unpaired" if round and round.state == Round.State.PUBLISHED else "waiting"
