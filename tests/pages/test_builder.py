"""The builder: every step a form, saved at once; what is wrong is said beside the line it is about."""

import pytest
from django.test import Client
from django.urls import reverse

from fleets.domain import editing
from fleets.domain.cards import Card, CardKind
from fleets.domain.sheet import FLEET
from fleets.models import CatalogueCard
from tests.support.builder import a_fleet, night_with_cards, phone, post, url
from tests.support.built_fleets import bring, two_ships
from tests.support.fleets_for_tests import card
from tests.support.nights import BY, Night
from tests.support.saying import html_of, in_english
from tourney.actions import fleets, rounds
from tourney.models import Fleet, JournalEntry

pytestmark = pytest.mark.django_db


def titles(fleet: Fleet) -> list[str]:
    return [line.card.title for line in Fleet.objects.get(pk=fleet.pk).sheet.lines]


@pytest.fixture
def night() -> Night:
    return night_with_cards()


@pytest.fixture
def fleet(night, client) -> Fleet:
    fleet = a_fleet(night)
    phone(client, fleet.player)
    return fleet


def test_a_fleet_is_built_card_by_card(client, fleet):
    on = post(client, fleet, "add", card="Kestrel", add="0", kind_filter="ship")
    assert on.url == f"{url(fleet)}?add=1&kind=captain#line-1"
    assert post(client, fleet, "add", card="Captain Vor", add="1", kind_filter="captain").url.endswith(
        "?add=1&kind=#line-2"
    )
    post(client, fleet, "add", card="Darts", add="1", kind_filter="weapon")
    assert (
        post(client, fleet, "add", card="Command Tokens", add="0", kind_filter="resource").url == f"{url(fleet)}#line-4"
    )

    page = client.get(url(fleet))
    assert titles(fleet) == ["Kestrel", "Captain Vor", "Darts", "Command Tokens"]
    assert page.context["state"].total == 39
    assert [(str(slot.label), slot.used, slot.room) for slot in page.context["ships"][0].slots] == [
        ("Captain", 1, 1),
        ("Elite talent", 0, 1),
        ("Crew", 0, 2),
        ("Tech", 0, 1),
        ("Weapon", 1, 2),
    ]


def test_the_panel_shows_what_a_card_costs_on_that_ship(client, fleet):
    post(client, fleet, "add", card="Kestrel", add="0")
    page = client.get(url(fleet), {"add": "1", "kind": "captain", "q": "raid"})
    found = page.context["adding"].found[0]

    assert in_english([(part.label, part.points) for part in found.cost.parts]) == [
        ("printed", 2),
        ("faction penalty", 1),
    ]
    words = " ".join(page.content.decode().split())
    assert "2 printed +1 faction penalty" in words
    assert "Add captain to Kestrel" in words


def test_the_panel_says_what_speaks_against_a_card(client, fleet):
    post(client, fleet, "add", card="Kestrel", add="0")
    post(client, fleet, "add", card="Captain Vor", add="1")
    found = client.get(url(fleet), {"add": "1", "q": "cap"}).context["adding"].found

    assert in_english([(one.card.title, one.against) for one in found]) == [
        ("Captain Vor", "Unique – already in your fleet."),
        ("Raider", "Kestrel already has a captain, so Raider can’t be on it too."),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("darts 5", ["Darts"]),
        ("darts [5]", ["Darts"]),
        ("darts 4", ["Darts"]),
        ("KLINGON", ["Raider"]),
        ("nothing", []),
        ("\0", []),
    ],
)
def test_a_number_after_the_title_is_its_cost(client, fleet, text, expected):
    found = client.get(url(fleet), {"add": "0", "q": text}).context["adding"].found

    assert [one.card.title for one in found] == expected


def test_the_cost_and_faction_of_a_card_typed_by_hand_do_not_filter_the_next_search(client, fleet):
    post(client, fleet, "by_hand", add="0", title="Home-made", kind="ship", cost="30", faction="KLI", second="")

    answer = post(client, fleet, "by_hand", add="1", title="Node", kind="crew", cost="4", faction="BOR", second="")

    address = answer.headers.get("Location") or answer.headers["HX-Replace-Url"]
    assert "add=1" in address
    assert "cost=" not in address
    assert "faction=" not in address


def test_what_no_catalogue_knows_is_typed_by_hand(client, fleet):
    post(client, fleet, "by_hand", add="0", title="Home-made", kind="ship", cost="30", faction="KLI", second="")
    post(client, fleet, "by_hand", add="1", title="Node", kind="borg", cost="0", faction="BOR", second="FED")
    line = Fleet.objects.get(pk=fleet.pk).sheet.ships[0].cards[0]

    assert line.card == Card(CardKind.BORG, "Node", ("BOR", "FED"), 0)
    assert client.get(url(fleet)).content.decode().count("by hand</span>") == 2


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        ({"title": "", "cost": "3"}, "Enter the title as printed on the card."),
        ({"title": "Node", "cost": ""}, "Enter the card’s cost, or 0."),
        ({"title": "Node", "cost": "1000"}, "Ensure this value is less than or equal to 999."),
    ],
)
def test_a_card_by_hand_that_is_not_filled_in_is_shown_again(client, fleet, facts, error):
    page = post(client, fleet, "by_hand", add="0", kind="crew", faction="", second="", **facts)

    assert (page.status_code, titles(fleet)) == (422, [])
    assert error in page.content.decode()
    assert f'value="{facts["title"]}"' in page.content.decode()


def test_another_cost_and_a_note_stand_on_the_line(client, fleet):
    post(client, fleet, "add", card="Kestrel", add="0")
    post(client, fleet, "write", line="1", cost_by_hand="20", note="prize version")
    page = client.get(url(fleet))

    assert page.context["state"].total == 20
    assert "20 by hand: prize version" in page.content.decode() or "prize version" in page.content.decode()
    assert post(client, fleet, "write", line="1", cost_by_hand="-1", note="").status_code == 422


def test_ships_are_doubled_moved_and_removed_and_the_last_step_is_undone(client, fleet):
    for key, at in (("Kestrel", "0"), ("Captain Vor", "1")):
        post(client, fleet, "add", card=key, add=at)
    post(client, fleet, "duplicate", line="1")
    post(client, fleet, "by_hand", add="0", title="Lark", kind="ship", cost="9", faction="", second="")
    post(client, fleet, "up", line="5")
    assert titles(fleet) == ["Kestrel", "Captain Vor", "Lark", "Kestrel", "Captain Vor"]
    post(client, fleet, "transfer", line="4", to="5")
    post(client, fleet, "remove", line="1")
    assert titles(fleet) == ["Lark", "Captain Vor", "Kestrel"]
    post(client, fleet, "undo")
    post(client, fleet, "undo")

    assert titles(fleet) == ["Kestrel", "Captain Vor", "Lark", "Kestrel", "Captain Vor"]


def test_the_resource_is_assigned_to_the_fleet_a_ship_or_a_card(client, fleet):
    for key, at in (("Kestrel", "0"), ("Captain Vor", "1"), ("Command Tokens", "0")):
        post(client, fleet, "add", card=key, add=at)
    post(client, fleet, "assign", to="2")
    page = client.get(url(fleet))

    assert Fleet.objects.get(pk=fleet.pk).sheet.resource_at == 2
    assert [(at, str(what)) for at, what in page.context["assigned"]] == [
        (FLEET, "the whole fleet"),
        (1, "Kestrel"),
        (2, "Captain Vor on Kestrel"),
    ]


def test_a_sheet_keeps_its_costs_and_says_when_the_catalogue_has_changed(client, fleet):
    post(client, fleet, "add", card="Kestrel", add="0")
    CatalogueCard.objects.filter(key="Kestrel").update(
        data=CatalogueCard.objects.get(key="Kestrel").data | {"cost": 28}
    )
    page = client.get(url(fleet))
    assert page.context["state"].total == 24
    assert "The catalogue has a newer version: 28 SP as printed." in page.content.decode()

    post(client, fleet, "refresh", line="1")
    assert client.get(url(fleet)).context["state"].total == 28
    assert post(client, fleet, "refresh", line="1").status_code == 409


@pytest.mark.parametrize(
    ("do", "facts", "sentence"),
    [
        ("remove", {"line": "9"}, "This line is no longer in the fleet."),
        ("remove", {"line": "x"}, "This line is no longer in the fleet."),
        ("add", {"card": "gone", "add": "0"}, "This card is no longer in the catalogue."),
        ("remove", {"line": "9" * 5000}, "This line is no longer in the fleet."),
        ("add", {"card": "Darts", "add": "9"}, "The ship for this card is no longer in the fleet."),
        ("assign", {"to": "1"}, "The fleet has no resource to assign."),
        ("undo", {}, "There’s nothing to undo."),
    ],
)
def test_a_step_that_cannot_be_made_says_so(client, fleet, do, facts, sentence):
    page = post(client, fleet, do, **facts)

    assert (page.status_code, titles(fleet)) == (409, [])
    assert sentence in page.content.decode()


def test_an_unknown_step_is_nothing(client, fleet):
    assert post(client, fleet, "explode").status_code == 404


def test_a_step_that_is_sent_twice_is_made_once(client, fleet):
    for _ in range(2):
        post(client, fleet, "add", card="Kestrel", add="0", key="k1")
    post(client, fleet, "add", card="Kestrel", add="0", key="k2")

    assert titles(fleet) == ["Kestrel", "Kestrel"]


def test_htmx_gets_the_fleet_alone_and_while_typing_the_cards_alone(client, fleet):
    post(client, fleet, "add", card="Kestrel", add="0")
    whole = client.get(url(fleet), headers={"HX-Request": "true", "HX-Target": "fleet"}).content.decode()
    found = client.get(
        url(fleet), {"add": "1", "q": "darts"}, headers={"HX-Request": "true", "HX-Target": "found"}
    ).content.decode()

    assert whole.strip().startswith('<div id="fleet"')
    assert found.strip().startswith('<div id="found"')
    assert "Darts" in found


# what is wrong


def test_everything_wrong_stands_at_its_line_and_in_the_list(client, night):
    player_fleet = bring(night.event, 1, editing.add(two_ships(resource=None), card(CardKind.BORG, "Node", 60), 1))
    phone(client, player_fleet.player)
    text = " ".join(client.get(url(player_fleet)).content.decode().split())

    assert "The fleet costs 122 SP, 22 over the 100 SP limit." in text
    assert text.count("Kestrel has no Borg slots, so Node doesn’t fit.") == 2
    assert "2 problems" in text


# whose fleet it is


def test_only_the_player_sees_a_fleet_that_flies_nowhere(night):
    fleet = a_fleet(night)
    other = night.event.entrants.select_related("player__store").get(number=2).player
    organizer = Client()
    organizer.force_login(night.organizer)

    answers = [client.get(url(fleet)).status_code for client in (Client(), phone(Client(), other), organizer)]
    assert answers == [404, 404, 404]
    assert phone(Client(), fleet.player).get(url(fleet)).status_code == 200


def test_an_organizer_types_the_sheet_of_a_player_from_paper(night):
    organizer, judge = Client(), Client()
    organizer.force_login(night.organizer)
    judge.force_login(night.judge)
    made = organizer.post(reverse("entrant_fleet", args=[night.event.slug, 1]), {"do": "make"})
    fleet = Fleet.objects.get(entrant__event=night.event, entrant__number=1)

    assert made.url == url(fleet)
    assert judge.get(url(fleet)).status_code == 404
    post(organizer, fleet, "add", card="Kestrel", add="0")
    assert titles(fleet) == ["Kestrel"]
    assert post(organizer, fleet, "delete").status_code == 404


def test_a_locked_fleet_is_read_only_and_can_be_copied(client, night):
    fleet = bring(night.event, 1)
    phone(client, fleet.player)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)

    page = html_of(client.get(url(fleet), {"add": "0"}))
    assert "Locked since round 1 started (rule 7.1)." in page
    assert 'name="do" value="add"' not in page
    refused = post(client, fleet, "remove", line="1")
    assert (refused.status_code, len(titles(fleet))) == (409, 7)
    copied = post(client, fleet, "copy")
    copy = Fleet.objects.get(name="Vanguard 2")
    assert copied.url == url(copy)
    assert copy.sheet == Fleet.objects.get(pk=fleet.pk).sheet


def test_a_fleet_is_renamed_and_deleted(client, fleet):
    post(client, fleet, "rename", name="Home Guard")
    assert Fleet.objects.get(pk=fleet.pk).name == "Home Guard"
    assert post(client, fleet, "rename", name=" ").status_code == 422
    post(client, fleet, "delete")

    assert not Fleet.objects.filter(pk=fleet.pk).exists()


def test_the_builder_asks_as_many_questions_for_a_large_fleet_as_for_a_small_one(
    client, night, django_assert_num_queries
):
    small, sheet = bring(night.event, 1), two_ships()
    for _ in range(4):
        sheet = editing.duplicate(sheet, 1)
    large = bring(night.event, 2, sheet)
    phone(client, small.player)
    with django_assert_num_queries(10):
        client.get(url(small), {"add": "1", "kind": "weapon", "q": "darts"})
    phone(client, large.player)
    with django_assert_num_queries(10):
        client.get(url(large), {"add": "1", "kind": "weapon", "q": "darts"})


def test_while_somebody_types_nothing_is_asked_for_the_filters(client, night, django_assert_num_queries):
    fleet = bring(night.event, 1)
    phone(client, fleet.player)
    with django_assert_num_queries(8):
        client.get(url(fleet), {"add": "1", "q": "darts"}, headers={"HX-Request": "true", "HX-Target": "found"})


def test_who_is_signed_in_is_who_changed_it(client, night):
    fleet = bring(night.event, 1)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    fleets.unlock(night.event, 1, reason="typed wrong", by=BY)
    phone(client, fleet.player)
    client.force_login(night.organizer)
    post(client, fleet, "remove", line="4")

    assert JournalEntry.objects.filter(event=night.event).last().by == night.organizer
