"""Registration by phone under bots: a pace for each address, tonight's word, crowds at the desk, lost answers."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_joining_with_a_card import holds
from tests.pages.test_me import text_of
from tests.support.nights import AT, BY, Night, make_night
from tests.support.phones import phone_of
from tourney import access
from tourney.actions import entrants, events, history, joining, player_cards, rounds, store_players
from tourney.actions.joining import Sender
from tourney.actions.record import Actor, Refused, locked
from tourney.domain.joining import OF_ADDRESS, OF_EVENT, RateLimit
from tourney.models import Attempt, Entrant, Event, Joining, JournalEntry, Player, RowChange
from tourney.queries.archive import archive_of
from tourney.queries.history import differences, history_of
from tourney.queries.joining import MANY
from tourney.views.joining import MOST_WORDS
from tourney.views.wall import screen_code

pytestmark = pytest.mark.django_db

BOT = Sender("network", "device")


def url(name: str, night: Night, *more) -> str:
    return reverse(name, args=[night.event.slug, *more])


def join(phone: Client, night: Night, name: str, **more):
    return phone.post(url("join", night), {"name": name, "faction": "Klingon", **more})


def names(night: Night) -> list[str]:
    return list(night.event.entrants.values_list("player__name", flat=True))


def crowd(night: Night, many: int, sender: Sender = BOT, first: str = "Bot", seconds: float = 1) -> None:
    """So many registrations by phone from there, one after another."""
    for place in range(many):
        by = Actor(None, "a player", AT + timedelta(seconds=seconds * place))
        joining.join(night.event, (f"{first} {place}", "Klingon"), by=by, sender=sender)


def fill(night: Night, pace: RateLimit = OF_ADDRESS, address: str = "127.0.0.1") -> None:
    """As many have just registered from there as may at once; the clock of another process is a minute fast."""
    at, sender = timezone.now() + timedelta(minutes=1), joining.sender_of(night.event, address, "")
    Joining.objects.bulk_create(
        Joining(event=night.event, at=at, network=sender.network, device=sender.device) for _ in range(pace.burst)
    )


def desk(night: Night) -> Client:
    client = Client()
    client.force_login(night.organizer)
    return client


# the pace


def test_who_comes_too_quickly_is_asked_to_wait_and_keeps_what_was_typed():
    night, phone = make_night(players=0), Client()
    fill(night)

    answer = join(phone, night, "Late Larch")

    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "5"
    said = "Many people are joining at this moment. Try again in 5 seconds; what you typed is still here."
    assert said in text_of(answer)
    assert 'value="Late Larch"' in answer.content.decode()
    assert "checked" in answer.content.decode()
    assert names(night) == []


@pytest.mark.django_db(transaction=True)
def test_who_comes_too_quickly_waits_for_nobody_who_registers():
    night = make_night()
    fill(night)

    with ThreadPoolExecutor(1) as elsewhere, transaction.atomic():
        locked(night.event)
        status = elsewhere.submit(status_on_its_own_connection, lambda: join(Client(), night, "Bot 1")).result(60)

    assert status == 429


def status_on_its_own_connection(ask: Callable) -> int:
    try:
        return ask().status_code
    finally:
        connection.close()


def test_another_address_is_not_slowed_down_and_neither_are_the_desk_nor_a_player_with_a_card():
    night = make_night(players=0)
    returning = Player.objects.create(store=night.store, name="Returning Rowan")
    fill(night)
    assert join(Client(), night, "Slow").status_code == 429

    assert join(Client(REMOTE_ADDR="192.0.2.9"), night, "Elsewhere").status_code == 302
    assert join(phone_of(returning), night, "returning rowan").status_code == 302
    assert join(desk(night), night, "By Staff").status_code == 302
    added = desk(night).post(url("players", night), {"name": "At the desk", "faction": "Klingon", "do": "one"})
    assert added.status_code == 302
    assert {"Elsewhere", "Returning Rowan", "By Staff", "At the desk"} <= set(names(night))


def test_a_card_is_a_pass_for_its_player_alone():
    night = make_night(players=0)
    join(Client(), night, "Bot 0")
    fill(night)
    phone = phone_of(Player.objects.get(name="Bot 0"))

    assert join(phone, night, "Bot of a bot").status_code == 429


def test_all_neighbours_of_one_ipv6_network_are_one_address():
    night = make_night(players=0)
    fill(night, address="2001:db8::/64")

    assert join(Client(REMOTE_ADDR="2001:db8::ffff"), night, "Bot").status_code == 429
    assert join(Client(REMOTE_ADDR="2001:db8:1::1"), night, "Vor").status_code == 302


def test_many_addresses_together_have_a_pace_too_and_registrations_that_were_removed_still_count():
    night = make_night(players=0)
    by = Actor(None, "a player", AT)
    joining.join(night.event, ("Bot", ""), by=by, sender=BOT)
    entrants.remove_many(night.event, [1], by=BY)
    Joining.objects.bulk_create(
        Joining(event=night.event, at=AT, network=f"network {place}") for place in range(1, OF_EVENT.burst)
    )

    with pytest.raises(joining.TooMany, match="Try again in 1 second;"):
        joining.join(night.event, ("Vor", ""), by=by, sender=Sender("another", "one"))


# what is kept


def test_no_address_and_no_browser_is_stored_and_the_digests_go_with_the_end_of_the_event():
    night = make_night(players=4, rounds=1)
    phone = Client(REMOTE_ADDR="192.0.2.77", HTTP_USER_AGENT="Strange Browser 1.0")
    assert join(phone, night, "Zephyr Quill", key="a" * 32).status_code == 302

    row = Joining.objects.values().get()
    assert len(row["network"]) == len(row["device"]) == 32
    assert not re.search("192.0.2.77|Strange|" + "a" * 32, str(row))
    other = make_night(players=0, store=night.store)
    join(phone, other, "Kestrel")
    assert Joining.objects.get(event=other.event).network != row["network"]
    assert not re.search(f"{row['network']}|{row['device']}", str(archive_of(Event.objects.get(pk=night.event.pk))))

    entrants.drop(night.event, night.event.entrants.get(player__name="Zephyr Quill").number, by=BY)
    events.finish_event(night.event, by=BY, reason="the shop closes")

    assert not Joining.objects.filter(event=night.event).exists()


def test_who_is_erased_leaves_no_digest():
    night = make_night(players=0)
    join(Client(), night, "Vor")

    store_players.forget(Player.objects.get(name="Vor"), by=BY)

    assert not Joining.objects.exists()


# tonight's word


def night_with_word(word: str = "Amber 47") -> Night:
    night = make_night(players=0)
    joining.ask_for_word(night.event, word, by=BY)
    return night


def test_without_tonights_word_nobody_registers_and_the_form_says_where_it_is():
    night, phone = night_with_word(), Client()

    missing, wrong = join(phone, night, "Vor"), join(phone, night, "Vor", word="amber 48")

    assert (missing.status_code, wrong.status_code, names(night)) == (422, 422, [])
    assert "Type tonight’s word. It’s on the screen and on the sign at the counter." in text_of(missing)
    assert "That’s not tonight’s word. It’s on the screen and on the sign at the counter." in text_of(wrong)
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

    assert "Tonight’s word: Amber 47" in text_of(sign)
    assert "Tonight’s word: Amber 47" in text_of(in_room)
    assert "Tonight’s word: Amber 47" in text_of(by_staff)
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

    assert "Leave it empty if you are Returning Rowan." in text_of(phone.get(url("join", night)))
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
    assert "Too many wrong words came from this network. Ask at the counter" in text_of(refused)
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
        "Registration by phone asks for tonight’s word.",
        "Tonight’s word changed.",
        "Registration by phone no longer asks for tonight’s word.",
    ]
    assert differences(Event.objects.get(pk=night.event.pk)) == []


# crowds


def test_the_desk_is_told_of_many_from_one_device_and_removes_them_in_one_step_that_can_be_undone():
    night = make_night(players=0)
    crowd(night, 20)
    joining.join(night.event, ("Vor", "Klingon"), by=BY, sender=Sender("network", "a phone"))
    client = desk(night)

    told = text_of(client.get(url("players", night)))
    review = client.get(url("crowds", night))
    ticked = re.findall(r'name="number"\s+value="(\d+)"\s+checked', review.content.decode())
    removed = client.post(url("crowds", night), {"number": ticked}, follow=True)

    assert "20 people joined in one minute from one device. Review players" in told
    assert len(ticked) == 20
    assert "20 registrations removed. You can undo this step." in text_of(removed)
    assert "joined in one minute" not in text_of(removed)
    assert names(night) == ["Vor"]
    entry = JournalEntry.objects.get(event=night.event, did="remove_many")
    assert entry.what.startswith("20 registrations removed: ")
    history.undo(night.event, history_of(night.event).last.pk, by=BY)
    assert sorted(names(night)) == sorted(["Vor", *(f"Bot {place}" for place in range(20))])
    assert differences(Event.objects.get(pk=night.event.pk)) == []
    history.redo(night.event, history_of(night.event).next.pk, by=BY)
    assert names(night) == ["Vor"]


def test_one_of_a_crowd_is_removed_alone():
    night = make_night(players=0)
    crowd(night, 20)
    number = night.event.entrants.get(player__name="Bot 7").number

    desk(night).post(url("crowds", night), {"number": [number]})

    assert JournalEntry.objects.get(did="remove_many").what == "1 registration removed: Bot 7."
    assert len(names(night)) == 19


def test_removed_players_who_registered_again_or_were_merged_come_back_to_nobody_twice():
    night = make_night(players=0)
    crowd(night, 3)
    entrants.remove_many(night.event, [1, 2], by=BY)
    step = history_of(night.event).last.pk
    entrants.register(night.event, [("Bot 0", "Klingon")], by=BY)

    with pytest.raises(Refused, match="Bot 0 has registered again since"):
        history.undo(night.event, step, by=BY)

    entrants.remove(night.event, 4, by=BY)
    other = make_night(players=0, store=night.store).event
    entrants.register(other, [("Real Name", "Klingon")], by=BY)
    store_players.merge(Player.objects.get(name="Real Name"), Player.objects.get(name="Bot 0"), by=BY)
    history.undo(night.event, step, by=BY)
    assert sorted(names(night)) == ["Bot 1", "Bot 2", "Real Name"]


def test_who_is_checked_in_is_no_part_of_a_crowd_and_who_has_a_seat_is_not_removed():
    night = make_night(players=4)
    crowd(night, MANY["device"])
    told = "10 people joined in one minute from one device."
    assert told in text_of(desk(night).get(url("players", night)))
    bot = night.event.entrants.get(player__name="Bot 0").number

    entrants.check_in(night.event, [bot], by=BY)
    rounds.pair_round(night.event, seed=1, by=BY)

    assert told not in text_of(desk(night).get(url("players", night)))
    answer = desk(night).post(url("crowds", night), {"number": [bot]})
    assert answer.status_code == 409
    assert "Bot 0 sits in the draft of round 1." in text_of(answer)
    assert desk(night).post(url("crowds", night), {"number": [bot, bot + 1]}).status_code == 302
    assert "Bot 0" in names(night)
    assert "Bot 1" not in names(night)


def test_a_crowd_from_one_device_comes_before_a_larger_one_from_a_network():
    night = make_night(players=0)
    for place in range(MANY["network"]):
        joining.join(night.event, (f"Guest {place}", ""), by=BY, sender=Sender("Wi-Fi", f"phone {place}"))
    crowd(night, MANY["device"])

    told = text_of(desk(night).get(url("crowds", night)))

    assert told.index("10 people joined in one minute from one device") < told.index("30 people joined in one minute")


def test_a_full_store_behind_one_address_is_no_device_and_a_network_of_many_is_only_a_hint():
    night = make_night(players=0)
    for place in range(MANY["network"]):
        by = Actor(None, "a player", AT + timedelta(seconds=place))
        joining.join(night.event, (f"Guest {place}", ""), by=by, sender=Sender("Wi-Fi", f"phone {place}"))

    told = text_of(desk(night).get(url("players", night)))
    review = desk(night).get(url("crowds", night))

    assert "30 people joined in one minute from one network. That can be your store’s Wi-Fi." in told
    assert "checked" not in review.content.decode().split("<section")[1]
    ticked = desk(night).get(url("crowds", night), {"tick": "all"}).content.decode()
    assert ticked.count("checked>") == MANY["network"]


def test_a_tablet_at_the_counter_that_registers_one_every_ten_seconds_is_no_crowd():
    night = make_night(players=0)
    crowd(night, 20, seconds=10)

    assert "joined in one minute" not in text_of(desk(night).get(url("players", night)))
    assert "Nothing to review" in text_of(desk(night).get(url("crowds", night)))


# an answer that was lost


def key_on(page) -> str:
    return re.search(r'name="key" value="([0-9a-f]{32})"', page.content.decode())[1]


def test_who_sends_the_same_form_again_because_the_answer_was_lost_gets_the_card_and_one_entry():
    night = make_night(players=0)
    key = key_on(Client().get(url("join", night)))
    lost = join(Client(), night, "Vor", key=key)
    phone = Client()

    again = join(phone, night, "Vor", key=key)

    assert (again.status_code, again.headers["Location"]) == (302, lost.headers["Location"])
    assert holds(phone, night) == "Vor"
    assert "This phone is your card" in text_of(phone.get(again.headers["Location"]))
    assert names(night) == ["Vor"]
    assert JournalEntry.objects.filter(did="issue_card").count() == 1
    cookie = access.card_cookie(night.store)
    assert lost.cookies[cookie].value == again.cookies[cookie].value


def test_the_answer_is_given_again_after_registration_closed_and_while_others_have_to_wait():
    night = make_night(players=0)
    join(Client(), night, "Bot 0", key="0" * 32)
    fill(night)
    assert join(Client(), night, "Slow").status_code == 429
    events.open_registration(night.event, False, by=BY)
    phone = Client()

    assert join(phone, night, "bot 0", key="0" * 32).status_code == 302
    assert holds(phone, night) == "Bot 0"


@pytest.mark.parametrize("key", ["", "b" * 32, "a" * 31, "A" * 32, "a" * 33])
def test_without_the_forms_own_key_nobody_gets_the_card(key):
    night, phone = make_night(players=0), Client()
    join(Client(), night, "Vor", key="a" * 32)

    answer = join(phone, night, "Vor", key=key)

    assert answer.status_code == 409
    assert access.card_cookie(night.store) not in phone.cookies


def test_the_same_form_with_another_name_is_another_player():
    """One tablet, several players: the way back shows the form of before."""
    night, tablet = make_night(players=0), Client()
    join(tablet, night, "Vor", key="a" * 32)

    answer = join(tablet, night, "Kestrel", key="a" * 32)

    assert answer.status_code == 302
    assert names(night) == ["Vor", "Kestrel"]
    assert holds(tablet, night) == "Vor"


def test_after_an_hour_or_a_new_card_from_the_counter_the_form_gives_no_card():
    night, late, other = make_night(players=0), Client(), Client()
    join(Client(), night, "Vor", key="a" * 32)
    join(Client(), night, "Kestrel", key="b" * 32)
    Joining.objects.filter(entrant__player__name="Vor").update(at=F("at") - timedelta(hours=1))
    player_cards.issue(Player.objects.get(name="Kestrel"), by=BY)

    assert join(late, night, "Vor", key="a" * 32).status_code == 409
    assert join(other, night, "Kestrel", key="b" * 32).status_code == 302
    assert access.card_cookie(night.store) not in {**late.cookies, **other.cookies}


def test_who_played_here_before_gets_no_card_by_sending_the_form_twice():
    night = make_night(players=0)
    entrants.register(make_night(players=0, store=night.store).event, [("Vor", "")], by=BY)
    phone = Client()

    answers = [join(phone, night, "Vor", key="a" * 32).status_code for _ in range(2)]

    assert answers == [302, 302]
    assert access.card_cookie(night.store) not in phone.cookies
    assert Entrant.objects.filter(event=night.event).count() == 1


def test_the_history_of_before_knows_the_word():
    night = night_with_word()

    rows = RowChange.objects.filter(event=night.event, table="tourney_event").order_by("pk")

    assert [row.after["join_word"] for row in rows][-1] == "Amber 47"
