"""How players get in: the form, who cannot join, the codes."""

import re

import pytest
from django.test import Client

from tests.support.nights import BY, Night, make_night
from tests.support.public_pages import page, text_of, url
from tourney.actions import entrants, events
from tourney.domain.joining import MOST_BY_PHONE
from tourney.models import Entrant, JournalEntry
from tourney.queries.short_addresses import short_code_of

pytestmark = pytest.mark.django_db


# join


def join(client: Client, night: Night, **typed):
    return client.post(url("join", night), typed)


def test_a_player_joins_with_a_name_and_a_faction(client):
    night = make_night(players=0)

    answer = join(client, night, name="  Ensign   Quill ", faction="Romulan")

    quill = Entrant.objects.get()
    assert (quill.player.name, quill.faction, quill.by_self, quill.checked_in) == (
        "Ensign Quill",
        "Romulan",
        True,
        False,
    )
    assert answer.headers["Location"] == f"{url('join', night)}?in=1"
    text = text_of(client.get(answer.headers["Location"]))
    assert "You’re registered Ensign Quill Romulan At the store, check in at the counter to get a table." in text
    assert JournalEntry.objects.last().by_name == "a player"


def test_the_join_page_asks_for_nothing_but_name_and_faction(client):
    with_factions = client.get(url("join", make_night(players=0))).content.decode().split("<footer")[0]
    assert sorted(set(re.findall(r'name="(\w+)"\s', with_factions)) - {"viewport", "description"}) == [
        "csrfmiddlewaretoken",
        "faction",
        "key",
        "name",
    ]

    without = client.get(url("join", make_night(players=0, pack="temporal-cold-war-2"))).content.decode()
    assert 'name="faction"' not in without


def test_a_name_that_is_taken_is_told_so_plainly(client):
    night = make_night(players=0)
    join(client, night, name="Vor", faction="Klingon")

    answer = join(client, night, name="vOR", faction="Romulan")

    assert answer.status_code == 409
    assert "Vor is already registered. If that’s you, you’re done:" in text_of(answer)
    assert 'value="vOR"' in answer.content.decode()
    assert [str(entrant) for entrant in Entrant.objects.all()] == ["Vor"]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": "", "faction": "Klingon"}, "Enter the name you play under."),
        ({"name": " \u202e\u200b ", "faction": "Klingon"}, "Enter a name with at least one letter or digit."),
        ({"name": "…", "faction": "Klingon"}, "Enter a name with at least one letter or digit."),
        ({"name": "x" * 61, "faction": "Klingon"}, "at most 60 characters"),
        ({"name": "Vor"}, "Choose the faction you play for."),
        ({"name": "Vor", "faction": "Borg"}, "Borg is not one of the available choices"),
    ],
)
def test_a_form_that_is_not_right_comes_back_with_everything_typed(client, typed, sentence):
    night = make_night(players=0)

    answer = join(client, night, **typed)

    assert answer.status_code == 422
    assert sentence in text_of(answer)
    kept = answer.content.decode()
    assert typed["name"].strip() == "" or f'value="{typed["name"]}"' in kept
    assert (typed.get("faction") == "Klingon") == bool(re.search(r'value="Klingon"[^>]*checked', kept))
    assert not Entrant.objects.exists()


def test_control_characters_are_taken_out_of_a_name(client):
    night = make_night(players=0)

    join(client, night, name="V\x1bo\u202er\tof  Nine", faction="Klingon")

    assert [str(entrant) for entrant in Entrant.objects.all()] == ["Vor of Nine"]


def test_a_typed_faction_takes_the_spelling_of_who_declared_it_first(client):
    night = make_night(players=0, pack="chronological-chaos")

    join(client, night, name="Vor", faction="Mirror Universe")
    join(client, night, name="Kestrel", faction="mirror  UNIVERSE")

    assert [entrant.faction for entrant in Entrant.objects.all()] == ["Mirror Universe"] * 2


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        ("closed", "Registration is closed. Ask at the counter. The organizer can still register you."),
        ("last round", "The last round is already paired. Ask at the counter"),
        ("finished", "This event is finished. See the final standings on the event page, or ask the store"),
    ],
)
def test_who_cannot_join_is_told_what_to_do(client, why, sentence):
    night = make_night(players=4, rounds={"closed": 0}.get(why, 3), finish=why == "finished")
    if why == "closed":
        events.open_registration(night.event, False, by=BY)

    seen = client.get(url("join", night))
    tried = join(client, night, name="Vor of Nine", faction="Klingon")

    assert (seen.status_code, tried.status_code) == (200, 409)
    assert sentence in text_of(seen)
    assert sentence in text_of(tried)
    assert "<form" not in seen.content.decode().split("<footer")[0]
    assert night.event.entrants.count() == 4


def test_a_late_player_is_told_the_first_round_before_and_after_joining(client):
    night = make_night(players=4, rounds=1)
    sentence = "Round 1 is already paired, so you play from round 2 on."
    assert sentence in page(client, "join", night)

    answer = join(client, night, name="Latecomer", faction="Klingon")

    assert sentence in text_of(client.get(answer.headers["Location"]))


def test_a_player_of_an_earlier_event_is_the_same_player(client):
    night = make_night(players=0)
    join(client, night, name="Vor", faction="Klingon")
    again = make_night(players=0, store=night.store)

    join(client, again, name="VOR", faction="Romulan")

    assert [entrant.player.name for entrant in Entrant.objects.all()] == ["Vor", "Vor"]


def test_the_page_takes_no_more_players_than_it_can_show(client):
    night = make_night(players=0)
    entrants.register(night.event, [(f"Cadet {number}", "") for number in range(MOST_BY_PHONE)], by=BY)

    answer = join(client, night, name="Vor", faction="Klingon")

    assert answer.status_code == 409
    assert "You can’t join by phone any more: 200 players are registered. Ask at the counter." in text_of(answer)


@pytest.mark.parametrize("number", ["7", "x", "-1", "²"])
def test_a_number_that_nobody_has_shows_the_form(client, number):
    assert "Your name" in page(client, "join", make_night(players=0), **{"in": number})


# the QR code


def test_the_qr_page_has_both_addresses_as_codes_and_as_text(client):
    night = make_night(players=0)

    response = client.get(url("qr", night), headers={"host": "192.168.1.20:8000"})

    content = response.content.decode()
    assert content.count("<svg viewBox=") == 2
    assert "style=" not in content
    assert text_of(response).count(f"Or go to: 192.168.1.20:8000/{short_code_of(night.event)} ") == 2
    assert "These codes only work on this computer" not in text_of(response)


def test_the_qr_page_warns_when_no_phone_could_open_the_address(client):
    response = client.get(url("qr", make_night(players=0)), headers={"host": "localhost:8000"})

    assert "These codes only work on this computer" in text_of(response)


@pytest.fixture
def served_on_wifi(settings, monkeypatch):
    """`make run` on a laptop whose address in the store's Wi-Fi is 192.168.1.5, port 8123."""
    settings.LAN_PORT = "8123"
    monkeypatch.setattr("tourney.views.addresses.lan_address", lambda: "192.168.1.5")


@pytest.mark.usefixtures("served_on_wifi")
def test_codes_on_a_laptop_at_localhost_have_the_address_for_phones(client):
    night = make_night(players=1)
    client.force_login(night.owner)

    def at_localhost(path: str, data=None) -> str:
        return text_of(client.get(f"/e/{night.event.slug}/{path}", data, headers={"host": "localhost:8123"}))

    qr, wall = at_localhost("qr/"), at_localhost("wall/")
    screens = at_localhost("desk/screens/")
    lists = at_localhost("desk/print/paper/", {"doc": "check-in"})

    short = f"192.168.1.5:8123/{short_code_of(night.event)}"
    assert qr.count(f"Or go to: {short} ") == 2
    assert short in wall
    assert short in lists
    assert f"type 192.168.1.5:8123/e/{night.event.slug}/wall into" in screens
    assert "localhost" not in qr + wall + screens + lists


@pytest.mark.usefixtures("served_on_wifi")
def test_a_judge_is_invited_from_localhost_to_the_address_for_phones(client):
    night = make_night(players=0)
    client.force_login(night.owner)
    address = f"/s/{night.store.slug}/staff/invite/"
    client.post(address, {"role": "judge", "note": ""}, headers={"host": "localhost:8123"})

    page = text_of(client.get(address, headers={"host": "localhost:8123"}))

    assert "http://192.168.1.5:8123/invitation/" in page
    assert "only works on this computer" not in page


def test_the_qr_page_leaves_the_join_code_out_when_nobody_can_join(client):
    night = make_night(players=0)
    events.open_registration(night.event, False, by=BY)

    assert client.get(url("qr", night)).content.decode().count("<svg viewBox=") == 1
