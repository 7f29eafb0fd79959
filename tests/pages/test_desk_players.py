"""Players at the desk: checked in, and each on a page of their own."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.nights import BY, Night, make_night
from tests.support.players_at_the_desk import messages_of, registered, signed_in, three_waiting, url
from tests.support.saying import html_of
from tourney.actions import entrants, events, rounds
from tourney.models import JournalEntry, Player
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


# check-in


def test_one_tap_checks_a_player_in_and_leads_back_to_the_row(client):
    night = three_waiting()

    response = signed_in(client, night, "judge").post(
        url(night.event, "player", 2), {"do": "check_in", "query": "q=kes&show=waiting"}
    )

    assert response.headers["Location"] == f"{url(night.event)}?q=kes&show=waiting#player-2"
    assert registered(night.event)[1] == ("Kestrel", "", True)


def test_a_tap_gives_the_list_alone_when_htmx_asks(client):
    night = three_waiting()
    asked = {"HX-Request": "true", "HX-Target": "list"}

    response = signed_in(client, night).post(
        url(night.event, "player", 2), {"do": "check_in"}, headers=asked, follow=True
    )
    fragment = client.get(response.redirect_chain[0][0], headers=asked).content.decode()

    assert response.redirect_chain == [(url(night.event), 302)]
    assert fragment.strip().startswith('<div id="list"')
    assert "1 of 3 checked in" in " ".join(fragment.split())


def test_everybody_is_checked_in_at_once(client):
    night = three_waiting()
    signed_in(client, night, "judge")

    first = client.post(url(night.event, "check_in_all"), follow=True)
    again = client.post(url(night.event, "check_in_all"), follow=True)

    assert messages_of(first) == ["3 players checked in."]
    assert messages_of(again) == ["Everyone was already checked in."]
    assert [here for _, _, here in registered(night.event)] == [True, True, True]


def test_the_list_is_filtered_by_name_and_by_state(client):
    night = three_waiting()
    entrants.check_in(night.event, [2], by=BY)
    entrants.drop(night.event, 3, by=BY)
    signed_in(client, night)

    def shown(query: str) -> list[str]:
        listed = client.get(url(night.event) + query).context["listed"]
        return [line.entrant.player.name for part in listed.shown for line in part]

    lacks = {name: not faction for name, faction, _ in registered(night.event)}
    assert shown("") == ["Kestrel", "Vor", "Nine of Ten"]
    assert shown("?q=e") == ["Kestrel", "Nine of Ten"]
    assert shown("?q=NINE") == ["Nine of Ten"]
    assert shown("?show=waiting") == ["Vor"]
    assert shown("?show=present") == ["Kestrel"]
    assert shown("?show=dropped") == ["Nine of Ten"]
    assert shown("?show=no_fleet") == ["Kestrel", "Vor"]
    assert shown("?show=no_faction") == [name for name in ("Kestrel", "Vor") if lacks[name]]
    assert shown("?show=queued") == []
    assert shown("?show=nonsense") == ["Kestrel", "Vor", "Nine of Ten"]


def test_the_list_is_sorted_by_links_that_keep_the_filter(client):
    night = make_night(players=0)
    people = [("Vor", "Klingon"), ("Kestrel", ""), ("Quark", "Ferengi"), ("Talon", "Klingon"), ("Nine of Ten", "Borg")]
    entrants.register(night.event, people, by=BY)
    entrants.check_in(night.event, [1, 3], by=BY)
    entrants.drop(night.event, 5, by=BY)
    signed_in(client, night)

    def sorted_by(query: str) -> list[str]:
        listed = client.get(url(night.event) + query).context["listed"]
        return [line.entrant.player.name for part in listed.shown for line in part]

    assert sorted_by("") == ["Kestrel", "Quark", "Talon", "Vor", "Nine of Ten"]
    assert sorted_by("?sort=faction") == ["Quark", "Talon", "Vor", "Kestrel", "Nine of Ten"]
    assert sorted_by("?sort=order") == ["Vor", "Kestrel", "Quark", "Talon", "Nine of Ten"]
    assert sorted_by("?sort=state") == ["Kestrel", "Talon", "Quark", "Vor", "Nine of Ten"]
    assert sorted_by("?sort=order&show=present") == ["Vor", "Quark"]
    assert sorted_by("?sort=faction&q=a") == ["Quark", "Talon"]
    assert sorted_by("?sort=nonsense") == sorted_by("")

    page = client.get(url(night.event) + "?q=a&show=waiting&sort=state&page=2").text
    links = dict(re.findall(r'id="sort-(\w+)"\s+href="([^"]*)"', page))
    kept = "?q=a&amp;show=waiting"
    assert links == {"name": kept, **{name: f"{kept}&amp;sort={name}" for name in ("faction", "order", "state")}}
    assert re.search(r'href="[^"]*sort=state"\s+aria-current="true"', page)
    assert re.search(r'<input type="hidden" name="sort" value="state"', page)


def test_a_month_without_factions_is_not_sorted_by_them(client):
    night = make_night(players=3, pack="temporal-cold-war-1")

    assert "sort=faction" not in signed_in(client, night).get(url(night.event)).text


def test_a_filter_that_fits_nobody_offers_the_way_back(client):
    night = three_waiting()

    page = signed_in(client, night).get(url(night.event) + "?q=zzz").content.decode()

    assert "No player found" in page
    assert "Show all players" in page


def test_late_arrivals_are_marked_with_their_first_round(client):
    night = make_night(players=4, rounds=1)
    entrants.register(night.event, [("Zephyr", "")], by=BY, checked_in=True)

    page = signed_in(client, night).get(url(night.event) + "?q=zephyr").content.decode()

    assert "From round 2" in page


# one player


def test_a_faction_is_changed_and_after_round_1_a_reason_is_asked(client):
    night = make_night(players=4)
    signed_in(client, night)
    page = url(night.event, "player", 1)
    client.post(page, {"do": "faction", "faction": "Dominion"})
    before = registered(night.event)[0][1]
    later = make_night(players=4, open_round=True, store=night.store)
    page = url(later.event, "player", 1)

    without = client.post(page, {"do": "faction", "faction": "Romulan", "reason": ""})
    unknown = client.post(page, {"do": "faction", "faction": "Borg", "reason": "why"})
    done = client.post(page, {"do": "faction", "faction": "", "reason": "wrong line"}, follow=True)

    assert before == "Dominion"
    assert (without.status_code, unknown.status_code) == (422, 422)
    assert "Give a reason for changing the faction (rule 1.4)." in html_of(without)
    assert re.search(r'hidden\s+name="faction"\s+value="Romulan"', without.content.decode())
    assert registered(later.event)[0][1] == ""
    assert len(messages_of(done)) == 1


def test_a_faction_is_one_press_and_the_page_stays(client):
    night = make_night(players=4)
    page = url(night.event, "player", 1)

    answer = signed_in(client, night).post(page, {"do": "faction", "faction": "Dominion"})
    shown = client.get(answer.url).content.decode()

    pressed = dict(re.findall(r'name="faction"\s+value="([^"]*)"\s+aria-pressed="(true|false)"', shown))
    assert answer.url == page
    assert pressed == dict.fromkeys(["", *night.event.rules.factions], "false") | {"Dominion": "true"}


def test_a_new_name_is_undone_and_done_again_with_a_line_of_the_journal_each(client):
    night = three_waiting()
    signed_in(client, night)
    player = night.event.entrants.get(number=1).player
    page, before = url(night.event, "player", 1), player.name
    assert "Earlier name" not in client.get(page).text

    client.post(page, {"do": "rename", "name": "Vor Ash"})
    for earlier, name in ((before, "Vor Ash"), ("Vor Ash", before)):
        shown = client.get(page).text
        assert f"Earlier name: {earlier}" in re.sub(r"\s+", " ", shown)
        assert Player.objects.get(pk=player.pk).name == name
        undo = shown.split('id="undo-rename"')[1].split("</form>")[0]
        assert f'name="name" value="{earlier}"' in undo
        client.post(page, {"do": "rename", "name": earlier})

    said = [*night.store.journal.filter(did="rename_player").order_by("pk").values_list("what", flat=True)]
    there, back = f"{before} is now called Vor Ash.", f"Vor Ash is now called {before}."
    assert said == [there, back, there]


def test_who_drops_keeps_the_points_and_can_come_back(client):
    night = make_night(players=5, rounds=1)
    signed_in(client, night)
    name = state_of(night.event).names[2]
    page = url(night.event, "player", 2)

    dropped = client.post(page, {"do": "drop", "reason": "last bus"}, follow=True)
    back = client.post(page, {"do": "return"}, follow=True)

    assert messages_of(dropped) == [f"{name} won’t be paired from round 2 on, and keeps all points."]
    assert messages_of(back) == [f"{name} is back and will be paired from the next round on."]
    assert JournalEntry.objects.get(did="drop").reason == "last bus"


def test_a_refused_drop_says_why_and_keeps_what_was_typed(client):
    night = make_night(players=5)
    rounds.pair_round(night.event, seed=1, by=BY)

    response = signed_in(client, night).post(url(night.event, "player", 2), {"do": "drop", "reason": "last bus"})

    assert response.status_code == 409
    assert "Discard the draft, then drop the player and re-pair." in response.content.decode()
    assert 'value="last bus"' in response.content.decode()


def test_leaving_and_coming_back_lead_to_the_ways_first_and_a_refusal_opens_the_short_one(client):
    night = make_night(players=5)
    rounds.pair_round(night.event, seed=1, by=BY)
    page = url(night.event, "player", 2)

    shown = signed_in(client, night).get(page).content.decode()
    refused = client.post(page, {"do": "drop", "reason": "last bus"}).content.decode()

    assert [shown.count(f'href="{url(night.event, "arrival", 2)}"'), shown.count('<details class="more">')] == [1, 1]
    assert '<details class="more" open>' in refused


def test_the_players_page_leads_to_late_arrivals_as_soon_as_a_round_is_drawn(client):
    night = three_waiting()
    entrants.check_in(night.event, by=BY)
    before = signed_in(client, night).get(url(night.event, "players")).content.decode()
    rounds.pair_round(night.event, seed=1, by=BY)
    after = client.get(url(night.event, "players")).content.decode()

    link = f'href="{url(night.event, "arrivals")}"'
    assert [before.count(link), after.count(link)] == [0, 1]


def test_a_wrong_entry_is_removed_and_a_seated_player_is_not(client):
    night = three_waiting()
    signed_in(client, night)
    client.post(url(night.event, "player", 2), {"do": "remove"})
    played = make_night(players=4, rounds=1, store=night.store)

    refusal = client.post(url(played.event, "player", 1), {"do": "remove"})

    assert [name for name, _, _ in registered(night.event)] == ["Vor", "Nine of Ten"]
    assert refusal.status_code == 409
    assert "has already been paired" in refusal.content.decode()
    assert 'value="remove"' not in client.get(url(played.event, "player", 1)).content.decode()


def test_a_check_in_is_taken_back_on_the_players_page(client):
    night = three_waiting()
    entrants.check_in(night.event, by=BY)

    signed_in(client, night).post(url(night.event, "player", 1), {"do": "check_out"})

    assert registered(night.event)[0] == ("Vor", "Klingon", False)


def test_a_player_who_was_removed_meanwhile_gives_a_clear_answer(client):
    night = three_waiting()
    entrants.remove(night.event, 2, by=BY)
    signed_in(client, night)

    tapped = client.post(url(night.event, "player", 2), {"do": "check_in"})
    dropped = client.post(url(night.event, "player", 2), {"do": "drop"})

    assert tapped.status_code == 409
    assert dropped.status_code == 409
    assert "This player is no longer registered." in dropped.content.decode()
    assert client.get(url(night.event, "player", 2)).status_code == 404


def test_a_players_page_lists_the_rounds_played(client):
    night = make_night(players=5, rounds=2)
    state = state_of(night.event)
    bye = state.round(1).bye.a

    page = " ".join(signed_in(client, night).get(url(night.event, "player", bye.number)).content.decode().split())
    second = state.round(2).match_of(bye.number)

    assert '<b> Round 1 </b> <small class="muted"> Bye </small>' in page
    assert f"<b> Round 2, table {second.table} </b>" in page
    assert f'href="{url(night.event, "result", 2, second.table)}"' in page


@pytest.mark.parametrize("verb", ["faction", "drop", "return", "remove"])
def test_a_judge_changes_nothing_of_a_player_but_the_check_in(client, verb):
    night = three_waiting()
    signed_in(client, night, "judge")

    assert client.post(url(night.event, "player", 1), {"do": verb}).status_code == 404
    assert f'value="{verb}"' not in client.get(url(night.event, "player", 1)).content.decode()


def test_registration_by_phone_is_not_opened_at_a_finished_event(client):
    night = make_night(players=4, rounds=1, finish=True)

    response = signed_in(client, night).post(url(night.event), {"do": "open"})

    assert response.status_code == 409
    assert "The event is finished. Reopen it first." in response.content.decode()
    events.reopen_event(night.event, by=BY, reason="again")
    assert client.post(url(night.event), {"do": "open"}).status_code == 302


def test_names_to_suggest_are_asked_for_where_they_stand(client):
    night = three_waiting()
    signed_in(client, night)
    Player.objects.create(store=night.store, name="Heron")

    whole, part = asks_names(client, night), asks_names(client, night, {"HX-Request": "true", "HX-Target": "list"})
    judges = asks_names(signed_in(Client(), night, "judge"), night)

    assert (whole, part, judges) == (True, False, False)


def asks_names(client: Client, night: Night, headers: dict[str, str] | None = None) -> bool:
    """Whether the list of players asks for those of the store who are not there, who stand there then."""
    with CaptureQueriesContext(connection) as queries:
        page = client.get(url(night.event), headers=headers).content.decode()
    asked = any(one["sql"].startswith('SELECT "tourney_player"."name" AS "name"') for one in queries)
    assert asked == ('<option value="Heron"' in page)
    return asked
