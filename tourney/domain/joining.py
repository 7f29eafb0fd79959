"""How many players an event takes, how quickly they may join by phone, and tonight's word, read in the room alone."""

import hmac
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from random import Random

from tourney.runtime.messages import Message, message

MINUTE = timedelta(minutes=1)


MOST_BY_PHONE = 200
"""So many players an event has before players can add themselves no more: three times the largest night of a store,
so that a flood ends there, and the desk can still add who stands before it."""

MOST_ENTRANTS = 2000
"""So many an event has at most, whoever adds them, and whatever an archive says: the largest night that is played."""


def why_no_more(there: int, more: int, *, by_self: bool) -> tuple[Message, ...]:
    """What keeps so many more players from an event that has so many; empty while they may come.

    `by_self`: they register themselves, by phone. Who is on the list already may always be named again.
    """
    if more and by_self and there + more > MOST_BY_PHONE:
        return (
            message(
                "You can’t join by phone any more: {there} players are registered. Ask at the counter.", there=there
            ),
        )
    if more and there + more > MOST_ENTRANTS:
        return (
            message(
                "An event has at most {most} players. {there} are registered, and this list has {more} more.",
                most=MOST_ENTRANTS,
                there=there,
                more=more,
            ),
        )
    return ()


@dataclass(frozen=True, slots=True)
class RateLimit:
    """So many at once, and then one more every so many seconds, up to so many at once again."""

    burst: int
    seconds: int

    def wait(self, before: Iterable[datetime], now: datetime) -> int:
        """Whole seconds until one more may come after those before; 0 if it may come now.

        What a clock that is fast puts later than now counts as now.
        """
        step = timedelta(seconds=self.seconds)
        empty = now - step * self.burst
        for at in sorted(before):
            empty = max(empty, min(at, now)) + step
        return max(0, ceil((empty + step - step * self.burst - now).total_seconds()))


OF_ADDRESS = RateLimit(burst=40, seconds=5)
"""From one address, which may be the Wi-Fi of a whole store: 64 people pressing at once are in within two minutes."""

OF_EVENT = RateLimit(burst=80, seconds=1)
"""From all addresses together."""


def most_in_a_minute(times: Sequence[datetime]) -> int:
    """How many of these moments lie within one minute at most."""
    times = sorted(times)
    return max(
        (sum(first <= at < first + MINUTE for at in times[place:]) for place, first in enumerate(times)), default=0
    )


# tonight's word

SHORTEST_WORD, LONGEST_WORD = 3, 20

WORDS = tuple(
    """
    amber anchor apple arrow autumn bacon badge banjo barrel basket beacon berry bishop blanket bonnet bottle branch
    bridge bucket button cabin cactus camel candle canoe canyon carpet castle cedar cello cherry chess circus clover
    cobalt coffee comet copper coral cotton crayon cricket crystal dagger daisy denim desert diamond dolphin donkey
    dragon eagle ember engine falcon feather fiddle flute forest fossil galaxy garden garlic ginger glacier goblet
    guitar hammer harbor harvest hazel helmet honey island ivory jacket jaguar jungle kettle kitten ladder lantern
    lemon linen lizard locket magnet mango maple marble meadow melon mirror mitten mosaic mountain muffin napkin needle
    nickel nutmeg ocean olive onion orange orbit orchid otter oyster paddle panda paper parrot pebble pepper pillow
    pirate planet pocket potato puzzle rabbit ribbon river rocket saddle salmon sandal satin scarf shadow silver
    spider summer sunset teapot tiger timber tomato trumpet tulip tunnel turtle velvet violin walnut whistle willow
    window winter wizard yellow zebra
    """.split()
)


def new_word(random: Random) -> str:
    """A plain word and two digits: quick to read across a room and to type, long to guess."""
    return f"{random.choice(WORDS)} {random.randrange(10, 100)}"


def plain_word(text: str) -> str:
    """What counts of a word that somebody typed: letters and digits, whatever their capitals, width and spaces."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def is_word(typed: str, word: str) -> bool:
    """Whether that is the word, compared in the same time however much of it is right."""
    return hmac.compare_digest(plain_word(typed).encode(), plain_word(word).encode())
