"""The names of players as everybody may read them: in full, or as short as the store wants them shown.

Here alone it is decided. A state with public names (`state_of(event, public=True)`, `shared_state`) carries them in
place of the names themselves, so that whatever is made of it, a sentence too, shows nothing else. Public pages are made
of such states; the desk, paper and a player's own card show the full names.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from django.db.models import Model
from django.db.models.functions import Coalesce

from tourney.domain.naming import Rewording, renaming, shortened
from tourney.models import Entrant, Match, NamesShown, Penalty, Player, Store
from tourney.queries.naming import SHEETS, TEXTS

FIELDS = {
    model: tuple(field for field in fields if (model._meta.db_table, field) not in SHEETS) for model, _, fields in TEXTS
}
"""Without sheets, which are shown as they are."""


def short_names(store: Store) -> dict[int, str]:
    """What the public reads in place of a name, by the player's id; in one query, or none where names are shown."""
    if store.names_shown == NamesShown.FULL:
        return {}
    people = dict(store.players.not_merged().filter(forgotten_at=None).values_list("pk", "name"))
    short = shortened(people.values())
    return {pk: short[name] for pk, name in people.items()}


def put_public_names(
    store: Store,
    short: Mapping[int, str],
    entrants: Sequence[Entrant],
    matches: Sequence[Match] = (),
    penalties: Sequence[Penalty] = (),
) -> None:
    """Put short names into these rows of the store, and into the words in them. Never save them."""
    if not short:
        return
    for player in (entrant.player for entrant in entrants):
        player.full_name, player.name = player.name, short.get(player.pk, player.name)
    results = (match.result for match in matches if hasattr(match, "result"))
    put_public_words(store, [*matches, *results, *penalties])


def in_public(player: Player, short: Mapping[int, str]) -> Player:
    """The player with the name that everybody may read. Never save it."""
    shown = copy(player)
    shown.full_name, shown.name = player.name, short.get(player.pk, player.name)
    return shown


def put_public_words(store: Store, rows: Iterable[Model]) -> None:
    """What people wrote into these rows calls the store's players by their public names, also those who were not there.

    Never save the rows.
    """
    texts = [(row, field) for row in rows for field in FIELDS[type(row)] if getattr(row, field)]
    if texts:
        in_words = in_public_words(store)
        for row, field in texts:
            setattr(row, field, _said_in(in_words, getattr(row, field)))


def _said_in(in_words: Rewording, value: str | list[dict[str, object]]) -> str | list[dict[str, object]]:
    """Of rulings on a fleet only the reason: the sentence, with titles of cards in it, says which rule was ruled on."""
    if isinstance(value, str):
        said: str = in_words(value)
        return said
    return [ruling | {"reason": in_words(ruling["reason"])} for ruling in value]


def for_the_eyes_of(player: Player) -> Rewording:
    """What puts the public names of all others in texts, and in lists and dicts of them, for this player to read."""
    return in_public_words(player.store, reader=player.pk)


def in_public_words(store: Store, *, reader: int | None = None) -> Rewording:
    """What puts the public names of all the store's players but the reader in texts, and in lists and dicts of them."""
    short = short_names(store)
    if not short:
        return lambda value: value
    names = store.players.values_list("name", Coalesce("merged_into", "pk"))
    return renaming({name: name if person == reader else short.get(person, name) for name, person in names})
