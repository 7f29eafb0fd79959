"""Rule 5.6: the poster of a campaign, the page and the file."""

import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.shipped import shipped_pack
from tests.support import own_packs
from tests.support.nights import AT, BY, make_night, make_store
from tourney.actions import events
from tourney.models import Event
from tourney.printing.domain.poster import NextMonth, Victories
from tourney.printing.queries.poster import poster_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


def poster_url(night, name: str = "poster") -> str:
    return reverse(name, args=[night.store.slug, night.campaign.slug])


def test_a_finished_month_stands_there_in_rank_order_with_its_victor():
    night = make_night(players=8, rounds=3, finish=True, pack="dominion-war-5")
    state = state_of(night.event)

    poster = poster_of(night.campaign, AT)

    month, codes = poster.months[0], {"Federation": "FED", "Klingon": "KLI", "Romulan": "ROM", "Dominion": "DOM"}
    assert (poster.store, poster.title, poster.span) == ("Starbase Games", "The Dominion War", "November 2026")
    assert (month.eyebrow, month.name, month.state) == ("Month 5 · 20 Nov 2026", "The Battle of Cardassia", "")
    assert [(place.rank, place.title, place.name, place.code) for place in month.places] == [
        (line.rank, line.title, state.names[line.id], codes[state.by_number[line.id].faction])
        for line in state.standings(3)
    ]
    victor = state.faction_lines(3)[0].faction
    assert (month.victor, month.victor_mark) == (victor, victor.lower())
    assert poster.victories == (Victories(victor.lower(), 1),)


def test_ranks_that_are_not_final_say_so_and_give_no_titles():
    night = make_night(players=6, rounds=2)

    month = poster_of(night.campaign, AT).months[0]

    assert (month.state, month.victor, len(month.places)) == ("Ranks after round 2 of 3", "", 6)
    assert {place.title for place in month.places} == {""}


@pytest.mark.parametrize(
    ("night", "state"),
    [({"players": 4, "open_round": True}, "Round 1 in progress"), ({"players": 4}, "Not played yet")],
)
def test_a_month_without_ranks_says_why(night, state):
    campaign = make_night(**night).campaign

    month = poster_of(campaign, AT + timedelta(days=3)).months[0]

    assert (month.state, month.places) == (state, ())


def test_the_next_month_is_announced_with_its_date():
    store, _ = make_store()
    night = make_night(players=4, rounds=3, finish=True, pack="dominion-war-5", store=store)
    coming = AT + timedelta(days=28)
    events.make_event(night.campaign, shipped_pack("dominion-war-6"), starts_at=coming, sp_limit=100, by=BY)

    with timezone.override(store.time_zone):
        poster = poster_of(night.campaign, AT)

    facts = "Friday, 18 December 2026, 18:45 · 100 SP"
    assert poster.next == NextMonth("Next: month 6", "The Last Battle of DS9", facts)
    assert len(poster.months) == 1


@pytest.mark.parametrize(
    ("pack", "announced"),
    [
        (
            "dominion-war-4",
            NextMonth("Next: month 5", "The Battle of Cardassia", "Date to be announced · 100 SP"),
        ),
        ("dominion-war-5", NextMonth("Next: month 6", "The Last Battle of DS9", "Date to be announced")),
        ("dominion-war-6", NextMonth("Next month", "To be announced")),
    ],
)
def test_without_a_date_the_next_month_of_the_storyline_is_named(pack, announced):
    night = make_night(players=4, rounds=3, finish=True, pack=pack)

    assert poster_of(night.campaign, AT).next == announced


def test_a_month_with_bonuses_of_the_store_s_own_is_that_month_of_the_storyline():
    store, people = make_store()
    rules = own_packs.saved(store, people["owner"], month=4).pack.rules
    campaign = events.make_campaign(store, storyline="Dominion War", by=BY)
    events.make_event(campaign, rules, starts_at=AT - timedelta(days=1), sp_limit=100, by=BY)

    assert poster_of(campaign, AT).next.eyebrow == "Next: month 5"


def test_the_storyline_is_complete_when_every_month_of_it_has_been_played():
    store, _ = make_store()
    announced = []
    for number in range(1, 7):
        night = make_night(players=2, rounds=1, finish=True, pack=f"dominion-war-{number}", store=store)
        announced.append(poster_of(night.campaign, AT).next.eyebrow)

    assert announced == [*(f"Next: month {number}" for number in range(2, 7)), "The storyline is complete"]


def test_the_last_month_played_before_the_others_completes_no_storyline():
    store, _ = make_store()
    for number in (6, 1):
        night = make_night(players=2, rounds=1, finish=True, pack=f"dominion-war-{number}", store=store)

    assert poster_of(night.campaign, AT).next == NextMonth("Next month", "To be announced")


@pytest.mark.parametrize("night", [{"open_round": True}, {"rounds": 2}])
def test_while_the_last_month_is_played_nothing_is_promised_after_it(night):
    campaign = make_night(players=4, pack="dominion-war-6", **night).campaign

    with timezone.override(campaign.store.time_zone):
        announced = poster_of(campaign, AT).next

    facts = "Friday, 20 November 2026, 18:45 · 100 SP"
    assert announced == NextMonth("The finale", "The Last Battle of DS9", facts)


def test_a_campaign_that_is_only_planned_has_a_poster_already():
    night = make_night(players=0)

    poster = poster_of(night.campaign, AT)

    assert (poster.months, poster.span) == ((), "The first month is still to come")
    assert poster.next.name == "The Last Battle of DS9"


def test_the_page_shows_every_name_and_leads_to_the_file(client):
    night = make_night(players=5, rounds=3, finish=True)

    html = client.get(poster_url(night)).content.decode()

    assert all(f">{name}</text>" in html for name in state_of(night.event).names.values())
    assert f"{poster_url(night, 'poster_svg')}?paper=a4&amp;shape=portrait" in html


def test_the_file_is_a_drawing_complete_in_itself(client):
    night = make_night(players=5, rounds=3, finish=True)

    answer = client.get(poster_url(night, "poster_svg"))

    drawing = ET.fromstring(answer.content)
    used = {use.get("href") for use in drawing.iter(f"{SVG}use")}
    made = {f"#{element.get('id')}" for element in drawing.iter() if element.get("id")}
    assert answer["Content-Type"] == "image/svg+xml"
    assert used <= made
    assert [
        element for element in drawing.iter() if "style" in element.attrib or element.get("class", "") == "style"
    ] == []


@pytest.mark.many
@pytest.mark.parametrize(
    ("query", "locale", "box"),
    [
        ("", "de_DE", "0 0 2100 2970"),
        ("", "en_US", "0 0 2159 2794"),
        ("?paper=letter&shape=landscape", "de_DE", "0 0 2794 2159"),
        ("?paper=a4&shape=portrait", "en_US", "0 0 2100 2970"),
        ("?paper=papyrus&shape=round", "de_DE", "0 0 2100 2970"),
    ],
)
def test_paper_and_shape_are_chosen_by_country_and_by_hand(client, query, locale, box):
    store, _ = make_store(locale=locale)
    night = make_night(players=4, rounds=3, finish=True, store=store)

    answer = client.get(poster_url(night, "poster_svg") + query)

    assert ET.fromstring(answer.content).get("viewBox") == box


def test_a_hostile_name_stays_text(client):
    night = make_night(players=4, rounds=3, finish=True)
    player = night.event.entrants.get(number=1).player
    player.name = "<script>alert(1)</script> & “Vor”"
    player.save()

    drawing = ET.fromstring(client.get(poster_url(night, "poster_svg")).content)

    assert list(drawing.iter(f"{SVG}script")) == []
    assert "<script>" in " ".join(text.text for text in drawing.iter(f"{SVG}text"))


def test_many_months_ask_as_many_queries_as_one(client):
    store, _ = make_store()
    for pack in ("dominion-war-4", "dominion-war-5", "dominion-war-6"):
        night = make_night(players=6, open_round=True, pack=pack, store=store)
    one = make_night(players=4, open_round=True)

    counts = []
    for where in (one, night):
        with CaptureQueriesContext(connection) as asked:
            client.get(poster_url(where))
        counts.append(len(asked))

    assert counts[0] == counts[1]
    assert Event.objects.filter(campaign=night.campaign).count() == 3
