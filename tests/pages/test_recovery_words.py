"""A lost card comes back with four words: made with the card, shown once, kept as a hash, not guessed."""

import re

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from tests.pages.test_guessing import ten_minutes_later
from tests.pages.test_joining_with_a_card import holds, join
from tests.pages.test_me import text_of
from tests.support.nights import AT, BY, Night, make_night, make_store
from tests.support.phones import phone_of, phone_with
from tourney import access
from tourney.actions import player_cards, store_players
from tourney.domain.recovery_words import WORDS
from tourney.models import Attempt, JournalEntry, Player, PlayerCard
from tourney.queries.my_data import data_of
from tourney.queries.player_cards import are_words_of
from tourney.views.my_card import MOST_TRIES, MOST_TRIES_OF_STORE

pytestmark = pytest.mark.django_db

WRONG = "amber tiger canoe violin"


def shown(page) -> str:
    """The words that the page shows, "" for none."""
    found = re.search(r'translate="no"\s+lang="en">([a-z ]+)<', page.content.decode())
    return found[1] if found else ""


def lost(night: Night) -> str:
    return reverse("lost_card", args=[night.store.slug])


def card_of(name: str, night: Night) -> tuple[Client, str]:
    """The phone of who just joined, and the words of the card."""
    phone = Client()
    return phone, shown(join(phone, night, name))


def test_the_words_are_made_with_the_card_and_shown_once():
    night, phone = make_night(players=0), Client()

    page = join(phone, night, "Vor")

    words = shown(page)
    assert len(words.split()) == 4
    assert set(words.split()) <= set(WORDS)
    assert "Write them down or take a photo. They bring this card back on any phone" in text_of(page)
    assert "no-store" in page.headers["Cache-Control"]
    again = phone.get(page.request["PATH_INFO"], {"in": 1})
    assert shown(again) == ""
    assert are_words_of(Player.objects.get(), words)
    assert words not in str(list(PlayerCard.objects.values())) + str(list(JournalEntry.objects.values()))


def test_they_bring_the_card_to_another_phone_and_end_it_on_the_one_before():
    night = make_night(players=0)
    phone, words = card_of("Vor", night)
    new = Client()

    answer = new.post(lost(night), {"words": words.upper().replace(" ", ", ")}, follow=True)

    assert holds(new, night) == "Vor"
    assert "This device now holds Vor’s card for Starbase Games." in text_of(answer)
    assert "No player card on this phone yet" in text_of(phone.get(reverse("my_card", args=[night.store.slug])))
    assert not Attempt.objects.exclude(who__startswith="cookie").exists()
    entry = JournalEntry.objects.filter(did="issue_card").latest("pk")
    assert (entry.by_name, entry.what) == ("Vor", "Vor’s card moved to another phone with its recovery words.")


def test_they_go_on_working_and_what_was_chosen_goes_with_the_card():
    night = make_night(players=0)
    _, words = card_of("Vor", night)
    PlayerCard.objects.update(language="de")

    phones = [Client(), Client()]
    for phone in phones:
        assert phone.post(lost(night), {"words": words}).status_code == 302

    assert [holds(phone, night) for phone in phones] == [None, "Vor"]
    assert PlayerCard.objects.get().language == "de"


@pytest.mark.parametrize("end", ["new card", "new words", "erased"])
def test_they_end_with_a_new_card_with_new_words_and_with_the_player(end):
    night = make_night(players=0)
    phone, words = card_of("Vor", night)
    player = Player.objects.get()
    if end == "new card":
        player_cards.issue(player, by=BY)
    elif end == "new words":
        phone.post(reverse("my_card", args=[night.store.slug]), {"do": "words"})
    else:
        store_players.erase(player, by=BY)

    answer = Client().post(lost(night), {"words": words})

    assert answer.status_code == 422
    assert "No card here has these words." in text_of(answer)


def test_new_words_are_made_on_the_card_and_work():
    night = make_night(players=2)
    player = night.event.entrants.get(number=1).player
    phone = phone_of(player)
    page = reverse("my_card", args=[night.store.slug])
    assert "Make recovery words" in text_of(phone.get(page))

    words = shown(phone.post(page, {"do": "words"}))

    assert shown(phone.get(page)) == ""
    assert "Create new words" in text_of(phone.get(page))
    assert JournalEntry.objects.get(did="make_words").what == f"New recovery words for {player}’s card."
    assert Client().post(lost(night), {"words": words}).status_code == 302


def test_a_card_from_the_desk_has_its_words_on_the_page_and_on_paper():
    night = make_night(players=2)
    desk = Client()
    desk.force_login(night.organizer)

    words = shown(desk.post(reverse("player_card", args=[night.event.slug, 1])))
    assert are_words_of(night.event.entrants.get(number=1).player, words)
    other = night.event.entrants.get(number=2).player
    paper = desk.post(reverse("print_cards", args=[night.event.slug]), {"player": [other.pk], "size": "a4"})
    assert are_words_of(other, shown(paper))


def test_a_friends_words_are_with_the_friends_card():
    night = make_night(players=0)
    phone, _ = card_of("Vor", night)

    words = shown(join(phone, night, "Kestrel"))

    assert are_words_of(Player.objects.get(name="Kestrel"), words)
    assert holds(phone, night) == "Vor"


def test_words_are_of_one_store():
    night = make_night(players=0)
    _, words = card_of("Vor", night)
    store, _ = make_store("Deck Twelve")

    assert Client().post(reverse("lost_card", args=[store.slug]), {"words": words}).status_code == 422


@pytest.mark.parametrize("typed", ["", "amber tiger", "amber tiger canoe xyzzy", "x" * 101])
def test_what_is_not_four_of_the_words_is_no_try(typed):
    night = make_night(players=0)

    answer = Client().post(lost(night), {"words": typed})

    assert answer.status_code == 422
    assert "Enter all four words with spaces between them. Check the spelling." in text_of(answer)
    assert not Attempt.objects.exists()


def test_wrong_words_are_counted_and_then_not_even_the_right_ones_are_looked_at():
    night = make_night(players=0)
    _, words = card_of("Vor", night)

    answers = [Client().post(lost(night), {"words": WRONG}) for _ in range(MOST_TRIES)]
    refused = Client().post(lost(night), {"words": words})

    assert {answer.status_code for answer in answers} == {422}
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "600")
    assert "Too many wrong words. Ask at the counter for a new card" in text_of(refused)
    assert Client().post(lost(night), {"words": words}, REMOTE_ADDR="192.168.1.20").status_code == 302
    ten_minutes_later()
    assert Client().post(lost(night), {"words": words}).status_code == 302


def test_from_many_addresses_a_store_is_not_guessed_either():
    night = make_night(players=0)
    _, words = card_of("Vor", night)
    for number in range(MOST_TRIES_OF_STORE):
        Client().post(lost(night), {"words": WRONG}, REMOTE_ADDR=f"10.0.{number // 5}.{number}")

    assert Client().post(lost(night), {"words": words}, REMOTE_ADDR="10.1.0.1").status_code == 429


def test_a_phone_with_another_card_says_whose_it_replaces():
    night = make_night(players=2)
    other = phone_of(night.event.entrants.get(number=2).player)

    assert f"This phone holds {night.event.entrants.get(number=2)}’s card." in text_of(other.get(lost(night)))


def test_the_data_of_a_player_say_whether_there_are_words():
    night = make_night(players=0)
    card_of("Vor", night)

    assert data_of(Player.objects.get(), AT)["has_recovery_words"] is True


def test_a_merged_player_is_brought_back_with_the_words_of_either_name():
    night = make_night(players=0)
    _, words = card_of("Vor", night)
    kept = Player.objects.create(store=night.store, name="Vor Kestrel")
    store_players.merge(kept, Player.objects.get(name="Vor"), by=BY)
    new = Client()

    new.post(lost(night), {"words": words})

    key = new.cookies[access.card_cookie(night.store)].value
    assert "Vor Kestrel" in text_of(phone_with(key, kept).get(reverse("my_card", args=[night.store.slug])))


def test_a_cookie_of_words_that_was_tampered_with_or_is_of_another_shows_nothing():
    night, phone = make_night(players=0), Client()
    path = reverse("join", args=[night.event.slug])
    phone.post(path, {"name": "Vor", "faction": "Klingon"})
    phone.cookies["recovery-words"] = "amber-tiger-canoe-violin" + phone.cookies["recovery-words"].value[20:]

    assert shown(phone.get(path, {"in": 1})) == ""


def test_the_database_has_no_words_twice():
    night = make_night(players=2)
    for number in (1, 2):
        player_cards.issue_with_words(night.event.entrants.get(number=number).player, by=BY)

    with pytest.raises(IntegrityError, match="recovery_words_open_one_card"), transaction.atomic():
        PlayerCard.objects.update(words_hash="a" * 64)
