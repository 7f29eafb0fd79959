"""What the months' scenarios decide by dice: DS9's target, away teams, tractor beams.

The dice come in as a function, so that the same dice always lead to the same sentence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tourney.runtime.messages import Message, nmessage

ATTACK = "attack"
DEFENSE = "defense"
DICE = 5
NAMES = {"hit": "Hit", "critical": "Critical Hit", "battle stations": "Battle Station", "evade": "Evade"}
BEAMS = 2
"""As many Target Lock Tokens as the small craft bears without danger, that of the ship that pulls among them."""


def dice_of(die: str, count: int) -> Message:
    """So many dice of that kind."""
    if die == ATTACK:
        return nmessage("{count} attack die", "{count} attack dice", count)
    return nmessage("{count} defense die", "{count} defense dice", count)


@dataclass(frozen=True, slots=True)
class NextThrow:
    """The dice that come next: in which throw, of which player (both from 1), and the face that matters in them."""

    throw: int
    player: int
    who: str
    dice: int
    die: str
    face: str

    @property
    def what(self) -> Message:
        """What is to be rolled: 5 attack dice."""
        return dice_of(self.die, self.dice)


Roll = Callable[[NextThrow], tuple[str, ...]]
"""The faces of the dice that are asked for."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The dice of one player in a throw, and the face that matters in it."""

    who: str
    die: str
    faces: tuple[str, ...]
    face: str

    @property
    def count(self) -> int:
        """The number of dice of the hand that show the face that matters."""
        return self.faces.count(self.face)

    @property
    def what(self) -> Message:
        """What was rolled: 5 attack dice."""
        return dice_of(self.die, len(self.faces))

    @property
    def counted(self) -> str:
        """The count in words: 2 Hits, 1 Battle Station."""
        one = NAMES[self.face]
        return f"{self.count} {one if self.count == 1 else f'{one}s'}"


@dataclass(frozen=True, slots=True)
class ScenarioOutcome:
    """What came of it in one sentence, the sentences how, and the hands of each throw."""

    sentence: str
    throws: tuple[tuple[Hand, ...], ...] = ()
    how: tuple[str, ...] = ()


def rolled(asked: NextThrow, roll: Roll) -> Hand:
    """The dice that are asked for, as they fell."""
    return Hand(asked.who, asked.die, roll(asked), asked.face)


@dataclass(frozen=True, slots=True)
class AwayTeam:
    """A player's captains and crew aboard: how many cards, and the highest skill of its captains, 1 without any."""

    player: str
    cards: int
    skill: int


def target(names: Sequence[str], roll: Roll) -> ScenarioOutcome:
    """S1, DS9: everybody in range rolls 5 attack dice, the fewest Battle Stations are the target.

    *Decision:* those who share the fewest roll again.
    """
    level = list(range(1, len(names) + 1))
    throws: list[tuple[Hand, ...]] = []
    while len(level) > 1 or not throws:
        throws.append(tuple(stations(len(throws) + 1, number, names[number - 1], roll) for number in level))
        fewest = min(hand.count for hand in throws[-1])
        level = [number for number, hand in zip(level, throws[-1], strict=True) if hand.count == fewest]
    again = "" if len(throws) == 1 else f" after {len(throws)} throws"
    return ScenarioOutcome(
        f"DS9 fires at {names[level[0] - 1]}: the fewest Battle Stations{again}, {fewest}.", tuple(throws)
    )


def away_battle(first: AwayTeam, second: AwayTeam, roll: Roll) -> ScenarioOutcome:
    """S1, away teams: the higher captain skill attacks, then what is left of the other team strikes back.

    An attack die for each card against a defense die for each card; a Hit that no Evade cancels discards a card. With
    equal skill both attack with all their cards, whoever has initiative (`first`) before the other.
    *Decision:* a Critical Hit is no Hit here.
    """
    teams = {1: first, 2: second}
    order = (2, 1) if second.skill > first.skill else (1, 2)
    is_simultaneous = first.skill == second.skill
    left, how = dict(teams), [_who_begins(teams[order[0]], teams[order[1]])]
    throws: list[tuple[Hand, ...]] = []
    for attacker, defender in (order, order[::-1]):
        attacking = teams[attacker] if is_simultaneous else left[attacker]
        if not attacking.cards:
            how.append(f"Nobody of {attacking.player}’s team is left to strike back.")
            break
        defending, number = left[defender], len(throws) + 1
        throw = (
            rolled(NextThrow(number, attacker, attacking.player, attacking.cards, ATTACK, "hit"), roll),
            rolled(NextThrow(number, defender, defending.player, defending.cards, DEFENSE, "evade"), roll),
        )
        lost = min(defending.cards, max(0, throw[0].count - throw[1].count))
        left[defender] = replace(defending, cards=defending.cards - lost)
        throws.append(throw)
        how.append(_attack_in_words(attacking, defending, throw, lost))
    return ScenarioOutcome(_who_is_aboard(left[1], left[2]), tuple(throws), tuple(how))


def tractor_check(holder: str, attacker: str, roll: Roll) -> ScenarioOutcome:
    """S3, a ship that was hit while it holds the small craft: 5 defense dice against the attacker's 5 attack dice.

    As many Battle Stations are enough for the attacker to break the beam.
    """
    throw = (stations(1, 1, attacker, roll), stations(1, 2, holder, roll, DEFENSE))
    ours, theirs = throw[1].count, throw[0].count
    numbers = f"{throw[0].counted} against {ours}"
    if theirs >= ours:
        tie = ", and a tie is the attacker’s" if theirs == ours else ""
        return ScenarioOutcome(f"{holder} loses the tractor beam: {numbers}{tie}. Its Target Lock Tokens go.", (throw,))
    return ScenarioOutcome(f"{holder} keeps the tractor beam: only {numbers}.", (throw,))


def too_many_beams(ship: str, tokens: int, roll: Roll) -> ScenarioOutcome:
    """S3, a beam on a small craft: an attack die for each Target Lock Token above 2. A Critical Hit destroys the craft.

    `tokens` are all that lie on it once the ship has placed its own.
    """
    over = max(0, tokens - BEAMS)
    if not over:
        return ScenarioOutcome(f"Nothing to roll: {BEAMS} tokens are safe, this ship’s own and one more.")
    hand = rolled(NextThrow(1, 1, ship, over, ATTACK, "critical"), roll)
    if hand.count:
        return ScenarioOutcome(f"The small craft is destroyed by {ship}’s beam: a Critical Hit.", ((hand,),))
    return ScenarioOutcome(f"The small craft holds: no Critical Hit on {_counted(over, 'die', 'dice')}.", ((hand,),))


def stations(throw: int, player: int, who: str, roll: Roll, die: str = ATTACK) -> Hand:
    """5 dice of which the Battle Stations count."""
    return rolled(NextThrow(throw, player, who, DICE, die, "battle stations"), roll)


def _who_begins(attacker: AwayTeam, defender: AwayTeam) -> str:
    if attacker.skill == defender.skill:
        return f"Both have captain skill {attacker.skill}: they attack at the same time, each with all its cards."
    return f"{attacker.player} attacks first, captain skill {attacker.skill} against {defender.skill}."


def _attack_in_words(attacker: AwayTeam, defender: AwayTeam, throw: tuple[Hand, ...], lost: int) -> str:
    loss = (
        f"{defender.player} discards {_counted(lost, 'card', 'cards')}" if lost else f"{defender.player} loses nobody"
    )
    return f"{attacker.player} rolls {throw[0].counted} against {throw[1].counted}: {loss}."


def _who_is_aboard(first: AwayTeam, second: AwayTeam) -> str:
    left = [team for team in (first, second) if team.cards]
    if not left:
        return "Nobody is left aboard, so nobody controls DS9."
    if len(left) == 1:
        return f"{left[0].player} controls DS9, with {_counted(left[0].cards, 'card', 'cards')} left aboard."
    return (
        f"Nobody controls DS9: {first.player} has {_counted(first.cards, 'card', 'cards')} aboard, "
        f"{second.player} has {second.cards}."
    )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
