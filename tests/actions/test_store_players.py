"""Players over all months: erased by their name, and two who are one."""

import json

import pytest
from django.db import IntegrityError, connection, transaction

from tests.support.built_fleets import bring
from tests.support.nights import AT, BY, Night, make_night
from tests.support.refusing import refused
from tests.support.tables import eliminated, enter
from tourney.actions import (
    announcements,
    by_hand,
    entrants,
    fleets,
    player_cards,
    rounds,
    sign_off,
    store_players,
    tables,
)
from tourney.actions.archive import InvalidArchive, import_event
from tourney.actions.record import Actor, Refused
from tourney.domain.tables import Needs
from tourney.models import Event, Fleet, JournalEntry, Match, Player, PlayerCard, PlayerMerge, SheetCheck
from tourney.queries.archive import archive_of
from tourney.queries.player_cards import has_card
from tourney.queries.state import state_of
from tourney.queries.tables import needs_in, needs_of

pytestmark = pytest.mark.django_db


def night_of(*names: str, store=None) -> Night:
    night = make_night(players=0, store=store)
    entrants.register(night.event, [(name, "Klingon") for name in names], by=BY, checked_in=True)
    return night


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def everything() -> str:
    """All that the store's tables hold, as one text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'tourney_%%'")
        tables = [name for (name,) in cursor.fetchall()]
        texts = []
        for table in tables:
            cursor.execute(f'SELECT to_jsonb(row)::text FROM "{table}" AS row')
            texts += [text for (text,) in cursor.fetchall()]
    return "\n".join(texts)


# forgetting


def played_night() -> Night:
    """Round 1 of four is over; Ember signed, called a judge before, was moved by hand, and has two fleets."""
    night = night_of("Ember", "Vor", "Kestrel", "Captain Ember")
    for number in (1, 2, 3, 4):
        bring(night.event, number, name=f"Vanguard of {night.event.entrants.get(number=number)}")
    fleets.make_fleet(player("Ember"), "Spare", by=BY)
    rounds.pair_round(night.event, seed=1, by=BY)
    table = state_of(night.event).last_round
    other = next(match.a.number for match in table.matches if 1 not in match.numbers)
    by_hand.place(night.event, 1, 1, other, reason="Ember asked for it", by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    mine = Actor(None, "Ember", AT)
    sign_off.call_judge(night.event, 1, 1, line=4, words="Ember doubts it", by=mine)
    sign_off.sign(night.event, 1, other, by=BY)
    for table in (1, 2):
        enter(night.event, table, eliminated(left=49))
    player_cards.issue(player("Ember"), by=BY)
    announcements.announce(night.event, "Ember, your car has its lights on.", by=BY)
    return night


def test_an_erased_name_stands_nowhere_any_more_and_others_keep_theirs():
    night = played_night()
    assert '"Ember' in everything()

    mark = store_players.erase(player("Ember"), by=Actor(None, "Ember", AT))

    text = everything().replace("Captain Ember", "")
    assert "Ember" not in text
    assert mark in text
    assert {str(entrant) for entrant in night.event.entrants.all()} == {mark, "Vor", "Kestrel", "Captain Ember"}
    assert Match.objects.exclude(manual_reason="").first().manual_reason == f"{mark} asked for it"
    assert SheetCheck.objects.get(state="called").words == f"{mark} doubts it"
    assert SheetCheck.objects.get(state="called").by_name == mark
    assert Fleet.objects.get(entrant__number=1).name == f"Vanguard of {mark}"


def test_the_mark_is_in_the_language_of_the_store():
    night = night_of("Ember")
    night.store.locale = "de_DE"
    night.store.save()

    mark = store_players.erase(player("Ember"), by=BY)

    assert mark.startswith("Spieler")


def ranks(night: Night) -> list[tuple[int, ...]]:
    lines = state_of(night.event).standings(1)
    return [(line.rank, line.id, line.battle_points, line.fleet_points) for line in lines]


def test_ranks_results_and_points_stay_as_they_were():
    night = played_night()
    before = ranks(night)

    store_players.erase(player("Ember"), by=BY)

    assert ranks(night) == before


def test_the_card_is_dead_and_fleets_that_never_flew_are_gone():
    played_night()
    quill = player("Ember")

    store_players.erase(quill, by=BY)

    assert not PlayerCard.objects.exists()
    assert [fleet.entrant.number for fleet in quill.fleets.all()] == [1]


def test_a_registration_that_led_to_no_seat_is_taken_away_and_its_fleet_with_it():
    night = night_of("Ember", "Vor")
    bring(night.event, 1)

    store_players.erase(player("Ember"), by=BY)

    assert [str(entrant) for entrant in night.event.entrants.all()] == ["Vor"]
    assert not Fleet.objects.exists()


def test_the_mark_is_short_and_nobody_else_has_it():
    night = night_of("Ember", "Vor")

    marks = {store_players.erase(player(name), by=BY) for name in ("Ember", "Vor")}

    assert len(marks) == 2
    assert all(mark.startswith("Player ") and len(mark) == 9 for mark in marks)
    assert night.store.players.filter(name__in=marks, forgotten_at=AT).count() == 2


def test_the_journal_says_that_somebody_was_erased_but_not_who():
    night_of("Ember")

    mark = store_players.erase(player("Ember"), by=Actor(None, "Ember", AT))

    entry = JournalEntry.objects.last()
    assert (entry.did, entry.by_name, entry.after) == ("forget", mark, {"mark": mark})
    assert entry.what.startswith(f"{mark}’s personal data erased:")


def test_open_pages_notice_that_somebody_was_erased():
    night = played_night()
    before = Event.objects.get(pk=night.event.pk).version

    store_players.erase(player("Ember"), by=BY)

    assert Event.objects.get(pk=night.event.pk).version > before


def test_nobody_is_erased_twice_and_nobody_joins_under_a_mark():
    night = night_of("Ember", "Vor")
    mark = store_players.erase(player("Ember"), by=BY)

    with refused("This player’s personal data has already been erased."):
        store_players.erase(player(mark), by=BY)
    with refused(f"“{mark.upper()}” is the mark of an erased player. Choose another name."):
        entrants.register(night.event, [(mark.upper(), "")], by=BY)
    with refused(f"{mark}’s personal data is erased, so no card can be issued."):
        player_cards.issue(player(mark), by=BY)


def test_who_comes_back_is_a_new_player():
    night = night_of("Ember")
    before = player("Ember")
    store_players.erase(before, by=BY)

    entrants.register(night.event, [("Ember", "Klingon")], by=BY)

    assert player("Ember") != before


def test_an_archive_of_after_the_forgetting_comes_back_under_the_mark():
    night = played_night()
    mark = store_players.erase(player("Ember"), by=BY)
    archive = json.loads(json.dumps(archive_of(night.event)))
    archive["event"]["slug"] = "again"

    again = import_event(night.store, archive, by=BY)

    assert again.entrants.get(number=1).player == player(mark)


# the journal's one exception


def tell(name: str, mark: str) -> None:
    connection.cursor().execute(
        "SELECT set_config('flagship.forgotten_name', %s, true), set_config('flagship.forgotten_mark', %s, true)",
        [name, mark],
    )


@pytest.mark.parametrize(
    "change",
    [
        "what = replace(what, 'Vor', 'Player 7F')",
        "what = replace(what, 'Ember', 'Player 7F') || '!'",
        "at = now()",
        "what = ''",
        "store_id = store_id + 1",
        "after = '{\"entrants\": []}'",
    ],
)
def test_with_a_name_to_erase_the_journal_lets_nothing_else_through(change):
    night = night_of("Ember", "Vor")
    JournalEntry.objects.create(
        store=night.store, at=AT, by_name="x", did="forget", what="x", after={"mark": "Player 7F"}
    )
    tell("Ember", "Player 7F")

    with pytest.raises(IntegrityError, match="The journal cannot be changed"), transaction.atomic():
        connection.cursor().execute(f"UPDATE tourney_journalentry SET {change} WHERE did = 'register'")
    tell("", "")


def test_a_name_gives_way_only_to_a_mark_of_which_the_journal_says_so():
    night_of("Ember")
    tell("Ember", "Player 7F")

    with pytest.raises(IntegrityError, match="The journal cannot be changed"), transaction.atomic():
        JournalEntry.objects.filter(did="register").update(what="Registered Player 7F (Klingon).")
    tell("", "")


def test_after_somebody_was_erased_the_journal_is_closed_again():
    night_of("Ember")
    mark = store_players.erase(player("Ember"), by=BY)

    with pytest.raises(IntegrityError, match="The journal cannot be changed"), transaction.atomic():
        JournalEntry.objects.filter(did="register").update(what=f"Registered {mark} twice.")


# two who are one


def two_nights() -> tuple[Night, Night]:
    """Vor came in the first month, "Vor K." in the second."""
    first = night_of("Vor", "Kestrel")
    return first, night_of("Vor K.", "Kestrel", store=first.store)


def who(night: Night) -> list[str]:
    return [str(entrant) for entrant in night.event.entrants.all()]


def test_two_players_become_one_with_all_entries_and_fleets():
    first, second = two_nights()
    fleet = bring(second.event, 1)
    vor, other = player("Vor"), player("Vor K.")

    row = store_players.merge(vor, other, by=BY)

    assert (who(first), who(second)) == (["Vor", "Kestrel"], ["Vor", "Kestrel"])
    assert Fleet.objects.get(pk=fleet.pk).player == vor
    assert list(Player.objects.not_merged().values_list("name", flat=True)) == ["Vor", "Kestrel"]
    assert (row.entries, row.fleets) == ([second.event.entrants.get(number=1).pk], [fleet.pk])
    entry = JournalEntry.objects.last()
    assert (entry.what, entry.after) == (
        "Vor K. and Vor merged: they count as Vor.",
        {"kept": "Vor", "other": "Vor K."},
    )


def test_after_a_merge_the_older_name_and_the_older_card_are_the_one_player():
    first, _ = two_nights()
    player_cards.issue(player("Vor K."), by=BY)
    store_players.merge(player("Vor"), player("Vor K."), by=BY)

    registered = entrants.register(first.event, [("vor k.", "Klingon")], by=BY)
    third = make_night(players=0, store=first.store)
    entrants.register(third.event, [("VOR K.", "Klingon"), ("Vor", "Klingon")], by=BY)

    assert (registered.entrants, registered.already) == ((), ("vor k.",))
    assert who(third) == ["Vor"]
    assert has_card(player("Vor"))


def test_a_new_card_makes_those_of_older_names_worthless_too():
    two_nights()
    player_cards.issue(player("Vor K."), by=BY)
    store_players.merge(player("Vor"), player("Vor K."), by=BY)

    player_cards.issue(player("Vor"), by=BY)

    assert [card.player.name for card in PlayerCard.objects.all()] == ["Vor"]


def test_two_who_were_at_one_event_are_two():
    _, second = two_nights()
    entrants.register(second.event, [("Vor", "")], by=BY)

    with refused(f"Vor and Vor K. both played in {second.event}, so they are two people."):
        store_players.merge(player("Vor"), player("Vor K."), by=BY)
    assert not PlayerMerge.objects.exists()


def test_nobody_is_merged_with_the_same_or_with_the_erased():
    two_nights()
    vor = player("Vor")
    with refused("These are already one player: Vor."):
        store_players.merge(vor, vor, by=BY)
    mark = store_players.erase(player("Kestrel"), by=BY)

    with refused("An erased player can’t be merged."):
        store_players.merge(vor, player(mark), by=BY)


def test_a_merge_is_undone_to_the_last_entry_and_fleet():
    first, second = two_nights()
    bring(second.event, 1, name="Vanguard")
    fleets.make_fleet(player("Vor K."), "Spare", by=BY)
    before = [(fleet.name, str(fleet.player)) for fleet in Fleet.objects.order_by("pk")]

    store_players.undo_merge(store_players.merge(player("Vor"), player("Vor K."), by=BY), by=BY)

    assert (who(first), who(second)) == (["Vor", "Kestrel"], ["Vor K.", "Kestrel"])
    assert [(fleet.name, str(fleet.player)) for fleet in Fleet.objects.order_by("pk")] == before
    assert Player.objects.not_merged().count() == 3
    assert JournalEntry.objects.last().what == "Vor K. and Vor are two players again."


NEEDED = {
    "nothing of the kept one": (Needs(), Needs(4, True, True), Needs(4, True, True)),
    "nothing of the other": (Needs(4, True, True), Needs(), Needs(4, True, True)),
    "each something": (Needs(near_door=True), Needs(fixed=3, quiet=True), Needs(3, True, True)),
    "both the same and something else": (Needs(fixed=2, quiet=True), Needs(fixed=5, quiet=True), Needs(2, False, True)),
}


@pytest.mark.parametrize(("kept", "other", "both"), NEEDED.values(), ids=NEEDED)
def test_3_11_who_is_one_needs_what_both_needed_and_two_again_need_what_each_did(kept, other, both):
    _, second = two_nights()
    vor, vor_k = player("Vor"), player("Vor K.")
    tables.change_needs(vor, kept, by=BY)
    tables.change_needs(vor_k, other, by=BY)

    row = store_players.merge(vor, vor_k, by=BY)

    assert (needs_of(vor), needs_in(state_of(second.event))[1]) == ({vor.pk: both}, both)
    store_players.undo_merge(row, by=BY)
    assert needs_of(vor, vor_k) == {vor.pk: kept, vor_k.pk: other}


def test_3_11_a_merged_player_is_seated_by_what_was_needed_under_the_older_name():
    first, _ = two_nights()
    tables.change_needs(player("Vor K."), Needs(fixed=7), by=BY)

    store_players.merge(player("Vor"), player("Vor K."), by=BY)
    entrants.check_in(first.event, by=BY)
    rounds.pair_round(first.event, seed=1, by=BY)

    assert [match.table for match in state_of(first.event).last_round.matches] == [7]


def test_needs_that_the_desk_changes_after_a_merge_are_all_there_is():
    two_nights()
    tables.change_needs(player("Vor K."), Needs(fixed=7, quiet=True), by=BY)
    store_players.merge(player("Vor"), player("Vor K."), by=BY)

    tables.change_needs(player("Vor"), Needs(near_door=True), by=BY)

    assert needs_of(player("Vor")) == {player("Vor").pk: Needs(near_door=True)}


def test_what_came_since_a_merge_stays_with_who_was_kept():
    first, second = two_nights()
    spare = fleets.make_fleet(player("Vor K."), "Spare", by=BY)
    row = store_players.merge(player("Vor"), player("Vor K."), by=BY)
    third = night_of("Vor K.", store=first.store)
    fleets.assign_to_event(first.event, 1, spare, by=BY)
    new = fleets.make_fleet(player("Vor"), "New", by=BY)
    fleets.assign_to_event(second.event, 1, new, by=BY)

    store_players.undo_merge(row, by=BY)

    assert who(third) == ["Vor"]
    flying = {fleet.name: (fleet.entrant.event, str(fleet.player)) for fleet in Fleet.objects.all()}
    assert flying == {"New": (second.event, "Vor K."), "Spare": (first.event, "Vor")}


def test_merges_are_undone_in_the_order_back():
    first, second = two_nights()
    third = night_of("V. K.", store=first.store)
    one = store_players.merge(player("Vor K."), player("V. K."), by=BY)
    two = store_players.merge(player("Vor"), player("Vor K."), by=BY)
    assert who(third) == ["Vor"]

    with refused("Vor K. was later merged into Vor. Undo that first."):
        store_players.undo_merge(one, by=BY)
    store_players.undo_merge(two, by=BY)
    assert who(third) == ["Vor K."]
    store_players.undo_merge(one, by=BY)
    assert (who(first)[0], who(second)[0], who(third)[0]) == ("Vor", "Vor K.", "V. K.")
    with refused("This merge was already undone."):
        store_players.undo_merge(one, by=BY)


def test_to_forget_a_merged_player_is_to_forget_all_the_names():
    two_nights()
    player_cards.issue(player("Vor K."), by=BY)
    store_players.merge(player("Vor"), player("Vor K."), by=BY)

    mark = store_players.erase(player("Vor K."), by=BY)

    assert "Vor" not in everything()
    assert not PlayerCard.objects.exists()
    assert Player.objects.count() == 2
    assert player(mark).entries.count() == 0


def test_an_archive_in_which_both_played_is_not_taken():
    first, _ = two_nights()
    archive = json.loads(json.dumps(archive_of(night_of("Vor", "Vor K.", store=first.store).event)))
    events_before = Event.objects.count()
    Event.objects.filter(slug=archive["event"]["slug"]).first().entrants.all().delete()
    archive["event"]["slug"] = "again"
    store_players.merge(player("Vor"), player("Vor K."), by=BY)

    with pytest.raises(InvalidArchive, match="two of these names are one player here"):
        import_event(first.store, archive, by=BY)
    assert Event.objects.count() == events_before


# another spelling


def test_a_player_renamed_is_called_so_in_every_month_and_the_journal_says_so():
    night = make_night(players=2, rounds=1)
    vor = night.event.entrants.get(number=1).player
    before, version = vor.name, night.event.version

    store_players.rename(vor, "Vor Ash", by=BY)

    event = Event.objects.get(pk=night.event.pk)
    assert state_of(event).names[1] == "Vor Ash"
    assert event.version > version
    assert night.store.journal.order_by("-pk").first().what == f"{before} is now called Vor Ash."


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_a_name_that_another_player_has_is_refused_whatever_its_capitals(change):
    night = make_night(players=2)
    first, second = (entrant.player for entrant in night.event.entrants.order_by("number"))

    with pytest.raises(Refused, match="is already a player here"):
        store_players.rename(first, change(second.name), by=BY)

    store_players.rename(first, change(first.name), by=BY)


def test_erasing_a_renamed_player_erases_the_earlier_name_too():
    night = make_night(players=2)
    player = night.event.entrants.get(number=1).player
    before = player.name
    store_players.rename(player, "Vor Ash", by=BY)
    player.refresh_from_db()
    assert before in str(list(night.store.journal.values_list("what", "before", "after")))

    store_players.erase(player, by=BY)

    told = str(list(night.store.journal.values_list("what", "before", "after", "said")))
    assert before not in told
    assert "Vor Ash" not in told
