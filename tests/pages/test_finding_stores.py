"""The front page of several stores: found by name and town, a part at a time, whatever others there are."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.support.nights import BY, make_night, make_store
from tests.support.saying import html_of
from tourney.actions import rehearsal, stores
from tourney.models import Event, Store
from tourney.queries import finding_stores
from tourney.queries.finding_stores import PART, stores_found

pytestmark = pytest.mark.django_db

MANY = 10_000


def make(name: str, place: str = "") -> Store:
    return stores.make_store(name=name, place=place, time_zone="UTC", by=BY)


def names_at(client: Client, query: str = "", **headers: str) -> list[str]:
    page = client.get(f"/{query}", headers=headers)
    assert page.status_code == 200
    return [line.store.name for line in page.context["found"].lines]


@pytest.fixture
def some(client: Client) -> Client:
    for name, place in [("Zoë’s Café", "Łódź"), ("Ägir Games", "Köln"), ("Bolt & Sons", "Leeds"), ("bolt", "")]:
        make(name, place)
    return client


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["Ägir Games", "bolt", "Bolt & Sons", "Zoë’s Café"]),
        ("agir", ["Ägir Games"]),
        ("KOLN", ["Ägir Games"]),
        ("lodz", ["Zoë’s Café"]),
        ("zoes cafe", ["Zoë’s Café"]),
        ("cafe zoe", ["Zoë’s Café"]),
        ("Bolt Lee", ["Bolt & Sons"]),
        ("bolt", ["bolt", "Bolt & Sons"]),
        ("olt", []),
        ("nowhere", []),
        ("&", []),
    ],
)
def test_a_store_is_found_by_the_beginnings_of_words_of_its_name_and_town(some, text, found):
    assert [line.store.name for line in stores_found(text, 0, timezone.now()).lines] == found


@pytest.mark.parametrize(
    "text", ["'", "' | 'a", "\\", "a:*&!b", "%", "\0", "\u202e", "x" * 5000, "a " * 500, "ﷺ" * 80, "<b>", "('"]
)
def test_whatever_is_typed_there_is_a_page(some, text):
    page = some.get("/", {"q": text})

    assert page.status_code == 200 or (text == "\0" and page.status_code == 400)
    assert "<b>”" not in page.text


@pytest.mark.parametrize("after", ["x", "-1", "9" * 30, "²", "999999999"])
def test_whatever_part_is_asked_for_the_list_is_there(some, after):
    assert some.get("/", {"after": after}, follow=True).context["found"].lines


def test_a_new_name_and_town_are_what_finds_it(some):
    store = Store.objects.get(name="bolt")

    stores.change_store(store, name="Lantern", place="Oslo", by=BY)

    assert [line.store.name for line in stores_found("oslo lantern", 0, timezone.now()).lines] == ["Lantern"]
    assert [line.store.name for line in stores_found("bolt", 0, timezone.now()).lines] == ["Bolt & Sons"]


def test_beside_each_is_its_next_event_by_its_own_clock(client):
    night = make_night(players=2)
    make("Deck Twelve")
    at = timezone.now().replace(minute=15) + timedelta(days=3)
    Event.objects.update(starts_at=at)

    page = client.get("/")

    by_name = {line.store.name: line.next_at for line in page.context["found"].lines}
    assert by_name == {
        night.store.name: at.astimezone(ZoneInfo("Europe/Berlin")).replace(tzinfo=None),
        "Deck Twelve": None,
    }
    assert "Next event: " in html_of(page)
    assert "No event planned" in html_of(page)


@pytest.mark.parametrize("change", ["canceled_at", "deleted_at", "finished_at"])
def test_an_event_that_nobody_plays_is_no_next_one(client, change):
    make_night(players=2)
    make("Deck Twelve")
    Event.objects.update(starts_at=timezone.now() + timedelta(days=3), **{change: timezone.now()})

    assert [line.next_at for line in client.get("/").context["found"].lines] == [None, None]


def test_the_list_comes_in_parts_and_every_store_once(client):
    Store.objects.bulk_create(Store(slug=f"s{one}", name=f"Same {one % 3}") for one in range(2 * PART + 5))
    seen, after = [], 0
    while True:
        part = stores_found("", after, timezone.now())
        seen.append([line.store.pk for line in part.lines])
        if not (after := part.after):
            break

    assert [len(part) for part in seen] == [PART, PART, 5]
    assert len({pk for part in seen for pk in part}) == 2 * PART + 5


def test_more_of_them_come_below_where_a_script_asks_and_as_a_page_of_their_own_without(client):
    Store.objects.bulk_create(Store(slug=f"s{one}", name=f"Store {one:02}") for one in range(PART + 1))
    first = client.get("/?q=store")
    more = f"/?q=store&after={first.context['found'].after}"

    part = client.get(more, headers={"HX-Request": "true", "HX-Target": "more"}).text
    page = client.get(more)

    assert f'href="{more[1:].replace("&", "&amp;")}"' in first.text
    assert "Store 20" in part
    assert "<h1" not in part
    assert "Back to the first stores" in page.text
    assert names_at(client, more[1:]) == ["Store 20"]


def test_nothing_found_says_what_was_looked_for(some):
    page = html_of(some.get("/", {"q": "nowhere <b>"}))

    assert "No store called “nowhere &lt;b&gt;”" in page


def test_a_rehearsal_is_no_store_to_find(client):
    night = make_night(players=4)
    make("Deck Twelve")
    rehearsal.begin(night.event, rehearsal.RehearsalPlan(made_up=0), by=BY, seed=1)

    assert names_at(client) == ["Deck Twelve", night.store.name]


def test_a_link_to_another_store_is_there_only_where_that_is_possible(some, settings):
    said = {}
    for settings.STORES in ("closed", "ask", "open"):
        said[settings.STORES] = "/new-store/" in some.get("/").text

    assert said == {"closed": False, "ask": True, "open": True}


@pytest.mark.parametrize(
    ("query", "index"),
    [("", "stores_in_order"), ("zanzi", "stores_by_words"), ("s77 zanzi", "stores_by_words")],
)
def test_among_ten_thousand_stores_a_part_reads_what_it_shows(query, index):
    make_store()
    Store.objects.bulk_create(
        Store(slug=f"s{one}", name=f"Store {one} of s{one % 97}", place="Zanzibar" if one % 500 == 7 else f"Town {one}")
        for one in range(MANY)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tourney_store")
        wanted = " & ".join(f"'{word}':*" for word in query.split())
        statement = finding_stores.MATCHING if query else finding_stores.FOUND
        cursor.execute(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}",
            {"words": "", "after": 0, "most": PART + 1, "wanted": wanted},
        )
        plan = cursor.fetchone()[0][0]["Plan"]

    nodes = list(nodes_of(plan))
    assert index in {node.get("Index Name") for node in nodes}
    assert "Seq Scan" not in {node["Node Type"] for node in nodes}
    assert max(node["Actual Rows"] for node in nodes) <= 10 * PART


def nodes_of(plan: dict):
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes_of(child)


def test_a_part_of_any_list_takes_as_many_queries(some, django_assert_num_queries):
    after = stores_found("", 0, timezone.now()).lines[0].store.pk
    with django_assert_num_queries(2):
        stores_found("bolt", 0, timezone.now())
    with django_assert_num_queries(3):
        stores_found("", after, timezone.now())
