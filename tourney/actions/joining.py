"""Registration by phone: its pace, its word, and the answer once more for who did not get it."""

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import timedelta
from random import SystemRandom

from django.db import transaction
from django.utils.crypto import salted_hmac

from tourney.actions import entrants, player_cards
from tourney.actions.record import Actor, Refused, locked, record, refuse_if_finished
from tourney.domain.joining import OF_ADDRESS, OF_EVENT, new_word
from tourney.domain.keys import hash_of
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, Joining
from tourney.queries.player_cards import has_card, is_key_of, was_here_before
from tourney.queries.players import is_called
from tourney.runtime.messages import Message, message, nmessage

AGAIN_WITHIN = timedelta(hours=1)
"""So long the same form, sent again, is answered as it was the first time."""


class TooMany(Refused):
    """Too many register at this moment; one more may in so many `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            nmessage(
                "A lot of people are joining right now. Try again in {count} second. Your entries are still here.",
                "A lot of people are joining right now. Try again in {count} seconds. Your entries are still here.",
                seconds,
            )
        )
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Sender:
    """Where a form came from, as keyed digests (`models.Joining`)."""

    network: str
    device: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Who is registered now, with the key of the card that this form gave them, if it did, and the card's words, once.

    `already` is the name under which somebody else's form had registered them before; then there is no entrant.
    """

    entrant: Entrant | None
    card_key: str = ""
    words: str = ""
    already: str = ""


def sender_of(event: Event, address: str, browser: str) -> Sender:
    """Digests that tell two senders apart at this event, from which nobody finds the address again."""
    parts = (address, f"{address} {browser}")
    return Sender(*(salted_hmac(f"joining {event.pk}", part, algorithm="sha256").hexdigest()[:32] for part in parts))


def join(
    event: Event, person: tuple[str, str], *, by: Actor, sender: Sender, key: str = "", is_known: bool = False
) -> Joined:
    """Register the person (name, faction) who sends this form, with a card if they are new at the store.

    The same `key` and name again, within an hour, get the same answer: one entry and the same card. `is_known` is said
    of staff, and of players who register themselves with their card: no pace holds for them. Raises TooMany, Refused.
    """

    def answered() -> Joined | None:
        again = joined_before(event, key, person[0], by=by)
        if not (again or is_known):
            _keep_pace(event, by, sender)
        return again

    if again := answered():  # before the lock too: who comes too quickly waits for nobody, and holds nobody up
        return again
    with transaction.atomic():
        current = locked(event)
        return answered() or _register(current, person, key, sender, by=by)


def _register(event: Event, person: tuple[str, str], key: str, sender: Sender, *, by: Actor) -> Joined:
    registered = entrants.register(event, [person], by=by, by_self=True)
    if registered.already:
        return Joined(None, already=registered.already[0])
    entrant = registered.entrants[0]
    hashed = hash_of(key) if key else ""
    Joining.objects.create(event=event, entrant=entrant, at=by.at, key_hash=hashed, **_facts(sender))
    return Joined(entrant, *_new_card(entrant, key, by=by))


def _facts(sender: Sender) -> dict[str, str]:
    return {"network": sender.network, "device": sender.device}


def _keep_pace(event: Event, by: Actor, sender: Sender) -> None:
    """All who registered here are counted, those too who were removed since. Raises TooMany."""
    before = list(event.joinings.values_list("at", "network"))
    wait = max(
        OF_EVENT.wait((at for at, _ in before), by.at),
        OF_ADDRESS.wait((at for at, network in before if network == sender.network), by.at),
    )
    if wait:
        raise TooMany(wait)


def _new_card(entrant: Entrant, key: str, *, by: Actor) -> tuple[str, str]:
    """The key of a new card and its words. Who played here before gets theirs at the counter: a name proves nothing."""
    if has_card(entrant.player) or was_here_before(entrant):
        return "", ""
    made = _card_key(entrant, key) if key else None
    issued = player_cards.issue_with_words(entrant.player, by=by, key=made)
    return issued.key, issued.words


def _card_key(entrant: Entrant, key: str) -> str:
    """What a registration with that key gives its player: the same whenever it is asked, and nobody else's guess."""
    made = salted_hmac("joining card", f"{entrant.pk} {key}", algorithm="sha256").digest()
    return urlsafe_b64encode(made[: player_cards.KEY_BYTES]).rstrip(b"=").decode()


def joined_before(event: Event, key: str, name: str, *, by: Actor) -> Joined | None:
    """What that form was answered, if it was sent before and the answer was lost; not for another name.

    The card's key is in it as long as that card is the player's: one that was issued since is not touched.
    """
    if not key:
        return None
    sent = Joining.objects.filter(event=event, key_hash=hash_of(key), at__gt=by.at - AGAIN_WITHIN)
    for joining in sent.exclude(entrant=None).select_related("entrant__player", "entrant__event"):
        entrant = joining.entrant
        if entrant and is_called(entrant, name):
            made = _card_key(entrant, key)
            return Joined(entrant, made if is_key_of(entrant.player, made) else "")
    return None


# tonight's word


@transaction.atomic
def ask_for_word(event: Event, word: str = "", *, by: Actor) -> str:
    """Ask who registers by phone for this word, or a new plain one, from now on; the word is returned."""
    event = locked(event)
    refuse_if_finished(event)
    word = word or new_word(SystemRandom())
    if word != event.join_word:
        what = message("Join code changed.") if event.join_word else message("Join code required to register by phone.")
        _set_word(event, word, what, by=by)
    return word


@transaction.atomic
def ask_for_no_word(event: Event, *, by: Actor) -> None:
    """Clear tonight's word: registration by phone asks for none any more."""
    event = locked(event)
    if event.join_word:
        _set_word(event, "", message("Join code no longer required to register by phone."), by=by)


def _set_word(event: Event, word: str, what: Message, *, by: Actor) -> None:
    """The word itself is in no entry: the journal is for longer than tonight."""
    before, event.join_word = event.join_word, word
    event.save()
    was, now = ({"asks_for_word": bool(one)} for one in (before, word))
    record(event, by=by, did=Verb.JOIN_WORD, what=what, before=was, after=now)
