"""The journal keeps the message of each entry, from which it is read in the reader's language."""

import pytest
from django.utils import translation

from tests.actions.test_journal_chain import commit, execute, triggers_off
from tests.support.longer import speak_longer_french
from tests.support.nights import BY, make_night
from tests.support.pseudo import pseudo
from tourney.actions import store_players
from tourney.actions.record import record
from tourney.domain.verbs import SEED_TOLD, Verb
from tourney.models import JournalEntry, Player
from tourney.queries.journal import plainly
from tourney.queries.journal_chain import chain_problems
from tourney.runtime.messages import Message, in_a_row, message, pmessage

pytestmark = pytest.mark.django_db

BOTH = message("{names} are checked in.", names=["Lark", "Onyx"])


def entry_of(what: str | Message) -> JournalEntry:
    event = make_night(players=2).event
    record(event, by=BY, did=Verb.CHECK_IN, what=what)
    entry = JournalEntry.objects.filter(event=event).last()
    assert entry is not None
    return entry


def test_an_entry_keeps_the_english_sentence_and_the_message():
    with translation.override("de"):
        entry = entry_of(BOTH)

        assert entry.what == "Lark and Onyx are checked in."
        assert entry.said == {"id": "{names} are checked in.", "with": {"names": ["Lark", "Onyx"]}}
        assert entry.sentence == str(BOTH)


def test_an_entry_without_a_message_shows_its_sentence():
    entry = entry_of("Lark is checked in.")

    assert (entry.said, entry.sentence) == (None, "Lark is checked in.")


def test_several_parts_are_one_message_and_a_seed_is_not_in_headings():
    entry = entry_of(in_a_row([message("Round {round} paired.", round=2), message(SEED_TOLD, seed="2a"), "By hand."]))
    undone = JournalEntry(said=message("Undone: {step}", step=entry.message).as_data())

    assert entry.what == entry.sentence == "Round 2 paired. Seed: 2a. By hand."
    assert plainly(entry) == "Round 2 paired. By hand."
    assert plainly(undone) == "Undone: Round 2 paired. By hand."


def test_the_chain_covers_the_message():
    entry = entry_of(BOTH)
    commit()
    sound = chain_problems(entry.store)
    with triggers_off():
        execute("UPDATE tourney_journalentry SET said = NULL WHERE id = %s", entry.pk)

    [problem] = chain_problems(entry.store)

    assert sound == []
    assert str(problem).endswith("was changed after it was written.")


def test_a_name_is_erased_from_the_parameters_of_a_message_too():
    night = make_night(players=2)
    player = Player.objects.filter(entries__event=night.event).first()
    assert player is not None
    name = player.name
    inner = pmessage("a player", "{name}’s fleet", name=name)
    record(night.event, by=BY, did=Verb.CHECK_IN, what=message("{what}: {names}", what=inner, names=[name, "Nobody"]))
    entry = JournalEntry.objects.filter(event=night.event).last()
    assert entry is not None
    commit()

    mark = store_players.erase(player, by=BY)

    commit()
    entry.refresh_from_db()
    assert entry.what == entry.sentence == f"{mark}’s fleet: {mark} and Nobody"
    assert name not in str(entry.said)
    assert chain_problems(entry.store) == []


def test_who_acts_without_a_name_is_kept_in_one_way_and_called_in_the_readers_language(request):
    """A name that somebody has is nobody's to translate."""
    visitor, quill = JournalEntry(by_name="a player"), JournalEntry(by_name="Quill")
    staff = JournalEntry(by_name="rehearsal", by_id=1)
    speak_longer_french(request)

    with translation.override("fr"):
        said = [entry.by_whom for entry in (visitor, quill, staff)]

    assert said == [pseudo("a player"), "Quill", "rehearsal"]
    assert visitor.by_name == "a player"
