"""Search everywhere: what is found, what comes first, and that nobody finds what they may not open."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, Night, make_night, make_store, now
from tests.support.reading import asked
from tests.support.tables import names_at
from tourney.actions import entrants, rehearsal, rounds
from tourney.judge.actions import house_rulings
from tourney.models import Player
from tourney.queries.state import state_of
from tourney.search.domain import found, table_number

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return make_night(players=16, rounds=1, open_round=True)


def signed_in(night: Night, role: str = "owner") -> Client:
    client = Client()
    client.force_login(getattr(night, role))
    return client


def at_desk(night: Night, text: str, role: str = "owner", **more: str):
    return signed_in(night, role).get(reverse("desk_search", args=[night.event.slug]), {"q": text, **more})


def at_store(night: Night, text: str, role: str = "owner"):
    return signed_in(night, role).get(reverse("store_search", args=[night.store.slug]), {"q": text})


def groups(response) -> dict[str, list[str]]:
    return {str(group.title): [str(hit.title) for hit in group.hits] for group in response.context["groups"]}


def links(response) -> Iterator[str]:
    return (hit.url for group in response.context["groups"] for hit in group.hits)


@pytest.mark.parametrize("text", ["7", "#7", "table 7", "Table 7", "t 7", "  table   7 "])
def test_a_number_is_the_table_and_comes_first(night, text: str):
    response = at_desk(night, text)
    first = response.context["groups"][0]

    assert (str(first.title), [str(hit.title) for hit in first.hits]) == ("Tables", ["Table 7"])
    assert str(first.hits[0].note) == "{} against {}".format(*names_at(night.event, 7, 2))
    assert first.hits[0].url == reverse("result", args=[night.event.slug, 2, 7])


def test_a_table_is_found_by_what_the_readers_language_calls_it(night):
    client = signed_in(night)
    client.cookies["language"] = "de"

    response = client.get(reverse("desk_search", args=[night.event.slug]), {"q": "Tisch 7"})

    assert response.context["groups"][0].hits[0].url == reverse("result", args=[night.event.slug, 2, 7])


@pytest.mark.parametrize("text", ["99", "007 ", "7th", "seven", "table", "0"])
def test_what_is_no_table_here_finds_none(night, text: str):
    assert ("Tables" in groups(at_desk(night, text))) == (text == "007 ")


def test_a_table_of_a_draft_leads_to_the_draft():
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)

    assert next(links(at_desk(night, "1"))) == reverse("round", args=[night.event.slug, 1])


def test_players_of_the_event_come_before_those_of_the_store_with_their_table(night):
    entrant = night.event.entrants.select_related("player").get(number=3)
    name = entrant.player.name
    Player.objects.create(store=night.store, name=f"{name} the Younger")

    response = at_desk(night, name[:4].upper())

    titles = [*groups(response)]
    assert titles.index("Players at this event") < titles.index("Players of the store")
    hit = next(group for group in response.context["groups"] if str(group.title) == "Players at this event").hits[0]
    table = state_of(night.event).round(2).match_of(3).table
    assert (hit.title, str(hit.note)) == (name, f"Table {table}")
    assert hit.url == reverse("player", args=[night.event.slug, 3])
    assert groups(response)["Players of the store"] == [name, f"{name} the Younger"]


def test_a_page_is_found_by_its_name_in_the_language_of_the_reader(night):
    client = signed_in(night)
    page = reverse("print_centre", args=[night.event.slug])

    english = client.get(reverse("desk_search", args=[night.event.slug]), {"q": "prin"})
    client.cookies["language"] = "de"
    german = client.get(reverse("desk_search", args=[night.event.slug]), {"q": "druck"})

    assert page in links(english)
    assert page in links(german)


@pytest.mark.parametrize("text", ["results", "settings", "print", "awards", "journal", "history", "round 1", "screens"])
def test_the_pages_of_the_desk_are_found_by_name(night, text: str):
    assert groups(at_desk(night, text))["Pages of this event"]


@pytest.mark.parametrize("role", ["judge", "organizer", "owner"])
def test_whatever_is_found_may_be_opened(night, role: str):
    client = signed_in(night, role)
    pages = {url.partition("#")[0] for letter in "acehjloprst" for url in links(at_desk(night, letter, role))}

    assert len(pages) > 20
    assert {page for page in pages if client.get(page).status_code != 200} == set()


def test_a_judge_finds_neither_the_stores_players_nor_the_pages_of_owners(night):
    name = night.event.entrants.get(number=1).player.name

    assert "Players of the store" not in groups(at_desk(night, name, "judge"))
    assert "Pages of the store" not in groups(at_desk(night, "staff", "judge"))
    assert groups(at_desk(night, "staff", "owner"))["Pages of the store"] == ["Staff"]
    assert "Pages of the store" not in groups(at_store(night, "settings", "organizer"))


def test_another_store_is_not_searched(night):
    other, _ = make_store("Deck Twelve")
    Player.objects.create(store=other, name="Zephyrine")
    house_rulings.add(other, by=BY, topic="Zephyrine", text="Stays elsewhere.")

    assert groups(at_store(night, "zephyrine")) == {}


def test_events_and_rulings_of_the_store_and_the_publisher_are_found(night):
    house_rulings.add(night.store, by=BY, topic="Late arrivals", text="They play with the time that is left.")

    assert night.event.name in groups(at_store(night, "last battle"))["Events"]
    assert groups(at_store(night, "late arrivals"))["Rulings"][0] == "Late arrivals"
    (first, *_) = [url for url in links(at_store(night, "cloak")) if "/rulings/" in url]
    assert signed_in(night).get(first.partition("#")[0]).text.count(f'id="{first.partition("#")[2]}"') == 1


def test_names_that_players_had_before_a_merge_lead_to_who_they_are(night):
    kept = Player.objects.create(store=night.store, name="Zephyrine")
    Player.objects.create(store=night.store, name="Zephyr", merged_into=kept)

    assert [*links(at_store(night, "zephyr"))] == [reverse("store_player", args=[night.store.slug, kept.pk])]


def test_capitals_and_accents_do_not_matter(night):
    Player.objects.create(store=night.store, name="Zoë Ångström")

    assert groups(at_store(night, "ZOE ANG"))["Players of the store"] == ["Zoë Ångström"]


def test_many_are_cut_off_with_the_way_to_all_of_them(night):
    Player.objects.bulk_create(Player(store=night.store, name=f"Ensign {number}") for number in range(30))

    page = at_store(night, "ensign")

    assert len(groups(page)["Players of the store"]) == 8
    assert f'href="{reverse("store_players", args=[night.store.slug])}?q=ensign"' in page.text


@pytest.mark.parametrize("text", ["x" * 5000, "' OR 1=1 --", "%", "<script>", "\N{NULL}7".replace("\N{NULL}", "")])
def test_any_text_is_answered_within_bounds(night, text: str):
    response = at_desk(night, text)

    assert response.status_code == 200
    assert len(response.context["text"]) <= 60
    assert '<script>"' not in response.text


def test_enter_in_the_dialog_goes_to_the_first_hit_and_without_one_to_the_page(night):
    assert at_desk(night, "7", go="1")["Location"] == reverse("result", args=[night.event.slug, 2, 7])
    assert "Nothing found for “qqq”" in at_desk(night, "qqq", go="1").text


def test_htmx_gets_the_hits_alone(night):
    client, page = signed_in(night), reverse("desk_search", args=[night.event.slug])
    asked_by = {"HX-Request": "true", "HX-Target": "found"}

    part = client.get(page, {"q": "7", "go": "1"}, headers=asked_by)

    assert part.text.lstrip().startswith('<div class="search-found" id="found">')
    assert "<html" not in part.text
    assert 'hx-swap-oob="innerHTML"' in part.text


def test_every_page_of_who_runs_the_store_links_the_search_and_no_page_of_a_player_does(night):
    client, stranger = signed_in(night, "judge"), Client()
    desk, store = (reverse(name, args=[slug]) for name, slug in searches(night))

    assert f'href="{desk}"' in client.get(reverse("journal", args=[night.event.slug])).text
    assert f'href="{store}"' in client.get(reverse("store_home", args=[night.store.slug])).text
    assert f'href="{store}"' in client.get(reverse("store_rulings", args=[night.store.slug])).text
    for name in ("store_home", "store_rulings"):
        assert "keys.js" not in stranger.get(reverse(name, args=[night.store.slug])).text
    for name in ("event", "standings"):
        assert f'href="{desk}"' in client.get(reverse(name, args=[night.event.slug])).text
        assert "keys.js" not in stranger.get(reverse(name, args=[night.event.slug])).text


def searches(night: Night) -> tuple[tuple[str, str], ...]:
    return ("desk_search", night.event.slug), ("store_search", night.store.slug)


def test_in_a_rehearsal_nothing_of_its_store_is_found():
    night = make_night(players=4)
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0), by=now(), seed=1)

    response = signed_in(night).get(reverse("desk_search", args=[copy.slug]), {"q": "s"})

    assert "Pages of this event" in groups(response)
    assert not {"Pages of the store", "Players of the store", "Events"} & {*groups(response)}


def test_it_asks_the_database_as_often_for_many_as_for_few_and_always_by_an_index():
    few, many = make_night(players=4, rounds=1), make_night(players=24, rounds=1, store=make_store("Deck Twelve")[0])
    entrants.register(many.event, [(f"Ensign {number}", "") for number in range(40)], by=BY)
    many.owner = few.owner
    counts = []
    for night in (few, many):
        client = Client()
        client.force_login(night.store.memberships.get(role="owner").user)
        page = reverse("desk_search", args=[night.event.slug])
        client.get(page, {"q": "e"})
        with asked() as statements:
            client.get(page, {"q": "e"})
        counts.append(len(statements))

    assert counts[0] == counts[1] <= 8


@pytest.mark.parametrize(
    ("text", "expected"), [("7", 7), ("#12", 12), ("t7", 7), ("table 7", 7), ("tab 1000", None), ("x7", None)]
)
def test_the_number_of_a_table(text: str, expected: int | None):
    assert table_number(text, "Table") == expected


def test_beginnings_come_before_later_words_and_those_before_the_inside_of_words():
    names = ["Ravor", "Ensign Vor", "Vorik", "Nine"]

    assert found(names, "vor", lambda name: [name]) == ["Vorik", "Ensign Vor", "Ravor"]
    assert found(names, "vo", lambda name: [name]) == ["Vorik", "Ensign Vor"]
    assert found(names, "", lambda name: [name]) == []
