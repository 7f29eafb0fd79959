"""What differs between two states of a sheet, in lines that a judge can compare with the table."""

from collections import Counter

from fleets.domain.cost import costs
from fleets.domain.sheet import Sheet


def lines_in_words(sheet: Sheet) -> tuple[str, ...]:
    """Every line with its place and its cost in SP: "Kestrel: Darts, 2 SP", "Command Tokens, 5 SP → Kestrel"."""
    found = costs(sheet)
    places = {line.id: f"{ship.card.title}: " for ship in sheet.ships for line in ship.cards}
    words = [f"{places.get(line.id, '')}{line.card.title}, {found.of(line.id).total} SP" for line in sheet.lines]
    if sheet.resource and (ship := sheet.ship_of(sheet.resource_at)):
        words[sheet.lines.index(sheet.resource)] += f" → {ship.card.title}"
    return tuple(words)


def difference(old: Sheet, new: Sheet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that only the old sheet has and those that only the new one has; their order does not count."""
    before, after = Counter(lines_in_words(old)), Counter(lines_in_words(new))
    return tuple((before - after).elements()), tuple((after - before).elements())
