"""The Talon classes of a store: its desk saves them, everybody at the store chooses them."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages.test_talon_power import links, text_of
from tests.support.nights import BY, make_store
from tourney import access
from tourney.actions import player_cards, store_players
from tourney.judge.actions import talon_classes
from tourney.models import JournalEntry, NamesShown, Player, Role, Store, TalonClass

pytestmark = pytest.mark.django_db

TYPED = {"name": "Kestrel class", "curves": "512 323, 1/3/4"}
KEPT = {"name": "Kestrel class", "curves": "5-1-2 3-2-3 1-3-4"}


@pytest.fixture
def store() -> Store:
    return make_store()[0]


@pytest.fixture(params=[Role.OWNER, Role.ORGANIZER, Role.JUDGE])
def desk(request, client: Client) -> tuple[Client, Store]:
    store, users = make_store()
    client.force_login(users[request.param])
    return client, store


def at(name: str, store: Store, *more) -> str:
    return reverse(name, args=[store.slug, *more])


def test_the_desk_saves_a_class_and_everybody_at_the_store_chooses_it(desk):
    client, store = desk
    answer = client.post(at("new_talon_class", store), TYPED)
    page = Client().get(at("store_talon_power", store))

    assert (answer.status_code, answer.headers["Location"]) == (302, at("store_talon_power", store))
    assert TalonClass.objects.values("name", "curves").get() == KEPT
    assert 'href="?name=Kestrel+class&amp;curves=5-1-2+3-2-3+1-3-4"' in page.text
    chosen = Client().get(at("store_talon_power", store), KEPT | {"speed": "2"})
    assert set(links(chosen)) >= {"do-v1", "do-v2", "do-v3"}


def test_a_class_of_a_store_is_nowhere_else(client, store):
    talon_classes.add(store, by=BY, **KEPT)

    assert "Kestrel class" not in client.get("/judge/talon-power/").text
    assert "Kestrel class" not in client.get(at("store_talon_power", make_store("Deck Twelve")[0])).text


def test_who_saved_it_and_when_stands_on_it_for_the_desk_alone(desk):
    client, store = desk
    talon_classes.add(store, by=BY, **KEPT)
    url, edit = at("store_talon_power", store), at("talon_class", store, 1)

    assert f"{BY.name}, {BY.at:%-d %b %Y}" in text_of(client.get(url))
    assert f"Saved by {BY.name}, " in text_of(client.get(edit))
    assert f'href="{edit}"' in client.get(url).text
    public = Client().get(url)
    assert "Kestrel class" in public.text
    assert f"{BY.name}, " not in text_of(public)
    assert edit not in public.text


def test_what_was_typed_on_the_record_is_offered_to_be_saved(desk):
    client, store = desk
    page = client.get(at("store_talon_power", store), TYPED)
    address = f"{at('new_talon_class', store)}?name=Kestrel+class&amp;curves=512+323%2C+1%2F3%2F4"

    assert f'href="{address}"' in page.text
    form = client.get(at("new_talon_class", store), TYPED)
    assert all(f'value="{value}"' in form.text for value in TYPED.values())


def test_a_class_is_changed_and_removed_and_the_journal_keeps_its_curves(desk):
    client, store = desk
    talon_classes.add(store, by=BY, **KEPT)
    after = {"name": "Kestrel class", "curves": "4-1-2"}

    client.post(at("talon_class", store, 1), after)
    client.post(at("talon_class", store, 1), after)
    changed = TalonClass.objects.values_list("name", "curves").get()
    client.post(at("remove_talon_class", store, 1))

    assert changed == ("Kestrel class", "4-1-2")
    assert not TalonClass.objects.exists()
    entries = JournalEntry.objects.filter(did__endswith="talon_class").order_by("pk")
    assert [*entries.values_list("did", "what", "before", "after")] == [
        ("add_talon_class", "Talon class Kestrel class added.", None, KEPT),
        ("change_talon_class", "Talon class Kestrel class changed.", KEPT, after),
        ("remove_talon_class", "Talon class Kestrel class removed.", after, None),
    ]
    assert [*entries.values_list("said__id", flat=True)] == [
        "Talon class {name} added.",
        "Talon class {name} changed.",
        "Talon class {name} removed.",
    ]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"name": ""}, "Give the class a name."),
        ({"name": "x" * 61}, "Use up to 60 characters for the name."),
        ({"curves": ""}, "Type the curves, such as 4-2-1 3-3-2: Power, Speed, turn radius."),
        ({"curves": "4-2"}, "Type three numbers for each speed, such as 4-2-1: Power, Speed, turn radius."),
        ({"curves": "4-2-1 3-2-2"}, "Speed 2 has two curves. Remove one of them."),
        ({"curves": "7-2-1"}, "7-2-1 doesn’t fit. The impulse chart has Power 0 to 6 and Speed 1 to 6."),
        (
            {"name": "KESTREL CLASS"},
            "Your store already has a class Kestrel class. Choose another name, or edit that class.",
        ),
    ],
)
@pytest.mark.parametrize("is_new", [True, False])
def test_a_class_that_cannot_be_is_refused_in_words_and_nothing_typed_is_lost(client, typed, says, is_new):
    store, users = make_store()
    client.force_login(users[Role.JUDGE])
    talon_classes.add(store, by=BY, **KEPT)
    talon_classes.add(store, by=BY, name="Vor class", curves="4-1-2")
    url = at("new_talon_class", store) if is_new else at("talon_class", store, 2)

    answer = client.post(url, {"name": "Ensign class", "curves": "4-1-1"} | typed)

    assert answer.status_code == 422
    assert says in text_of(answer)
    assert all(f'value="{value}"' in answer.text for value in typed.values() if value)
    assert set(TalonClass.objects.values_list("name", flat=True)) == {"Kestrel class", "Vor class"}


def test_names_of_players_in_a_class_are_shortened_for_the_public_and_go_with_the_player(client, store):
    Store.objects.update(names_shown=NamesShown.INITIAL)
    player = Player.objects.create(store=store, name="Kestrel Zark")
    talon_classes.add(store, by=BY, name="Kestrel Zark’s own", curves="4-1-2")
    url = at("store_talon_power", store)

    assert "Kestrel Z.’s own" in text_of(client.get(url))
    client.cookies[access.card_cookie(store)] = player_cards.issue(player, by=BY)
    assert "Kestrel Zark’s own" in text_of(client.get(url))
    mark = store_players.erase(player, by=BY)
    assert TalonClass.objects.get().name == f"{mark}’s own"


def test_a_record_of_a_store_keeps_its_name_and_its_ways_back(client, store):
    text = client.get(at("store_talon_power", store), {"speed": "3", "play": "v3"}).text

    assert store.name in text_of(client.get(at("store_talon_power", store)))
    for way in ("store_home", "store_judge", "store_rulings", "store_talon_power"):
        assert f'href="{at(way, store)}"' in text
    assert f'href="{at("store_talon_power", store)}"' in client.get(at("store_judge", store)).text
    assert f'action="{at("store_talon_power", store)}"' in text


def test_many_classes_are_read_as_quickly_as_one(client, store, django_assert_num_queries):
    talon_classes.add(store, by=BY, **KEPT)
    client.get(at("store_talon_power", store))
    with django_assert_num_queries(2):
        client.get(at("store_talon_power", store))
    for number in range(5):
        talon_classes.add(store, by=BY, name=f"Class {number}", curves="4-1-2")

    with django_assert_num_queries(2):
        client.get(at("store_talon_power", store))
    with django_assert_num_queries(0):
        client.get("/judge/talon-power/")


def test_a_page_of_a_class_that_was_removed_touches_no_other_class(desk):
    client, store = desk
    gone = talon_classes.add(store, by=BY, **KEPT)
    talon_classes.remove(gone, by=BY)
    other = talon_classes.add(store, by=BY, name="Heron class", curves="3-3-1")

    removed = client.post(at("remove_talon_class", store, gone.number))
    changed = client.post(at("talon_class", store, gone.number), TYPED)

    assert (removed.status_code, changed.status_code) == (404, 409)
    assert "Your entries are still here: save them as a new class." in text_of(changed)
    assert f'value="{TYPED["curves"]}"' in changed.text
    assert f'action="{at("new_talon_class", store)}"' in changed.text
    assert TalonClass.objects.get() == other


def test_a_class_that_was_changed_meanwhile_is_shown_before_it_is_changed_again(desk):
    client, store = desk
    one = talon_classes.add(store, by=BY, **KEPT)
    seen = one.saved_at.isoformat()
    assert seen in client.get(at("talon_class", store, 1)).text
    later = replace(BY, at=BY.at + timedelta(minutes=1))
    talon_classes.change(one, by=later, name="Kestrel class", curves="5-1-2 3-2-3")

    first = client.post(at("talon_class", store, 1), TYPED | {"seen": seen})
    assert first.status_code == 422
    assert f"{BY.name} saved Kestrel class as 5-1-2 3-2-3 while you were editing. Save again" in text_of(first)
    assert later.at.isoformat() in first.text
    again = client.post(at("talon_class", store, 1), TYPED | {"seen": later.at.isoformat()})

    assert again.status_code == 302
    assert TalonClass.objects.values("name", "curves").get() == KEPT
