"""A player's page at the store: the personal link, events, the code for another phone, my data, forget me."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_me import text_of
from tests.support.built_fleets import bring
from tests.support.nights import AT, BY, Night, make_night
from tests.support.phones import phone_of, phone_with
from tests.support.tables import eliminated, enter
from tourney import access
from tourney.actions import entrants, fleets, player_cards, sign_off, store_players
from tourney.models import Event, Player
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def url(night: Night, name: str = "my_card") -> str:
    return reverse(name, args=[night.store.slug])


def first(night: Night) -> Player:
    return night.event.entrants.get(number=1).player


def move(night: Night, *, days: int) -> None:
    """The event is so many days from now."""
    Event.objects.filter(pk=night.event.pk).update(starts_at=timezone.now() + timedelta(days=days))


# the personal link


@pytest.mark.parametrize(("days", "page"), [(0, "me"), (7, "my_card"), (-7, "my_card")])
def test_the_personal_link_leads_to_tonights_event_or_to_the_page_at_the_store(client, days, page):
    night = make_night(players=2)
    move(night, days=days)
    link = reverse("card", args=[player_cards.issue(first(night), by=BY)])

    answer = client.post(link)

    place = night.event.slug if page == "me" else night.store.slug
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse(page, args=[place]))
    assert f"This device now holds {first(night)}’s card for Starbase Games." in text_of(client.get(answer.url))


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_at_a_personal_link_changes_nothing(client, method):
    night = make_night(players=2)
    link = reverse("card", args=[player_cards.issue(first(night), by=BY)])

    answer = getattr(client, method)(link)

    assert answer.status_code == 200
    assert access.card_cookie(night.store) not in client.cookies
    assert "no-store" in answer.headers["Cache-Control"]
    assert "No player card on this phone yet" in text_of(client.get(url(night)))


def test_a_personal_link_says_whose_card_it_is_and_one_press_takes_it(client):
    night = make_night(players=2)
    link = reverse("card", args=[player_cards.issue(first(night), by=BY)])

    page = client.get(link)

    assert f"Use {first(night)}’s card" in text_of(page)
    assert page.content.decode().split("<footer")[0].count("<button") == 1
    client.post(link)
    assert str(first(night)) in text_of(client.get(url(night)))


def test_a_personal_link_needs_the_token_of_its_page():
    night = make_night(players=2)
    strict = Client(enforce_csrf_checks=True)

    answer = strict.post(reverse("card", args=[player_cards.issue(first(night), by=BY)]))

    assert answer.status_code == 403
    assert access.card_cookie(night.store) not in strict.cookies


@pytest.mark.parametrize(("days", "page"), [(0, "me"), (7, "my_card")])
def test_a_device_that_is_this_card_already_goes_straight_on(days, page):
    night = make_night(players=2)
    move(night, days=days)
    key = player_cards.issue(first(night), by=BY)

    answer = phone_with(key, first(night)).get(reverse("card", args=[key]))

    place = night.event.slug if page == "me" else night.store.slug
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse(page, args=[place]))
    assert not answer.cookies


def test_with_two_events_tonight_the_personal_link_lets_the_player_choose(client):
    night = make_night(players=2)
    other = make_night(players=2, store=night.store)
    for one in (night, other):
        move(one, days=0)

    answer = client.post(reverse("card", args=[player_cards.issue(first(night), by=BY)]))

    assert answer.headers["Location"] == url(night)
    assert text_of(client.get(answer.url)).count("My table and fleet") == 2


@pytest.mark.parametrize("https", [False, True])
def test_the_personal_link_says_nothing_itself_and_its_cookie_is_for_this_site_alone(client, https):
    night = make_night(players=2)
    key = player_cards.issue(first(night), by=BY)

    with override_settings(HTTPS=https):
        answer = client.post(reverse("card", args=[key]), secure=https)

    cookie = answer.cookies[access.card_cookie(night.store)]
    assert (answer.content, "no-store" in answer.headers["Cache-Control"]) == (b"", True)
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert (cookie.value, cookie["httponly"], cookie["samesite"], bool(cookie["secure"])) == (key, True, "Lax", https)
    assert cookie["max-age"] == 800 * 86_400


@pytest.mark.parametrize("name", ["my_card", "me"])
def test_the_cookie_lasts_as_long_again_whenever_the_card_is_used(name):
    night = make_night(players=2)
    place = night.event.slug if name == "me" else night.store.slug

    answer = phone_of(first(night)).get(reverse(name, args=[place]))

    assert answer.cookies[access.card_cookie(night.store)]["max-age"] == 800 * 86_400


def test_a_part_without_forms_that_refreshes_itself_sends_no_cookie():
    night = make_night(players=4, rounds=3, finish=True)
    part = {"HX-Request": "true", "HX-Target": "card"}

    assert not phone_of(first(night)).get(reverse("me", args=[night.event.slug]), headers=part).cookies


def test_an_old_link_is_dead_as_soon_as_a_new_one_is_issued(client):
    night = make_night(players=2)
    old, new = (player_cards.issue(first(night), by=BY) for _ in range(2))

    assert client.get(reverse("card", args=[old])).status_code == 404
    assert client.get(reverse("card", args=[new])).status_code == 200


# the page


def test_without_a_card_the_page_says_what_a_card_is(client):
    night = make_night(players=2)

    response = client.get(url(night))

    assert response.status_code == 200
    assert "No player card on this phone yet" in text_of(response)


def test_the_page_has_what_comes_and_how_it_ended():
    over = make_night(players=4, rounds=3, finish=True)
    line = state_of(over.event).standings(3)[0]
    admiral = over.event.entrants.get(number=line.id).player
    coming = make_night(players=0, store=over.store)
    entrants.register(coming.event, [(admiral.name, "Klingon")], by=BY)
    move(coming, days=7)

    text = text_of(phone_of(admiral).get(url(over)))

    assert f"{coming.event.name} Klingon My table and fleet" in text
    day = "20 Nov 2026"
    points = f"{line.battle_points} Battle Points · {line.fleet_points} Fleet Points"
    assert f"Rank {line.rank} {over.event.name} {day} · {points} {line.title}" in text
    assert "My fleets" in text


def test_the_page_asks_as_much_for_many_months_as_for_few():
    counts = []
    for months in (2, 5):
        night = make_night(players=2, rounds=3, finish=True)
        for _ in range(months - 1):
            make_night(players=2, rounds=3, finish=True, store=night.store)
        phone = phone_of(first(night))
        phone.get(url(night))
        with CaptureQueriesContext(connection) as queries:
            phone.get(url(night))
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_the_page_asks_for_the_waiting_lists_of_all_coming_events_at_once():
    counts, queues = [], []
    for months in (1, 4):
        night = make_night(players=0)
        nights = [night, *(make_night(players=0, store=night.store) for _ in range(months - 1))]
        for number, one in enumerate(nights, start=1):
            entrants.register(
                one.event, [(name, "Klingon") for name in ("Vor", "Kestrel", "Talon", "Quill", "Onyx")], by=BY
            )
            Event.objects.filter(pk=one.event.pk).update(places=5 - number)
            move(one, days=number)
        last = night.event.entrants.get(number=5).player
        phone = phone_of(last)
        phone.get(url(night))
        with CaptureQueriesContext(connection) as queries:
            page = phone.get(url(night))
        counts.append(len([one for one in queries if '"tourney_entrant"' in one["sql"]]))
        queues.append([one.queue for one, _ in page.context["coming"]])

    assert queues == [[1], [1, 2, 3, 4]]
    assert counts[0] == counts[1]


# another phone


def test_the_code_of_the_card_is_shown_only_when_it_is_asked_for():
    night = make_night(players=2)
    key = player_cards.issue(first(night), by=BY)
    phone = Client()
    phone.post(reverse("card", args=[key]))

    assert key not in phone.get(url(night)).content.decode()
    shown = phone.post(url(night))

    assert f"http://testserver{reverse('card', args=[key])}" in shown.content.decode()
    assert 'aria-label="QR code for the personal link"' in shown.content.decode()
    assert "no-store" in shown.headers["Cache-Control"]


# my data


def test_my_data_is_everything_with_my_name_and_nothing_of_a_draft():
    night = make_night(players=4, open_round=True)
    match = state_of(night.event).last_round.match_at(1)
    me, other = match.entrants
    for number in (me.number, other.number):
        bring(night.event, number)
    fleets.make_fleet(me.player, "Spare", by=BY)
    sign_off.sign(night.event, 1, me.number, by=BY)
    enter(night.event, 1, eliminated(left=49))

    response = phone_of(me.player).get(url(night, "my_data"))

    data = response.json()
    assert response.headers["Content-Disposition"] == 'attachment; filename="my-data-starbase-games.json"'
    assert (data["store"], data["name"], data["earlier_names"]) == ("Starbase Games", me.player.name, [])
    assert data["card_issued_at"] == AT.isoformat()
    ((event,), fleets_kept) = data["events"], {fleet["name"] for fleet in data["fleets"]}
    assert (event["number"], event["final"], fleets_kept) == (me.number, None, {"Vanguard", "Spare"})
    (seat,) = event["rounds"]
    assert (seat["round"], seat["table"], seat["against"]) == (1, 1, other.player.name)
    assert seat["result"]["sp_left_a"] == 49
    assert [(check["of"], check["state"]) for check in data["checks"]] == [("the opponent’s fleet", "signed")]
    assert all(me.player.name in str(line) for line in data["journal"])
    assert any(line["what"].startswith("Registered") for line in data["journal"])


def test_after_the_event_my_data_has_the_final_rank():
    night = make_night(players=4, rounds=3, finish=True)
    line = state_of(night.event).standings(3)[0]

    data = phone_of(night.event.entrants.get(number=line.id).player).get(url(night, "my_data")).json()

    assert data["events"][0]["final"] == {
        "rank": 1,
        "title": "Admiral",
        "battle_points": line.battle_points,
        "fleet_points": line.fleet_points,
    }
    assert [seat["round"] for seat in data["events"][0]["rounds"]] == [1, 2, 3]


def test_my_data_is_for_who_holds_the_card(client):
    night = make_night(players=2)

    assert client.get(url(night, "my_data")).status_code == 404


# forget me


def test_forget_me_asks_for_the_name_first():
    night = make_night(players=2)
    player = first(night)
    phone = phone_of(player)

    page = phone.get(url(night, "erase_me"))
    wrong = phone.post(url(night, "erase_me"), {"name": "somebody"})

    assert "This can’t be undone." in text_of(page)
    assert wrong.status_code == 422
    assert f"That’s not the name. Type {player}." in text_of(wrong)
    assert 'value="somebody"' in wrong.content.decode()
    assert Player.objects.filter(pk=player.pk, forgotten_at=None).exists()


def test_forget_me_takes_the_name_off_every_page_and_the_card_off_the_phone():
    night = make_night(players=4, rounds=3, finish=True)
    player = first(night)
    phone = phone_of(player)

    answer = phone.post(url(night, "erase_me"), {"name": f" {player.name.upper()} "})

    assert (answer.status_code, answer.headers["Location"]) == (302, night.store.get_absolute_url())
    assert answer.cookies[access.card_cookie(night.store)].value == ""
    mark = Player.objects.get(pk=player.pk).name
    assert f"Your data is erased. You now appear as “{mark}”." in text_of(phone.get(answer.url))
    boss = Client()
    boss.force_login(night.owner)
    for name in ("event", "standings", "roll_offs", "desk", "journal", "players"):
        page = text_of(boss.get(reverse(name, args=[night.event.slug])))
        assert player.name not in page, name
    assert mark in text_of(boss.get(reverse("standings", args=[night.event.slug])))


# merged


def test_the_phones_of_two_who_were_merged_are_both_the_one_player():
    night = make_night(players=2)
    other = make_night(players=0, store=night.store)
    entrants.register(other.event, [("Vor of Two", "Klingon")], by=BY)
    second = Player.objects.get(name="Vor of Two")
    phones = [phone_of(first(night)), phone_of(second)]
    store_players.merge(first(night), second, by=BY)

    pages = [text_of(phone.get(url(night))) for phone in phones]

    assert [f"My card {first(night)} " in page for page in pages] == [True, True]
