"""Fleets from elsewhere and to elsewhere, and the sheet on paper."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from fleets.domain.card_data import sheet_from_data
from fleets.domain.cards import CardKind
from fleets.models import CatalogueCard
from tests.support.builder import catalogue, phone
from tests.support.built_fleets import bring, bring_all, too_dear
from tests.support.copied import copied
from tests.support.fleets_for_tests import captain_card, card, shared, ship_card
from tests.support.nights import BY, Night, make_night
from tourney.actions import fleets, rounds, sign_off, simulation
from tourney.models import Fleet

pytestmark = pytest.mark.django_db

TEXT = """Home Guard
Kestrel [24]
- Captain Vor [5]
- Strange Device [4] T
Ship Total [33]
Resource: Command Tokens [5]
Fleet Total [38]"""


def odd_card(field: str, value: str) -> str:
    """A fleet file of our own with one card that has this field, in JSON."""
    line = f'{{"id": 1, "card": {{"title": "Quill", "kind": "crew", "{field}": {value}}}}}'
    return f'{{"format": "flagship-fleet", "version": 1, "ships": [], "other": [{line}]}}'


@pytest.fixture
@copied
def night() -> Night:
    catalogue(ship_card("Kestrel", 24), captain_card("Captain Vor", 5), card(CardKind.RESOURCE, "Command Tokens", 5))
    return make_night(players=4)


@pytest.fixture
def mine(night, client) -> Client:
    return phone(client, night.event.entrants.select_related("player__store").get(number=1).player)


def import_url(night: Night) -> str:
    return reverse("import_fleets", args=[night.store.slug])


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def test_a_pasted_fleet_is_made_and_what_is_not_recognised_is_listed(mine, night):
    page = mine.post(import_url(night), {"text": TEXT}, follow=True)
    fleet = Fleet.objects.get()

    assert [line.card.title for line in fleet.sheet.lines] == [
        "Kestrel",
        "Captain Vor",
        "Strange Device",
        "Command Tokens",
    ]
    assert [line.by_hand for line in fleet.sheet.lines] == [False, False, True, False]
    assert "Imported: Home Guard." in text_of(page)
    assert "Not in the catalogue, so added by hand: Strange Device" in text_of(page)


def test_an_unknown_card_under_a_ship_is_named_with_the_ship_and_the_card_that_may_be_meant(mine, night):
    page = mine.post(import_url(night), {"text": "Kestrel [24]\nCaptain Vorr [5]\nStrange Device [3]"}, follow=True)

    (ship,) = Fleet.objects.get().sheet.ships
    assert [line.card.title for line in ship.cards] == ["Captain Vorr", "Strange Device"]
    assert (
        "Not in the catalogue, so added by hand: Captain Vorr on Kestrel (did you mean Captain Vor?), "
        "Strange Device on Kestrel" in text_of(page)
    )


def test_an_unknown_card_on_two_ships_is_named_with_both(mine, night):
    catalogue(ship_card("Daring", 24))
    page = mine.post(import_url(night), {"text": "Kestrel [24]\nOdd [3]\nDaring [24]\nOdd [3]"}, follow=True)

    assert len(Fleet.objects.get().sheet.ships) == 2
    assert "added by hand: Odd on Kestrel and Daring" in text_of(page)


def test_what_a_text_says_otherwise_and_what_is_not_read_is_told(mine, night):
    text = "Home Guard\nOf a guest\nKestrel - 20 SP\n1. Captain Vor - 5 SP"
    page = mine.post(import_url(night), {"text": text}, follow=True)

    assert "Couldn’t be read, so not in the fleet: Of a guest" in text_of(page)
    assert "Different from the import: Kestrel: 20 SP as imported, 24 SP by the rules. Kept at 20 SP." in text_of(page)
    assert "Cost entered by hand. By the rules: 24 SP." in text_of(page)


def test_every_line_that_is_not_read_is_told(mine, night):
    headings = [f"Heading {number}" for number in range(40)]
    page = mine.post(import_url(night), {"text": "\n".join(["Watch", *headings, "Kestrel [24]"])}, follow=True)

    assert f"Couldn’t be read, so not in the fleet: {' · '.join(headings)}" in text_of(page)


def named(*names: str) -> SimpleUploadedFile:
    """A file of Space Dock with fleets of these names."""
    fleets = [
        {"name": name, "notes": f"Order {name}", "ships": [{"shipId": "Kestrel", "upgrades": []}]} for name in names
    ]
    return SimpleUploadedFile("x.spacedocksquads", json.dumps(fleets).encode())


def choosing(page, *chosen: int) -> dict:
    """What the form of the page sends with these fleets chosen."""
    return {**dict(page.context["sent"]), "packed": page.context["choice"].packed, "chosen": list(chosen)}


def test_of_a_file_with_several_fleets_those_that_are_chosen_are_made_with_their_notes(mine, night):
    page = mine.post(import_url(night), {"file": named("A", "B", "C")})
    assert (page.status_code, Fleet.objects.count()) == (200, 0)
    assert "3 fleets in the file · room for 100 more" in text_of(page)
    assert "A 24 SP · 1 ship · Order A" in text_of(page)

    page = mine.post(import_url(night), choosing(page, 0, 2), follow=True)

    assert {fleet.name: fleet.sheet.notes for fleet in Fleet.objects.all()} == {"A": "Order A", "C": "Order C"}
    assert page.redirect_chain[-1][0] == reverse("my_fleets", args=[night.store.slug])


def test_of_five_hundred_fleets_none_is_chosen_beforehand(mine, night):
    page = mine.post(import_url(night), {"file": named(*(f"Fleet {number}" for number in range(500)))})

    assert (page.status_code, len(page.context["choice"].offers)) == (200, 500)
    assert not any(offer.is_chosen for offer in page.context["choice"].offers)
    assert len(page.context["choice"].packed) < 10_000
    mine.post(import_url(night), choosing(page, 499))
    assert Fleet.objects.get().name == "Fleet 499"


def test_who_chooses_nothing_chooses_again(mine, night):
    page = mine.post(import_url(night), {"file": named("A", "B")})
    again = mine.post(import_url(night), choosing(page))

    assert (again.status_code, Fleet.objects.count()) == (422, 0)
    assert "Choose at least one fleet." in text_of(again)
    assert again.context["choice"].packed == page.context["choice"].packed


@pytest.mark.parametrize("packed", ["x", "eJw=", "AAAA", "\u2026", "[]"])
def test_a_choice_that_was_changed_on_its_way_is_refused(mine, night, packed):
    page = mine.post(import_url(night), {"packed": packed, "chosen": ["0", "x", "-1", "9999999"]})

    assert (page.status_code, Fleet.objects.count()) == (422, 0)


def test_notes_of_a_fleet_are_changed_and_stand_on_its_sheet(mine, night):
    fleet = bring(night.event, 1)
    page = reverse("fleet", args=[night.store.slug, fleet.pk])
    mine.post(page, {"do": "annotate", "notes": "Strike\u200b Force  (5)"})

    assert Fleet.objects.get().sheet.notes == "Strike Force (5)"
    assert "Strike Force (5)" in text_of(mine.get(reverse("fleet_sheet", args=[night.store.slug, fleet.pk])))
    assert mine.post(page, {"do": "annotate", "notes": "N" * 501}).status_code == 409


def test_the_real_fleets_of_another_program_come_in(mine, night):
    from fleets.catalogue import take_over
    from fleets.domain.space_dock import read_catalogue

    CatalogueCard.objects.all().delete()
    take_over(read_catalogue(shared("spacedock-Data.xml")), source="test")
    file = SimpleUploadedFile("player.spacedocksquads", shared("player-fleets.spacedocksquads"))
    count = len(json.loads(shared("player-fleets.spacedocksquads")))
    choice = mine.post(import_url(night), {"file": file})
    page = mine.post(import_url(night), choosing(choice, *range(count)), follow=True)

    assert (page.status_code, Fleet.objects.count()) == (200, count)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "Paste a fleet or choose a file."),
        ({"text": "   "}, "Paste a fleet or choose a file."),
        ({"text": "hello"}, "There are no cards in the text."),
        ({"text": "{"}, "The file is damaged: it isn’t valid JSON."),
        (
            {"text": odd_card("x\\ud800", "1")},
            "other[0].card has an unknown field “x\\ud800”.",
        ),
        ({"text": odd_card("kind", "[]")}, "other[0].card.kind should be one of: ship, captain,"),
        ({"text": "[" * 100_000 + "]"}, "The text is longer than 20,000 characters"),
        ({"text": "[[" + "{" * 20_000}, "The text is longer than 20,000 characters"),
        ({"text": "[{" * 10_000}, "The file is nested more than 30 levels deep. Export it again."),
        (
            {"file": SimpleUploadedFile("x.json", b"\xff\xfe\x00")},
            "This isn’t a fleet file: its text isn’t UTF-8",
        ),
        ({"file": SimpleUploadedFile("x.json", b"")}, "There are no cards in the text."),
        ({"file": SimpleUploadedFile("x.json", b" " * 1_000_001)}, "The file is larger than 1 MB"),
    ],
)
def test_what_is_no_fleet_is_refused_with_a_sentence(mine, night, given, sentence):
    page = mine.post(import_url(night), given)

    assert (page.status_code, Fleet.objects.count()) == (422, 0)
    assert sentence in text_of(page)


def test_a_fleet_goes_out_and_comes_in_again(mine, night):
    fleet = bring(night.event, 1)
    answers = {
        form: mine.get(reverse("fleet_file", args=[night.store.slug, fleet.pk, form]))
        for form in ("text", "csv", "spacedock", "json")
    }

    assert sheet_from_data(json.loads(answers["json"].content)) == fleet.sheet
    assert "- Darts [5] W" in answers["text"].content.decode()
    assert answers["csv"].content.decode().splitlines()[-1] == "Total,,,82,,"
    assert json.loads(answers["spacedock"].content)["cost"] == 82
    assert answers["spacedock"]["Content-Disposition"] == 'attachment; filename="vanguard.spacedock"'
    assert mine.get(reverse("fleet_file", args=[night.store.slug, fleet.pk, "pdf"])).status_code == 404


def test_an_imported_file_brings_no_rulings_along(mine, night):
    fleet = bring(night.event, 1, too_dear())
    fleets.allow(night.event, 1, "7.5", 0, reason="guest", by=BY)
    out = mine.get(reverse("fleet_file", args=[night.store.slug, fleet.pk, "json"])).content
    mine.post(import_url(night), {"text": out.decode()})

    assert Fleet.objects.latest("pk").rulings == []


def test_of_several_fleets_all_are_made_or_none(mine, night):
    player = night.event.entrants.get(number=1).player
    for number in range(99):
        fleets.make_fleet(player, f"Fleet {number}", by=BY)
    page = mine.post(import_url(night), choosing(mine.post(import_url(night), {"file": named("A", "B")}), 0, 1))

    assert (page.status_code, Fleet.objects.count()) == (422, 99)
    assert "have up to 100 fleets." in text_of(page)


def test_a_file_whose_resource_is_assigned_to_itself_is_refused(mine, night):
    fleet = {"id": 1, "card": {"kind": "resource", "title": "Tokens"}}
    facts = {"format": "flagship-fleet", "version": 1, "ships": [], "resource": fleet, "resource_at": 1, "other": []}

    assert "the resource is assigned to itself" in text_of(mine.post(import_url(night), {"text": json.dumps(facts)}))


# paper


def test_7_3_the_sheet_carries_the_rounds_as_they_are_played_and_signed(client, night):
    bring_all(night.event)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    from random import Random

    match = night.event.rounds.get().matches.first()
    first, second = (seat.entrant for seat in match.seats.select_related("entrant__player"))
    sign_off.sign(night.event, 1, second.number, by=BY)
    simulation.play_round(night.event, random=Random(1), by=BY)
    fleet = Fleet.objects.get(entrant=first)
    client.force_login(night.judge)
    build = client.get(reverse("fleet_sheet", args=[night.store.slug, fleet.pk])).context["build"]

    name = second.player.name
    assert [(row.round, row.opponent, row.initials) for row in build.before] == [
        (1, name, "".join(word[0] for word in name.split()).upper()),
        (2, "", ""),
        (3, "", ""),
    ]
    assert build.after[0].result in "WL"
    assert build.after[0].fleet_points == build.after[0].cumulative
    assert [row.result for row in build.after[1:]] == ["", ""]


def test_the_sheet_leads_its_player_back_to_the_builder_and_nobody_else(client, night):
    fleet = bring(night.event, 1)
    sheet = reverse("fleet_sheet", args=[night.store.slug, fleet.pk])
    client.force_login(night.organizer)

    own = phone(Client(), fleet.player).get(sheet)

    assert own.context["back"] == reverse("fleet", args=[night.store.slug, fleet.pk])
    assert client.get(sheet).context["back"] == ""


def test_there_is_a_blank_sheet_for_the_counter(client, night):
    client.force_login(night.judge)
    build = client.get(reverse("blank_sheet", args=[night.event.slug])).context["build"]

    assert (build.is_blank, build.event, len(build.before)) == (True, "The Last Battle of DS9", 3)


def test_the_desk_imports_a_sheet_for_a_player(client, night):
    client.force_login(night.organizer)
    page = reverse("entrant_fleet", args=[night.event.slug, 2])
    assert client.post(page, {"do": "import", "text": ""}).status_code == 422
    client.post(page, {"do": "import", "text": TEXT})

    fleet = Fleet.objects.get(entrant__event=night.event, entrant__number=2)
    assert fleet.name == "Home Guard"
    assert "Strange Device" in client.get(page).content.decode()


def test_the_desk_chooses_one_fleet_of_a_file_with_several(client, night):
    client.force_login(night.organizer)
    page = reverse("entrant_fleet", args=[night.event.slug, 2])

    choice = client.post(page, {"do": "import", "text": "", "file": named("A", "B")})
    assert 'type="radio"' in choice.content.decode()
    client.post(page, choosing(choice, 1))

    assert Fleet.objects.get(entrant__event=night.event, entrant__number=2).name == "B"
