"""What players did against one another over all months: head-to-head, and the best rank."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.domain.standings import Standing


@dataclass(frozen=True, slots=True)
class Game:
    """A match that two people played to its end, by their ids; winner is None after a double loss (rule 2.12)."""

    players: tuple[int, int]
    winner: int | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """A player's record against one opponent; last is the place of their last game in the list of all."""

    opponent: int
    won: int
    lost: int
    last: int

    @property
    def games(self) -> int:
        """The number of games that one of the two won."""
        return self.won + self.lost


def head_to_head(player: int, games: Sequence[Game]) -> tuple[HeadToHead, ...]:
    """The player against everybody met in these games, which stand in the order they were played.

    Most games first, then the one met last. Byes and no-shows are no games (rules 2.10, 2.11), so leave them out.
    """
    met: dict[int, HeadToHead] = {}
    for place, game in enumerate(games):
        if player not in game.players:
            continue
        won = player == game.winner
        (opponent,) = set(game.players) - {player}
        before = met.get(opponent, HeadToHead(opponent, 0, 0, place))
        met[opponent] = HeadToHead(opponent, before.won + won, before.lost + (not won), place)
    return tuple(sorted(met.values(), key=lambda line: (-line.games, -line.last)))


def best_rank(finals: Iterable[Standing]) -> Standing | None:
    """Of a player's final lines the one with the best rank, one held alone before a shared one; the first of equals."""
    return min(finals, key=lambda line: (line.rank, line.shared), default=None)
