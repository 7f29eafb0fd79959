"""A player's card: the personal link that makes a phone the player's."""

import secrets

from django.db import transaction

from tourney.actions.record import Stamp, record_at_store
from tourney.domain.keys import hash_of
from tourney.models import Player, PlayerCard

KEY_BYTES = 16


@transaction.atomic
def issue(player: Player, *, by: Stamp) -> str:
    """A new key for this player; the one before stops working. Only its hash is kept: nobody sees the key again."""
    key = secrets.token_urlsafe(KEY_BYTES)
    _, made = PlayerCard.objects.update_or_create(
        player=player, defaults={"key_hash": hash_of(key), "issued_at": by.at}
    )
    again = "" if made else " again; the one before stopped working"
    record_at_store(player.store, by=by, did="issue_card", what=f"Card of {player} issued{again}.")
    return key


def has_card(player: Player) -> bool:
    return PlayerCard.objects.filter(player=player).exists()
