"""Cards for everyone to browse: a page of those that filters leave, and all that is known about one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.core.paginator import Page, Paginator

from fleets.catalogue import find_words, known_costs_and_sets, searchable
from fleets.domain.card_rules import rules_of
from fleets.domain.card_sentences import sentence
from fleets.domain.cards import FACTIONS, CardKind
from fleets.domain.finding import spelling
from fleets.models import CatalogueCard
from tourney.judge.domain.rulings import CitedRuling
from tourney.judge.queries.published import published
from tourney.models import HouseRuling, Store
from tourney.queries.cards import PLURALS, CardHit, hit_of
from tourney.runtime.locales import written
from tourney.runtime.messages import Message, message, pmessage

SIZE = 48
"""Cards on a page: none is over 100 kB before compression."""
SHORTEST = 4
"""Letters of a title that rulings are looked through for: “Q” stands in too many."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter: its name in the address, what it says, its choices by value, and the chosen one."""

    name: str
    label: Message
    every: Message
    values: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Browsed:
    """A page of the cards that text and filters leave; `total` of them."""

    text: str
    choices: tuple[Choice, ...]
    page: Page[CatalogueCard]
    lines: tuple[CardHit, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card with its rules for building in words, when it was released, and the rulings that mention it."""

    hit: CardHit
    rules: tuple[Message, ...]
    released: date | None
    sets: tuple[str, ...]
    source: str
    rulings: tuple[CitedRuling, ...]


def browse(asked: Mapping[str, str]) -> Browsed:
    """The cards for what an address asks; what is no choice of a filter is no filter."""
    choices = _choices(asked)
    chosen = {choice.name: choice.chosen for choice in choices if choice.chosen}
    found = CatalogueCard.objects.order_by("title", "cost", "key")
    if "faction" in chosen:
        found = found.filter(factions__contains=[chosen["faction"]])
    if "kind" in chosen:
        found = found.filter(kind=chosen["kind"])
    if "cost" in chosen:
        found = found.filter(cost=int(chosen["cost"]))
    if "released" in chosen:
        found = found.filter(released=date.fromisoformat(chosen["released"]))
    if "set" in chosen:
        found = found.filter(sets__contains=[chosen["set"]])
    text = searchable(asked.get("q", "")[:80])
    pages = Paginator(find_words(found, text) if text else found, SIZE)
    page = pages.get_page(asked.get("page"))
    return Browsed(text, choices, page, tuple(map(hit_of, page)), pages.count)


def facts_of(number: int) -> CardFacts | None:
    """The card with that number of the catalogue."""
    row = CatalogueCard.objects.filter(pk=number).first()
    if row is None:
        return None
    hit = hit_of(row)
    return CardFacts(
        hit, tuple(map(sentence, rules_of(hit.card))), row.released, tuple(row.sets), row.source, mentioning(row.title)
    )


def mentioning(title: str) -> tuple[CitedRuling, ...]:
    """The published rulings whose topic or text has the title in it, word by word."""
    words = _words(title)
    if len(words.strip()) < SHORTEST:
        return ()
    return tuple(
        one for section in published() for one in section.rulings if words in _words(f"{one.topic}. {one.text}")
    )


def own_mentioning(store: Store, title: str) -> list[HouseRuling]:
    """The store's own rulings in which the title stands so."""
    words = _words(title)
    if len(words.strip()) < SHORTEST:
        return []
    return [one for one in store.house_rulings.all() if words in _words(f"{one.topic}. {one.text}")]


def _words(text: str) -> str:
    return f" {' '.join(spelling(text).typed)} "


def _choices(asked: Mapping[str, str]) -> tuple[Choice, ...]:
    stored = CatalogueCard.objects.order_by()
    kinds = set(stored.values_list("kind", flat=True).distinct())
    days = stored.exclude(released=None).order_by("-released").values_list("released", flat=True).distinct()
    dates = tuple((str(day), written(day, "day")) for day in days if day)
    in_use = tuple((kind, str(PLURALS[kind])) for kind in CardKind if kind in kinds)
    known = known_costs_and_sets()
    costs = tuple((str(cost), f"{cost} SP") for cost in known[0])
    return (
        _choice(asked, "faction", message("Faction"), message("Any faction"), tuple(FACTIONS.items())),
        _choice(asked, "kind", message("Kind"), message("Any kind"), in_use),
        _choice(asked, "cost", message("Cost"), message("Any cost"), costs),
        _choice(asked, "released", message("Released"), message("Any date"), dates),
        _choice(
            asked,
            "set",
            pmessage("of cards", "Set"),
            message("Any set"),
            tuple((one.title, one.title) for one in known[1]),
        ),
    )


def _choice(
    asked: Mapping[str, str], name: str, label: Message, every: Message, values: tuple[tuple[str, str], ...]
) -> Choice:
    chosen = asked.get(name, "")
    return Choice(name, label, every, values, chosen if chosen in dict(values) else "")
