"""Twenty people merge, split and erase the same players at once: every answer is a plain one, no chain remains."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import pairwise

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from tests.actions.test_at_once import at_once
from tests.support.nights import AT, BY, Night, make_night, make_store
from tourney.actions import entrants, player_cards, store_players, tables
from tourney.actions.fleets import make_fleet
from tourney.actions.record import Refused
from tourney.domain.tables import Needs
from tourney.models import Entrant, Fleet, Player, PlayerMerge

pytestmark = pytest.mark.django_db(transaction=True)

CREW = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir")
ALREADY_ONE = [f"These are already one player: {name}." for name in CREW]


def crew(night: Night) -> list[Player]:
    """Six players of one store; each has an entry at an event of its own and a fleet."""
    for name in CREW:
        event = make_night(players=0, store=night.store).event
        entrants.register(event, [(name, "")], by=BY)
    people = list(Player.objects.filter(name__in=CREW).order_by("name"))
    for player in people:
        make_fleet(player, "Vanguard", by=BY)
    return people


def aliases_of_aliases() -> list[str]:
    return [player.name for player in Player.objects.exclude(merged_into__merged_into=None)]


def left_behind() -> list[str]:
    """Entries and fleets that stand under a name that is somebody else's."""
    rows = [*Entrant.objects.exclude(player__merged_into=None), *Fleet.objects.exclude(player__merged_into=None)]
    return [str(row.player) for row in rows]


def merging(kept: Player, other: Player) -> Callable[[], object]:
    return partial(store_players.merge, kept, other, by=BY)


def test_twenty_merges_at_once_along_a_line_leave_one_person_and_no_chain():
    people = crew(make_night(players=0))
    acts = [merging(kept, other) for other, kept in pairwise(people)] * 4

    told = at_once(*acts)

    assert len(told) == 20
    assert told.count("") == len(CREW) - 1
    assert {words for words in told if words} <= set(ALREADY_ONE)
    assert (aliases_of_aliases(), left_behind()) == ([], [])
    assert Player.objects.not_merged().count() == 1


def test_twenty_merges_at_once_round_in_a_circle_and_both_ways_leave_no_chain_and_no_circle():
    people = crew(make_night(players=0))
    circle = list(pairwise([*people, people[0]]))
    acts = [merging(kept, other) for kept, other in [*circle, *circle, *((b, a) for a, b in circle)]]

    told = at_once(*acts)

    assert told.count("") == len(CREW) - 1
    assert (aliases_of_aliases(), left_behind()) == ([], [])
    assert [player.name for player in Player.objects.not_merged()] != []
    assert Player.objects.not_merged().get().entries.count() == len(CREW)


def test_merges_and_their_undoing_at_once_are_done_or_refused():
    people = crew(make_night(players=0))
    done = [store_players.merge(kept, other, by=BY) for kept, other in zip(people[:3], people[3:], strict=True)]
    undo = [partial(store_players.undo_merge, row, by=BY) for row in done] * 4
    more = [merging(kept, other) for kept, other in pairwise(people[:3])] * 4

    told = at_once(*undo, *more)

    assert len(told) == 20
    reasons = ("This merge was already undone.", *ALREADY_ONE, "Undo that first.")
    assert [words for words in told if words and not words.endswith(reasons)] == []
    assert (aliases_of_aliases(), left_behind()) == ([], [])


def test_merging_erasing_cards_and_registration_at_once_are_done_or_refused():
    night = make_night(players=0)
    people = crew(night)
    acts = [merging(kept, other) for kept, other in pairwise(people)]
    acts += [partial(store_players.erase, player, by=BY) for player in people[:3]]
    acts += [partial(player_cards.issue, player, by=BY) for player in people]
    acts += [partial(entrants.register, night.event, [(name, "")], by=BY) for name in CREW]

    told = at_once(*acts)

    assert len(told) == 20
    known = (
        *ALREADY_ONE,
        "can’t be merged.",
        "no card can be issued.",
        "already been erased.",
        "so they are two people.",
        "another name.",
        " was erased.",
    )
    assert [words for words in told if words and not words.endswith(known)] == []
    assert (aliases_of_aliases(), left_behind()) == ([], [])


def test_fleets_made_and_needs_written_while_their_players_are_merged_go_with_the_person():
    people = crew(make_night(players=0))
    acts = [merging(kept, other) for other, kept in pairwise(people)]
    acts += [partial(make_fleet, player, "Second", by=BY) for player in people]
    acts += [partial(tables.change_needs, player, Needs(quiet=True), by=BY) for player in people]

    told = at_once(*acts)

    assert told == [""] * len(acts)
    assert (aliases_of_aliases(), left_behind()) == ([], [])
    assert Player.objects.not_merged().get().fleets.count() == 2 * len(CREW)


def test_two_names_that_become_one_while_both_are_registered_are_one_entry_or_two_people():
    night = make_night(players=0)
    kept, other = crew(night)[:2]

    told = at_once(
        merging(kept, other),
        partial(entrants.register, night.event, [(kept.name, ""), (other.name, "")], by=BY),
    )

    entries = list(night.event.entrants.values_list("player__name", flat=True))
    if told[1] == "":
        assert entries == [kept.name]
    else:
        assert (told[1].endswith("so they are two people."), entries) == (True, [kept.name, other.name])
    assert left_behind() == []


# the database itself


def test_the_database_refuses_a_chain_an_alias_of_itself_and_an_alias_at_another_store():
    people = crew(make_night(players=0))
    elsewhere = Player.objects.create(store=make_store("Deck Twelve")[0], name="Elsewhere")
    kept, other, third = people[:3]
    store_players.merge(kept, other, by=BY)

    assert "is merged itself" in refused_by_database(third, other)
    assert "have to follow it" in refused_by_database(kept, third)
    assert "into itself" in refused_by_database(third, third)
    assert "two stores" in refused_by_database(third, elsewhere)


def refused_by_database(alias: Player, person: Player) -> str:
    with pytest.raises(IntegrityError) as error:
        Player.objects.filter(pk=alias.pk).update(merged_into=person)
    return str(error.value)


def test_two_who_write_a_chain_at_once_past_the_program_are_not_both_let_through():
    first, second, third = crew(make_night(players=0))[:3]

    def point(alias: Player, person: Player) -> None:
        try:
            Player.objects.filter(pk=alias.pk).update(merged_into=person)
        except IntegrityError as error:
            raise Refused(str(error)) from error

    told = at_once(partial(point, first, second), partial(point, second, third))

    assert told[0] == ""
    assert "merged" in told[1]
    assert aliases_of_aliases() == []


def test_chains_and_circles_of_before_are_mended_with_what_was_left_behind():
    ash, birch, cedar, dogwood, elm, fir = crew(make_night(players=0))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tourney_player DISABLE TRIGGER merges_make_no_chain")
        for alias, person in [(ash, birch), (birch, cedar), (dogwood, elm), (elm, fir), (fir, elm)]:
            PlayerMerge.objects.create(store=ash.store, kept=person, other=alias, at=AT)
            Player.objects.filter(pk=alias.pk).update(merged_into=person)
        with connection.schema_editor() as editor:
            import_module("tourney.migrations.0018_merge_chains").mend(apps, editor)
        cursor.execute("ALTER TABLE tourney_player ENABLE TRIGGER merges_make_no_chain")

    now = dict(Player.objects.values_list("name", "merged_into__name"))
    assert now == {"Ash": "Cedar", "Birch": "Cedar", "Cedar": None, "Dogwood": "Elm", "Elm": None, "Fir": "Elm"}
    assert left_behind() == []
    assert (cedar.entries.count(), elm.entries.count()) == (3, 3)
    assert PlayerMerge.objects.filter(undone_at=None, other=elm).count() == 0
    store_players.merge(cedar, elm, by=BY)
    assert list(Player.objects.not_merged()) == [cedar]
