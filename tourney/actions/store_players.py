"""Players of a store over all months: erased, or found to be one."""

import secrets
from collections.abc import Iterable
from itertools import count
from typing import Any

from django.db import connection, transaction
from django.db.models import Manager, Q, QuerySet, Value
from django.db.models.functions import Lower
from django.utils import translation

from tourney.actions import entrants, rehearsal, tokens
from tourney.actions.finals import keep_players
from tourney.actions.packed_history import unpack_naming
from tourney.actions.record import NOTHING_CHANGED, Actor, Refused, bump_version_and_notify, explain, record_at_store
from tourney.actions.tables import NOTHING_NEEDED
from tourney.domain.naming import keys_kept
from tourney.domain.short_codes import LETTERS
from tourney.domain.verbs import Verb
from tourney.models import Entrant, Event, Fleet, Joining, NameKeys, Player, PlayerMerge, Store
from tourney.queries.naming import names_of_player, without_name
from tourney.queries.player_cards import cards_in_use
from tourney.queries.players import events_of_both
from tourney.runtime import locales
from tourney.runtime.messages import Param, message, nmessage

# forgetting


@transaction.atomic
def erase(player: Player, *, by: Actor) -> str:
    """The player's name becomes a mark, at this store for good, in the journal too; the mark is returned.

    Ranks, results and the fleets that played stay, under the mark. The card, all other fleets and the entries that
    never led to a seat are deleted; in the ledger of a token they stay, too. Rehearsals at the store are discarded.
    Raises Refused.
    """
    rehearsal.discard_at(player.store)
    player = _locked_players(player)[0]
    if player.forgotten_at:
        raise Refused(message("This player’s personal data has already been erased."))
    names, mark = names_of_player(player), _free_mark(player.store)
    acting = by if by.user or by.name not in names else Actor(None, mark, by.at)
    Joining.objects.filter(entrant__player=player).delete()
    for registration in _never_seated(player):
        _take_out(registration, by=acting)
    cards_in_use(player).delete()
    Fleet.objects.filter(player=player, entrant=None).delete()
    Fleet.objects.filter(player=player).exclude(share_key="").update(share_key="")
    what = message(
        "{player}’s personal data erased: the name is replaced everywhere, also here; the card and unplayed fleets are "
        "deleted.",
        player=mark,
    )
    entry = record_at_store(player.store, by=acting, did=Verb.FORGET, what=what, after={"mark": mark})
    for name in names:
        _replace(player, name, mark)
    explain(entry)
    player.older_names.all().delete()
    NameKeys.objects.filter(player=player).delete()
    PlayerMerge.objects.filter(kept=player).delete()
    Player.objects.filter(pk=player.pk).update(name=mark, forgotten_at=by.at, **NOTHING_NEEDED)
    _let_pages_notice(player.entries.all())
    return mark


def _never_seated(player: Player) -> QuerySet[Entrant]:
    entries = player.entries.filter(event__finished_at=None, seats=None)
    return entries.select_related("event__campaign__store")


def _take_out(entry: Entrant, *, by: Actor) -> None:
    if not entry.token_lines.exists():
        entrants.remove(entry.event, entry.number, by=by)
        return
    tokens.leave(entry, by=by)
    entrants.check_out(entry.event, entry.number, by=by)


def _free_mark(store: Store) -> str:
    """Like "Player 7F", in the store's language: what nobody there is called; one more letter for every 32 tries."""
    taken = set(store.players.annotate(key=Lower("name")).values_list("key", flat=True))
    marks = ("".join(secrets.choice(LETTERS) for _ in range(2 + tries // 32)) for tries in count())
    with translation.override(locales.language_at(store.locale)):
        names = (str(message("Player {mark}", mark=mark)) for mark in marks)
        return next(name for name in names if name.lower() not in taken)


def _replace(player: Player, name: str, mark: str) -> None:
    """The one change the journal's trigger lets through: it is told which name becomes which mark."""
    _tell_the_journal(name, mark)
    unpack_naming(player.store, name)
    for row, fields in without_name(player, name, mark):
        row.save(update_fields=fields)
    _tell_the_journal("", "")


def _tell_the_journal(name: str, mark: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('flagship.forgotten_name', %s, true), set_config('flagship.forgotten_mark', %s, true)",
            [name, mark],
        )


# another spelling


@transaction.atomic
def rename(player: Player, name: str, *, by: Actor) -> None:
    """The player is called so from now on, in every month; what the journal says of before stays as it was said.

    Raises Refused.
    """
    player = _locked_players(player)[0]
    if player.forgotten_at:
        raise Refused(NOTHING_CHANGED, message("This player’s personal data has already been erased."))
    before = player.name
    if name == before:
        return
    namesakes = player.store.players.annotate(key=Lower("name")).filter(key=Lower(Value(name)))
    if namesakes.exclude(pk=player.pk).exists():
        raise Refused(NOTHING_CHANGED, message("“{name}” is already a player here. Merge the two instead.", name=name))
    Player.objects.filter(pk=player.pk).update(name=name)
    NameKeys.objects.update_or_create(player=player, defaults={"keys": keys_kept(name, player.store_id)})
    what = message("{player} is now called {name}.", player=before, name=name)
    facts = {"player": player.pk, "name": name}
    record_at_store(
        player.store, by=by, did=Verb.RENAME_PLAYER, what=what, before=facts | {"name": before}, after=facts
    )
    _let_pages_notice(player.entries.all())


# two who are one


@transaction.atomic
def merge(kept: Player, other: Player, *, by: Actor) -> PlayerMerge:
    """Merge two players: entries and fleets of `other` go to `kept`; its name and card lead there from now on.

    What `other` needs of a table counts where `kept` needs nothing of that kind (`queries.tables.needs_of`).
    Raises Refused.
    """
    kept, other = _locked_players(kept, other)
    if kept.pk == other.pk:
        raise Refused(message("These are already one player: {player}.", player=str(kept)))
    if kept.forgotten_at or other.forgotten_at:
        raise Refused(message("An erased player can’t be merged."))
    if both := events_of_both(kept, other):
        raise Refused(
            NOTHING_CHANGED,
            message(
                "{player} and {other} both played in {events}, so they are two people.",
                player=str(kept),
                other=str(other),
                events=[event.name for event in both],
            ),
        )
    row = PlayerMerge.objects.create(
        store=kept.store,
        kept=kept,
        other=other,
        entries=_ids(other.entries),
        fleets=_ids(other.fleets),
        older_names=_ids(other.older_names),
        at=by.at,
    )
    _let_pages_notice([*kept.entries.all(), *other.entries.all()])
    other.entries.update(player=kept)
    keep_players(row.entries)
    other.fleets.update(player=kept)
    Player.objects.filter(Q(pk=other.pk) | Q(merged_into=other)).update(merged_into=kept)
    facts = {"kept": kept.name, "other": other.name}
    what = message("{other} and {player} merged: they count as {player}.", other=str(other), player=str(kept))
    record_at_store(kept.store, by=by, did=Verb.MERGE_PLAYERS, what=what, after=facts)
    tokens.correct_after_merge(
        [kept.pk],
        by=by,
        because=message("{other} and {player} are the same player.", other=str(other), player=str(kept)),
    )
    return row


@transaction.atomic
def undo_merge(row: PlayerMerge, *, by: Actor) -> None:
    """Undo a merge: each has again what was their own; what came since stays with the one who was kept.

    Raises Refused.
    """
    kept, other = _locked_players(row.kept, row.other, person=False)
    there = PlayerMerge.objects.select_for_update().filter(pk=row.pk).first()
    if there is None:
        raise Refused(NOTHING_CHANGED, message("{player} was erased, so this merge can’t be undone.", player=str(kept)))
    row = there
    if row.undone_at:
        raise Refused(message("This merge was already undone."))
    if kept.merged_into_id:
        facts: dict[str, Param] = {"player": str(kept), "other": str(kept.merged_into)}
        raise Refused(message("{player} was later merged into {other}. Undo that first.", **facts))
    entries = kept.entries.filter(pk__in=row.entries)
    fleets = kept.fleets.filter(Q(pk__in=row.fleets, entrant=None) | Q(entrant__in=entries))
    back = _ids(fleets), _ids(entries)
    _let_pages_notice(kept.entries.all())
    Fleet.objects.filter(pk__in=back[0]).update(player=other)
    Entrant.objects.filter(pk__in=back[1]).update(player=other)
    keep_players(back[1])
    Player.objects.filter(pk=other.pk).update(merged_into=None)
    Player.objects.filter(pk__in=row.older_names).update(merged_into=other)
    row.undone_at = by.at
    row.save()
    what = message("{other} and {player} are two players again.", other=str(other), player=str(kept))
    record_at_store(row.store, by=by, did=Verb.UNDO_MERGE, what=what, before={"kept": kept.name, "other": other.name})
    tokens.correct_after_merge([kept.pk, other.pk], by=by, because=what)


def _ids(rows: QuerySet[Any] | Manager[Any]) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _locked_players(*players: Player, person: bool = True) -> list[Player]:
    """The players as they are now (or as who they count), which nobody else changes until the end of the transaction.

    The events of their campaigns are locked in the order of their ids, then the store, then the players. Who counts as
    whom, and where they play, is read again under these locks; if it has changed, all are let go and taken again.
    """
    store = players[0].store_id
    while True:
        before = transaction.savepoint_create()
        locked = _lock_events_of(_as_whom(players, store, person=person))
        Store.objects.select_for_update(no_key=True).get(pk=store)
        now = _as_whom(players, store, person=person)
        if locked.issuperset(_events_of(now).values_list("pk", flat=True)):
            transaction.savepoint_commit(before)
            rows = Player.objects.select_for_update(no_key=True).filter(Q(pk__in=now) | Q(merged_into__in=now))
            list(rows.order_by("pk").values_list("pk"))  # a new fleet waits, or is there to be moved
            fresh = Player.objects.select_related("store", "merged_into").in_bulk(now)
            return [fresh[pk] for pk in now]
        transaction.savepoint_rollback(before)


def _as_whom(players: Iterable[Player], store: int, *, person: bool) -> list[int]:
    """The ids of these players, or of the people as who they count. Raises Refused for one who was erased."""
    known = {row.pk: row for row in Player.objects.filter(pk__in=[player.pk for player in players], store=store)}
    if gone := [str(player) for player in players if player.pk not in known]:
        raise Refused(NOTHING_CHANGED, nmessage("{names} was erased.", "{names} were erased.", len(gone), names=gone))
    return [(person and known[player.pk].merged_into_id) or player.pk for player in players]


def _events_of(players: Iterable[int]) -> QuerySet[Event]:
    """All events of the campaigns that these players played in."""
    theirs = Event.objects.filter(campaign__events__entrants__player__in=players)
    return Event.objects.filter(pk__in=theirs.values("pk"))


def _lock_events_of(players: Iterable[int]) -> set[int]:
    return set(_events_of(players).select_for_update().order_by("pk").values_list("pk", flat=True))


def _let_pages_notice(entries: Iterable[Entrant]) -> None:
    """Of the other months of their campaigns, too: a month names the players of the one before (rule 6)."""
    theirs = Event.objects.filter(campaign__events__in=[entry.event_id for entry in entries])
    for event in Event.objects.filter(pk__in=theirs.values("pk")).order_by("pk"):
        bump_version_and_notify(event)
