import json
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from scoring.domain.points import Ending
from scoring.shipped import shipped_pack, shipped_packs
from tests.support.nights import BY, make_store
from tourney.actions.archive import import_event
from tourney.actions.simulation import make_up
from tourney.models import Event, Store
from tourney.printing.queries.score_sheet import as_data
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def simulate(**options) -> str:
    out = StringIO()
    call_command("simulate", stdout=out, **options)
    return out.getvalue()


def test_the_same_seed_gives_the_same_event_byte_for_byte():
    options = {"players": 11, "rounds": 4, "late": 2, "drop_rate": 0.1, "seed": 5, "archive": True}

    assert simulate(**options) == simulate(**options)


def test_another_seed_gives_another_event():
    assert simulate(players=8, seed=1, json=True) != simulate(players=8, seed=2, json=True)


def test_a_simulation_leaves_nothing_behind():
    simulate(players=5)

    assert (Event.objects.count(), Store.objects.count()) == (0, 0)


def test_the_score_sheet_ranks_everybody_once():
    sheet = json.loads(simulate(players=9, late=1, seed=3, json=True))

    assert [line["rank"] for line in sheet["standings"]] == list(range(1, 11))
    assert sheet["final"] is True
    assert sheet["standings"][0]["title"] == "Admiral"
    assert sheet["standings"][1]["title"] == "Vice Admiral"


def test_the_score_sheet_is_that_of_the_archive_which_the_actions_play():
    options = {"players": 11, "rounds": 4, "late": 2, "drop_rate": 0.1, "seed": 5}
    store, _ = make_store()

    sheet = simulate(json=True, **options)
    event = import_event(store, json.loads(simulate(archive=True, **options)), by=BY)

    assert json.loads(sheet) == json.loads(json.dumps(as_data(state_of(event)), default=str))


@pytest.mark.many
@pytest.mark.parametrize("pack", [pack.slug for pack in shipped_packs()])
def test_every_shipped_month_can_be_played(pack):
    sheet = json.loads(simulate(players=5, pack=pack, seed=4, json=True))

    assert len(sheet["standings"]) == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pack": "no-such-month"}, "There is no month pack “no-such-month”"),
        ({"players": 1}, "--players must be from 2 to 2000"),
        ({"rounds": 13}, "--rounds must be from 1 to 12"),
        ({"drop_rate": 2.0}, "--drop-rate must be from 0 to 1"),
    ],
)
def test_impossible_options_are_refused_in_words(options, message):
    with pytest.raises(CommandError, match=message):
        simulate(**options)


def test_where_nobody_wins_both_sides_may_have_counted():
    rules = shipped_pack("turret-turmoil")

    made_up = [make_up(rules, Random(seed), only=Ending.BOTH_ELIMINATED) for seed in range(20)]

    assert {side for played in made_up for side in (0, 1) if played.sides[side].tallies} == {0, 1}
