"""All players of a store: search, two who are one, and somebody who wants to be erased."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.pages.test_me import text_of
from tests.support.built_fleets import bring
from tests.support.nights import BY, Night, make_night, make_store
from tourney.actions import entrants, player_cards, store_players
from tourney.models import Event, Player, PlayerMerge

pytestmark = pytest.mark.django_db


def two_nights() -> tuple[Night, Night]:
    """Vor came in the first month, "Vor K." in the second; Éclair in both."""
    first = make_night(players=0)
    second = make_night(players=0, store=first.store)
    for night, name in ((first, "Vor"), (second, "Vor K.")):
        entrants.register(night.event, [(name, "Klingon"), ("Éclair", "Klingon")], by=BY)
    return first, second


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def signed_in(night: Night, role: str = "organizer") -> Client:
    client = Client()
    client.force_login(getattr(night, role))
    return client


def url(night: Night, name: str = "store_players", *args) -> str:
    return reverse(name, args=[night.store.slug, *args])


# the list


def test_everybody_is_listed_with_events_and_card():
    night, _ = two_nights()
    player_cards.issue(player("Vor"), by=BY)

    text = text_of(signed_in(night).get(url(night)))

    assert "3 players" in text
    assert "Éclair 2 events, last on 20 Nov 2026 Merge" in text
    assert "Vor 1 event, last on 20 Nov 2026 · has a card Merge" in text
    assert "Vor K. 1 event, last on 20 Nov 2026 Merge" in text


def test_with_htmx_the_found_players_come_alone():
    night, _ = two_nights()
    asked = {"HX-Request": "true", "HX-Target": "found"}
    part = signed_in(night).get(url(night), {"q": "vor"}, headers=asked)

    assert part.content.decode().strip().startswith('<section id="found"')
    assert "2 found Vor" in text_of(part)
    assert "Merge duplicates here" not in text_of(part)


@pytest.mark.parametrize(
    ("typed", "found"),
    [("eclair", "1 found Éclair"), ("VOR", "2 found Vor"), ("nobody", "No player called “nobody”")],
)
def test_the_search_needs_no_capitals_and_no_accents(typed, found):
    night, _ = two_nights()

    assert found in text_of(signed_in(night).get(url(night), {"q": typed}))


def test_a_player_is_found_by_the_older_name_too():
    night, _ = two_nights()
    store_players.merge(player("Vor"), player("Vor K."), by=BY)

    assert "1 found Vor 2 events" in text_of(signed_in(night).get(url(night), {"q": "vor k"}))


def test_the_list_is_sorted_by_links_that_keep_the_search():
    first, second = two_nights()
    Event.objects.filter(pk=second.event.pk).update(starts_at=second.event.starts_at + timedelta(days=28))
    Player.objects.create(store=first.store, name="Ark")
    client = signed_in(first)

    def sorted_by(**query: str) -> list[str]:
        return [one.name for one in client.get(url(first), query).context["page"]]

    assert sorted_by() == sorted_by(sort="nonsense") == ["Ark", "Éclair", "Vor", "Vor K."]
    assert sorted_by(sort="last") == ["Éclair", "Vor K.", "Vor", "Ark"]
    assert sorted_by(sort="events") == ["Éclair", "Vor", "Vor K.", "Ark"]
    assert sorted_by(sort="last", q="vor") == ["Vor K.", "Vor"]
    page = client.get(url(first), {"sort": "last", "q": "vor"}).text
    assert 'href="?q=vor&amp;sort=events"' in page
    assert re.search(r'href="\?q=vor&amp;sort=last"\s+aria-current="true"', page)
    assert '<input type="hidden" name="sort" value="last">' in page


def test_only_owners_are_offered_to_forget_somebody():
    night, _ = two_nights()

    pages = [signed_in(night, role).get(url(night)).content.decode() for role in ("organizer", "owner")]

    assert [page.count("/forget/") for page in pages] == [0, 3]


def test_a_long_list_asks_as_much_as_a_short_one_and_has_pages():
    night, _ = two_nights()
    client = signed_in(night)
    counts = []
    for new in (0, 150):
        Player.objects.bulk_create(Player(store=night.store, name=f"Cadet {number:03}") for number in range(new))
        client.get(url(night))
        with CaptureQueriesContext(connection) as queries:
            page = client.get(url(night))
        counts.append(len(queries))

    assert counts[0] == counts[1]
    assert "Page 1 of 2" in text_of(page)
    assert "Vor K." in text_of(client.get(url(night), {"page": 2}))


# two who are one


def test_the_preview_says_what_would_happen_and_changes_nothing():
    night, second = two_nights()
    bring(second.event, 1)
    player_cards.issue(player("Vor K."), by=BY)
    path = url(night, "merge_players", player("Vor").pk)

    text = text_of(signed_in(night).get(path, {"other": player("Vor K.").pk}))

    assert "Vor K. becomes Vor New name Vor. Registering as Vor K. will also find Vor." in text
    assert f"Events moved {second.event.name}, 20 Nov 2026 Fleets moved Vanguard" in text
    assert "Phones The card keeps working, as Vor. Merge players Keep the name Vor K. instead" in text
    assert not PlayerMerge.objects.exists()


def test_two_are_merged_and_the_list_offers_to_undo_it():
    night, second = two_nights()
    client = signed_in(night)

    answer = client.post(url(night, "merge_players", player("Vor").pk), {"other": player("Vor K.").pk})

    assert answer.headers["Location"] == url(night)
    text = text_of(client.get(answer.url))
    assert "Vor K. is now merged into Vor. You can undo it below." in text
    assert "2 players" in text
    assert "Merged Vor K. is now Vor since" in text
    undone = client.post(url(night, "undo_merge", PlayerMerge.objects.get().pk))
    assert "Vor K. and Vor are two players again." in text_of(client.get(undone.url))
    assert [str(entrant) for entrant in second.event.entrants.all()] == ["Vor K.", "Éclair"]


def test_two_who_were_at_one_event_cannot_be_merged():
    night, _ = two_nights()
    path, form = url(night, "merge_players", player("Vor").pk), {"other": player("Éclair").pk}
    client = signed_in(night)

    preview, tried = client.get(path, form), client.post(path, form)

    assert "so they are two people and can’t be merged:" in text_of(preview)
    assert "Merge players" not in text_of(preview)
    assert tried.status_code == 409
    assert f"Vor and Éclair both played in {night.event}, so they are two people." in text_of(tried)


def test_a_merge_that_cannot_be_undone_yet_says_why():
    night, _ = two_nights()
    third = Player.objects.create(store=night.store, name="V. K.")
    row = store_players.merge(player("Vor K."), third, by=BY)
    store_players.merge(player("Vor"), player("Vor K."), by=BY)

    answer = signed_in(night).post(url(night, "undo_merge", row.pk))

    assert answer.status_code == 409
    assert "Vor K. was later merged into Vor. Undo that first." in text_of(answer)


@pytest.mark.parametrize("other", ["", "x", "0", "9" * 30])
def test_a_name_that_is_not_there_comes_back_as_a_form(other):
    night, _ = two_nights()
    path = url(night, "merge_players", player("Vor").pk)
    client = signed_in(night)

    answers = client.get(path, {"other": other}), client.post(path, {"other": other})

    assert [answer.status_code for answer in answers] == [422, 422]


def test_nobody_of_another_store_is_offered_or_merged():
    night, _ = two_nights()
    store, _ = make_store("Deck Twelve")
    stranger = Player.objects.create(store=store, name="Stranger")
    client = signed_in(night)
    path = url(night, "merge_players", player("Vor").pk)

    assert "Stranger" not in client.get(path).content.decode()
    assert client.post(path, {"other": stranger.pk}).status_code == 422
    assert client.get(url(night, "merge_players", stranger.pk)).status_code == 404


# forgetting


def test_an_owner_forgets_a_player_who_has_no_phone():
    night, _ = two_nights()
    vor, client = player("Vor"), signed_in(night, "owner")
    path = url(night, "erase_player", vor.pk)

    wrong, done = client.post(path, {"name": "Vor K."}), client.post(path, {"name": "vor"})

    assert wrong.status_code == 422
    assert "That’s not the name. Type Vor." in text_of(wrong)
    vor.refresh_from_db()
    text = text_of(client.get(done.url))
    assert f"Personal data erased. The player now appears as “{vor.name}”." in text
    assert f"{vor.name} Personal data erased · no events" in text
    assert client.get(path).status_code == 404


def test_the_page_of_a_player_at_the_desk_leads_to_both():
    night, _ = two_nights()
    path = reverse("player", args=[night.event.slug, 1])

    pages = [signed_in(night, role).get(path).content.decode() for role in ("judge", "organizer", "owner")]

    assert [("/merge/" in page, "/forget/" in page) for page in pages] == [(False, False), (True, False), (True, True)]


def test_an_erased_player_gets_no_card_at_the_desk():
    night = make_night(players=4, open_round=True)
    store_players.erase(night.event.entrants.get(number=1).player, by=BY)

    answer = signed_in(night).post(reverse("player_card", args=[night.event.slug, 1]))

    assert (answer.status_code, "’s personal data is erased, so no card can be issued." in text_of(answer)) == (
        409,
        True,
    )
