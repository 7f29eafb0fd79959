"""A player's card: the personal link that makes a phone the player's."""

import secrets
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from fleets.catalogue import known_sets
from tourney.actions.record import Actor, Refused, bump_version_and_notify, record_at_store
from tourney.domain.keys import hash_of
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, Player, PlayerCard, PlayerReport
from tourney.queries.player_cards import cards_in_use
from tourney.runtime.messages import message

KEY_BYTES = 16


@transaction.atomic
def issue(player: Player, *, by: Actor, key: str | None = None) -> str:
    """A new key for this player, or this one; all before stop working. Only its hash is kept: nobody sees it again.

    Raises Refused.
    """
    list(_events_of([player]).select_for_update().values_list("pk"))  # before the card, as everybody does
    now = Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    if now is None or now.forgotten_at:
        raise Refused(
            message("{player}’s personal data is erased, so no card can be issued.", player=str(now or player))
        )
    key = key or secrets.token_urlsafe(KEY_BYTES)
    chosen: Mapping[str, Any] = cards_in_use(player).values("language", "sets", "only_own_sets").first() or {}
    gone, _ = cards_in_use(player).delete()
    PlayerCard.objects.create(player=player, key_hash=hash_of(key), issued_at=by.at, **chosen)
    if gone or _is_waited_for(player):
        for event in _events_of([player]):
            bump_version_and_notify(event)  # the phone with the old card learns it, the desk that there is one now
    what = message("{player}’s card issued.", player=str(player))
    if gone:
        what = message("{player}’s card issued again. The previous one no longer works.", player=str(player))
    record_at_store(player.store, by=by, did=Verb.ISSUE_CARD, what=what)
    return key


@transaction.atomic
def issue_all(players: Iterable[Player], *, replacing: Collection[int], by: Actor) -> list[tuple[Player, str]]:
    """A new key for each of them. Refuses to end a card whose pk is not among those to be replaced. Raises Refused."""
    players = list(players)
    list(_events_of(players).select_for_update().values_list("pk"))  # all in this order, as everybody does
    in_use = [player for player in players if cards_in_use(player).exclude(pk__in=replacing).exists()]
    if in_use:
        raise Refused(
            *(message("{player}’s current card would stop working.", player=str(player)) for player in in_use)
        )
    return [(player, issue(player, by=by)) for player in players]


def _is_waited_for(player: Player) -> bool:
    """Whether a match of this player has a report, and no result yet."""
    open_matches = PlayerReport.objects.filter(seat__match__result=None)
    return open_matches.filter(seat__match__seats__entrant__player=player).exists()


def _events_of(players: Collection[Player]) -> QuerySet[Event]:
    """Those that they play at, also as who they were found to be meanwhile."""
    known = Player.objects.filter(pk__in=[player.pk for player in players])
    people = known.values("pk").union(known.values("merged_into"))
    return Event.objects.filter(pk__in=Entrant.objects.filter(player__in=people).values("event")).order_by("pk")


def choose_language(keys: Iterable[str], language: str) -> None:
    """The cards with these keys are read in the language of that code from now on; it is nobody else's business."""
    PlayerCard.objects.filter(key_hash__in=[hash_of(key) for key in keys]).update(language=language)


def own_sets(player: Player, sets: Collection[str]) -> None:
    """The player owns these sets, as far as the catalogue knows them; cards of others are not looked for from now on.

    With none, every card is looked for. It is nobody else's business.
    """
    known = [one.title for one in known_sets() if one.title in sets]
    cards_in_use(player).update(sets=known, only_own_sets=bool(known))


def look_in_own_sets(player: Player, *, alone: bool) -> None:
    """Whether only cards of the player's own sets are looked for."""
    cards_in_use(player).exclude(sets=[]).update(only_own_sets=alone)
