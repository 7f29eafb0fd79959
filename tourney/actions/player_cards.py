"""A player's card: the personal link that makes a phone the player's."""

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from random import SystemRandom
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from fleets.catalogue import known_sets
from tourney.actions.record import Actor, Refused, bump_version_and_notify, record_at_store
from tourney.domain.keys import hash_of
from tourney.domain.recovery_words import new_words
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, Player, PlayerCard, PlayerReport, Store
from tourney.queries.player_cards import card_with_words, cards_in_use, hash_of_words
from tourney.runtime.messages import message

KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class Issued:
    """A new card, as it is shown this once: the key of its link, and the four words that bring it back."""

    player: Player
    key: str
    words: str


@transaction.atomic
def issue(player: Player, *, by: Actor, key: str | None = None) -> str:
    """A new key for this player, or this one; all before stop working. Only its hash is kept: nobody sees it again.

    The words of the card before stop working, too. Raises Refused.
    """
    return _issue(player, by=by, key=key)


@transaction.atomic
def issue_with_words(player: Player, *, by: Actor, key: str | None = None) -> Issued:
    """A new card, as `issue` makes it, with the words that bring it back. Raises Refused."""
    return Issued(player, _issue(player, by=by, key=key), _new_words(player))


@transaction.atomic
def make_words(player: Player, *, by: Actor) -> str:
    """New words for the player's card; those before stop working. Only their hash is kept. Raises Refused."""
    Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    words = _new_words(player)
    what = message("New recovery words for {player}’s card.", player=str(player))
    record_at_store(player.store, by=by, did=Verb.MAKE_WORDS, what=what)
    return words


@transaction.atomic
def recover(store: Store, words: str, *, at: datetime) -> tuple[Player, str] | None:
    """The card that these words bring back moves to another phone: its player, and the new key. None if there is none.

    The words go on working; the phone that held the card before needs it back, as after a new one from the desk.
    """
    card = card_with_words(store, words)
    if card is None:
        return None
    player = card.player.person
    key = _issue(player, by=Actor(None, player.name, at), words_hash=card.words_hash)
    return (player, key) if key else None


def _new_words(player: Player) -> str:
    """Under the lock of the player. Raises Refused for who has no card."""
    card = cards_in_use(player).order_by("-issued_at", "-pk").first()
    if card is None:
        raise Refused(message("{player} has no card any more. Ask at the counter for a new one.", player=str(player)))
    words = new_words(SystemRandom())
    while card_with_words(player.store, words):
        words = new_words(SystemRandom())
    cards_in_use(player).update(words_hash="")
    PlayerCard.objects.filter(pk=card.pk).update(words_hash=hash_of_words(player.store, words), words_secret="")
    return words


def _issue(player: Player, *, by: Actor, key: str | None = None, words_hash: str = "") -> str:
    """The new key; "" where it was asked for with words that bring nothing back any more."""
    list(_events_of([player]).select_for_update().values_list("pk"))  # before the card, as everybody does
    now = Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    if now is None or now.forgotten_at:
        raise Refused(
            message("{player}’s personal data is erased, so no card can be issued.", player=str(now or player))
        )
    if words_hash and not cards_in_use(player).filter(words_hash=words_hash).exists():
        return ""
    key = key or secrets.token_urlsafe(KEY_BYTES)
    chosen: Mapping[str, Any] = cards_in_use(player).values("language", "sets", "only_own_sets").first() or {}
    gone, _ = cards_in_use(player).delete()
    PlayerCard.objects.create(player=player, key_hash=hash_of(key), words_hash=words_hash, issued_at=by.at, **chosen)
    if gone or _is_waited_for(player):
        for event in _events_of([player]):
            bump_version_and_notify(event)  # the phone with the old card learns it, the desk that there is one now
    what = message("{player}’s card issued.", player=str(player))
    if gone:
        what = message("{player}’s card issued again. The previous one no longer works.", player=str(player))
    if words_hash:
        what = message("{player}’s card moved to another phone with its recovery words.", player=str(player))
    record_at_store(player.store, by=by, did=Verb.ISSUE_CARD, what=what)
    return key


@transaction.atomic
def issue_all(players: Iterable[Player], *, replacing: Collection[int], by: Actor) -> list[Issued]:
    """A new key for each of them. Refuses to end a card whose pk is not among those to be replaced. Raises Refused."""
    players = list(players)
    list(_events_of(players).select_for_update().values_list("pk"))  # all in this order, as everybody does
    in_use = [player for player in players if cards_in_use(player).exclude(pk__in=replacing).exists()]
    if in_use:
        raise Refused(
            *(message("{player}’s current card would stop working.", player=str(player)) for player in in_use)
        )
    return [issue_with_words(player, by=by) for player in players]


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
