"""Roll-offs at the desk: at a table."""

import html
import re

import pytest
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.saying import html_of
from tests.support.tables import enter, match_at, on_time
from tourney.actions import roll_offs
from tourney.models import JournalEntry, Roll
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def at_table(night: Night, table: int = 1) -> str:
    return reverse("table_roll_off", args=[night.event.slug, 1, table])


def of_group(night: Night, group, kind: str = "standing", number: int = 1) -> str:
    return reverse("roll_off", args=[night.event.slug, number, kind, "-".join(map(str, group))])


def typed_dice(group, *counts: int | str, roll: int = 1) -> dict[str, str]:
    """The fields of one roll by hand."""
    return {"roll": str(roll), **{f"count_{n}": str(count) for n, count in zip(group, counts, strict=True)}}


def text_of(response) -> str:
    """What a page says, without its markup, with single spaces."""
    page = re.sub(r"""<head>.*?</head>|<("[^"]*"|[^">])+>""", " ", html_of(response), flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(page)).strip()


def asked(response) -> list[str]:
    """The players whose Battle Stations the page asks for."""
    return re.findall(r'<label for="id_count_\d+">\s*([^<]+): Battle Stations\s*</label>', response.content.decode())


def names(night: Night, *numbers: int) -> list[str]:
    return [state_of(night.event).names[number] for number in numbers]


@pytest.fixture
def tied(client) -> Night:
    """Table 1 of two is tied; a judge is signed in."""
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(40, 40))
    client.force_login(night.judge)
    return night


def group_at(night: Night, table: int = 1) -> tuple[int, ...]:
    return tuple(sorted(match_at(night.event, table).numbers))


def seated_at(night: Night, table: int = 1) -> tuple[int, ...]:
    return match_at(night.event, table).numbers


def test_the_page_of_a_tied_table_asks_for_the_dice_first(client, tied):
    response = client.get(reverse("result", args=[tied.event.slug, 1, 1]))

    page = text_of(response)
    assert "Roll-off at the table Roll 1 Everyone tied rolls 5 attack dice." in page
    assert asked(response) == names(tied, *seated_at(tied))
    assert page.index("Roll for me") < page.index("Edit result")


def test_everywhere_the_two_are_named_in_the_order_in_which_they_sit(client):
    """The table where the one who registered later sits first tells one order from the other."""
    night = make_night(players=8, open_round=True, seed=3)
    table = next(one for one in state_of(night.event).round(1).tables if one.numbers[0] > one.numbers[1])
    first, second = seated = [entrant.player.name for entrant in table.entrants]
    enter(night.event, table.table, on_time(40, 40))
    client.force_login(night.judge)
    page = reverse("result", args=[night.event.slug, 1, table.table])
    fields = asked(client.get(page))

    client.post(at_table(night, table.table), typed_dice(table.numbers, 2, 2))
    again = client.get(page)
    client.post(at_table(night, table.table), typed_dice(table.numbers, 1, 3, roll=2))

    counts = f"{first} 2 Battle Stations {second} 2 Battle Stations"
    pages = [text_of(client.get(one)) for one in (page, reverse("roll_offs", args=[night.event.slug]))]
    assert (fields, asked(again)) == (seated, seated)
    assert f"{first} and {second} are tied and roll again." in text_of(again)
    assert all(f"{counts} Roll 2 {first} 1 Battle Stations {second} 3 Battle Stations" in said for said in pages)
    assert f"{first} and {second} Table {table.table}" in pages[1]
    journal = JournalEntry.objects.filter(event=night.event).last()
    assert journal.what == f"Roll-off in round 1: {first} 1 and {second} 3. {second} is ahead of {first}."


def test_software_rolls_at_all_tied_tables_with_one_press(client, tied):
    enter(tied.event, 2, on_time(40, 40))
    page = client.get(reverse("result", args=[tied.event.slug, 1, 1])).content.decode()
    before = JournalEntry.objects.count()

    response = client.post(at_table(tied), {"all": "1"})

    assert "Roll all for me" in page
    assert f'href="{at_table(tied, 2)}">Next tie</a>' in page
    assert response.url == reverse("result", args=[tied.event.slug, 1, 1])
    assert [match_at(tied.event, table).is_by_dice for table in (1, 2)] == [True, True]
    entries = JournalEntry.objects.order_by("pk")[before:]
    assert [entry.did for entry in entries] == ["roll_by_software"] * 2
    assert len({roll.seed for roll in Roll.objects.all()}) == 2


def test_at_the_only_tied_table_there_is_no_other_to_roll_for(client, tied):
    page = client.get(reverse("result", args=[tied.event.slug, 1, 1])).content.decode()

    assert ("Roll all for me" in page, "Next tie" in page) == (False, False)


def test_the_address_of_the_dice_leads_to_the_table(client, tied):
    assert client.get(at_table(tied)).url == reverse("result", args=[tied.event.slug, 1, 1])


def test_in_months_with_two_kinds_of_dice_the_page_says_who_rolls_which(client):
    night = make_night(players=4, open_round=True, pack="drive")
    enter(night.event, 1, on_time(40, 40))
    client.force_login(night.judge)
    (_, second) = names(night, *group_at(night))

    page = text_of(client.get(reverse("result", args=[night.event.slug, 1, 1])))

    assert f"{second} rolls 5 defense dice, the other player 5 attack dice." in page


def test_dice_on_the_table_decide_and_the_desk_goes_on(client, tied):
    response = client.post(at_table(tied), typed_dice(group_at(tied), 3, 1))

    winner = state_of(tied.event).by_number[group_at(tied)[0]]
    assert match_at(tied.event, 1).winner.number == winner.number
    assert response.url == reverse("desk", args=[tied.event.slug]) + "#table-1-2"
    assert f"Table 1: {winner.player.name} wins, with 60 Fleet Points each." in text_of(client.get(response.url))


def test_who_is_tied_again_rolls_again_with_the_first_roll_in_sight(client, tied):
    group = seated_at(tied)
    first, second = names(tied, *group)

    response = client.post(at_table(tied), typed_dice(group, 2, 2))
    page = text_of(client.get(response.url))

    assert f"Roll 2 {first} and {second} are tied and roll again." in page
    assert f"{first} 2 Battle Stations {second} 2 Battle Stations" in page


def test_software_rolls_until_it_is_decided_and_the_page_shows_every_face(client, tied):
    response = client.post(at_table(tied), {"software": "1"})
    page = client.get(response.url)

    rolled = state_of(tied.event).roll_off(1, "table", group_at(tied))
    faces = [face for roll in rolled.rolls for rolls in roll.faces.values() for face in rolls]
    assert rolled.is_broken
    assert len(re.findall(r'class="die die-', page.content.decode())) == len(faces)
    assert rolled.rolls[0].seed in text_of(page)
    assert "is ahead of" in text_of(page)
    assert f'href="{reverse("desk", args=[tied.event.slug])}#table-1-2"' in page.content.decode()


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (("6", "1"), "Enter 5 or less."),
        (("-1", "1"), "Enter 0 or more."),
        (("two", "1"), "Enter a whole number."),
        (("", "1"), "Enter how many Battle Stations {first} rolled."),
        (("", ""), "Enter how many Battle Stations {first} rolled."),
    ],
)
def test_a_roll_that_cannot_be_is_refused_and_stays_as_typed(client, tied, counts, sentence):
    group = group_at(tied)
    first, _ = names(tied, *group)

    response = client.post(at_table(tied), typed_dice(group, *counts))

    assert response.status_code == 422
    assert "Not saved. Your entries are still here." in text_of(response)
    assert sentence.format(first=first) in text_of(response)
    assert all(f'value="{count}"' in response.content.decode() for count in counts if count)
    assert not Roll.objects.exists()


def test_a_roll_that_somebody_else_typed_already_is_not_counted_twice(client, tied):
    group = group_at(tied)
    roll_offs.roll_dice(tied.event, 1, "table", group, dict.fromkeys(group, 2), by=BY)

    response = client.post(at_table(tied), typed_dice(group, 2, 2))

    assert response.status_code == 409
    assert "Not saved. Someone else already entered roll 1." in text_of(response)
    assert 'name="roll" value="2"' in response.content.decode()
    assert Roll.objects.count() == 1


@pytest.mark.parametrize("how", [{"software": "1"}, {"roll": "1"}])
def test_a_table_that_is_not_tied_rolls_no_dice(client, tied, how):
    enter(tied.event, 2, on_time(40, 60))

    response = client.post(at_table(tied, 2), how)

    assert response.status_code == 409
    assert "These players aren’t tied, so there’s nothing to roll for" in text_of(response)


def test_a_roll_off_whose_tie_was_corrected_away_is_shown_as_void(client, tied):
    """Rule 4.3."""
    client.post(at_table(tied), typed_dice(group_at(tied), 3, 1))
    enter(tied.event, 1, on_time(40, 60), version=1)

    page = text_of(client.get(reverse("result", args=[tied.event.slug, 1, 1])))

    assert "Roll-off at the table Void A corrected result has broken this tie" in page


def test_the_dice_of_a_closed_round_cannot_be_rolled_by_a_judge(client):
    night = make_night(players=4, rounds=1)
    client.force_login(night.judge)

    response = client.post(at_table(night), {"software": "1"})

    assert response.status_code == 409
    assert "Only an organizer can edit this result now." in text_of(response)
