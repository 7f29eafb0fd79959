"""Players' cards as they are now: who has one, whose a key is, and to whom a name alone could not belong."""

from collections.abc import Collection, Iterable

from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from tourney.domain.keys import hash_of
from tourney.models import Entrant, Player, PlayerCard, Store


def cards_in_use(player: Player) -> QuerySet[PlayerCard]:
    """Those that open this player’s pages, under older names too."""
    return PlayerCard.objects.filter(player__in=_known_as([player.pk]))


def cards_of(players: Iterable[Player]) -> dict[int, PlayerCard]:
    """The cards in use, by the player's pk, in one query."""
    found = PlayerCard.objects.filter(player__in=_known_as([player.pk for player in players]))
    return {card.player.person.pk: card for card in found.select_related("player__merged_into")}


def _known_as(players: Collection[int]) -> QuerySet[Player]:
    """These players and their older names, found first: an OR over two tables would read every card of every store."""
    return Player.objects.filter(Q(pk__in=players) | Q(merged_into__in=players))


def has_card(player: Player) -> bool:
    """Whether a card of this player exists, in one query."""
    return cards_in_use(player).exists()


def was_here_before(entrant: Entrant) -> bool:
    """Whether the name belonged to a player of the store before this entry: then anybody could have typed it."""
    player = entrant.player
    return player.entries.exclude(pk=entrant.pk).exists() or player.fleets.exists()


def is_key_of(player: Player, key: str) -> bool:
    """Whether the key still opens this player's card."""
    return cards_in_use(player).filter(key_hash=hash_of(key)).exists()


def hash_of_words(store: Store, words: str) -> str:
    """What is stored of the four words of a card at the store.

    Four words are guessed quickly by who has the database, so that the hash is keyed with the secret of the
    installation; with another secret, new words have to be made. The store has the number with which it began,
    wherever it is by now.
    """
    first = store.origins.first()
    number = store.pk - first.shift if first else store.pk
    return salted_hmac("recovery-words", f"{number} {words}", algorithm="sha256").hexdigest()


def secret_mark() -> str:
    """By what the secret of this installation is told from another; it says nothing of the secret."""
    return salted_hmac("recovery-words-of", "this-installation", algorithm="sha256").hexdigest()[:16]


def with_words(cards: QuerySet[PlayerCard]) -> QuerySet[PlayerCard]:
    """Those of these cards that words bring back here: not by words made under another secret."""
    return cards.exclude(words_hash="").filter(words_secret__in=("", secret_mark()))


def card_with_words(store: Store, words: str) -> PlayerCard | None:
    """The card at the store that these words bring back, with its player and whom that one was found to be.

    It is looked up by the hash of all four, so that the time tells nothing of how many of them are right.
    """
    cards = PlayerCard.objects.select_related("player__store", "player__merged_into__store")
    return cards.filter(player__store=store, words_hash=hash_of_words(store, words)).first()


def has_words(player: Player) -> bool:
    """Whether there are words that bring this player's card back."""
    return with_words(cards_in_use(player)).exists()


def are_words_of(player: Player, words: str) -> bool:
    """Whether these four still bring this player's card back."""
    return cards_in_use(player).filter(words_hash=hash_of_words(player.store, words)).exists()


def card_with(key: str) -> PlayerCard | None:
    """The card that this key opens, with its player and whom that one was found to be."""
    cards = PlayerCard.objects.select_related("player__store", "player__merged_into__store")
    return cards.filter(key_hash=hash_of(key)).first()
