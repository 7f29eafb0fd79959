"""Registration, check-in, drop and return."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, cast

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Lower

from tourney.actions.places import moving_up
from tourney.actions.record import (
    NOTHING_CHANGED,
    Actor,
    Refused,
    locked,
    record,
    refuse_if_done_since,
    refuse_if_finished,
)
from tourney.domain.joining import why_no_more
from tourney.domain.naming import keys_kept
from tourney.domain.places import free_places
from tourney.domain.progress import why_not_change, why_not_take_part
from tourney.domain.verbs import SEATED, Verb
from tourney.models import Entrant, Event, NameKeys, Player, Round, Seat, Store, Wish
from tourney.queries.fleets import fleets_of, statuses
from tourney.queries.places import claims_of, waiting_at
from tourney.queries.players import lowercased_by_database
from tourney.queries.state import state_of
from tourney.runtime.messages import Message, Param, in_a_row, message, nmessage

NO_ALLEGIANCE = message("Factions aren’t declared this month (rule 1.4).")


@dataclass(frozen=True, slots=True)
class Registered:
    """What became of a list of names: new entrants, names registered before, names written twice in the list.

    `waiting` are the names of new entrants on the waiting list.
    """

    entrants: tuple[Entrant, ...]
    already: tuple[str, ...]
    twice: tuple[str, ...]
    waiting: tuple[str, ...] = ()


@transaction.atomic
def register(
    event: Event,
    people: Sequence[tuple[str, str]],
    *,
    by: Actor,
    by_self: bool = False,
    checked_in: bool = False,
) -> Registered:
    """Register (name, faction) pairs in their order; of a name written twice the first counts (rule 1.4).

    A name known at the store is the same player as before, whatever its capitals; a name of before a merge too.
    Where fleets must be legal, nobody new is checked in at once. Raises Refused.
    """
    event = locked(event)
    if reasons := (why_not_take_part if by_self else why_not_change)(event.is_finished, event.is_canceled):
        raise Refused(*reasons)
    if by_self and not event.takes_sign_ups(by.at):
        raise Refused(message("Registration is closed. Ask at the counter."))
    if by_self and event.rounds.exclude(state=Round.State.DRAFT).count() >= event.rounds_planned:
        raise Refused(message("The last round is already paired."))
    lock_names(event.store)
    there = set(event.entrants.values_list(Lower("player__name"), flat=True))
    first, twice = _first_of_each(event.store, people)
    new = {key: person for key, person in first.items() if key not in there}
    if reasons := why_no_more(len(there), len(new), by_self=by_self):
        raise Refused(*reasons)
    checked_in = checked_in and not event.fleets_must_be_legal
    free = free_places(claims_of(event.entrants.all()), event.places) if event.places is not None else None
    having = len(new) if free is None else free
    rows = _entrants(event, new, here=having if checked_in else 0, registered_at=by.at, by_self=by_self)
    placed, waiting = rows[:having], rows[having:]
    if rows:
        after = {"entrants": [[row.number, row.player.name, row.faction] for row in rows]}
        said = [_registered(placed, checked_in)] if placed else []
        said += [message("On the waiting list: {names}.", names=_named(waiting))] if waiting else []
        record(event, by=by, did=Verb.REGISTER, what=in_a_row(said), after=after)
    already = tuple(name for key, (name, _) in first.items() if key in there)
    return Registered(tuple(rows), already, twice, tuple(row.player.name for row in waiting))


def _named(rows: Sequence[Entrant]) -> list[Message | str]:
    return [
        message("{player} ({faction})", player=row.player.name, faction=row.faction) if row.faction else row.player.name
        for row in rows
    ]


def _registered(rows: Sequence[Entrant], checked_in: bool) -> Message:
    names = _named(rows)
    if checked_in:
        return message("Registered and checked in: {names}.", names=names)
    return message("Registered: {names}.", names=names)


def _first_of_each(
    store: Store, people: Sequence[tuple[str, str]]
) -> tuple[dict[str, tuple[str, str]], tuple[str, ...]]:
    """The people by name in lower case, and the names that came more than once, as first written."""
    first: dict[str, tuple[str, str]] = {}
    again: dict[str, str] = {}
    keys = _keys_of_players(store, [name for name, _ in people])
    for name, faction in people:
        key = keys[name]
        if key in first:
            again[key] = first[key][0]
        else:
            first[key] = (name, faction)
    return first, tuple(again.values())


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _LowerNames(TypedDict):
        key: str
        now: str

    type NamedPlayer = WithAnnotations[Player, _LowerNames]


def _keys_of_players(store: Store, names: Sequence[str]) -> dict[str, str]:
    """Each name in lower case; for a name of before a merge the one of now. Raises Refused for a forgotten one's."""
    keys = lowercased_by_database(names)
    special = store.players.exclude(merged_into=None, forgotten_at=None).select_related("merged_into")
    named = special.annotate(key=Lower("name"), now=Lower("merged_into__name")).filter(key__in=keys.values())
    known = {player.key: player for player in cast("Iterable[NamedPlayer]", named)}
    if erased := [name for name, key in keys.items() if key in known and known[key].forgotten_at]:
        raise Refused(message("“{name}” is the mark of an erased player. Choose another name.", name=erased[0]))
    return {name: known[key].now if key in known else key for name, key in keys.items()}


def _entrants(event: Event, people: dict[str, tuple[str, str]], *, here: int, **facts: Any) -> list[Entrant]:
    """New entrants with these facts; so many of them, the first ones, are checked in."""
    players = players_named(event.store, [name for name, _ in people.values()])
    spelled = _as_declared(event.entrants.all())
    first = event.last_entrant_number + 1
    event.last_entrant_number += len(people)
    event.save()
    return Entrant.objects.bulk_create(
        Entrant(
            event=event,
            player=players[name],
            number=number,
            faction=spelled.setdefault(faction.casefold(), faction),
            checked_in=number < first + here,
            **facts,
        )
        for number, (name, faction) in enumerate(people.values(), start=first)
    )


def _as_declared(entrants: QuerySet[Entrant]) -> dict[str, str]:
    """Each faction as it was first written, capitals aside: where it is typed freely its points still add up."""
    factions = entrants.order_by("number").values_list("faction", flat=True)
    return {faction.casefold(): faction for faction in reversed(factions)}


def players_named(store: Store, names: Sequence[str]) -> dict[str, Player]:
    """The store's players of these names, by name as written here; new ones are made."""
    lock_names(store)
    keys = lowercased_by_database(names)
    known = store.players.select_related("merged_into").annotate(key=Lower("name")).filter(key__in=keys.values())
    players = {player.key: player.person for player in cast("Iterable[NamedPlayer]", known)}
    new = {key: Player(store=store, name=name) for name, key in keys.items() if key not in players}
    players |= zip(new, Player.objects.bulk_create(new.values()), strict=True)
    NameKeys.objects.bulk_create(
        NameKeys(player=player, keys=keys_kept(player.name, store.pk)) for player in new.values()
    )
    return {name: players[key] for name, key in keys.items()}


def keep_name_keys(store: Store) -> None:
    """Make the keys of all players who came with an archive."""
    named = store.players.filter(forgotten_at=None).values_list("pk", "name").iterator()
    NameKeys.objects.bulk_create(
        (NameKeys(player_id=pk, keys=keys_kept(name, store.pk)) for pk, name in named), batch_size=1000
    )


def lock_names(store: Store) -> None:
    """Until the end of the transaction nobody else adds, merges or erases players: two may meet the same new name."""
    Store.objects.select_for_update(no_key=True).get(pk=store.pk)


@transaction.atomic
def check_in(event: Event, numbers: Sequence[int] | None = None, *, by: Actor) -> int:
    """Check in these entrants (None: everybody who has not dropped); how many were not yet.

    Where fleets must be legal (rule 7), those whose fleet is not stay outside; Refused if that is everybody.
    """
    event = locked(event)
    refuse_if_finished(event)
    asked = event.entrants.filter(checked_in=False, dropped_from=None).select_related("player")
    waiting = waiting_at(event)
    rows = list(asked.exclude(number__in=waiting) if numbers is None else asked.filter(number__in=numbers))
    if names := [row.player.name for row in rows if row.number in waiting]:
        raise Refused(
            nmessage(
                "{names} is on the waiting list. Release a place, or raise the number of places in the settings.",
                "{names} are on the waiting list. Release places, or raise the number of places in the settings.",
                len(names),
                names=names,
            )
        )
    if held := _without_legal_fleet(event, rows):
        rows = [row for row in rows if row not in held]
        if not rows:
            names = [row.player.name for row in held]
            raise Refused(
                nmessage(
                    "Not checked in: {names} has no legal fleet. Check the fleet, or allow its problems.",
                    "Not checked in: {names} have no legal fleet. Check the fleets, or allow their problems.",
                    len(names),
                    names=names,
                )
            )
    if rows:
        Entrant.objects.filter(pk__in=[row.pk for row in rows]).update(checked_in=True)
        what = message("Checked in: {names}.", names=[row.player.name for row in rows])
        record(event, by=by, did=Verb.CHECK_IN, what=what, after={"entrants": [row.number for row in rows]})
    return len(rows)


def _without_legal_fleet(event: Event, rows: Sequence[Entrant]) -> list[Entrant]:
    """Those who cannot be checked in where the event asks for legal fleets."""
    if not event.fleets_must_be_legal or not rows:
        return []
    state = state_of(event)
    found = statuses(state, fleets_of(state, [row.number for row in rows]))
    return [row for row in rows if found[row.number].kind != "legal"]


@transaction.atomic
def check_out(event: Event, number: int, *, by: Actor) -> None:
    """Take a check-in back; only before the player sits in a round."""
    event = locked(event)
    refuse_if_finished(event)
    entrant = _entrant(event, number)
    if not entrant.checked_in:
        return
    _not_seated(entrant)
    entrant.checked_in = False
    entrant.save()
    what = message("{player}’s check-in undone.", player=str(entrant))
    record(event, by=by, did=Verb.CHECK_OUT, what=what, after={"entrants": [number]})


@transaction.atomic
def change_faction(event: Event, number: int, faction: str, *, by: Actor, reason: str = "") -> None:
    """Rule 1.4: the allegiance is declared before the event; after round 1 is published a change needs a reason.

    What a late arrival declares first needs none. Raises Refused.
    """
    event = locked(event)
    refuse_if_finished(event)
    entrant = _entrant(event, number)
    faction = _as_declared(event.entrants.exclude(pk=entrant.pk)).get(faction.casefold(), faction)
    if entrant.faction == faction:
        return
    if faction and not event.rules.allegiance:
        raise Refused(NO_ALLEGIANCE)
    if not reason and (entrant.faction or _has_played(entrant)) and _has_begun(event):
        raise Refused(message("Round 1 is published. Give a reason for changing the faction (rule 1.4)."))
    refuse_if_done_since(event, by, Verb.CHANGE_FACTION, Verb.PLAY_WITHOUT, after__entrant=number)
    before = _declared(entrant)
    entrant.faction, entrant.plays_without = faction, entrant.plays_without and not faction
    entrant.save()
    what = message("{player} no longer has a faction.", player=str(entrant))
    if faction:
        what = message("{player} declared {faction}.", player=str(entrant), faction=faction)
    after = _declared(entrant)
    record(event, by=by, did=Verb.CHANGE_FACTION, what=what, before=before, after=after, reason=reason)


@transaction.atomic
def play_without(event: Event, number: int, *, by: Actor) -> None:
    """Rule 1.4: the player was asked and plays without a faction; declaring one later takes it back. Raises Refused."""
    event = locked(event)
    refuse_if_finished(event)
    entrant = _entrant(event, number)
    if not event.rules.allegiance:
        raise Refused(NO_ALLEGIANCE)
    if entrant.plays_without:
        return
    refuse_if_done_since(event, by, Verb.CHANGE_FACTION, Verb.PLAY_WITHOUT, after__entrant=number)
    if entrant.faction:
        facts: dict[str, Param] = {"player": str(entrant), "faction": entrant.faction}
        raise Refused(message("{player} has declared {faction}. Change the faction instead.", **facts))
    before, entrant.plays_without = _declared(entrant), True
    entrant.save()
    what = message("{player} plays without a faction.", player=str(entrant))
    record(event, by=by, did=Verb.PLAY_WITHOUT, what=what, before=before, after=_declared(entrant))


def _declared(entrant: Entrant) -> dict[str, object]:
    without = {"plays_without": True} if entrant.plays_without else {}
    return {"entrant": entrant.number, "faction": entrant.faction, **without}


def _has_begun(event: Event) -> bool:
    return event.rounds.exclude(state=Round.State.DRAFT).exists()


def _has_played(entrant: Entrant) -> bool:
    """Whether the entrant sits in a published round."""
    return Seat.objects.in_published_rounds().filter(entrant=entrant).exists()


@transaction.atomic
def remove(event: Event, number: int, *, by: Actor) -> None:
    """Take a registration away that never led to a seat."""
    event = locked(event)
    refuse_if_finished(event)
    entrant = _entrant(event, number)
    _may_go(entrant)
    before = {"entrants": [[number, entrant.player.name, entrant.faction]]}
    what = message("{player}’s registration removed.", player=str(entrant))
    with moving_up(event, by=by):
        entrant.delete()
        record(event, by=by, did=Verb.REMOVE, what=what, before=before)


@transaction.atomic
def mark_paid(event: Event, number: int, paid: bool, *, by: Actor) -> None:
    """Tick that the player paid, or take the tick back."""
    event = locked(event)
    refuse_if_finished(event)
    entrant = _entrant(event, number)
    if entrant.paid != paid:
        entrant.paid = paid
        entrant.save()
        what = message("{player} paid.", player=str(entrant))
        if not paid:
            what = message("{player} hasn’t paid after all.", player=str(entrant))
        before, after = ({"entrant": number, "paid": value} for value in (not paid, paid))
        record(event, by=by, did=Verb.MARK_PAID, what=what, before=before, after=after)


@dataclass(frozen=True, slots=True)
class Removed:
    """What became of several registrations: the names of those that are gone, and of those that stayed."""

    gone: tuple[str, ...]
    stayed: tuple[str, ...]


@transaction.atomic
def remove_many(event: Event, numbers: Sequence[int], *, by: Actor) -> Removed:
    """Take these registrations away in one step, which can be undone; who has a seat, or had one, stays.

    Raises Refused where none of them can go.
    """
    event = locked(event)
    refuse_if_finished(event)
    asked = list(event.entrants.filter(number__in=numbers).select_related("player"))
    stayed: list[Entrant] = []
    reasons: list[str | Message] = []
    for entrant in asked:
        try:
            _may_go(entrant)
        except Refused as error:
            stayed.append(entrant)
            reasons += error.reasons
    gone = [entrant for entrant in asked if entrant not in stayed]
    if not gone:
        raise Refused(NOTHING_CHANGED, *(reasons or [message("These players are no longer registered.")]))
    before = {
        "entrants": [[entrant.number, entrant.player.name, entrant.faction] for entrant in gone],
        "players": {str(entrant.number): entrant.player_id for entrant in gone},
    }
    names = [entrant.player.name for entrant in gone]
    what = nmessage(
        "{count} registration removed: {names}.", "{count} registrations removed: {names}.", len(gone), names=names
    )
    with moving_up(event, by=by):
        for entrant in gone:
            entrant.delete()
        record(event, by=by, did=Verb.REMOVE_MANY, what=what, before=before)
    return Removed(tuple(names), tuple(entrant.player.name for entrant in stayed))


def player_of_removed(event: Event, number: int) -> Player:
    """Whose registration a step that can be undone took away, as who they count now. Under the event's lock.

    Raises Refused where it cannot come back.
    """
    lock_names(event.store)
    removals = event.journal.filter(did__in=(Verb.REMOVE_MANY, Verb.WITHDRAW), before__players__has_key=str(number))
    entry = removals.order_by("pk").last()
    known = entry and Player.objects.select_related("merged_into").filter(pk=entry.before["players"][str(number)])
    player = known.first() if known else None
    if player is None or player.person.forgotten_at:
        raise Refused(NOTHING_CHANGED, message("A player whose registration was removed has since been erased."))
    if event.entrants.filter(player=player.person).exists():
        raise Refused(NOTHING_CHANGED, message("{player} has registered again.", player=str(player.person)))
    return player.person


@transaction.atomic
def drop(
    event: Event, number: int, *, by: Actor, reason: str = "", plays_draft: bool = False, has_asked: bool = False
) -> int:
    """The player is not paired any more; returns the first round without them. Points stay (rule 5.5).

    Who sits in a draft is refused, unless the player is still to play it (`plays_draft`). `has_asked` is whether they
    asked for it on their phone. Raises Refused.
    """
    event = locked(event)
    refuse_if_finished(event)
    entrant = _entrant(event, number)
    if entrant.dropped_from is not None:
        raise Refused(message("{player} has already dropped.", player=str(entrant)))
    state = state_of(event)
    last = state.last_round
    drafted = last is not None and last.state == Round.State.DRAFT
    seated = last is not None and last.match_of(number) is not None
    if drafted and seated and not plays_draft:
        raise Refused(
            message(
                "{player} is in the draft of round {round}. Discard the draft, then drop the player and re-pair.",
                player=str(entrant),
                round=state.rounds[-1].number,
            )
        )
    before = _dropped(entrant)
    entrant.dropped_from = len(state.rounds) if drafted and not seated else len(state.rounds) + 1
    Wish.objects.filter(seat__entrant=entrant, kind=Wish.Kind.DROP, answer="").update(answer=Wish.Answer.APPROVED)
    facts: dict[str, str | int] = {"player": str(entrant), "round": entrant.dropped_from}
    asked = message("{player} asked on the phone to drop, and dropped before round {round}.", **facts)
    what = asked if has_asked else message("{player} dropped before round {round}.", **facts)
    with moving_up(event, by=by):
        entrant.save()
        record(event, by=by, did=Verb.DROP, what=what, before=before, after=_dropped(entrant), reason=reason)
    return entrant.dropped_from


@transaction.atomic
def bring_back(event: Event, number: int, *, by: Actor) -> None:
    """A player who dropped is paired again from the next round that is drawn; missed rounds give no points.

    Raises Refused.
    """
    event = locked(event)
    refuse_if_finished(event)
    entrant = _entrant(event, number)
    if entrant.dropped_from is None:
        raise Refused(message("{player} hasn’t dropped.", player=str(entrant)))
    before = _dropped(entrant)
    entrant.dropped_from = None
    entrant.save()
    what = message("{player} is back in the event.", player=str(entrant))
    record(event, by=by, did=Verb.BRING_BACK, what=what, before=before, after=_dropped(entrant))


def _dropped(entrant: Entrant) -> dict[str, object]:
    return {"entrant": entrant.number, "dropped_from": entrant.dropped_from}


def _entrant(event: Event, number: int) -> Entrant:
    entrant = event.entrants.select_related("player").filter(number=number).first()
    if entrant is None:
        raise Refused(message("This player is no longer registered."))
    return entrant


def _may_go(entrant: Entrant) -> None:
    _not_seated(entrant)
    if entrant.token_lines.exists():
        raise Refused(
            message(
                "{player} is in the ledger of the commendation token. Undo the check-in instead.", player=str(entrant)
            )
        )


HAD_A_SEAT = """
    SELECT EXISTS (
        SELECT FROM event_changes(%(event)s) c JOIN tourney_journalentry e ON e.id = c.entry_id
        WHERE c."table" = 'tourney_seat' AND e.did = ANY(%(seated)s)
            AND (c.before -> 'entrant_id')::bigint = %(entrant)s
    )
"""


def may_be_seated_again(entrant: Entrant) -> bool:
    """Whether the entrant was paired in a round that is gone and can be restored."""
    with connection.cursor() as cursor:
        cursor.execute(HAD_A_SEAT, {"event": entrant.event_id, "entrant": entrant.pk, "seated": list(SEATED)})
        (found,) = cursor.fetchone()
    return bool(found)


def _not_seated(entrant: Entrant) -> None:
    rounds = Round.objects.filter(seats__entrant=entrant)
    if rounds.exclude(state=Round.State.DRAFT).exists():
        raise Refused(message("{player} has already been paired. Drop {player} instead.", player=str(entrant)))
    if draft := rounds.first():
        facts: dict[str, Param] = {"player": str(entrant), "round": draft.number}
        raise Refused(message("{player} is in the draft of round {round}. Discard the draft first.", **facts))
    if may_be_seated_again(entrant):
        raise Refused(
            message("{player} was paired in a round that can be restored. Drop {player} instead.", player=str(entrant))
        )
