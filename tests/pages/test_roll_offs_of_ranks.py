"""Roll-offs at the desk: ties in the standings, and between factions."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.pages.test_roll_offs import asked, names, of_group, text_of, typed_dice
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter, match_at, night_with_ties, on_time
from tourney.actions import entrants, events, roll_offs, rounds
from tourney.models import Event, JournalEntry, Roll, RollOff
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

# in the standings


@pytest.fixture
def tied(client) -> tuple[Night, tuple[int, ...], tuple[int, ...]]:
    """Three winners and three losers are tied after round 1; an organizer is signed in."""
    night, winners, losers = night_with_ties()
    client.force_login(night.organizer)
    return night, winners, losers


def test_the_page_says_who_is_tied_with_what_points(client, tied):
    night, winners, _ = tied
    people = [state_of(night.event).by_number[number] for number in winners]

    response = client.get(of_group(night, winners))

    rows = " ".join(f"{person.faction} {person.player.name} 2 100 1" for person in people)
    assert response.status_code == 200
    assert f"Tied Name BP FP Rank {rows} Tied on Battle Points and Fleet Points" in text_of(response)
    assert asked(response) == [person.player.name for person in people]


def test_of_three_only_those_still_tied_roll_again(client, tied):
    night, (one, two, three), _ = tied
    first, second, third = names(night, one, two, three)

    response = client.post(of_group(night, (one, two, three)), typed_dice((one, two, three), 1, 4, 1))
    page = client.get(response.url)

    assert response.url == of_group(night, (one, two, three))
    assert f"Roll 2 {second} is first. {first} and {third} roll again." in text_of(page)
    assert asked(page) == [first, third]

    client.post(of_group(night, (one, two, three)), typed_dice((one, three), 0, 2, roll=2))
    page = text_of(client.get(of_group(night, (one, two, three))))
    assert f"Decided {second} is first. {third} is second. {first} is third." in page


def test_two_pairs_of_a_group_of_four_may_roll_one_after_the_other(client):
    night = make_night(players=8, open_round=True)
    for table in (1, 2, 3, 4):
        enter(night.event, table, eliminated())
    group = tuple(sorted(match_at(night.event, table).numbers[0] for table in (1, 2, 3, 4)))
    client.force_login(night.judge)
    client.post(of_group(night, group), typed_dice(group, 3, 3, 1, 1))

    half = client.post(of_group(night, group), typed_dice(group, 2, "", "", "", roll=2))
    client.post(of_group(night, group), typed_dice(group, 2, 0, "", "", roll=2))

    assert half.status_code == 422
    assert asked(client.get(of_group(night, group))) == names(night, *group[2:])


def test_software_breaks_the_whole_tie_with_one_press(client, tied):
    night, winners, _ = tied

    response = client.post(of_group(night, winners), {"software": "1"})

    page = text_of(client.get(response.url))
    seed = state_of(night.event).roll_off(1, "standing", winners).rolls[0].seed
    assert re.fullmatch("[0-9a-f]{16}", seed)
    assert "How to verify these dice These dice were rolled from the seed " + seed in page
    assert state_of(night.event).roll_off(1, "standing", winners).is_broken


def test_after_a_roll_off_the_next_thing_to_do_is_offered(client, tied):
    night, winners, losers = tied
    client.post(of_group(night, winners), {"software": "1"})
    others = ", ".join(names(night, *losers)[:2]) + f" and {names(night, *losers)[2]}"

    page = client.get(of_group(night, winners)).content.decode()
    assert f'href="{of_group(night, losers)}">Roll off {others}</a>' in page

    client.post(of_group(night, losers), {"software": "1"})
    page = client.get(of_group(night, losers)).content.decode()
    close = reverse("close", args=[night.event.slug, 1])
    assert f'href="{close}">Review points</a>' in page
    response = client.post(close)
    assert response.url == reverse("desk", args=[night.event.slug])
    assert night.event.rounds.get(number=1).state == "closed"


def test_all_ties_of_the_round_are_rolled_with_one_press_each_with_its_own_seed(client, tied):
    night, winners, losers = tied
    page = client.get(of_group(night, winners)).content.decode()

    response = client.post(of_group(night, winners), {"all": "1"})

    rolled = [state_of(night.event).roll_off(1, "standing", group) for group in (winners, losers)]
    entries = [entry.what for entry in JournalEntry.objects.filter(event=night.event).order_by("-pk")[:2]]
    after = client.get(response.url)
    assert "Roll all for me" in page
    assert f'href="{of_group(night, losers)}">Next tie</a>' in page
    assert [one.is_broken for one in rolled] == [True, True]
    assert all(f"Seed: {one.rolls[0].seed}." in entry for one, entry in zip(reversed(rolled), entries, strict=True))
    assert all(f"{state_of(night.event).names[one.levels[0][0]]} is first." in text_of(after) for one in rolled)
    assert "Close round 1" in text_of(after)


def test_the_last_tie_leads_back_to_the_first_that_is_still_open(client, tied):
    night, winners, losers = tied

    assert f'href="{of_group(night, winners)}">Next tie</a>' in client.get(of_group(night, losers)).content.decode()
    client.post(of_group(night, winners), {"software": "1"})
    page = client.get(of_group(night, losers)).content.decode()
    assert ("Next tie" in page, "Roll all for me" in page) == (False, False)


def test_ties_that_somebody_else_rolled_meanwhile_are_not_rolled_again(client, tied):
    night, winners, losers = tied
    for group in (winners, losers):
        roll_offs.roll_by_software(night.event, 1, "standing", group, seed="00c0ffee", by=BY)

    response = client.post(of_group(night, winners), {"all": "1"})

    assert response.status_code == 409
    assert "This tie is already broken:" in text_of(response)
    assert {roll.seed for roll in Roll.objects.all()} == {"00c0ffee"}


def test_a_judge_goes_back_to_the_desk_because_closing_is_not_theirs(client, tied):
    night, winners, losers = tied
    client.force_login(night.judge)
    for group in (winners, losers):
        client.post(of_group(night, group), {"software": "1"})

    page = client.get(of_group(night, losers)).content.decode()

    assert ">Close round 1</a>" not in page
    assert f'href="{reverse("desk", args=[night.event.slug])}">Back to the desk</a>' in page


def test_a_roll_that_cannot_be_is_refused_in_the_standings_too(client, tied):
    night, winners, _ = tied

    response = client.post(of_group(night, winners), typed_dice(winners, 6, 1, ""))

    assert response.status_code == 422
    assert "Enter 5 or less." in text_of(response)
    assert not RollOff.objects.exists()


def test_who_is_not_tied_is_told_so_and_where_to_go_on(client, tied):
    night, winners, _ = tied
    page = client.get(of_group(night, winners[:2]))
    response = client.post(of_group(night, winners[:2]), {"software": "1"})

    first, second, _ = names(night, *winners)
    assert f"Nothing to roll for {first} and {second} aren’t tied after round 1." in text_of(page)
    assert asked(page) == []
    assert response.status_code == 409


def test_a_tie_that_is_broken_is_not_rolled_again(client, tied):
    night, winners, _ = tied
    client.post(of_group(night, winners), typed_dice(winners, 3, 2, 1))

    response = client.post(of_group(night, winners), typed_dice(winners, 1, 2, 3))

    assert response.status_code == 409
    assert "This tie is already broken:" in text_of(response)
    assert Roll.objects.count() == 1


def test_a_tie_dissolved_by_a_correction_shows_its_dice_as_void(client, tied):
    """Rule 4.3."""
    night, winners, _ = tied
    client.post(of_group(night, winners), typed_dice(winners, 3, 2, 1))
    enter(night.event, 1, eliminated(out=0, left=10), version=1)

    page = text_of(client.get(of_group(night, winners)))

    assert "Void A corrected result has broken this tie, so the dice below don’t count" in page


@pytest.mark.parametrize(
    "path",
    ["standing/2-1", "standing/1", "standing/1-1", "standing/1-99", "standing/x", "standing/1-2-", "table/1-2"],
)
def test_only_entrants_of_the_event_in_ascending_order_are_a_group(client, tied, path):
    night, _, _ = tied
    address = f"/e/{night.event.slug}/desk/rounds/1/roll-off/{path}/"

    assert [client.get(address).status_code, client.post(address).status_code] == [404, 404]


def test_a_round_that_was_not_published_has_no_roll_offs(client, tied):
    night, winners, _ = tied

    assert client.get(of_group(night, winners, number=2)).status_code == 404


# between factions


def night_with_tied_factions(client) -> tuple[Night, tuple[int, ...]]:
    """The last round is played; Klingons and Romulans have the same points. The champions of both."""
    night = make_night(players=0)
    event = night.event
    Event.objects.filter(pk=event.pk).update(rounds_planned=1)
    event.refresh_from_db()
    people = [("Vor", "Klingon"), ("Kestrel", "Klingon"), ("Quill", "Romulan"), ("Onyx", "Romulan")]
    entrants.register(event, people, by=BY, checked_in=True)
    rounds.publish_round(event, rounds.pair_round(event, seed=1, by=BY).number, by=BY)
    left = {"Klingon": (60, 10), "Romulan": (70, 20)}
    for match, winner in zip(state_of(event).round(1).tables, left, strict=True):
        factions = [entrant.faction for entrant in match.entrants]
        own, other = left[winner]
        enter(event, match.table, on_time(other, own) if factions.index(winner) else on_time(own, other))
    for group in state_of(event).ties(1):
        roll_offs.roll_by_software(event, 1, "standing", group, seed="00c0ffee", by=BY)
    client.force_login(night.organizer)
    return night, state_of(event).faction_tie(1)


def test_the_best_of_two_tied_factions_roll_and_then_the_round_is_closed(client):
    """Rule 5.3."""
    night, champions = night_with_tied_factions(client)

    page = text_of(client.get(of_group(night, champions, "faction")))
    response = client.post(of_group(night, champions, "faction"), typed_dice(champions, 1, 2))
    after = text_of(client.get(response.url))

    first, second = names(night, *champions)
    assert "For the victorious faction, after round 1" in page
    assert f"{first} Klingon 3 120 1 {second} Romulan 3 120 1 Their factions have the same combined points" in page
    assert f"Decided {second} is ahead of {first}." in after
    assert "Close round 1" in after


def test_after_the_last_round_is_closed_the_event_is_finished_next(client):
    night, champions = night_with_tied_factions(client)
    client.post(of_group(night, champions, "faction"), typed_dice(champions, 1, 2))
    rounds.close_round(night.event, 1, by=BY)

    page = client.get(of_group(night, champions, "faction")).content.decode()

    assert f'href="{reverse("finish", args=[night.event.slug])}">Finish event</a>' in page


def test_a_finished_event_shows_its_dice_and_rolls_no_more(client):
    night, champions = night_with_tied_factions(client)
    client.post(of_group(night, champions, "faction"), typed_dice(champions, 1, 2))
    rounds.close_round(night.event, 1, by=BY)
    events.finish_event(night.event, by=BY)

    page = text_of(client.get(of_group(night, champions, "faction")))
    response = client.post(of_group(night, champions, "faction"), {"software": "1"})

    assert "Decided" in page
    assert response.status_code == 409
    assert "The event is finished. Reopen it first." in text_of(response)


def test_the_number_of_queries_does_not_grow_with_the_tie(client):
    few, winners, _ = night_with_ties()
    many = make_night(players=32, open_round=True, store=few.store)
    for table in range(1, 17):
        enter(many.event, table, eliminated())
    group = sorted(match_at(many.event, table).numbers[0] for table in range(1, 17))
    client.force_login(few.owner)
    counts = []
    for url in (of_group(few, winners), of_group(few, winners), of_group(many, group)):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url).status_code == 200
        counts.append(len(queries))

    assert counts[1] == counts[2]
