"""A fleet that played is kept once at its event, with a history like every other row; older rounds keep theirs."""

from dataclasses import replace
from importlib import import_module
from random import Random

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from fleets.domain.card_data import sheet_as_data, sheet_from_data
from fleets.domain.cards import CardKind
from fleets.domain.sheet import Sheet
from tests.support.built_fleets import bring_all, night_with_fleets, two_ships
from tests.support.copied import WITHOUT_TRIGGERS
from tests.support.fleets_for_tests import Numbered, captain_card, card, ship_card
from tests.support.nights import AT, BY, Night, make_night, make_store
from tests.support.older_sheets import as_before_sheets_had_rows
from tests.support.reading import asked
from tests.support.store_archives import archive_of_store, give_back_ids, moved
from tests.support.undoing import redo, undo
from tourney.actions import events, fleets, history, rounds, simulation, store_players
from tourney.actions.archive import import_event
from tourney.domain.store_file import as_bytes, lines_of
from tourney.models import Event, Fleet, FleetStep, PlayedSheet, Player, RowChange, Seat, Store
from tourney.queries.archive import archive_of
from tourney.queries.history import differences, history_of, rows_at, snapshots_of, stored_rows
from tourney.queries.integrity import store_problems
from tourney.queries.state import state_of
from tourney.queries.surviving import fleets_at
from tourney.runtime.messages import message

pytestmark = pytest.mark.django_db

TABLE = PlayedSheet._meta.db_table


def play(event: Event) -> None:
    simulation.play_round(event, random=Random(1), by=simulation.actor_at(AT))


def draw(event: Event) -> None:
    simulation.draw(event, random=Random(1), by=simulation.actor_at(AT))


def change(event: Event, number: int) -> None:
    """The fleet of that entrant is another from now on."""
    fleets.unlock(event, number, reason="typed wrong", by=BY)
    row = Fleet.objects.get(entrant__event=event, entrant__number=number)
    fleets.step(row, lambda sheet: two_ships(None), did=message("Resource removed"), by=BY, reason="as on the table")


def at_seats(event: Event) -> dict[tuple[int, int], int]:
    """Round and entrant → how many lines the sheet has that played there."""
    found = Seat.objects.filter(round__event=event).sheets("round__number", "entrant__number")
    return {
        (round, number): sum(1 + len(ship["cards"]) for ship in sheet["ships"]) + bool(sheet["resource"])
        for round, number, sheet in found
    }


def problems(store: Store) -> list[str]:
    connection.check_constraints()
    events = Event.objects.with_context().filter(campaign__store=store)
    return [one.in_english() for one in store_problems(store, events)]


# once


def test_what_is_the_same_is_kept_once_and_what_changed_between_rounds_beside_it():
    event = night_with_fleets().event
    play(event)
    change(event, 1)
    draw(event)
    play(event)

    assert PlayedSheet.objects.filter(event=event).count() == 2
    assert at_seats(event) == {
        (round, number): 7 - ((round, number) == (2, 1)) for round in (1, 2) for number in range(1, 5)
    }
    assert not Seat.objects.filter(played_sheet__isnull=False).exists()
    noted = RowChange.objects.filter(event=event, table="tourney_seat").values_list("after", flat=True)
    assert max(len(str(after)) for after in noted) < 200


def test_an_event_has_its_own_even_where_another_has_the_same():
    night = night_with_fleets(players=2)
    other = night_with_fleets(players=2, store=night.store).event
    for event in (night.event, other):
        play(event)

    assert [PlayedSheet.objects.filter(event=event).count() for event in (night.event, other)] == [1, 1]


def statements_of_closing(players: int) -> int:
    event = night_with_fleets(players=players).event
    for _ in range(2):
        with asked() as statements:
            play(event)
        draw(event)
    return sum("tourney_playedsheet" in one.sql or 'UPDATE "tourney_seat"' in one.sql for one in statements)


def test_a_round_of_many_closes_with_as_many_statements_as_one_of_few():
    assert statements_of_closing(12) == statements_of_closing(2) == 2


# its history


def test_every_step_of_a_night_with_fleets_can_be_taken_back_and_done_again():
    event = night_with_fleets().event
    play(event)
    change(event, 1)
    draw(event)
    play(event)
    sheets = at_seats(event)
    there, undone = [stored_rows(event)], []
    while history_of(event).last:
        undone.append(undo(event))
        there.append(stored_rows(event))
    left = PlayedSheet.objects.count()

    back, again = there[-1:], []
    while history_of(event).next:
        again.append(redo(event))
        back.append(stored_rows(event))

    assert (again, back, left) == (undone[::-1], there[::-1], 0)
    assert (differences(event), at_seats(event)) == ([], sheets)


def test_a_round_that_is_closed_again_keeps_the_sheets_of_then():
    event = night_with_fleets().event
    play(event)
    undo(event)
    change(event, 1)
    rounds.close_round(event, 1, by=BY)

    assert at_seats(event) == {(1, 1): 6, (1, 2): 7, (1, 3): 7, (1, 4): 7}
    assert differences(event) == []


def test_what_goes_back_to_a_closed_round_has_its_sheets_again():
    event = night_with_fleets().event
    play(event)
    closed, sheets = snapshots_of(event)[0], at_seats(event)
    change(event, 1)
    draw(event)
    play(event)

    history.restore(event, closed, by=BY, reason="the wrong round")

    assert at_seats(event) == sheets
    assert {key for key in stored_rows(event) if key[0] == TABLE} == {
        key for key in rows_at(event, closed) if key[0] == TABLE
    }
    assert differences(event) == []


def test_a_sheet_that_was_changed_past_the_history_is_found():
    night = night_with_fleets(players=2)
    play(night.event)
    connection.check_constraints()
    sheet = PlayedSheet.objects.get()

    PlayedSheet.objects.filter(pk=sheet.pk).update(data={**sheet.data, "notes": "two more"})
    by_hand = problems(night.store)
    with connection.cursor() as cursor:
        cursor.execute(WITHOUT_TRIGGERS, ["replica"])
        PlayedSheet.objects.filter(pk=sheet.pk).update(data={**sheet.data, "notes": "three more"})
        cursor.execute(WITHOUT_TRIGGERS, ["origin"])

    which = f"{night.event.slug}: Fleet Build Sheet {sheet.pk}"
    assert by_hand == [f"{which} was changed, but no journal entry says by whom."]
    assert problems(night.store)[0] == f"{which} isn’t as the history says. It was changed past the history."


# rounds that closed before


@pytest.fixture
def older() -> Night:
    """Round 1 closed before sheets had rows, and since then each fleet has become another."""
    night = night_with_fleets()
    play(night.event)
    as_before_sheets_had_rows(night.event)
    connection.check_constraints()
    for number in (1, 2, 3, 4):
        change(night.event, number)
    assert not PlayedSheet.objects.exists()
    assert Seat.objects.filter(played_sheet__isnull=False).count() == 4
    return night


def test_a_round_that_closed_before_is_corrected_with_the_fleets_that_played(older):
    event = older.event
    draw(event)
    play(event)
    state = state_of(event)
    found = {
        round: {fleet.sheet == two_ships() for match in state.round(round).matches for fleet in fleets_at(state, match)}
        for round in (1, 2)
    }

    assert found == {1: {True}, 2: {False}}
    assert problems(older.store) == []


def test_a_round_that_closed_before_is_undone_and_done_again_as_it_was(older):
    event = older.event
    draw(event)
    play(event)
    sheets = at_seats(event)
    undone = []
    while history_of(event).last:
        undone.append(undo(event))
    left = Seat.objects.filter(round__event=event).count(), PlayedSheet.objects.count()

    again = []
    while history_of(event).next:
        again.append(redo(event))

    assert (again, left) == (undone[::-1], (0, 0))
    assert (differences(event), at_seats(event)) == ([], sheets)
    assert Seat.objects.filter(played_sheet__isnull=False, round__number=1, sheet=None).count() == 4


def test_the_archive_of_an_event_says_the_same_of_rounds_that_closed_before(older):
    draw(older.event)
    play(older.event)
    archive = archive_of(older.event)
    played = [sheet for round in archive["rounds"] for match in round["matches"] for sheet in match["played"]]

    store, _ = make_store("Another Harbor")
    again = import_event(store, archive | {"event": archive["event"] | {"slug": "again"}}, by=BY)

    assert [len(sheet["ships"]) for sheet in played] == [2] * 8
    assert archive_of(again)["rounds"] == archive["rounds"]
    assert PlayedSheet.objects.filter(event=again).count() == 2


def test_a_store_moves_with_rounds_that_closed_before_and_since(older):
    draw(older.event)
    play(older.event)
    archive, sheets = archive_of_store(older.store), at_seats(older.event)

    there = moved(archive)
    same, event = archive_of_store(there), Event.objects.get(campaign__store=there)

    assert (same == archive, problems(there), at_seats(event)) == (True, [], sheets)
    assert undo(event) == "close_round"
    give_back_ids()


def test_the_archive_of_a_store_from_before_sheets_had_rows_is_taken_in(older):
    archive = archive_of_store(older.store)
    lines = [
        {kind: {name: value for name, value in row.items() if (kind, name) != ("seat", "sheet_id")}}
        for line in lines_of(archive)
        for kind, row in line.items()
    ]
    sheets = at_seats(older.event)

    there = moved(b"".join(as_bytes(lines)))

    assert at_seats(Event.objects.get(campaign__store=there)) == sheets
    assert archive_of_store(there) == archive
    give_back_ids()


def test_the_migration_leaves_rows_and_history_as_they_are(older):
    """Back to the tables of before, with a round that closed there, and on again."""
    migration = import_module("tourney.migrations.0054_lighter_nights").Migration("0054", "tourney")
    FleetStep.objects.all().delete()
    over = night_with_fleets(players=2, store=older.store).event
    play(over)
    events.finish_event(over, by=BY, reason="the shop closes")
    as_before_sheets_had_rows(over)
    connection.check_constraints()
    for row in Fleet.objects.filter(entrant__number=1):
        FleetStep.objects.create(fleet=row, number=9, did="Lark added.", before=row.data)
    rows, noted = stored_rows(older.event), list(older.event.changes.order_by("pk").values())
    sheets = at_seats(older.event)
    connection.check_constraints()  # no trigger waits for its transaction, as none does when one migrates

    with connection.schema_editor() as editor:
        migration.unapply(state_before(migration), editor)
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('tourney_playedsheet')")
        gone = cursor.fetchone()
        cursor.execute("SELECT count(*) FROM tourney_seat WHERE played_sheet IS NOT NULL")
        kept = cursor.fetchone()
    with connection.schema_editor() as editor:
        migration.apply(state_before(migration), editor)

    assert (gone, kept) == ((None,), (6,))
    assert [step.fleet.entrant.event for step in FleetStep.objects.all()] == [older.event]
    assert list(older.event.changes.order_by("pk").values()) == noted
    assert (stored_rows(older.event), at_seats(older.event), problems(older.store)) == (rows, sheets, [])
    draw(older.event)
    play(older.event)
    assert PlayedSheet.objects.count() == 1
    assert problems(older.store) == []


def state_before(migration) -> ProjectState:
    return MigrationLoader(connection).project_state(migration.dependencies)


# erasing


def sheet_of_ember() -> Sheet:
    """A fleet with the name in a note, in a card typed by hand, and as what a printed card is called."""
    numbered = Numbered()
    typed = replace(card(CardKind.CREW, "Ember’s Friend"), key="")
    ship = numbered.ship(ship_card("Kestrel", 24), captain_card("Ember", 5), typed)
    noted = replace(ship, line=replace(ship.line, note="Ember painted it"))
    return Sheet((noted,), notes="Built by Ember")


@pytest.mark.parametrize("is_older", [False, True])
def test_an_erased_name_goes_from_sheets_that_played_and_their_history_and_cards_keep_theirs(is_older):
    night = night_with_fleets({1: sheet_of_ember(), 2: two_ships()}, players=2)
    player = night.event.entrants.get(number=1).player
    store_players.rename(player, "Ember", by=BY)
    play(night.event)
    if is_older:
        as_before_sheets_had_rows(night.event)
    connection.check_constraints()

    mark = store_players.erase(Player.objects.get(pk=player.pk), by=BY)

    (sheet,) = (sheet for number, sheet in Seat.objects.all().sheets("entrant__number") if number == 1)
    line, cards = sheet["ships"][0]["ship"], sheet["ships"][0]["cards"]
    assert (sheet["notes"], line["note"]) == (f"Built by {mark}", f"{mark} painted it")
    assert [one["card"]["title"] for one in cards] == ["Ember", f"{mark}’s Friend"]
    assert problems(night.store) == []
    text = str([list(RowChange.objects.values_list("before", "after")), list(PlayedSheet.objects.values_list("data"))])
    assert "painted" in text
    assert [one for one in ("Ember painted", "by Ember", "Ember’s") if one in text] == []


def test_an_erased_name_goes_from_fleets_and_the_steps_of_building_them_which_stay_readable():
    night = night_with_fleets({1: sheet_of_ember(), 2: two_ships()}, players=2)
    player, fleet = night.event.entrants.get(number=1).player, night.event.entrants.get(number=2).fleet
    store_players.rename(player, "Al", by=BY)
    long = sheet_as_data(replace(fleet.sheet, notes=f"{'Al ' * 166}Al"))
    Fleet.objects.filter(pk=fleet.pk).update(data=long)
    FleetStep.objects.create(fleet=fleet, number=1, did="Notes saved.", before=long)

    mark = store_players.erase(Player.objects.get(pk=player.pk), by=BY)

    for data in (Fleet.objects.get(pk=fleet.pk).data, FleetStep.objects.get(fleet=fleet).before):
        notes = sheet_from_data(data).notes
        assert notes.startswith(f"{mark} {mark}")
        assert "Al" not in notes


def test_an_erased_name_goes_from_a_played_sheet_that_nobody_can_read():
    night = make_night(players=2)
    bring_all(night.event)
    draw(night.event)
    player = night.event.entrants.get(number=1).player
    store_players.rename(player, "Ember", by=BY)
    Fleet.objects.filter(entrant__number=1).update(data={**Fleet.objects.first().data, "notes": "x" * 494 + " Ember"})
    play(night.event)
    connection.check_constraints()

    mark = store_players.erase(Player.objects.get(pk=player.pk), by=BY)

    assert [sheet["notes"][-len(mark) :] for (sheet,) in Seat.objects.all().sheets() if "notes" in sheet] == [mark]
    assert problems(night.store) == []
