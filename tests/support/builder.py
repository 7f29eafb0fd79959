"""The builder of fleets as a player's phone uses it, at a night with five cards to build of."""

from django.test import Client
from django.urls import reverse

from fleets.domain.cards import Card, CardKind
from fleets.models import CatalogueCard
from tests.support.copied import copied
from tests.support.fleets_for_tests import captain_card, card, ship_card
from tests.support.nights import BY, Night, make_night
from tourney import access
from tourney.actions import fleets, player_cards
from tourney.models import Fleet, Player

KESTREL = ship_card("Kestrel", 24)
VOR = captain_card("Captain Vor", 5)
RAIDER = captain_card("Raider", 2, factions=("KLI",))
DARTS = card(CardKind.WEAPON, "Darts", 5)
TOKENS = card(CardKind.RESOURCE, "Command Tokens", 5, factions=())


@copied
def night_with_cards() -> Night:
    """Four players who wait for round 1, and those cards in the catalogue."""
    catalogue(KESTREL, VOR, RAIDER, DARTS, TOKENS)
    return make_night(players=4)


def catalogue(*found: Card) -> None:
    CatalogueCard.objects.bulk_create(CatalogueCard.of(one, released=None, source="test") for one in found)


def phone(client: Client, player: Player) -> Client:
    client.cookies[access.card_cookie(player.store)] = player_cards.issue(player, by=BY)
    return client


def a_fleet(night: Night, number: int = 1) -> Fleet:
    player = night.event.entrants.select_related("player__store").get(number=number).player
    return fleets.make_fleet(player, "Vanguard", by=BY)


def url(fleet: Fleet) -> str:
    return reverse("fleet", args=[fleet.player.store.slug, fleet.pk])


def post(client: Client, fleet: Fleet, do: str, **facts):
    return client.post(url(fleet), {"do": do, **facts})
