"""Registration at the desk: a list of names is read line by line, or one name after another is typed."""

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from scoring.shipped import shipped_pack
from tests.support.nights import BY, make_night
from tests.support.players_at_the_desk import messages_of, registered, signed_in, three_waiting, url
from tourney.actions import entrants
from tourney.forms.entrants import Names, read_names

pytestmark = pytest.mark.django_db

LISTED, FREE, NONE = "dominion-war-6", "free text", "tournament-2016"


def rules_of(kind: str):
    if kind == FREE:
        return replace(shipped_pack(LISTED), factions=())
    return shipped_pack(kind)


# reading a list of names


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (LISTED, "Vor\nKestrel", Names((("Vor", ""), ("Kestrel", "")))),
        (LISTED, "Vor, Klingon", Names((("Vor", "Klingon"),))),
        (
            LISTED,
            "Vor,kl\nQuill, ROM\nOnyx\tfederation",
            Names((("Vor", "Klingon"), ("Quill", "Romulan"), ("Onyx", "Federation"))),
        ),
        (LISTED, "  Nine   of  Ten ;d \n\n \nVor,", Names((("Nine of Ten", "Dominion"), ("Vor", "")))),
        (FREE, "Vor, House of Mogh", Names((("Vor", "House of Mogh"),))),
        (NONE, "Vor, Klingon\nQuill", Names((("Vor", ""), ("Quill", "")), ("Klingon",))),
    ],
)
def test_a_list_is_read_line_by_line(kind, text, expected):
    assert read_names(text, rules_of(kind)) == expected


@pytest.mark.parametrize(
    ("kind", "text", "errors"),
    [
        (
            LISTED,
            "Vor, Kling\nQuill, Borg\n, Klingon",
            [
                "Line 2: “Borg” isn’t a faction this month. Choose from Federation, Klingon, Romulan and Dominion.",
                "Line 3: There is no name before the comma.",
            ],
        ),
        (
            LISTED,
            "Vor\n" + "V" * 61,
            ["Line 2: “VVVVVVVVVVVVVVVVVVVV…” is too long for a name. Use at most 60 letters."],
        ),
        (FREE, "Vor, " + "h" * 41, [f"Line 1: “{'h' * 41}” is too long for a faction. Use at most 40 letters."]),
        (NONE, "Vor\n" * 301, ["301 names are too many. Register at most 300 at a time."]),
    ],
)
def test_every_line_that_cannot_be_read_is_named_with_what_is_allowed(kind, text, errors):
    with pytest.raises(ValidationError) as refusal:
        read_names(text, rules_of(kind))

    assert refusal.value.messages == errors


def test_a_beginning_that_fits_two_factions_is_not_guessed():
    rules = replace(shipped_pack(LISTED), factions=("Romulan", "Rom", "Rebel"))

    with pytest.raises(ValidationError, match="Line 1: “r” could mean more than one faction: Romulan, Rom and Rebel"):
        read_names("Vor, r", rules)
    assert read_names("Vor, rom", rules) == Names((("Vor", "Rom"),))


# registration


def test_many_are_registered_at_once_and_what_was_double_is_said(client):
    night = three_waiting()
    text = "Quill, Fed\nvor, Dom\nOnyx\nQUILL"

    response = signed_in(client, night).post(url(night.event), {"do": "many", "names": text, "here": "on"}, follow=True)

    assert registered(night.event)[3:] == [("Quill", "Federation", True), ("Onyx", "", True)]
    assert messages_of(response) == [
        "2 players registered and checked in.",
        "Already registered, left as before: vor.",
        "In the list twice, counted once: Quill.",
    ]


def test_a_list_without_end_is_refused_in_a_sentence(client):
    night = make_night(players=0)

    response = signed_in(client, night).post(url(night.event), {"do": "many", "names": "Vor, Borg\n" * 5_001})

    assert response.status_code == 422
    assert "The list is too long. Register at most 300 players at a time." in response.content.decode()
    assert registered(night.event) == []


def test_a_list_with_a_wrong_line_registers_nobody_and_stays_as_typed(client):
    night = make_night(players=0)
    text = "Quill, Fed\nVor, Borg"

    response = signed_in(client, night).post(url(night.event), {"do": "many", "names": text})

    page = response.content.decode()
    assert response.status_code == 422
    assert "Line 2: “Borg” isn’t a faction this month." in page
    assert "Quill, Fed\nVor, Borg</textarea>" in page
    assert registered(night.event) == []


def test_factions_in_a_month_without_allegiance_are_left_out_and_it_is_said(client):
    night = make_night(players=0, pack=NONE)

    response = signed_in(client, night).post(url(night.event), {"do": "many", "names": "Vor, Klingon"}, follow=True)

    assert registered(night.event) == [("Vor", "", False)]
    assert messages_of(response) == [
        "Vor is registered.",
        "This month is played without factions, so these were left out: “Klingon”.",
    ]


def test_one_player_is_registered_and_the_cursor_waits_for_the_next(client):
    night = make_night(players=0)
    one = {"do": "one", "name": " Nine  of Ten ", "faction": "Romulan", "here": "on"}

    response = signed_in(client, night).post(url(night.event), one, follow=True)

    assert registered(night.event) == [("Nine of Ten", "Romulan", True)]
    assert messages_of(response) == ["Nine of Ten is registered and checked in."]
    assert '<input type="text" name="name"' in response.content.decode()
    assert response.context["one"].fields["name"].widget.attrs["autofocus"] is True


def test_one_player_without_a_name_is_asked_for_it_and_the_rest_is_kept(client):
    night = make_night(players=0)

    response = signed_in(client, night).post(url(night.event), {"do": "one", "name": "", "faction": "Romulan"})

    page = response.content.decode()
    assert response.status_code == 422
    assert "Enter the player’s name." in page
    assert '<option value="Romulan" selected>' in page


def test_players_of_earlier_events_are_suggested_until_they_are_registered(client):
    earlier = three_waiting()
    night = make_night(players=0, store=earlier.store)
    entrants.register(night.event, [("Vor", "")], by=BY)
    client.force_login(earlier.organizer)

    page = client.get(url(night.event)).content.decode()

    assert '<option value="Kestrel"></option>' in page
    assert '<option value="Vor"></option>' not in page


def test_nobody_is_registered_at_a_finished_event(client):
    night = make_night(players=4, rounds=1, finish=True)
    signed_in(client, night)

    refusal = client.post(url(night.event), {"do": "many", "names": "Zephyr"})

    assert refusal.status_code == 409
    assert "The event is finished. Reopen it first." in refusal.content.decode()
    assert 'name="names"' not in client.get(url(night.event)).content.decode()


def test_registration_by_phone_is_closed_and_opened(client):
    night = make_night(players=0)
    signed_in(client, night)

    closed = client.post(url(night.event), {"do": "close"}, follow=True)
    opened = client.post(url(night.event), {"do": "open"}, follow=True)

    assert "Closed. Only staff can register players." in closed.content.decode()
    assert "register themselves." in opened.content.decode()


def test_a_judge_checks_in_but_does_not_register(client):
    night = three_waiting()
    signed_in(client, night, "judge")

    page = client.get(url(night.event)).content.decode()

    assert 'value="check_in"' in page
    assert 'name="names"' not in page
    assert client.post(url(night.event), {"do": "many", "names": "Zephyr"}).status_code == 404


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("1. Talon", "Talon"),
        ("12) Talon", "Talon"),
        ("(3) Talon", "Talon"),
        ("4\tTalon", "Talon"),
        ("- Talon", "Talon"),
        ("Talon\ttalon@store.example", "Talon"),
        ("Talon, talon@store.example", "Talon"),
        ("2.\tTalon\t<talon@store.example>\t", "Talon"),
        ("Nine of Ten", "Nine of Ten"),
        ("7 of 9", "7 of 9"),
        ("1138", "1138"),
        ("T-800", "T-800"),
    ],
)
def test_a_pasted_line_loses_its_numbering_and_its_addresses(line: str, name: str):
    assert read_names(line, rules_of("dominion-war-6")).people == ((name, ""),)
