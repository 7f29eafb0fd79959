"""Stores on their way to another installation: there, none of the rows of here is known."""

from dataclasses import replace
from random import Random

from django.db import connection

from scoring.shipped import shipped_pack
from tests.support.built_fleets import night_with_fleets, two_ships
from tests.support.copied import numbers_went_back
from tests.support.logos import png
from tests.support.months import two_months
from tests.support.nights import AT, BY, Night
from tests.support.older_sheets import as_before_sheets_had_rows
from tests.support.own_packs import saved
from tests.support.tables import enter, match_at, on_time
from tests.support.undoing import redo, undo
from tourney.actions import (
    announcements,
    entrants,
    events,
    fleets,
    judge_calls,
    penalties,
    plans,
    player_cards,
    reports,
    roll_offs,
    sign_off,
    simulation,
    store_players,
    stores,
    tokens,
    wishes,
)
from tourney.actions.record import Actor, explain, record_at_store
from tourney.actions.store_archive import import_store
from tourney.domain.pictures import read_picture
from tourney.domain.store_file import as_bytes, check_file
from tourney.domain.verbs import Verb
from tourney.judge.actions import house_rulings, talon_classes
from tourney.models import Event, Player, Store
from tourney.queries.store_archive import lines_of_store
from tourney.sharing.actions.webhooks import save_webhook

WITHOUT_TRIGGERS = "SELECT set_config('session_replication_role', %s, true)"
KEPT = ("django_migrations", "django_content_type", "auth_permission")


def archive_of_store(store: Store) -> bytes:
    """The file, as a commit before it would leave the store."""
    connection.check_constraints()
    data = b"".join(as_bytes(lines_of_store(store)))
    check_file(data)
    return data


def moved(archive: bytes, **more: str) -> Store:
    """The store of the archive in a database where nothing else is, but the numbers that were given go on."""
    leave_nothing()
    return import_store(archive, by=BY, **more)


def leave_nothing() -> None:
    """Every row is gone, as if this were another installation."""
    with connection.cursor() as cursor:
        if not _given:
            cursor.execute(GIVEN)
            _given.extend(cursor.fetchall())
        cursor.execute(WITHOUT_TRIGGERS, ["replica"])
        for table in connection.introspection.table_names(cursor):
            if table not in KEPT:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        cursor.execute(WITHOUT_TRIGGERS, ["origin"])


GIVEN = "SELECT format('%I.%I', schemaname, sequencename), last_value FROM pg_sequences WHERE last_value IS NOT NULL"
_given: list[tuple[str, int]] = []
"""The numbers that had been given when the first store of a test moved."""


def give_back_ids() -> None:
    """Go on with those. Rows that are copied have low numbers, others high ones: a store of both takes all between."""
    with connection.cursor() as cursor:
        cursor.executemany("SELECT setval(%s::regclass, %s)", _given)
    if _given:
        numbers_went_back()
    _given.clear()


def whole_store() -> Night:
    """A store with a row of everything that an archive holds; its event is in round 1."""
    night = night_with_fleets(players=6)
    store, event, owner = night.store, night.event, night.owner
    by = Actor(owner, owner.username, AT)
    _around_it(store, night, by)
    _at_the_tables(event, by)
    _players(store, event, by)
    before = events.make_event(night.campaign, shipped_pack("dominion-war-6"), starts_at=AT, sp_limit=100, by=by)
    plans.change_month(before, plans.Month(shipped_pack("dominion-war-5"), 120), by=by)
    gone = events.make_event(night.campaign, shipped_pack("dominion-war-6"), starts_at=AT, sp_limit=100, by=by)
    plans.delete_event(gone, by=by)
    _finished(store)
    return replace(night, event=Event.objects.with_context().get(pk=event.pk))


def _around_it(store: Store, night: Night, by: Actor) -> None:
    stores.change_look(store, accent="#224488", logo=read_picture(png()), by=by)
    save_webhook(store, address="https://example.com/hook", format="json", kinds=["round"], site="https://a.b", by=by)
    own = saved(store, night.owner).own
    saved(store, night.owner, own, note="a longer clock", minutes=90)
    house_rulings.add(store, by=by, topic="Dice off the mat", text="Re-roll it.")
    talon_classes.add(store, by=by, name="Heron", curves="4-2-1 3-3-2")


def _at_the_tables(event: Event, by: Actor) -> None:
    announcements.announce(event, "Pizza is here.", by=by)
    (first, second), (third, fourth) = (match_at(event, table).numbers for table in (1, 2))
    sign_off.sign(event, 1, first, by=by)
    sign_off.sign_all_on_paper(event, 1, by=by)
    judge_calls.call(event, third, "rules", by=by, words="Who is first?")
    reports.report(event, 1, third, on_time(42, 42), by=BY, key="a-key")
    wishes.ask(event, fourth, "drop", by=BY)
    enter(event, 1, on_time(42, 42))
    group = tuple(sorted((first, second)))
    roll_offs.roll_by_software(event, 1, "table", group, seed="00c0ffee", by=by)
    penalties.penalize(event, 1, first, reason="late", by=by, fleet_points=-10)
    undo(event)
    redo(event)


def _players(store: Store, event: Event, by: Actor) -> None:
    one, other, third, fourth, *_ = [row.player for row in event.entrants.select_related("player").order_by("number")]
    for player in (one, other):
        player_cards.issue_with_words(player, by=by, key=f"key-of-{player.pk}")
    store_players.rename(third, "Tora Ziyal", by=by)
    fleets.make_fleet(one, "At home", by=by, sheet=two_ships())
    built = fleets.make_fleet(other, "In steps", by=by)
    fleets.step(built, lambda sheet: two_ships(), did="Changed.", by=by)
    later = events.make_event(event.campaign, shipped_pack("dominion-war-5"), starts_at=AT, sp_limit=100, by=by)
    entrants.register(later, [("Somebody Older", "Klingon"), ("Gone Tomorrow", "")], by=by)
    store_players.merge(one, Player.objects.get(store=store, name="Somebody Older"), by=by)
    store_players.erase(Player.objects.get(store=store, name="Gone Tomorrow"), by=by)
    connection.check_constraints()
    store_players.erase(fourth, by=by)
    connection.check_constraints()


def _finished(store: Store) -> None:
    """A month that is finished, and the one after it with the token of the first; and two with fleets that played."""
    months = two_months(store=store)
    tokens.grant(months.event, months.number(0), by=BY)
    for is_older in (True, False):
        played = night_with_fleets(players=2, store=store).event
        simulation.play_round(played, random=Random(1), by=BY)
        if is_older:
            as_before_sheets_had_rows(played)
        connection.check_constraints()
    explain(record_at_store(store, by=BY, did=Verb.IMPORT_EVENT, what="What the tests changed without an action."))
