"""Roll-offs at the desk: at a table."""

import html
import re

import pytest
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.saying import html_of
from tests.support.tables import enter, match_at, on_time
from tourney.actions import roll_offs
from tourney.models import JournalEntry, Throw
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def at_table(night: Night, table: int = 1) -> str:
    return reverse("table_roll_off", args=[night.event.slug, 1, table])


def of_group(night: Night, group, kind: str = "standing", number: int = 1) -> str:
    return reverse("roll_off", args=[night.event.slug, number, kind, "-".join(map(str, group))])


def thrown(group, *counts: int | str, throw: int = 1) -> dict[str, str]:
    """The fields of one throw by hand."""
    return {"throw": str(throw), **{f"count_{n}": str(count) for n, count in zip(group, counts, strict=True)}}


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
def level(client) -> Night:
    """Table 1 of two is level; a judge is signed in."""
    night = make_night(players=4, open_round=True)
    enter(night.event, 1, on_time(40, 40))
    client.force_login(night.judge)
    return night


def group_at(night: Night, table: int = 1) -> tuple[int, ...]:
    return tuple(sorted(match_at(night.event, table).numbers))


def seated_at(night: Night, table: int = 1) -> tuple[int, ...]:
    return match_at(night.event, table).numbers


def test_the_page_of_a_level_table_asks_for_the_dice_first(client, level):
    response = client.get(reverse("result", args=[level.event.slug, 1, 1]))

    page = text_of(response)
    assert "Roll-off at the table Roll 1 Everyone tied rolls 5 attack dice." in page
    assert asked(response) == names(level, *seated_at(level))
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

    client.post(at_table(night, table.table), thrown(table.numbers, 2, 2))
    again = client.get(page)
    client.post(at_table(night, table.table), thrown(table.numbers, 1, 3, throw=2))

    counts = f"{first} 2 Battle Stations {second} 2 Battle Stations"
    pages = [text_of(client.get(one)) for one in (page, reverse("roll_offs", args=[night.event.slug]))]
    assert (fields, asked(again)) == (seated, seated)
    assert f"{first} and {second} are tied and roll again." in text_of(again)
    assert all(f"{counts} Roll 2 {first} 1 Battle Stations {second} 3 Battle Stations" in said for said in pages)
    assert f"{first} and {second} Table {table.table}" in pages[1]
    journal = JournalEntry.objects.filter(event=night.event).last()
    assert journal.what == f"Roll-off in round 1: {first} 1 and {second} 3. {second} is ahead of {first}."


def test_software_rolls_at_all_level_tables_with_one_press(client, level):
    enter(level.event, 2, on_time(40, 40))
    page = client.get(reverse("result", args=[level.event.slug, 1, 1])).content.decode()
    before = JournalEntry.objects.count()

    response = client.post(at_table(level), {"all": "1"})

    assert "Roll all for me" in page
    assert f'href="{at_table(level, 2)}">Next tie</a>' in page
    assert response.url == reverse("result", args=[level.event.slug, 1, 1])
    assert [match_at(level.event, table).is_by_dice for table in (1, 2)] == [True, True]
    entries = JournalEntry.objects.order_by("pk")[before:]
    assert [entry.did for entry in entries] == ["roll_by_software"] * 2
    assert len({throw.seed for throw in Throw.objects.all()}) == 2


def test_at_the_only_level_table_there_is_no_other_to_roll_for(client, level):
    page = client.get(reverse("result", args=[level.event.slug, 1, 1])).content.decode()

    assert ("Roll all for me" in page, "Next tie" in page) == (False, False)


def test_the_address_of_the_dice_leads_to_the_table(client, level):
    assert client.get(at_table(level)).url == reverse("result", args=[level.event.slug, 1, 1])


def test_in_months_with_two_kinds_of_dice_the_page_says_who_rolls_which(client):
    night = make_night(players=4, open_round=True, pack="drive")
    enter(night.event, 1, on_time(40, 40))
    client.force_login(night.judge)
    (_, second) = names(night, *group_at(night))

    page = text_of(client.get(reverse("result", args=[night.event.slug, 1, 1])))

    assert f"{second} rolls 5 defense dice, the other player 5 attack dice." in page


def test_dice_on_the_table_decide_and_the_desk_goes_on(client, level):
    response = client.post(at_table(level), thrown(group_at(level), 3, 1))

    winner = state_of(level.event).by_number[group_at(level)[0]]
    assert match_at(level.event, 1).winner.number == winner.number
    assert response.url == reverse("desk", args=[level.event.slug]) + "#table-1-2"
    assert f"Table 1: {winner.player.name} wins, with 60 Fleet Points each." in text_of(client.get(response.url))


def test_who_is_level_again_rolls_again_with_the_first_throw_in_sight(client, level):
    group = seated_at(level)
    first, second = names(level, *group)

    response = client.post(at_table(level), thrown(group, 2, 2))
    page = text_of(client.get(response.url))

    assert f"Roll 2 {first} and {second} are tied and roll again." in page
    assert f"{first} 2 Battle Stations {second} 2 Battle Stations" in page


def test_software_rolls_until_it_is_decided_and_the_page_shows_every_face(client, level):
    response = client.post(at_table(level), {"software": "1"})
    page = client.get(response.url)

    rolled = state_of(level.event).roll_off(1, "table", group_at(level))
    faces = [face for throw in rolled.throws for rolls in throw.faces.values() for face in rolls]
    assert rolled.is_broken
    assert len(re.findall(r'class="die die-', page.content.decode())) == len(faces)
    assert rolled.throws[0].seed in text_of(page)
    assert "is ahead of" in text_of(page)
    assert f'href="{reverse("desk", args=[level.event.slug])}#table-1-2"' in page.content.decode()


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
def test_a_throw_that_cannot_be_is_refused_and_stays_as_typed(client, level, counts, sentence):
    group = group_at(level)
    first, _ = names(level, *group)

    response = client.post(at_table(level), thrown(group, *counts))

    assert response.status_code == 422
    assert "Not saved. Your entries are still here." in text_of(response)
    assert sentence.format(first=first) in text_of(response)
    assert all(f'value="{count}"' in response.content.decode() for count in counts if count)
    assert not Throw.objects.exists()


def test_a_throw_that_somebody_else_typed_already_is_not_counted_twice(client, level):
    group = group_at(level)
    roll_offs.throw_dice(level.event, 1, "table", group, dict.fromkeys(group, 2), by=BY)

    response = client.post(at_table(level), thrown(group, 2, 2))

    assert response.status_code == 409
    assert "Not saved. Someone else already entered roll 1." in text_of(response)
    assert 'name="throw" value="2"' in response.content.decode()
    assert Throw.objects.count() == 1


@pytest.mark.parametrize("how", [{"software": "1"}, {"throw": "1"}])
def test_a_table_that_is_not_level_rolls_no_dice(client, level, how):
    enter(level.event, 2, on_time(40, 60))

    response = client.post(at_table(level, 2), how)

    assert response.status_code == 409
    assert "These players aren’t tied, so there’s nothing to roll for" in text_of(response)


def test_a_roll_off_whose_tie_was_corrected_away_is_shown_as_void(client, level):
    """Rule 4.3."""
    client.post(at_table(level), thrown(group_at(level), 3, 1))
    enter(level.event, 1, on_time(40, 60), version=1)

    page = text_of(client.get(reverse("result", args=[level.event.slug, 1, 1])))

    assert "Roll-off at the table Void A corrected result has broken this tie" in page


def test_the_dice_of_a_closed_round_cannot_be_rolled_by_a_judge(client):
    night = make_night(players=4, rounds=1)
    client.force_login(night.judge)

    response = client.post(at_table(night), {"software": "1"})

    assert response.status_code == 409
    assert "Only an organizer can edit this result now." in text_of(response)
