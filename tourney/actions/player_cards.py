"""A player's card: the personal link that makes a phone the player's."""

import secrets

from django.db import transaction
from django.db.models import Q

from tourney.actions.record import Refused, Stamp, changed, record_at_store
from tourney.domain.keys import hash_of
from tourney.models import Entrant, Event, Player, PlayerCard

KEY_BYTES = 16


@transaction.atomic
def issue(player: Player, *, by: Stamp) -> str:
    """A new key for this player; all before stop working. Only its hash is kept: nobody sees the key again."""
    if player.forgotten_at:
        raise Refused(f"{player} is forgotten and gets no card.")
    key = secrets.token_urlsafe(KEY_BYTES)
    gone, _ = _cards(player).delete()
    PlayerCard.objects.create(player=player, key_hash=hash_of(key), issued_at=by.at)
    if gone:
        for event in Event.objects.filter(entrants__player=player).order_by("pk"):
            changed(event)  # the phone with the old card learns it
    again = " again; the one before stopped working" if gone else ""
    record_at_store(player.store, by=by, did="issue_card", what=f"Card of {player} issued{again}.")
    return key


def has_card(player: Player) -> bool:
    return _cards(player).exists()


def was_here_before(entrant: Entrant) -> bool:
    """Whether the name belonged to a player of the store before this entry: then anybody could have typed it."""
    player = entrant.player
    return player.entries.exclude(pk=entrant.pk).exists() or player.fleets.exists()


def is_key_of(player: Player, key: str) -> bool:
    """Whether the key still opens this player's card."""
    return _cards(player).filter(key_hash=hash_of(key)).exists()


def _cards(player: Player):
    """Those under older names too."""
    return PlayerCard.objects.filter(Q(player=player) | Q(player__merged_into=player))
