"""Phones that hold a player's card, as the tests' client."""

from django.test import Client

from tests.support.nights import BY
from tourney import access
from tourney.actions import player_cards
from tourney.models import Player


def phone_of(player: Player) -> Client:
    """A phone that holds a new card of that player."""
    return phone_with(player_cards.issue(player, by=BY), player)


def phone_with(key: str, player: Player) -> Client:
    client = Client()
    client.cookies[access.card_cookie(player.store)] = key
    return client
