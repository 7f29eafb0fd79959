"""What the months' scenarios decide by dice: DS9's target, away teams, tractor beams.

The dice come in as a function, so that the same dice always lead to the same sentence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tourney.runtime.messages import Message, message, nmessage

ATTACK = "attack"
DEFENSE = "defense"
DICE = 5
BEAMS = 2
"""As many Target Lock Tokens as the small craft bears without danger, that of the ship that pulls among them."""


def dice_of(die: str, count: int) -> Message:
    """So many dice of that kind."""
    if die == ATTACK:
        return nmessage("{count} attack die", "{count} attack dice", count)
    return nmessage("{count} defense die", "{count} defense dice", count)


@dataclass(frozen=True, slots=True)
class NextRoll:
    """The dice that come next: in which roll, of which player (both from 1), and the face that matters in them."""

    number: int
    player: int
    who: str
    dice: int
    die: str
    face: str

    @property
    def what(self) -> Message:
        """What is to be rolled: 5 attack dice."""
        return dice_of(self.die, self.dice)


Roll = Callable[[NextRoll], tuple[str, ...]]
"""The faces of the dice that are asked for."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The dice of one player in a roll, and the face that matters in it."""

    who: str
    die: str
    faces: tuple[str, ...]
    face: str

    @property
    def count(self) -> int:
        """The number of dice of the hand that show the face that matters."""
        return self.faces.count(self.face)

    @property
    def counted(self) -> Message:
        """The count in words: 2 Hits, 1 Battle Station."""
        return counted(self.face, self.count)

    @property
    def what(self) -> Message:
        """What was rolled: 5 attack dice."""
        return dice_of(self.die, len(self.faces))


@dataclass(frozen=True, slots=True)
class ScenarioOutcome:
    """What came of it in one sentence, the sentences how, and the hands of each roll."""

    sentence: Message
    rolls: tuple[tuple[Hand, ...], ...] = ()
    how: tuple[Message, ...] = ()


def counted(face: str, count: int) -> Message:
    """So many dice with that face, in words. Raises KeyError for one that no procedure counts."""
    return {
        "hit": nmessage("{count} Hit", "{count} Hits", count),
        "critical": nmessage("{count} Critical Hit", "{count} Critical Hits", count),
        "battle stations": nmessage("{count} Battle Station", "{count} Battle Stations", count),
        "evade": nmessage("{count} Evade", "{count} Evades", count),
    }[face]


def no_more(face: str, has_some: bool) -> Message:
    """What the button for all other dice of a hand says. Raises KeyError for a face that no procedure counts."""
    none, others = {
        "hit": (message("No Hits"), message("No more Hits")),
        "critical": (message("No Critical Hits"), message("No more Critical Hits")),
        "battle stations": (message("No Battle Stations"), message("No more Battle Stations")),
        "evade": (message("No Evades"), message("No more Evades")),
    }[face]
    return others if has_some else none


def rolled(asked: NextRoll, roll: Roll) -> Hand:
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
    rolls: list[tuple[Hand, ...]] = []
    while len(level) > 1 or not rolls:
        rolls.append(tuple(stations(len(rolls) + 1, number, names[number - 1], roll) for number in level))
        fewest = min(hand.count for hand in rolls[-1])
        level = [number for number, hand in zip(level, rolls[-1], strict=True) if hand.count == fewest]
    name = names[level[0] - 1]
    if len(rolls) == 1:
        sentence = message("DS9 fires at {name}: fewest Battle Stations ({fewest}).", name=name, fewest=fewest)
    else:
        sentence = nmessage(
            "DS9 fires at {name}: fewest Battle Stations ({fewest}) after {count} roll.",
            "DS9 fires at {name}: fewest Battle Stations ({fewest}) after {count} rolls.",
            len(rolls),
            name=name,
            fewest=fewest,
        )
    return ScenarioOutcome(sentence, tuple(rolls))


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
    rolls: list[tuple[Hand, ...]] = []
    for attacker, defender in (order, order[::-1]):
        attacking = teams[attacker] if is_simultaneous else left[attacker]
        if not attacking.cards:
            how.append(message("No one on {name}’s team is left to strike back.", name=attacking.player))
            break
        defending, number = left[defender], len(rolls) + 1
        hands = (
            rolled(NextRoll(number, attacker, attacking.player, attacking.cards, ATTACK, "hit"), roll),
            rolled(NextRoll(number, defender, defending.player, defending.cards, DEFENSE, "evade"), roll),
        )
        lost = min(defending.cards, max(0, hands[0].count - hands[1].count))
        left[defender] = replace(defending, cards=defending.cards - lost)
        rolls.append(hands)
        how.append(_attack_in_words(attacking, defending, hands, lost))
    return ScenarioOutcome(_who_is_aboard(left[1], left[2]), tuple(rolls), tuple(how))


def tractor_check(holder: str, attacker: str, roll: Roll) -> ScenarioOutcome:
    """S3, a ship that was hit while it holds the small craft: 5 defense dice against the attacker's 5 attack dice.

    As many Battle Stations are enough for the attacker to break the beam.
    """
    hands = (stations(1, 1, attacker, roll), stations(1, 2, holder, roll, DEFENSE))
    ours, theirs = hands[1].count, hands[0].count
    counts = hands[0].counted
    if theirs < ours:
        sentence = message(
            "{name} keeps the tractor beam: only {counts} against {ours}.", name=holder, counts=counts, ours=ours
        )
    elif theirs == ours:
        sentence = message(
            "{name} loses the tractor beam: {counts} against {ours}; the attacker wins ties. "
            "Remove its Target Lock Tokens.",
            name=holder,
            counts=counts,
            ours=ours,
        )
    else:
        sentence = message(
            "{name} loses the tractor beam: {counts} against {ours}. Remove its Target Lock Tokens.",
            name=holder,
            counts=counts,
            ours=ours,
        )
    return ScenarioOutcome(sentence, (hands,))


def too_many_beams(ship: str, tokens: int, roll: Roll) -> ScenarioOutcome:
    """S3, a beam on a small craft: an attack die for each Target Lock Token above 2. A Critical Hit destroys the craft.

    `tokens` are all that lie on it once the ship has placed its own.
    """
    over = max(0, tokens - BEAMS)
    if not over:
        return ScenarioOutcome(
            message("No roll needed: {count} tokens are safe – the ship’s own and one more.", count=BEAMS)
        )
    hand = rolled(NextRoll(1, 1, ship, over, ATTACK, "critical"), roll)
    if hand.count:
        return ScenarioOutcome(
            message("{name}’s beam destroys the small craft: a Critical Hit.", name=ship), ((hand,),)
        )
    sentence = nmessage(
        "The small craft holds: no Critical Hit on {count} die.",
        "The small craft holds: no Critical Hit on {count} dice.",
        over,
    )
    return ScenarioOutcome(sentence, ((hand,),))


def stations(number: int, player: int, who: str, roll: Roll, die: str = ATTACK) -> Hand:
    """5 dice of which the Battle Stations count."""
    return rolled(NextRoll(number, player, who, DICE, die, "battle stations"), roll)


def _who_begins(attacker: AwayTeam, defender: AwayTeam) -> Message:
    if attacker.skill == defender.skill:
        return message(
            "Both have captain skill {skill}, so they attack at the same time, each with all their cards.",
            skill=attacker.skill,
        )
    return message(
        "{name} attacks first: captain skill {skill} against {other}.",
        name=attacker.player,
        skill=attacker.skill,
        other=defender.skill,
    )


def _attack_in_words(attacker: AwayTeam, defender: AwayTeam, hands: tuple[Hand, ...], lost: int) -> Message:
    hits, evades = hands[0].counted, hands[1].counted
    if not lost:
        return message(
            "{attacker} rolls {hits} against {evades}: {defender} loses no cards.",
            attacker=attacker.player,
            defender=defender.player,
            hits=hits,
            evades=evades,
        )
    return nmessage(
        "{attacker} rolls {hits} against {evades}: {defender} discards {count} card.",
        "{attacker} rolls {hits} against {evades}: {defender} discards {count} cards.",
        lost,
        attacker=attacker.player,
        defender=defender.player,
        hits=hits,
        evades=evades,
    )


def _who_is_aboard(first: AwayTeam, second: AwayTeam) -> Message:
    left = [team for team in (first, second) if team.cards]
    if not left:
        return message("No one is left aboard, so no one controls DS9.")
    if len(left) == 1:
        return nmessage(
            "{name} controls DS9 with {count} card left aboard.",
            "{name} controls DS9 with {count} cards left aboard.",
            left[0].cards,
            name=left[0].player,
        )
    return message(
        "No one controls DS9: {first} has {cards} aboard, {second} has {others}.",
        first=first.player,
        cards=nmessage("{count} card", "{count} cards", first.cards),
        second=second.player,
        others=nmessage("{count} card", "{count} cards", second.cards),
    )
