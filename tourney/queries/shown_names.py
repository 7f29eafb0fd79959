"""The names of players as everybody may read them: in full, or as short as the store wants them shown.

Here alone it is decided. A state with public names (`state_of(event, public=True)`, `shared_state`) carries them in
place of the names themselves, so that whatever is made of it, a sentence too, shows nothing else. Public pages are made
of such states; the desk, paper and a player's own card show the full names.
"""

from collections.abc import Callable, Iterable

from tourney.domain.naming import renaming, shortened
from tourney.models import Entrant, Match, NamesShown, Player, Store


def short_names(store: Store) -> dict[int, str]:
    """What the public reads in place of a name, by the player's id; in one query, or none where names are shown."""
    if store.names_shown == NamesShown.FULL:
        return {}
    people = dict(store.players.people().filter(forgotten_at=None).values_list("pk", "name"))
    short = shortened(people.values())
    return {pk: short[name] for pk, name in people.items()}


def put_public_names(store: Store, entrants: Iterable[Entrant], matches: Iterable[Match]) -> None:
    """From now on these rows, of one store, carry public names, and so do the words about matches. Never save them."""
    short = short_names(store)
    if not short:
        return
    for player in (entrant.player for entrant in entrants):
        player.full_name, player.name = player.name, short.get(player.pk, player.name)
    in_words = renaming({entrant.player.full_name: entrant.player.name for entrant in entrants})
    for match in matches:
        match.by_hand = in_words(match.by_hand)
        if result := getattr(match, "result", None):
            result.ruling, result.sp_ruling = in_words(result.ruling), in_words(result.sp_ruling)


def for_the_eyes_of(player: Player) -> Callable:
    """What puts the public names of all others in texts, and in lists and dicts of them, for this player to read."""
    short = short_names(player.store)
    if not short:
        return lambda value: value
    others = player.store.players.filter(pk__in=short).exclude(pk=player.pk)
    return renaming({name: short[pk] for pk, name in others.values_list("pk", "name")} | {player.name: player.name})
