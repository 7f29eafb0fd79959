"""What a poster says, before anybody knows where on it."""

from dataclasses import dataclass

from tourney.printing.domain.poster.brand import PLAIN, Brand


@dataclass(frozen=True, slots=True)
class PosterName:
    """One name of a month: `title` is empty below the titled ranks, `mark` is the slug of the faction's own mark.

    `code` is the faction in three letters; both are empty for somebody without a faction.
    """

    rank: int
    shared: bool
    title: str
    name: str
    mark: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class PosterMonth:
    """A month with its names in rank order. `state` says what they are, where the ranks are not final.

    `victor` and `victor_mark` are the victorious faction (rule 5.3), empty where there is none.
    """

    eyebrow: str
    name: str
    places: tuple[PosterName, ...]
    state: str = ""
    victor: str = ""
    victor_mark: str = ""

    @property
    def titled(self) -> tuple[PosterName, ...]:
        """Those who stand in a row of their own."""
        return tuple(place for place in self.places if place.title)

    @property
    def others(self) -> tuple[PosterName, ...]:
        """The names below the titled ranks."""
        return tuple(place for place in self.places if not place.title)


@dataclass(frozen=True, slots=True)
class NextMonth:
    """The next month."""

    eyebrow: str
    name: str
    facts: str = ""


@dataclass(frozen=True, slots=True)
class Victories:
    """How many months one faction has won."""

    mark: str
    months: int


@dataclass(frozen=True, slots=True)
class Poster:
    """Everything on the poster; `months` are first to last, `victories` best first.

    `season` says the rules of the season (rule 5.8), empty where the store set none.
    """

    store: str
    title: str
    span: str
    months: tuple[PosterMonth, ...]
    next: NextMonth
    victories: tuple[Victories, ...] = ()
    has_factions: bool = True
    season: str = ""
    brand: Brand = PLAIN
