"""The judge's desk: everybody reads the rulings; the store's own stand beside them, written by those who organize."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.pages.test_me import phone
from tests.support.nights import BY, make_night, make_store
from tourney import access
from tourney.actions import player_cards, store_players
from tourney.judge.actions import house_rulings
from tourney.judge.queries.published import published
from tourney.models import Event, HouseRuling, JournalEntry, Player, Store

pytestmark = pytest.mark.django_db

PUBLISHED = [one.number for section in published() for one in section.rulings]
TYPED = {"topic": "Mines at the edge", "text": "They may hang over\nthe edge.", "beside": "a42"}


@pytest.fixture
def store() -> Store:
    return make_store()[0]


@pytest.fixture
def organizer(client: Client) -> tuple[Client, Store]:
    store, users = make_store()
    client.force_login(users["organizer"])
    return client, store


def numbers(response, *, shown_only: bool = False) -> list[str]:
    """The rulings in the order in which the page has them; or those of them that it shows."""
    text = shown_part(response) if shown_only else response.text
    return re.findall(r'<li class="ruling[^"]*"\s+id="(\w+)"', text)


def shown_part(response) -> str:
    return re.sub(r"(?s)<section\b[^>]*\bhidden\b.*?</section>", "", response.text)


def words(response) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", "", response.text)).split())


def test_everybody_reads_every_ruling_and_each_has_an_address(client):
    page = client.get("/judge/rulings/")

    assert page.status_code == 200
    assert numbers(page) == numbers(page, shown_only=True) == PUBLISHED
    assert page.text.count('href="#A23a"') == 1


def test_the_page_asks_the_database_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get("/judge/rulings/?q=mines&tag=mines")


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("?q=hikaru", ["ST3"]),
        ("?q=range&tag=mines", ["A42"]),
        ("?tag=stealing", ["A29", "A32", "A33"]),
        ("?q=no+such+word", []),
        ("?tag=no+such+topic", []),
        ("?q=%00", PUBLISHED),
    ],
)
def test_without_a_script_the_address_searches_and_every_ruling_is_still_on_the_page(client, query, shown):
    page = client.get(f"/judge/rulings/{query}")

    assert numbers(page, shown_only=True) == shown
    assert sorted(numbers(page)) == sorted(PUBLISHED)
    assert ("No rulings found" in shown_part(page)) == (not shown)


def test_what_was_searched_for_is_marked_and_stays_in_the_field(client):
    page = client.get('/judge/rulings/?q="hika').text

    assert "station’s Agility itself, <mark>Hika</mark>ru Sulu included." in page
    assert 'value="&quot;hika"' in page


def test_what_people_wrote_is_text_also_where_it_is_marked(client, store):
    house_rulings.add(store, by=BY, topic="<b>Bold</b>", text="<script>alert(1)</script>")
    page = client.get(reverse("store_rulings", args=[store.slug]), {"q": "script <b"}).text

    assert "&lt;<mark>script</mark>&gt;alert(1)&lt;/<mark>script</mark>&gt;" in page
    assert "&lt;<mark>b</mark>&gt;<mark>B</mark>old&lt;/<mark>b</mark>&gt;" in page


def test_the_judges_desk_leads_to_the_rulings_of_the_store(client, store):
    assert 'href="/judge/rulings/"' in client.get("/judge/").text
    assert f'href="/s/{store.slug}/judge/rulings/"' in client.get(f"/s/{store.slug}/judge/").text
    assert f'href="/s/{store.slug}/judge/"' in client.get(store.get_absolute_url()).text


def test_a_house_ruling_stands_beside_the_published_one_and_is_marked(organizer):
    client, store = organizer
    url = reverse("store_rulings", args=[store.slug])
    house_rulings.add(store, by=BY, topic="Late", text="Ten minutes.")
    answer = client.post(reverse("new_house_ruling", args=[store.slug]), TYPED)
    page = Client().get(url)
    shown = numbers(page)

    assert (answer.status_code, answer.headers["Location"]) == (302, url)
    assert shown[0] == "H1"
    assert shown[shown.index("A42") + 1] == "H2"
    assert "House ruling Starbase Games, on A42 · This store’s events mines, arcs" in words(page)
    assert page.text.count('class="badge badge-by-hand"') == 2
    assert numbers(Client().get(url, {"tag": "house rulings"}), shown_only=True) == ["H1", "H2"]
    assert numbers(Client().get("/judge/rulings/")) == PUBLISHED


def test_a_house_ruling_of_another_store_is_not_shown(client, store):
    house_rulings.add(make_store("Deck Twelve")[0], by=BY, topic="Late", text="Ten minutes.")

    assert numbers(client.get(reverse("store_rulings", args=[store.slug]))) == PUBLISHED


def test_rulings_lead_back_to_the_card_of_the_phone(client):
    night = make_night(players=2, open_round=True)
    rules, card = reverse("store_rulings", args=[night.store.slug]), reverse("me", args=[night.event.slug])
    mine = phone(night, 1)
    Event.objects.update(starts_at=timezone.now())

    assert "Back to my card" not in client.get(rules).text
    assert re.search(rf'href="{card}">\s*<span aria-hidden="true">←</span> Back to my card', mine.get(rules).text)
    Event.objects.update(starts_at=timezone.now() + timedelta(days=9))
    assert re.search(rf'href="{reverse("my_card", args=[night.store.slug])}">\s*<span', mine.get(rules).text)


def test_only_who_organizes_is_offered_to_write(organizer):
    client, store = organizer
    house_rulings.add(store, by=BY, topic="Late", text="Ten minutes.")
    url = reverse("store_rulings", args=[store.slug])
    ways = [reverse("new_house_ruling", args=[store.slug]), reverse("house_ruling", args=[store.slug, 1])]

    assert [[f'href="{way}"' in one.get(url).text for way in ways] for one in (client, Client())] == [
        [True, True],
        [False, False],
    ]


def test_a_house_ruling_is_changed_and_removed_and_the_journal_keeps_it(organizer):
    client, store = organizer
    house_rulings.add(store, by=BY, topic="Late", text="Ten minutes.")
    edit = reverse("house_ruling", args=[store.slug, 1])

    assert 'value="Late"' in client.get(edit).text
    client.post(edit, TYPED)
    client.post(edit, TYPED)
    changed = HouseRuling.objects.values_list("number", "topic", "text", "beside").get()
    client.post(reverse("remove_house_ruling", args=[store.slug, 1]))

    before = facts("Late", "Ten minutes.")
    after = {"topic": "Mines at the edge", "text": "They may hang over the edge.", "beside": "A42"}
    assert changed == (1, *after.values())
    assert not HouseRuling.objects.exists()
    assert [
        *JournalEntry.objects.filter(did__endswith="house_ruling").values_list("did", "what", "before", "after")
    ] == [
        ("add_house_ruling", "House ruling H1 added: Late.", None, before),
        ("change_house_ruling", "House ruling H1 changed.", before, after),
        ("remove_house_ruling", "House ruling H1 removed.", after, None),
    ]


def facts(topic: str, text: str, beside: str = "") -> dict:
    return {"topic": topic, "text": text, "beside": beside}


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ({"topic": ""}, "Enter a topic in a few words."),
        ({"text": " "}, "Enter the ruling."),
        ({"text": "x" * 501}, "Ensure this value has at most 500 characters (it has 501)."),
        ({"beside": "A99"}, "There is no ruling A99. Enter a number from the list, like A27."),
    ],
)
@pytest.mark.parametrize("is_new", [True, False])
def test_what_does_not_fit_is_said_and_nothing_typed_is_lost(organizer, typed, complaint, is_new):
    client, store = organizer
    house_rulings.add(store, by=BY, topic="Late", text="Ten minutes.")
    url = reverse("new_house_ruling", args=[store.slug]) if is_new else reverse("house_ruling", args=[store.slug, 1])
    answer = client.post(url, TYPED | typed)

    assert answer.status_code == 422
    assert complaint in words(answer)
    assert answer.context["form"].data.dict() == TYPED | typed
    assert [*HouseRuling.objects.values_list("topic", "text")] == [("Late", "Ten minutes.")]


def test_a_name_in_a_house_ruling_is_shortened_for_the_public_and_goes_with_the_player(client, store):
    kestrel, vor = (Player.objects.create(store=store, name=name) for name in ("Kestrel Zark", "Vor Zark"))
    Store.objects.update(names_shown="initial")
    house_rulings.add(store, by=BY, topic="After Kestrel Zark", text="As in the game of Kestrel Zark and Vor Zark.")
    url = reverse("store_rulings", args=[store.slug])

    assert "As in the game of Kestrel Z. and Vor Z." in words(client.get(url))
    client.cookies[access.card_cookie(store)] = player_cards.issue(vor, by=BY)
    assert "As in the game of Kestrel Z. and Vor Zark." in words(client.get(url))
    mark = store_players.erase(kestrel, by=BY)
    assert [*HouseRuling.objects.values_list("topic", "text")] == [
        (f"After {mark}", f"As in the game of {mark} and Vor Zark.")
    ]


def test_a_phone_can_take_the_whole_book(client):
    assert max(len(client.get("/judge/rulings/", {"q": words}).content) for words in ("", "mine")) < 100_000


@pytest.mark.parametrize(("who", "label", "to"), [("", "event", "event"), ("judge", "desk", "desk")])
def test_the_rules_lead_back_to_the_event_they_were_opened_from(client, who, label, to):
    night = make_night(players=2, open_round=True)
    slug, store = night.event.slug, night.store.slug
    if who:
        client.force_login(night.judge)
    link = f"{reverse('store_judge', args=[store])}?event={slug}"
    assert f'href="{link}"' in client.get(reverse(to, args=[slug])).text

    back = rf'href="{reverse(to, args=[slug])}">\s*<span aria-hidden="true">←</span> Back to the {label}'
    for name in ("store_judge", "store_rulings", "store_dice"):
        seen = client.get(reverse(name, args=[store]), {"event": slug}).text
        assert re.search(back, seen)
        assert f"{reverse('store_rule_of_3', args=[store])}?event={slug}" in seen
    for wrong in ("", "nothing", "\0", "é"):
        assert "Back to the" not in client.get(reverse("store_judge", args=[store]), {"event": wrong}).text
