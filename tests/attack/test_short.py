"""The short form of the attack, with each change: the same functions as `make attack`, with small numbers."""

from random import Random

import pytest

from tests.attack.attack_matrix import go_everywhere
from tests.attack.figures import Figures
from tests.attack.forms import targets, tried
from tests.attack.importers import CONTENTS, archive_tried, attach
from tests.attack.mutations import SEED, mutated, mutated_json, urlencoded
from tests.attack.reading import forms_of
from tests.attack.world import STRANGERS, addresses, make_world, plain_templates, what_stops_the_night

pytestmark = pytest.mark.django_db

SOME = 3
"""Wrong inputs for each importer and for the forms of a guest."""


@pytest.fixture(scope="module")
def world(stored):
    with plain_templates():
        yield make_world()


def test_the_night_goes_on_before_anybody_attacks_it(world):
    assert what_stops_the_night(world, [world.events["in play"]]) == []


def test_wrong_visitors_change_nothing_at_a_few_addresses_and_nobody_gets_a_5xx(world):
    figures, rows = Figures("short"), [row for row in addresses(world) if row[1]]
    go_everywhere(world, Random(SEED).sample(rows, 12), (*STRANGERS, "player", "owner"), figures, bodies=1)

    assert [row for row in figures.rows if row[3]] == []


def test_what_guests_send_wrong_leads_to_no_5xx_and_the_night_goes_on(world):
    guests = targets(world, ("stranger",), [f"/e/{world.places['event']}/join/", "/sign-in/"])

    results = [tried(world, target, range(SEED, SEED + SOME)) for target in guests]

    assert len(guests) == 3  # with the footer's choice of a language
    assert [one.sent for one in results] == [SOME] * 3
    assert [(one.faults, one.stopped) for one in results] == [({}, [])] * len(guests)


@pytest.mark.many
@pytest.mark.parametrize("name", CONTENTS)
def test_wrong_files_lead_to_no_5xx_and_the_night_goes_on(world, name):
    result = tried(world, attach(world, name), range(SEED, SEED + SOME))

    assert (result.sent, result.faults, result.stopped) == (SOME, {}, [])


def test_wrong_archives_are_refused_or_are_events_whose_pages_are_there(world):
    result = archive_tried(world, [Random(SEED + number) for number in range(2 * SOME)])

    assert (result.sent, result.faults, result.stopped) == (2 * SOME, {}, [])


# The attack's own tools.


def test_a_form_is_read_as_a_browser_sends_it():
    page = """<form method="post" action="save/#there" id="f">
      <input name="a" value="1"><input type="checkbox" name="b" value="x" checked><input type="checkbox" name="c">
      <select name="d"><option value="1">1</option><option value="2" selected>2</option></select>
      <textarea name="e">\nwords &amp; more</textarea><input type="file" name="g">
      <button name="do" value="go">Go</button></form><button form="f" name="do" value="stop">Stop</button>
      <form action="/find/"><input name="q"></form>"""

    post, get = forms_of(page, "/e/night/desk/")

    assert (post.action, post.method, get.action, get.method) == ("/e/night/desk/save/", "post", "/find/", "get")
    assert post.fields == [("a", "1"), ("b", "x"), ("d", "2"), ("e", "words & more")]
    assert (post.files, post.buttons) == (["g"], [("do", "go"), ("do", "stop")])


def test_the_same_seed_gives_the_same_wrong_input_and_another_one_another():
    fields, choices = [("name", "Kestrel"), ("faction", ""), ("row-1-sp", "12")], {"faction": ["Borg", "Romulan"]}

    sent = [urlencoded(mutated(fields, choices, Random(seed))) for seed in (*range(40), *range(40))]

    assert sent[:40] == sent[40:]
    assert len(set(sent)) > 30


def test_wrong_json_is_the_same_for_the_same_seed():
    data = {"event": {"name": "x", "rounds": [1, 2, {"a": None}]}}

    first, again = ([mutated_json(data, Random(seed)) for seed in range(30)] for _ in range(2))

    assert first == again
    assert data == {"event": {"name": "x", "rounds": [1, 2, {"a": None}]}}


def test_a_figure_over_its_bound_fails_the_attack():
    figures = Figures("Bounds")
    figures.at_most("memory", 301, 300, "MB")
    figures.none("lost", ["key-7"])

    with pytest.raises(AssertionError, match="out of bounds"):
        figures.hold()


def test_figures_within_their_bounds_fail_nothing():
    figures = Figures("Bounds")
    figures.at_most("memory", 300, 300, "MB")
    figures.none("lost", [])

    figures.hold()

    assert [row[3] for row in figures.rows] == ["", ""]
