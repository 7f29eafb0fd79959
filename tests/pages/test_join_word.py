"""Tonight's word: nobody registers by phone without it, and only the room can read it."""

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from tests.pages.test_me import text_of
from tests.support.joining import desk, join, names, url
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tourney.actions import joining
from tourney.models import Attempt, Event, JournalEntry, Player, RowChange
from tourney.queries.archive import archive_of
from tourney.queries.history import differences
from tourney.views.joining import MOST_WORDS
from tourney.views.wall import screen_code

pytestmark = pytest.mark.django_db


def night_with_word(word: str = "Amber 47") -> Night:
    night = make_night(players=0)
    joining.ask_for_word(night.event, word, by=BY)
    return night


def test_without_tonights_word_nobody_registers_and_the_form_says_where_it_is():
    night, phone = night_with_word(), Client()

    missing, wrong = join(phone, night, "Vor"), join(phone, night, "Vor", word="amber 48")

    assert (missing.status_code, wrong.status_code, names(night)) == (422, 422, [])
    assert "Enter the join code. It’s on the screen and on the sign at the counter." in text_of(missing)
    assert "That’s not the join code. It’s on the screen and on the sign at the counter." in text_of(wrong)
    assert 'value="Vor"' in wrong.content.decode()
    assert join(phone, night, "Vor", word=" AMBER47").status_code == 302


def test_the_word_is_nowhere_a_stranger_can_read_it():
    night = night_with_word("Xylophone 4711")

    pages = [Client().get(url(name, night)).content.decode() for name in ("join", "qr", "wall", "event")]
    guessed = Client().get(url("wall", night), {"screen": "aaaaaaaa"}, headers={"host": "192.168.1.20"})

    assert [page for page in (*pages, guessed.content.decode()) if "4711" in page] == []
    assert "4711" not in str(archive_of(Event.objects.get(pk=night.event.pk)))
    assert "4711" not in str(list(JournalEntry.objects.values()))


def test_the_sign_and_the_screens_in_the_room_show_it_and_their_codes_bring_it_along():
    night = night_with_word()
    host = {"host": "192.168.1.20"}
    sign = desk(night).get(url("qr", night), headers=host)
    in_room = Client().get(url("wall", night), {"screen": screen_code(night.event)}, headers=host)
    by_staff = desk(night).get(url("wall", night), headers=host)
    outside = Client().get(url("wall", night), headers=host)
    addresses = desk(night).get(url("screens", night), headers=host)

    assert "Join code: Amber 47" in text_of(sign)
    assert "Join code: Amber 47" in text_of(in_room)
    assert "Join code: Amber 47" in text_of(by_staff)
    assert code_of(in_room) == code_of(by_staff) != code_of(outside)
    assert f"?screen={screen_code(night.event)}" in text_of(addresses)
    scanned = Client().get(url("join", night), {"word": "Amber 47"})
    assert 'value="Amber 47"' in scanned.content.decode()


def code_of(page) -> str:
    return re.search(
        r'<path class="[^"]*"[^>]* d="([^"]+)"|<path[^>]* d="([^"]+)"', page.content.decode().split("wall-qr")[1]
    )[0]


def test_a_player_with_a_card_and_staff_need_no_word_but_friends_of_the_player_do():
    night = night_with_word()
    phone = phone_of(Player.objects.create(store=night.store, name="Returning Rowan"))

    assert "Leave it empty if you’re Returning Rowan." in text_of(phone.get(url("join", night)))
    assert join(phone, night, "A Friend").status_code == 422
    assert join(phone, night, "Returning Rowan").status_code == 302
    assert join(desk(night), night, "By Staff").status_code == 302
    assert names(night) == ["Returning Rowan", "By Staff"]


def test_guessed_words_are_counted_by_address_and_then_not_even_the_right_one_is_looked_at():
    night = night_with_word()
    assert join(Client(), night, "Vor", word="amber 48").status_code == 422
    who = Attempt.objects.get().who
    Attempt.objects.bulk_create(Attempt(who=who, at=timezone.now()) for _ in range(MOST_WORDS - 1))

    refused = join(Client(), night, "Vor", word="amber 47")

    assert (refused.status_code, refused.headers["Retry-After"], names(night)) == (429, "600", [])
    assert "Too many wrong join codes from this network. Ask at the counter" in text_of(refused)
    assert join(Client(REMOTE_ADDR="192.0.2.9"), night, "Vor", word="amber 47").status_code == 302
    Attempt.objects.update(at=F("at") - timedelta(minutes=10))
    assert join(Client(), night, "Kestrel", word="amber 47").status_code == 302


def test_the_desk_asks_for_a_word_changes_it_and_stops_asking():
    night = make_night(players=0)
    client = desk(night)

    def word() -> str:
        return Event.objects.get(pk=night.event.pk).join_word

    client.post(url("players", night), {"do": "word", "word": ""})
    assert re.fullmatch(r"[a-z]+ \d\d", word())
    assert f"Players type {word()} to register." in text_of(client.get(url("players", night)))
    short = client.post(url("players", night), {"do": "word", "word": "a!"})
    assert (short.status_code, word()[-1].isdigit()) == (422, True)
    assert "Use at least 3 letters or digits." in text_of(short)
    client.post(url("players", night), {"do": "word", "word": "Deep Space"})
    assert word() == "Deep Space"
    client.post(url("players", night), {"do": "no_word"})
    assert word() == ""
    said = [entry.what for entry in JournalEntry.objects.filter(did="join_word").order_by("pk")]
    assert said == [
        "Join code required to register by phone.",
        "Join code changed.",
        "Join code no longer required to register by phone.",
    ]
    assert differences(Event.objects.get(pk=night.event.pk)) == []


def test_the_history_of_before_knows_the_word():
    night = night_with_word()

    rows = RowChange.objects.filter(event=night.event, table="tourney_event").order_by("pk")

    assert [row.after["join_word"] for row in rows][-1] == "Amber 47"
