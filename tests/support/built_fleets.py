"""Fleets for tests, brought to events through the same actions as the pages."""

from collections.abc import Mapping, Sequence

from fleets.domain import editing
from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import FLEET, Sheet
from tests.support.copied import copied
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.nights import BY, Night, make_night
from tourney.actions import fleets, rounds, sign_off
from tourney.models import Event, Fleet

DARTS = card(CardKind.WEAPON, "Darts", 5)
QUILL = card(CardKind.CREW, "Quill", 2)
ATTACK_FIGHTERS = card(CardKind.RESOURCE, "Federation Attack Fighters", 20, factions=())


def two_ships(resource: Card | None = ATTACK_FIGHTERS) -> Sheet:
    """Kestrel (1) with Vor (2), Quill (3) and Darts (4); Lark (5) with Onyx (6); a resource (7). 82 SP, legal."""
    numbered = Numbered()
    first = numbered.ship(ship_card("Kestrel", 24), captain_card("Captain Vor", 5), QUILL, DARTS)
    second = numbered.ship(ship_card("Lark", 22), captain_card("Captain Onyx", 4))
    return Sheet((first, second), numbered.line(resource) if resource else None, FLEET)


def too_dear() -> Sheet:
    """Two ships for 101 SP: one thing is wrong with the whole fleet where 100 are the limit (rule 7.5)."""
    return editing.add(two_ships(resource=None), card(CardKind.CREW, "Brine", 39), 1)


def bring(event: Event, number: int, sheet: Sheet | None = None, *, name: str = "Vanguard") -> Fleet:
    """A fleet of that entrant, flying at the event as if it had been brought before round 1."""
    entrant = event.entrants.select_related("player").get(number=number)
    fleet = fleets.make_fleet(entrant.player, name, by=BY, sheet=sheet or two_ships())
    brought = fleets.assign_to_event(event, number, fleet, by=BY, reason="brought in time")
    Fleet.objects.filter(pk=brought.pk).update(unlocked="")
    brought.unlocked = ""
    return brought


def bring_all(event: Event, numbers: Sequence[int] | None = None) -> None:
    """The same fleet for everybody, or for those."""
    for number in numbers or event.entrants.values_list("number", flat=True):
        bring(event, number)


@copied
def night_with_fleets(
    sheets: Mapping[int, Sheet | None] | None = None, *, players: int = 4, signed: bool = False, **more
) -> Night:
    """A night whose round 1 is in play; everybody flies two_ships(), or what `sheets` has for that number.

    `signed`: all tables have signed their fleets, so that the desk is asked for nothing as it saves their results.
    """
    night = make_night(players=players, **more)
    for number in night.event.entrants.values_list("number", flat=True):
        sheet = (sheets or {}).get(number, two_ships())
        if sheet is not None:
            bring(night.event, number, sheet)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    if signed:
        sign_off.sign_all_on_paper(night.event, 1, by=BY)
    return night
