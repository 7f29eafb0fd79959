"""What a process keeps: made once, however many ask at the same moment, and never older than the event's version."""

import re
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from threading import Barrier
from time import time

import pytest
from django.http import HttpResponse
from django.template import Context, Engine
from django.test import Client
from django.urls import reverse

from tests.support.copied import KEPT, forget_kept
from tests.support.nights import BY, make_night
from tests.support.tables import eliminated, enter
from tourney.actions import entrants, rounds, store_players, stores
from tourney.models import Event
from tourney.queries.shared import shared_state
from tourney.runtime.kept import VersionedCache, memory
from tourney.runtime.memory import for_caches, of_machine
from tourney.views import responses

CLOCK = re.compile(rb' data-server-now="\d+"')
"""What moves on between two answers of the same version."""


def test_a_thing_is_made_once_however_many_ask_for_it_at_the_same_moment():
    kept, made, together = VersionedCache(4), [], Barrier(8)

    def ask(_) -> int:
        together.wait()
        return kept.get("key", 1, lambda _: made.append("once") or len(made))

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(8)))

    assert (answers, made) == ([1] * 8, ["once"])


def test_what_could_not_be_made_is_tried_again():
    kept = VersionedCache(4)
    with pytest.raises(ZeroDivisionError):
        kept.get("key", 1, lambda _: 1 // 0)

    assert kept.get("key", 1, lambda _: 7) == 7


def test_another_version_takes_the_place_of_the_one_before():
    kept = VersionedCache(4)
    kept.get("key", 1, lambda _: "old")

    assert [kept.get("key", version, lambda _: "made") for version in (1, 2, 1)] == ["old", "made", "made"]


def test_a_new_version_can_be_made_of_the_one_before():
    kept = VersionedCache(4)

    assert [kept.get("key", version, lambda last: [last]) for version in (1, 2)] == [[None], [[None]]]


def test_of_several_things_those_are_made_together_that_are_not_there_in_their_version():
    kept, asked = VersionedCache(4), []

    def make(keys) -> dict[str, int]:
        asked.append(list(keys))
        return {key: len(asked) for key in keys}

    answers = [
        kept.get_many(wanted, make) for wanted in ({"a": 1, "b": 1}, {"b": 2, "a": 1, "c": 1}, {"b": 2, "a": 1}, {})
    ]

    assert answers == [{"a": 1, "b": 1}, {"a": 1, "b": 2, "c": 2}, {"b": 2, "a": 1}, {}]
    assert [list(answer) for answer in answers] == [["a", "b"], ["b", "a", "c"], ["b", "a"], []]
    assert asked == [["a", "b"], ["b", "c"]]
    assert kept.get("c", 1, lambda _: 0) == 2


def test_of_several_things_nothing_is_kept_that_could_not_be_made():
    kept = VersionedCache(4)
    with pytest.raises(ZeroDivisionError):
        kept.get_many({"a": 1}, lambda keys: dict.fromkeys(keys, 1 // 0))

    assert kept.get_many({"a": 1}, lambda keys: dict.fromkeys(keys, 7)) == {"a": 7}


def test_only_the_last_things_asked_for_are_kept():
    kept = VersionedCache(2)
    for key in ("a", "b", "a", "c"):
        kept.get(key, 1, lambda _, key=key: f"first {key}")

    assert [kept.get(key, 1, lambda _: "made again") for key in ("a", "c", "b")] == ["first a", "first c", "made again"]


def test_the_things_that_are_kept_take_so_many_bytes_at_most():
    kept = VersionedCache(10, len)
    for key, size in (("a", 4), ("b", 4), ("a", 4), ("c", 3)):
        kept.get(key, 1, lambda _, size=size: "x" * size)
    there = [kept.peek(key) for key in "abc"]

    kept.get("c", 2, lambda _: "x" * 7)
    grown = [kept.peek(key) for key in "ac"]
    kept.get("large", 1, lambda _: "x" * 99)

    assert there == ["xxxx", None, "xxx"]
    assert grown == [None, "x" * 7]
    assert [kept.peek(key) for key in ("a", "c", "large")] == [None, None, "x" * 99]


@pytest.mark.parametrize("size", [100, 20_000])
def test_an_answer_that_is_kept_takes_no_more_than_it_counts(size: int):
    """Whoever asks may have as many small parts kept as there is room for."""
    cache = VersionedCache(10**9, responses._answers.size_of)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(500):
        answer = HttpResponse(bytes(size), headers={"Vary": "HX-Request"})
        cache.get(("localhost", f'W/"{number:060}"'), number, lambda _, answer=answer: answer)
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()

    assert 0.8 * cache._size < taken < 1.2 * cache._size


def test_all_caches_together_take_no_more_than_the_environment_says(monkeypatch):
    forget_kept()
    sizes = [one.most for one in KEPT]
    monkeypatch.setenv("CACHE_MB", "24")

    assert len(sizes) > 9
    assert sum(sizes) <= 240_000_000  # where it says nothing
    assert memory(0.75) == 18_000_000


@pytest.mark.parametrize(
    ("gigabytes", "processes", "megabytes"), [(24, 3, 1000), (8, 2, 500), (4, 3, 166), (1, 2, 64), (512, 60, 1066)]
)
def test_each_process_has_its_part_of_the_memory(gigabytes: int, processes: int, megabytes: int):
    assert for_caches(gigabytes * 10**9, processes) == megabytes


def test_a_container_with_less_memory_than_its_machine_counts(tmp_path: Path, monkeypatch):
    limit = tmp_path / "memory.max"
    monkeypatch.setattr("tourney.runtime.memory.LIMIT_OF_CONTAINER", limit)
    alone = of_machine()
    limit.write_text("max\n")
    without = of_machine()
    limit.write_text("1000000000\n")

    assert (without, of_machine()) == (alone, 1_000_000_000)


def test_what_is_asked_for_in_any_version_stays_too():
    kept = VersionedCache(2)
    kept.get("often", 1, lambda _: "made")
    for key in "abc":
        kept.get(key, 1, lambda _: "another")
        assert kept.peek("often") == "made"

    assert (kept.peek("c"), kept.peek("a"), kept.peek("never")) == ("another", None, None)


@pytest.mark.django_db
def test_readers_share_an_event_until_something_happens():
    event = make_night(players=2).event
    first = shared_state(event)
    same = shared_state(event)
    entrants.drop(event, 1, by=BY)
    event.refresh_from_db()

    now = shared_state(event)

    assert (same is first, now is first, now.by_number[1].dropped_from) == (True, False, 1)


@pytest.mark.django_db
def test_only_what_is_another_is_loaded_anew():
    event = make_night(players=8, rounds=2, open_round=True).event
    first = shared_state(event)
    standings = first.standings(2)

    enter(event, 1, eliminated(), number=3)
    second = shared_state(Event.objects.with_context().get(pk=event.pk))
    entrants.drop(event, 1, by=BY)
    third = shared_state(Event.objects.with_context().get(pk=event.pk))

    assert [new is old for new, old in zip(second.rounds, first.rounds, strict=True)] == [True, True, False]
    assert (second.standings(2) is standings, second.rounds[2].match_at(1).state) == (True, "done")
    assert [new is old for new, old in zip(third.rounds, second.rounds, strict=True)] == [False, False, False]
    assert (third.by_number[1].dropped_from, second.by_number[1].dropped_from) == (4, None)


@pytest.mark.django_db
@pytest.mark.parametrize("is_gone", [True, False], ids=["taken out", "forgotten"])
def test_nobody_is_left_when_the_last_one_goes(client: Client, is_gone: bool):
    event = make_night(players=0).event
    entrants.register(event, [("Vor", "")], by=BY)
    path = reverse("event", args=[event.slug])
    before = client.get(path).content.decode()

    if is_gone:
        entrants.remove(event, 1, by=BY)
    else:
        store_players.erase(event.entrants.get().player, by=BY)

    assert ("<b>Vor</b>" in before, "Vor" in client.get(path).content.decode()) == (True, False)


@pytest.mark.django_db
def test_a_change_shows_at_once_on_pages_that_were_kept(client: Client):
    night = make_night(players=4, open_round=True)
    pages = [reverse(name, args=[night.event.slug]) for name in ("event", "standings")]
    before = [CLOCK.sub(b"", client.get(page).content) for page in (*pages, *pages)]

    enter(night.event, 1, eliminated())
    stores.change_store(night.store, name="Deck Nine", time_zone="Europe/Berlin", by=BY)

    after = [client.get(page).content.decode() for page in pages]
    assert before[:2] == before[2:]
    assert "1 of 2 tables still playing." in after[0]
    assert all("Deck Nine" in page for page in after)


@pytest.mark.django_db
def test_a_kept_list_marks_the_row_of_each_reader_and_leaves_every_name_as_it_is(client: Client):
    night = make_night(players=0)
    names = ("Vor", "Kestrel", "me-1-", 'class="me-1-')
    entrants.register(night.event, [(name, "Klingon") for name in names], by=BY, checked_in=True)
    rounds.pair_round(night.event, seed=1, by=BY)
    rounds.publish_round(night.event, 1, by=BY)
    path = reverse("event", args=[night.event.slug])

    pages = [client.get(path, {"q": name}).content.decode() for name in names]

    marked = [re.findall(r'class="row is-me">.*?<b>(.*?)</b>', page, re.S) for page in pages]
    assert [[unescape(name) for name in found] for found in marked] == [[name] for name in names]
    assert [page.count("<b>me-1-</b>") for page in pages] == [1, 1, 1, 1]


TEMPLATES = Path(__file__).parents[1] / "templates"
SHOWN_FROM_KEPT = {
    name
    for path in TEMPLATES.rglob("*.html")
    for name in re.findall(r'{% kept state "([^"]+)"', path.read_text())
    if f'include "{name}"' not in (TEMPLATES / "event/event.html").read_text()
}
LISTS = {
    "ranks.html": "{{ what }}{% for one in lines %}{{ one }}{% endfor %}{% if may_organize %}{{ request }}{% endif %}",
    "names.html": "Names of {{ what }}",
}


def shown(text: str, **context) -> str:
    """What a reader with that context is shown by a page of these templates."""
    engine = Engine(
        loaders=[("django.template.loaders.locmem.Loader", LISTS)],
        libraries={"flagship": "tourney.templatetags.flagship"},
    )
    return engine.from_string(f"{{% load flagship %}}{text}").render(Context(context))


@pytest.mark.django_db
def test_what_is_kept_shows_nobody_what_stood_on_the_page_of_its_first_reader():
    state, kept = shared_state(make_night(players=2).event), '{% kept state "ranks.html" what=what lines=lines %}'
    facts = {"state": state, "what": "Ranks", "lines": [1234]}

    first = shown(kept, may_organize=True, request="/secret/", **facts)

    assert [first, shown(kept, **facts)] == ["Ranks1234"] * 2


@pytest.mark.django_db
def test_what_is_kept_is_another_one_for_another_template_or_other_facts():
    state, lines = shared_state(make_night(players=2).event), [1]
    kept = '{% kept state "ranks.html" what=what lines=lines %}'

    made = [shown(kept, state=state, what=what, lines=lines) for what in ("a", "b", 1, True, "1")]
    other = shown('{% kept state "names.html" what=what lines=lines %}', state=state, what="a", lines=lines)
    lines_of_others = shown(kept, state=state, what="a", lines=[2])

    assert [*made, other, lines_of_others] == ["a1", "b1", "11", "True1", "11", "Names of a", "a2"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("night", "name", "args"),
    [
        ({"rounds": 1, "open_round": True}, "event", ()),
        ({"rounds": 1, "open_round": True}, "standings", ()),
        ({"rounds": 1, "open_round": True}, "pairings", (2,)),
        ({"rounds": 1, "open_round": True}, "wall", ()),
        ({"rounds": 3, "finish": True}, "event", ()),
        ({"rounds": 3, "finish": True}, "wall", ()),
        ({}, "wall", ()),
    ],
)
def test_the_second_reader_is_shown_what_was_made_for_the_first(night, name, args, monkeypatch):
    """Both read in one second, which is how long the part with the clock is kept."""
    now = time()
    monkeypatch.setattr("tourney.views.event.time", lambda: now)
    event, made = make_night(players=4, **night).event, []
    for reader in "ab":
        client = Client()
        client.cookies["reader"] = reader  # whole answers are kept for those without
        response = client.get(reverse(name, args=[event.slug, *args]))
        made.append({one.name for one in response.templates} & SHOWN_FROM_KEPT)

    assert (bool(made[0]), made[1]) == (True, set())
