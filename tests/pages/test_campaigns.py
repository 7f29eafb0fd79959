from collections import defaultdict
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.shipped import shipped_packs
from tests.support.copied import forget_kept
from tests.support.nights import BY, make_night, make_store
from tests.support.years import add_months_before
from tourney.actions import events
from tourney.models import Campaign, Event, RollOff, Store
from tourney.queries.campaigns import by_storyline, packs_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

EVENING = {"day": "2026-12-04", "start": "18:30", "asked_day": "2026-12-04"}


@pytest.fixture
def store(client) -> Store:
    """A store in Berlin, with its organizer signed in."""
    store, users = make_store(time_zone="Europe/Berlin")
    client.force_login(users["organizer"])
    return store


def campaign_of(store: Store, storyline: str = "Dominion War") -> Campaign:
    return events.make_campaign(store, storyline=storyline, by=BY)


def path(campaign: Campaign, name: str = "new_event") -> str:
    return reverse(name, args=[campaign.store.slug, campaign.slug])


# month packs


def test_every_shipped_month_is_listed_once_and_has_a_page(client, store):
    listed = client.get(reverse("packs", args=[store.slug])).content.decode()

    for pack in shipped_packs():
        url = reverse("pack", args=[store.slug, pack.slug])
        assert listed.count(url) == 1
        page = client.get(url).content.decode()
        assert (pack.name or pack.storyline) in page.replace("&#x27;", "'")
        assert ("The bonuses are missing: add them from the kit’s sheet." in page) is not pack.bonuses_known


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("ds9", ["dominion-war-6"]),
        ("DOMINION 6", ["dominion-war-6"]),
        ("akorem", ["dominion-war-6"]),
        ("klingon civil", ["klingon-civil-war-1", "klingon-civil-war-2", "klingon-civil-war-3"]),
        ("year of hell", ["year-of-hell"]),
        ("no such month", []),
        ("\0", [pack.slug for pack in shipped_packs()]),
    ],
)
def test_packs_are_found_by_storyline_month_resource_and_prize(client, store, typed, found):
    groups = client.get(reverse("packs", args=[store.slug]), {"q": typed}).context["groups"]

    assert sorted(pack.slug for group in groups for pack in group.packs) == sorted(found)


def test_each_storyline_says_how_many_months_it_has_and_how_many_bonuses_are_known(client, store):
    page = " ".join(client.get(reverse("packs", args=[store.slug])).content.decode().split())

    assert "7 months, 1 with bonuses known" in page


def test_with_htmx_the_found_packs_come_alone_and_none_is_said(client, store):
    asked = {"HX-Request": "true", "HX-Target": "found"}
    part = client.get(reverse("packs", args=[store.slug]), {"q": "no such month"}, headers=asked).content.decode()

    assert part.strip().startswith('<div id="found"')
    assert "No month pack matches “no such month”" in part


def test_a_month_page_says_its_rules_in_words(client, store):
    page = client.get(reverse("pack", args=[store.slug, "dominion-war-6"])).content.decode()
    page = " ".join(page.split())

    for words in (
        "3 rounds of 60 minutes",
        "See the kit’s sheet; you set it when you schedule the event",
        "New this month: Federation Attack Fighters (20 SP).",
        "The round’s average Fleet Points of all other players, rounded up.",
        "Controls Deep Space 9",
        "+20",
        "Only the winner scores it.",
        "Romulan",
        "Admiral, Vice Admiral",
        "Version 1",
    ):
        assert words in page


def test_a_month_that_is_not_shipped_is_404(client, store):
    assert client.get(reverse("pack", args=[store.slug, "dominion-war-77"])).status_code == 404


def test_packs_are_grouped_by_storyline_and_single_months_come_last():
    grouped = by_storyline(shipped_packs())

    assert [pack.month for pack in grouped[0][1]] == [0, 1, 2, 3, 4, 5, 6]
    assert str(grouped[-1][0]) == "Single months"
    assert sorted(pack.slug for _, packs in grouped for pack in packs) == sorted(pack.slug for pack in shipped_packs())


@pytest.mark.parametrize("storyline", ["Dominion War", "The Dominion War", "dominion war 2027"])
def test_a_campaign_finds_the_months_of_its_storyline_by_name(storyline):
    assert [pack.month for pack in packs_of(storyline)] == [0, 1, 2, 3, 4, 5, 6]


# campaigns


def test_a_campaign_is_begun_from_a_storyline_and_its_first_month_comes_next(client, store):
    answer = client.post(reverse("new_campaign", args=[store.slug]), {"storyline": "Dominion War", "name": ""})

    campaign = store.campaigns.get()
    assert (campaign.storyline, answer.headers["Location"]) == ("Dominion War", path(campaign))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("new_campaign", "One of the two is needed: a storyline, or a name of your own."),
        ("import_pack", "One of the two is needed: the file, or its text."),
    ],
)
def test_where_one_of_two_fields_is_needed_neither_is_called_optional(client, store, name, sentence):
    page = client.get(reverse(name, args=[store.slug])).content.decode()

    assert sentence in page
    assert "optional" not in page


def test_a_campaign_may_have_a_name_of_its_own(client, store):
    client.post(reverse("new_campaign", args=[store.slug]), {"storyline": "", "name": "Winter War"})

    assert store.campaigns.get().storyline == "Winter War"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({}, "Choose a storyline, or type a name below."),
        ({"storyline": "Dominion War", "name": "Spring"}, "The months come with the storyline’s name"),
        ({"storyline": "Winter War"}, "Select a valid choice."),
        ({"name": "the dominion war"}, "You already have a campaign called “the dominion war”."),
        ({"name": "x" * 81}, "Ensure this value has at most 80 characters"),
    ],
)
def test_a_campaign_that_cannot_be_made_is_refused_and_kept_as_typed(client, store, typed, sentence):
    campaign_of(store, "The Dominion War")

    page = client.post(reverse("new_campaign", args=[store.slug]), typed)

    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert typed.get("name", "") in page.content.decode()
    assert store.campaigns.count() == 1


def test_an_empty_campaign_tells_the_organizer_what_to_do(client, store):
    campaign = campaign_of(store)

    page = client.get(path(campaign, "campaign")).content.decode()

    assert "No month scheduled yet" in page
    assert f"{path(campaign)}?pack=dominion-war-1" in page


def test_a_campaign_lists_its_months_with_state_and_winner(client):
    night = make_night(players=6, rounds=3, finish=True)
    make_night(players=4, rounds=1, open_round=True, store=night.store)

    page = client.get(path(night.campaign, "campaign"))

    months = page.context["overview"].months
    assert [month.state for month in months] == ["finished", "playing"]
    assert months[0].outcome.winner in page.content.decode()
    assert "Schedule an event" not in page.content.decode()


def test_a_month_that_is_played_shows_its_ranks_so_far_without_titles(client):
    night = make_night(players=6, rounds=1, open_round=True)
    state = state_of(night.event)
    first = [state.names[line.id] for line in state.standings(1)][:3]

    page = client.get(path(night.campaign, "campaign"))

    (month,) = page.context["overview"].months
    shown = page.content.decode()
    assert (month.outcome, month.so_far.after, [one.name for one in month.so_far.first]) == (None, 1, first)
    assert "Round 2 of 3 is in play." in shown
    assert f'href="{reverse("standings", args=[night.event.slug])}"' in shown
    assert ["All ranks after round 1" in shown, "Admiral" in shown, "Victorious" in shown] == [True, False, False]


def test_a_month_in_its_first_round_shows_no_ranks_yet(client):
    night = make_night(players=6, open_round=True)

    page = client.get(path(night.campaign, "campaign"))

    assert page.context["overview"].months[0].so_far is None
    assert "All ranks after" not in page.content.decode()


def test_months_the_campaign_went_past_are_skipped_and_those_that_come_are_still_to_play(client):
    night = make_night(players=4, rounds=3, finish=True, pack="dominion-war-3")
    client.force_login(night.organizer)

    context = client.get(path(night.campaign, "campaign")).context

    assert [pack.month for pack in context["skipped"]] == [0, 1, 2]
    assert [pack.month for pack in context["to_plan"]] == [4, 5, 6]


def test_a_month_that_is_only_planned_skips_none(client):
    night = make_night(players=4, pack="dominion-war-3")
    client.force_login(night.organizer)

    context = client.get(path(night.campaign, "campaign")).context

    assert context["skipped"] == []
    assert [pack.month for pack in context["to_plan"]] == [0, 1, 2, 4, 5, 6]


def test_a_campaign_page_asks_as_many_queries_for_many_months_as_for_few(client):
    night = make_night(players=8, rounds=2, finish=True)
    counts = []
    for players in (8, 16):
        for seed in (1, 2, 3):
            make_night(players=players, rounds=2, finish=True, seed=seed, store=night.store)
        assert RollOff.objects.exists()
        forget_kept()
        counts.append([queries_of(client, path(night.campaign, "campaign")) for _ in range(2)])

    assert counts == [[8, 5], [8, 5]]


def test_pages_over_many_months_ask_as_many_queries_after_twenty_as_after_two(client):
    """Beside the campaign's own: its ledger and poster, the store's home, a player, two players; the first time, and
    once the process keeps what it read."""
    night = make_night(players=8, rounds=2, finish=True)
    one, other = (night.event.entrants.get(number=number).player for number in (1, 2))
    pages = [
        *(path(night.campaign, name) for name in ("campaign", "tokens", "poster")),
        reverse("store_home", args=[night.store.slug]),
        reverse("store_player", args=[night.store.slug, one.pk]),
        reverse("head_to_head", args=[night.store.slug, one.pk, other.pk]),
    ]
    counts = []
    for first, more in ((1, 1), (2, 18)):
        add_months_before(night.event, more, months=200, first=first)
        Event.objects.exclude(pk=night.event.pk).update(campaign=night.campaign)
        counts.append([])
        for page in pages:
            forget_kept()
            counts[-1].append([queries_of(client, page) for _ in range(2)])

    assert Event.objects.exclude(finished_at=None).count() == 20
    assert counts == [[[8, 5], [5, 4], [6, 5], [5, 4], [8, 5], [3, 3]]] * 2


def queries_of(client, page: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(page)
    assert answer.status_code == 200
    return len(queries)


# new event


def test_the_next_month_of_the_storyline_is_chosen_first(client, store):
    campaign = campaign_of(store)
    assert client.get(path(campaign)).context["form"]["pack"].value() == "dominion-war-1"

    client.post(path(campaign), EVENING | {"pack": "dominion-war-3"})
    assert client.get(path(campaign)).context["form"]["pack"].value() == "dominion-war-4"


def test_a_storyline_of_ones_own_offers_every_month(client, store):
    page = client.get(path(campaign_of(store, "Winter War")))

    assert page.content.decode().count('type="radio"') == len(shipped_packs())
    assert page.context["form"]["pack"].value() is None


def test_an_event_is_planned_in_the_time_of_the_store(client, store):
    campaign = campaign_of(store)

    answer = client.post(path(campaign), EVENING | {"pack": "dominion-war-5"})

    event = Event.objects.get()
    assert answer.headers["Location"] == reverse("desk", args=[event.slug])
    assert (event.starts_at, event.sp_limit) == (datetime(2026, 12, 4, 17, 30, tzinfo=UTC), 100)


def test_the_limit_is_asked_where_the_month_leaves_it_open(client, store):
    campaign = campaign_of(store)

    asked = client.post(path(campaign), EVENING | {"pack": "dominion-war-6"})
    client.post(path(campaign), EVENING | {"pack": "dominion-war-6", "sp_limit": "120"})

    assert asked.status_code == 422
    assert 'name="sp_limit"' in asked.content.decode()
    assert "Enter it from the printed overview." in asked.content.decode()
    assert 'value="2026-12-04"' in asked.content.decode()
    assert [event.sp_limit for event in campaign.events.all()] == [120]


@pytest.mark.parametrize(("pack", "is_asked"), [("dominion-war-6", True), ("dominion-war-5", False)])
def test_choosing_a_month_brings_the_question_for_its_limit_alone(client, store, pack, is_asked):
    page = client.get(path(campaign_of(store)), {"pack": pack}, headers={"HX-Request": "true", "HX-Target": "limit"})

    text = page.content.decode()
    assert text.strip().startswith('<div id="limit"')
    assert ('name="sp_limit"' in text) is is_asked
    assert "<html" not in text


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({}, "Choose the month to play."),
        ({"pack": "dominion-war-77"}, "Select a valid choice."),
        ({"pack": "dominion-war-5", "day": "someday"}, "Enter a valid date."),
        ({"pack": "dominion-war-5", "start": ""}, "This field is required."),
        ({"pack": "dominion-war-6", "sp_limit": "0"}, "greater than or equal to 1"),
        ({"pack": "dominion-war-6", "sp_limit": "2000"}, "less than or equal to 1000"),
        ({"pack": "dominion-war-6", "sp_limit": "many"}, "Enter a whole number."),
    ],
)
def test_an_event_that_cannot_be_planned_is_refused_with_a_sentence(client, store, typed, sentence):
    page = client.post(path(campaign_of(store)), EVENING | typed)

    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert not Event.objects.exists()


def test_the_same_month_is_not_planned_twice_for_one_day(client, store):
    campaign = campaign_of(store)
    for _ in range(2):
        page = client.post(path(campaign), EVENING | {"pack": "dominion-war-5"})

    assert page.status_code == 422
    assert "already scheduled for that day" in page.content.decode()
    assert campaign.events.count() == 1


def test_a_campaign_of_another_store_is_404(client, store):
    other, _ = make_store("Deck Twelve")
    campaign = campaign_of(other)

    crossed = reverse("campaign", args=[store.slug, campaign.slug])

    assert [client.get(crossed).status_code, client.get(path(campaign)).status_code] == [404, 404]


def test_two_finished_months_make_a_season_by_the_points_of_both(client):
    night = make_night(players=4, rounds=2, finish=True, seed=1)
    make_night(players=4, rounds=2, finish=True, seed=2, store=night.store)
    events = list(night.campaign.events.order_by("pk"))
    sums = defaultdict(int)
    for event in events:
        state = state_of(event)
        for line in state.standings(2):
            sums[state.names[line.id]] += line.battle_points

    season = client.get(path(night.campaign, "campaign")).context["overview"].season

    assert {row.name: row.line.battle_points for row in season} == sums
    assert season[0].line.battle_points == max(sums.values())
    assert {row.line.months for row in season} == {2}


def test_one_finished_month_makes_no_season(client):
    night = make_night(players=4, rounds=2, finish=True)

    page = client.get(path(night.campaign, "campaign"))

    assert page.context["overview"].season == ()
    assert "Season so far" not in page.content.decode()


def test_a_long_campaign_is_read_in_pages_and_its_season_sums_all_months(client):
    night = make_night(players=4, rounds=2, finish=True)
    add_months_before(night.event, 13, months=20)
    Event.objects.exclude(pk=night.event.pk).update(campaign=night.campaign)
    home = client.get(reverse("store_home", args=[night.store.slug])).content.decode()

    pages = [client.get(path(night.campaign, "campaign"), {"page": page}) for page in (1, 2, 99)]

    overviews = [page.context["overview"] for page in pages]
    assert [(len(one.months), one.page.number, one.count) for one in overviews] == [
        (12, 1, 14),
        (2, 2, 14),
        (2, 2, 14),
    ]
    assert overviews[0].months[-1].event == night.event
    assert overviews[0].months[0].event.starts_at > overviews[1].months[-1].event.starts_at
    (first, *_), (again, *_), _ = (one.season for one in overviews)
    assert (first.line.months, len(first.line.by_month), len(again.line.by_month)) == (14, 12, 2)
    assert (first.name, first.line.battle_points) == (again.name, again.line.battle_points)
    assert "Earlier months" in pages[0].content.decode()
    assert "Later months" in pages[1].content.decode()
    assert "All 14 months" in home
