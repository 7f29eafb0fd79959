"""Rule 1.4: everybody is asked for a faction before round 1 is published; a month without allegiance asks nobody."""

import pytest

from scoring.shipped import shipped_packs
from tests.support.nights import BY, make_night
from tests.support.refusing import refused
from tourney.actions import entrants, history, rounds
from tourney.models import Event, JournalEntry, Round
from tourney.queries.history import differences, last_step_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

WITHOUT_ALLEGIANCE = {
    *(f"temporal-cold-war-{month}" for month in (1, 2, 3)),
    "tournament-2016",
    "tournament-2016-booster",
}


def arrive(event: Event, *names: str, faction: str = "") -> None:
    entrants.register(event, [(name, faction) for name in names], by=BY, checked_in=True)


def drafted(*names: str, pack: str = "dominion-war-6", players: int = 2) -> Event:
    """Some who declared, these who did not, and a draft of round 1."""
    event = make_night(players=players, pack=pack).event
    arrive(event, *names)
    rounds.pair_round(event, seed=1, by=BY)
    return event


def number_of(event: Event, name: str) -> int:
    return event.entrants.get(player__name=name).number


def declared(event: Event, name: str) -> tuple[str, bool]:
    return event.entrants.values_list("faction", "plays_without").get(player__name=name)


def is_published(event: Event) -> bool:
    return event.rounds.exclude(state=Round.State.DRAFT).exists()


def test_1_4_the_shipped_months_ask_whose_source_has_an_allegiance():
    assert {pack.slug for pack in shipped_packs() if not pack.allegiance} == WITHOUT_ALLEGIANCE


def test_round_1_is_not_published_while_somebody_has_not_said():
    event = drafted("Ada", "Bo")

    with refused("Ada and Bo have no faction yet (rule 1.4). Choose one for each, or press “No faction”."):
        rounds.publish_round(event, 1, by=BY)
    assert not is_published(event)


def test_with_a_faction_or_without_one_in_so_many_words_it_is():
    event = drafted("Ada", "Bo")

    entrants.change_faction(event, number_of(event, "Ada"), "Klingon", by=BY)
    with refused("Bo has no faction yet (rule 1.4). Choose one, or press “No faction”."):
        rounds.publish_round(event, 1, by=BY)
    entrants.play_without(event, number_of(event, "Bo"), by=BY)
    rounds.publish_round(event, 1, by=BY)

    assert is_published(event)
    assert [declared(event, name) for name in ("Ada", "Bo")] == [("Klingon", False), ("", True)]


def test_a_month_without_allegiance_publishes_and_has_nothing_to_play_without():
    event = drafted("Ada", "Bo", pack="temporal-cold-war-2")

    rounds.publish_round(event, 1, by=BY)

    assert is_published(event)
    with refused("Factions aren’t declared this month (rule 1.4)."):
        entrants.play_without(event, 1, by=BY)


def test_who_is_not_here_is_not_waited_for():
    event = make_night(players=2).event
    entrants.register(event, [("Ada", "")], by=BY)
    rounds.pair_round(event, seed=1, by=BY)

    rounds.publish_round(event, 1, by=BY)

    assert is_published(event)


def test_playing_without_stands_in_the_journal_and_can_be_undone():
    event = drafted("Ada", "Bo")
    ada = number_of(event, "Ada")

    entrants.play_without(event, ada, by=BY)
    entrants.play_without(event, ada, by=BY)

    entries = JournalEntry.objects.filter(event=event, did="play_without")
    assert [(entry.what, entry.before, entry.after) for entry in entries] == [
        (
            "Ada plays without a faction.",
            {"entrant": ada, "faction": ""},
            {"entrant": ada, "faction": "", "plays_without": True},
        )
    ]
    history.undo(event, entries.get().pk, by=BY)
    assert declared(event, "Ada") == ("", False)
    assert differences(event) == []


def test_a_faction_declared_later_takes_it_back_and_undoing_that_brings_it_again():
    event = drafted("Ada", "Bo")
    ada = number_of(event, "Ada")
    entrants.play_without(event, ada, by=BY)

    entrants.change_faction(event, ada, "Romulan", by=BY)
    assert declared(event, "Ada") == ("Romulan", False)
    history.undo(event, last_step_of(event).pk, by=BY)
    assert declared(event, "Ada") == ("", True)
    history.undo(event, last_step_of(event).pk, by=BY)
    assert declared(event, "Ada") == ("", False)
    with refused("Ada and Bo have no faction yet (rule 1.4). Choose one for each, or press “No faction”."):
        rounds.publish_round(event, 1, by=BY)


def test_who_has_declared_does_not_play_without():
    event = drafted("Ada", "Bo")
    faction = event.entrants.get(number=1).faction

    with refused(f"{event.entrants.get(number=1)} has declared {faction}. Change the faction instead."):
        entrants.play_without(event, 1, by=BY)


def test_a_late_arrival_is_asked_and_holds_nobody_up():
    event = make_night(players=4, rounds=1).event
    arrive(event, "Zephyr")

    assert [str(one) for one in state_of(event).without_faction] == ["Zephyr"]
    rounds.pair_round(event, seed=1, by=BY)
    assert [str(one) for one in state_of(event).without_faction] == ["Zephyr"]
    rounds.publish_round(event, 2, by=BY)
    assert state_of(event).without_faction == []


def test_what_a_late_arrival_declares_first_needs_no_reason_and_another_faction_then_does():
    event = make_night(players=4, rounds=1).event
    arrive(event, "Zephyr")
    zephyr = number_of(event, "Zephyr")

    entrants.change_faction(event, zephyr, "Dominion", by=BY)
    assert declared(event, "Zephyr") == ("Dominion", False)
    with refused("Round 1 is published. Give a reason for changing the faction (rule 1.4)."):
        entrants.change_faction(event, zephyr, "Klingon", by=BY)


def test_who_played_a_round_without_needs_a_reason_for_a_faction():
    event = drafted("Ada", "Bo")
    for name in ("Ada", "Bo"):
        entrants.play_without(event, number_of(event, name), by=BY)
    rounds.publish_round(event, 1, by=BY)

    with refused("Round 1 is published. Give a reason for changing the faction (rule 1.4)."):
        entrants.change_faction(event, number_of(event, "Ada"), "Klingon", by=BY)
    assert declared(event, "Ada") == ("", True)
