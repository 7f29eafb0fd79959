"""A stranger with a phone and a fleet file: whatever is in the file, the night goes on."""

import json
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.built_fleets import bring
from tests.support.nights import BY, make_night
from tests.support.unreadable import exported_and_imported, not_shown, pages_about
from tourney.actions import entrants, rounds, simulation
from tourney.models import Fleet, Round

pytestmark = pytest.mark.django_db

LONG = "7" * 131
FILES = {
    "as the resource": {"name": "P", "cost": 1, "ships": [], "resource": LONG},
    "as the flagship": {"name": "P", "ships": [{"shipId": "x", "flagship": LONG, "upgrades": []}]},
    "everywhere": {
        "name": LONG,
        "ships": [{"shipId": LONG, "captain": {"upgradeId": LONG}, "upgrades": [{"upgradeId": LONG}]}],
    },
}


def test_a_number_of_131_digits_is_refused_where_it_is_imported():
    night, phone = make_night(players=3), Client()
    phone.post(reverse("join", args=[night.event.slug]), {"name": "Stranger", "faction": "Klingon"})

    number = json.dumps(FILES["as the resource"]).replace(f'"{LONG}"', LONG)
    answer = phone.post(reverse("import_fleets", args=[night.store.slug]), {"text": number})

    assert answer.status_code == 422
    assert "A name or number in the file is longer than 100 characters." in answer.content.decode()
    assert not Fleet.objects.exists()


@pytest.mark.many
@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_a_stranger_who_brings_a_file_with_131_digits_stops_nothing(file):
    night, phone, desk = make_night(players=3), Client(), Client()
    desk.force_login(night.owner)
    slug, store = night.event.slug, night.store.slug

    phone.post(reverse("join", args=[slug]), {"name": "Stranger", "faction": "Klingon"})
    phone.post(reverse("import_fleets", args=[store]), {"text": json.dumps(file)})
    fleet = Fleet.objects.get(player__name="Stranger")
    phone.post(reverse("my_fleets", args=[store]), {"do": "bring", "event": slug, "fleet": fleet.pk})
    stranger = night.event.entrants.get(fleet=fleet).number
    assert not_shown(pages_about(night, stranger, phone, desk)) == {}

    entrants.check_in(night.event, by=BY)
    bring(night.event, 1)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    assert not_shown(pages_about(night, stranger, phone, desk)) == {}

    simulation.play_round(night.event, random=Random(1), by=BY)
    assert night.event.rounds.get().state == Round.State.CLOSED
    assert not_shown(pages_about(night, stranger, phone, desk)) == {}
    _, again = exported_and_imported(night)
    assert again.entrants.filter(fleet__isnull=False).count() == 2
