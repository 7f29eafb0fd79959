"""Whatever is given to an importer ends in a fleet that can be read or in a refusal in words, and no page fails.

CASES (300; through the page a tenth without --all) of them in PARTS (1), from SEED (0) on; `make soak` brings 10,000.
"""

import json
import os
from functools import partial
from itertools import batched

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from fleets.domain.card_data import sheet_as_data, sheet_from_data
from fleets.domain.cards import CardKind
from fleets.domain.cost import costs
from fleets.domain.foreign import NotAFleet, spelled
from fleets.domain.intake import read
from fleets.domain.picture import as_svg
from fleets.domain.space_dock_fleets import write_fleet
from fleets.domain.table import as_csv
from fleets.domain.texts import as_text
from tests.domain.test_broken_files import read_or_refused
from tests.support.builder import catalogue
from tests.support.files_by_dice import file_by_dice
from tests.support.fleets_for_tests import captain_card, card, ship_card
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.tenth import everything_runs
from tests.support.unreadable import not_shown, pages_about
from tourney.actions import fleets
from tourney.models import Fleet

PARTS, FIRST = (int(os.environ.get(name) or default) for name, default in (("PARTS", 1), ("SEED", 0)))
EACH = 100
CARDS = (
    ship_card("Kestrel", 24),
    ship_card("Lark", 22, factions=("KLI",)),
    captain_card("Captain Vor", 5),
    card(CardKind.CREW, "Quill", 2),
    card(CardKind.WEAPON, "Photon Torpedoes", 5, rules=("costs attack plus 1",)),
    card(CardKind.RESOURCE, "Command Tokens", 5, factions=()),
)


def find(keys, titles):
    """The cards of the catalogue."""
    return [one for one in CARDS if one.key in keys or spelled(one.title) in titles]


def seeds(part: int, cases: int = 300) -> range:
    """The cases of that part."""
    return range(FIRST + part, FIRST + int(os.environ.get("CASES") or cases), PARTS)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_read_of_anything_can_be_stored_counted_and_written(part):
    made = refused = 0
    for seed in seeds(part):
        given = file_by_dice(seed, CARDS)
        found = read_or_refused(partial(read, given, find), NotAFleet)
        if isinstance(found, str):
            refused += 1
            continue
        made += len(found)
        for one in found:
            sheet = one.sheet
            assert sheet_from_data(json.loads(json.dumps(sheet_as_data(sheet)))) == sheet, seed
            assert (costs(sheet).total >= 0, one.name.isprintable(), bool(sheet.lines)) == (True, True, True), seed
            assert all(form(sheet, one.name) for form in (write_fleet, as_csv, as_svg, as_text)), seed

    assert min(made, refused) > len(seeds(part)) / 5


@pytest.mark.django_db
@pytest.mark.parametrize("part", range(PARTS))
def test_after_whatever_was_brought_every_page_is_shown(part):
    catalogue(*CARDS)
    asked = list(batched(seeds(part, 300 if everything_runs() else 60), EACH))
    night, wrong = make_night(players=len(asked) + 1), {}
    for number, some in enumerate(asked, start=1):  # each player brings so many, as one alone would be told to wait
        phone = phone_of(night.event.entrants.select_related("player__store").get(number=number).player)
        for seed in some:
            given = file_by_dice(seed, CARDS)
            status = imported(night, phone, given)
            if status not in ((400,) if isinstance(given, str) and "\0" in given else (200, 422)):
                wrong[seed] = status  # 400, with words: no browser sends such a letter
        wrong |= not_shown(pages_after(night, number, phone))
        Fleet.objects.all().delete()

    assert wrong == {}


def imported(night: Night, phone, given: bytes | str) -> int:
    """What the page answers in the end; of several fleets in a file the first are chosen."""
    page = reverse("import_fleets", args=[night.store.slug])
    as_file = {"file": SimpleUploadedFile("x", given)} if isinstance(given, bytes) else {}
    text = "" if isinstance(given, bytes) else given.encode(errors="replace").decode()
    answer = phone.post(page, {"text": text, **as_file}, follow=True)
    if answer.status_code == 200 and "choice" in (answer.context or {}):
        choice = answer.context["choice"]
        answer = phone.post(page, {"packed": choice.packed, "chosen": ["0", "1"]}, follow=True)
    return answer.status_code


def pages_after(night: Night, number: int, phone) -> dict[str, int]:
    """Every page that lists fleets, with the newest of them flying at the event, and every fleet's own."""
    readable = [one for one in Fleet.objects.select_related("player__store") if one.readable_sheet is not None]
    assert len(readable) == Fleet.objects.count() > 0
    own = {name: phone.get(reverse(name, args=[night.store.slug])).status_code for name in ("my_fleets", "my_data")}
    Fleet.objects.exclude(pk=readable[0].pk).delete()
    fleets.assign_to_event(night.event, number, readable[0], by=BY)
    desk = Client()
    desk.force_login(night.organizer)
    return own | pages_about(night, number, phone, desk)
