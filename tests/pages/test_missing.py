"""At the desk and on phones: who has no faction, no recorded fleet, no signature; one press each (1.4, 7.1, 7.2)."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages.test_me import card_of, phone, phone_of
from tests.support.built_fleets import bring, night_with_fleets
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.result_forms import alone, row, rows_url, table_url, text_of
from tests.support.tables import match_at, on_time
from tourney.actions import entrants, reports, rounds
from tourney.models import Entrant, Event, FleetsRecorded, PlayerReport, Round, SheetCheck

pytestmark = pytest.mark.django_db

FACTS = {"ending": "time", "sp_left_a": "82", "sp_left_b": "46"}
TIME = {**FACTS, "version": "0"}


def url(night: Night, name: str, *args) -> str:
    return reverse(name, args=[night.event.slug, *args])


def organizer(night: Night) -> Client:
    client = Client()
    client.force_login(night.organizer)
    return client


def required(night: Night) -> Night:
    Event.objects.filter(pk=night.event.pk).update(fleets_recorded=FleetsRecorded.REQUIRED)
    return night


def is_published(night: Night) -> bool:
    return night.event.rounds.exclude(state=Round.State.DRAFT).exists()


def is_saved(night: Night, table: int = 1) -> bool:
    return match_at(night.event, table).result is not None


def signers(night: Night) -> int:
    return SheetCheck.objects.filter(seat__entrant__event=night.event, state=SheetCheck.State.SIGNED).count()


def hidden(response, name: str) -> str:
    """What stands in the hidden field of that name."""
    found = re.search(rf'name="{name}"\s+value="([^"]*)"', response.content.decode())
    return found[1] if found else ""


# factions (rule 1.4)


@copied
def two_undeclared(pack: str = "dominion-war-6") -> Night:
    """Two who declared, and two who did not."""
    night = make_night(players=2, pack=pack)
    entrants.register(night.event, [("Ada", ""), ("Bo", "")], by=BY, checked_in=True)
    return night


def declared(night: Night, name: str) -> tuple[str, bool]:
    return Entrant.objects.values_list("faction", "plays_without").get(event=night.event, player__name=name)


def test_1_4_the_desk_asks_each_player_without_a_faction_in_a_row_of_its_own():
    night = two_undeclared()

    text = text_of(organizer(night).get(url(night, "desk")))

    assert "2 players have no faction yet" in text
    assert "Ada Faction Choose faction Federation Klingon Romulan Dominion" in text
    assert text.count("No faction Save faction for") == 2


def test_on_the_overview_a_choice_in_the_row_declares_changes_or_plays_without():
    night = two_undeclared()
    desk = organizer(night)

    for faction in ("Klingon", "Romulan"):
        desk.post(url(night, "declare", 3), {"faction": faction, "back": "desk"})
    answer = desk.post(url(night, "declare", 4), {"faction": "without", "back": "desk"})

    assert answer.url == url(night, "desk")
    assert [declared(night, name) for name in ("Ada", "Bo")] == [("Romulan", False), ("", True)]


def test_one_press_declares_another_plays_without_and_then_the_draft_can_be_published():
    night = two_undeclared()
    rounds.pair_round(night.event, seed=1, by=BY)
    desk = organizer(night)
    draft = url(night, "round", 1)
    assert f'action="{url(night, "publish", 1)}"' not in desk.get(draft).content.decode()
    assert "2 players without a faction" in text_of(desk.get(draft))

    first = desk.post(url(night, "declare", 3), {"faction": "Klingon", "back": "1"})
    second = desk.post(url(night, "declare", 4), {"do": "without", "faction": "", "back": "1"})

    assert (first.url, second.url) == (draft, draft)
    assert [declared(night, name) for name in ("Ada", "Bo")] == [("Klingon", False), ("", True)]
    assert "without a faction" not in text_of(desk.get(draft))
    desk.post(url(night, "publish", 1))
    assert is_published(night)


def test_the_part_of_the_page_comes_back_by_itself():
    night = two_undeclared()
    desk = organizer(night)
    headers = {"HX-Request": "true", "HX-Target": "now"}

    answer = desk.post(url(night, "declare", 3), {"faction": "Borg"}, headers=headers)
    assert "HX-Redirect" in answer.headers
    assert "Select a valid choice" in text_of(desk.get(url(night, "desk")))

    answer = desk.post(url(night, "declare", 3), {"faction": "Klingon"}, headers=headers, follow=True)
    assert answer.content.decode().strip().startswith('<div id="now"')
    assert "1 player has no faction yet" in text_of(answer)


def test_without_a_choice_nothing_is_saved_and_the_page_says_what_to_do():
    night = two_undeclared()

    answer = organizer(night).post(url(night, "declare", 3), {"faction": ""})

    assert answer.status_code == 409
    assert "Choose a faction, or press “No faction”." in text_of(answer)
    assert declared(night, "Ada") == ("", False)


def test_where_no_list_is_in_the_source_the_faction_is_typed():
    night = two_undeclared("the-collective-1")
    desk = organizer(night)

    page = desk.get(url(night, "desk")).content.decode()
    assert 'list="factions-declared"' in page
    desk.post(url(night, "declare", 3), {"do": "faction", "faction": "Maquis"})

    assert declared(night, "Ada") == ("Maquis", False)


def test_a_month_without_allegiance_does_not_ask():
    night = two_undeclared("temporal-cold-war-2")
    rounds.pair_round(night.event, seed=1, by=BY)
    desk = organizer(night)

    for page in (url(night, "desk"), url(night, "round", 1)):
        assert "without a faction" not in text_of(desk.get(page))
    desk.post(url(night, "publish", 1))
    assert is_published(night)


def test_a_late_arrival_is_asked_at_the_same_place_and_the_round_is_published_all_the_same():
    night = make_night(players=4, rounds=1)
    entrants.register(night.event, [("Zephyr", "")], by=BY, checked_in=True)
    desk = organizer(night)

    assert "1 player without a faction Ask before their first round." in text_of(desk.get(url(night, "desk")))
    rounds.pair_round(night.event, seed=1, by=BY)
    draft = desk.get(url(night, "round", 2))
    assert "1 player without a faction" in text_of(draft)
    assert f'action="{url(night, "publish", 2)}"' in draft.content.decode()
    desk.post(url(night, "publish", 2))
    assert night.event.rounds.get(number=2).state == Round.State.PUBLISHED
    assert "without a faction" not in text_of(desk.get(url(night, "desk")))


def test_a_late_arrival_declares_on_the_own_page_without_a_reason():
    night = make_night(players=4, rounds=1)
    entrants.register(night.event, [("Zephyr", "")], by=BY, checked_in=True)

    organizer(night).post(url(night, "player", 5), {"do": "faction", "faction": "Romulan"})

    assert declared(night, "Zephyr") == ("Romulan", False)


def test_the_card_asks_for_the_faction_too_until_the_desk_knows():
    night = two_undeclared()
    asked = "You haven’t declared a faction. Tell the counter which one before you play."

    assert asked in card_of(night, 3)
    assert asked not in card_of(night, 1)
    entrants.play_without(night.event, 3, by=BY)
    assert asked not in card_of(night, 3)


# fleets before a round (rule 7.1)


@copied
def half_with_fleets() -> Night:
    """A draft of round 1; players 1 and 2 have a recorded fleet, 3 and 4 none."""
    night = make_night(players=4)
    bring(night.event, 1)
    bring(night.event, 2)
    rounds.pair_round(night.event, seed=1, by=BY)
    return night


def test_7_1_the_draft_says_whose_fleet_is_missing_and_one_press_publishes_without():
    night = half_with_fleets()
    desk = organizer(night)

    page = desk.get(url(night, "round", 1))
    assert "2 fleets not recorded If their sheets are on paper, publish without them." in text_of(page)
    assert "Publish round 1 without 2 fleets" in text_of(page)
    assert hidden(page, "without") == "3 4"
    desk.post(url(night, "publish", 1), {"without": "3 4"})

    assert is_published(night)


def test_what_was_not_seen_yet_is_shown_before_it_is_published():
    night = half_with_fleets()
    desk = organizer(night)

    answer = desk.post(url(night, "publish", 1), {"without": "3"})

    assert (answer.status_code, is_published(night)) == (409, False)
    assert "have no recorded fleet (rule 7.1)." in text_of(answer)
    desk.post(url(night, "publish", 1), {"without": hidden(answer, "without")})
    assert is_published(night)


def test_with_all_fleets_or_with_none_the_draft_asks_for_nothing():
    paper = make_night(players=4)
    complete = half_with_fleets()
    for number in (3, 4):
        bring(complete.event, number)
    rounds.pair_round(paper.event, seed=1, by=BY)

    for night in (paper, complete):
        page = organizer(night).get(url(night, "round", 1))
        assert "not recorded" not in text_of(page)
        assert "Publish round 1 without" not in text_of(page)
        organizer(night).post(url(night, "publish", 1), {"without": ""})
        assert is_published(night)


def test_required_fleets_hold_the_round_up_and_the_draft_leads_to_each():
    night = required(half_with_fleets())
    desk = organizer(night)

    page = desk.get(url(night, "round", 1))

    assert "Record 2 fleets This event requires a recorded fleet from everyone before round 1." in text_of(page)
    assert f'action="{url(night, "publish", 1)}"' not in page.content.decode()
    assert url(night, "entrant_fleet", 3) in page.content.decode()
    assert desk.post(url(night, "publish", 1), {"without": "3 4"}).status_code == 409
    assert not is_published(night)


# sheets before a result (rule 7.2)


def codes(night: Night, table: int = 1) -> str:
    return " ".join(sorted(f"sign{number}" for number in match_at(night.event, table).numbers))


def test_7_2_one_table_says_what_is_missing_and_one_press_saves_what_was_typed():
    night = night_with_fleets()
    desk = organizer(night)
    first, second = match_at(night.event, 1).entrants

    answer = desk.post(table_url(night, 1), TIME)

    assert (answer.status_code, is_saved(night)) == (409, False)
    text = text_of(answer)
    assert f"{second} hasn’t signed {first}’s fleet. {first} hasn’t signed {second}’s fleet. Save anyway" in text
    assert hidden(answer, "anyway") == codes(night)
    assert 'value="82"' in answer.content.decode()
    desk.post(table_url(night, 1), {**TIME, "anyway": hidden(answer, "anyway")})
    assert (is_saved(night), signers(night)) == (True, 0)


def test_one_press_says_signed_on_paper_and_saves():
    night = required(night_with_fleets())
    desk = organizer(night)

    answer = desk.post(table_url(night, 1), TIME)

    assert "Save as signed on paper" in text_of(answer)
    assert "Save anyway" not in text_of(answer)
    assert hidden(answer, "anyway") == ""
    assert desk.post(table_url(night, 1), {**TIME, "anyway": codes(night)}).status_code == 409
    desk.post(table_url(night, 1), {**TIME, "paper": "1"})
    assert (is_saved(night), signers(night)) == (True, 2)


def test_a_row_of_the_results_asks_in_its_line_and_saving_it_again_saves():
    night = night_with_fleets()
    desk = organizer(night)

    answer = desk.post(rows_url(night), row(1, **FACTS), headers=alone(1))

    assert (answer.status_code, is_saved(night)) == (409, False)
    assert "Save anyway" in text_of(answer)
    assert "Replace with mine" not in text_of(answer)
    seen = {"t1-anyway": hidden(answer, "t1-anyway")}
    assert seen == {"t1-anyway": codes(night)}
    assert desk.post(rows_url(night), row(1, **FACTS) | seen, headers=alone(1)).status_code == 200
    assert is_saved(night)


def test_a_row_that_is_missing_a_fleet_leads_to_it():
    night = required(night_with_fleets({1: None}))
    table = next(table for table in (1, 2) if 1 in match_at(night.event, table).numbers)

    answer = organizer(night).post(rows_url(night), row(table, ending="both_eliminated"), headers=alone(table))

    assert answer.status_code == 409
    assert f"Record {night.event.entrants.get(number=1)}’s fleet" in text_of(answer)
    assert url(night, "entrant_fleet", 1) in answer.content.decode()
    assert "Signed on paper" not in text_of(answer)


def test_all_tables_at_once_say_what_each_misses_and_the_second_press_saves_them():
    night = night_with_fleets()
    desk = organizer(night)
    typed = {**row(1, **FACTS), **row(2, **FACTS)}

    answer = desk.post(rows_url(night), typed)

    assert answer.status_code == 409
    assert "Not saved: 2 tables. Your entries are still here." in text_of(answer)
    assert not is_saved(night, 1)
    seen = {f"t{table}-anyway": hidden(answer, f"t{table}-anyway") for table in (1, 2)}
    desk.post(rows_url(night), typed | seen)
    assert (is_saved(night, 1), is_saved(night, 2)) == (True, True)


def test_one_row_is_signed_on_paper_while_the_others_wait():
    night = required(night_with_fleets())
    desk = organizer(night)

    answer = desk.post(rows_url(night), {**row(1, **FACTS), **row(2, **FACTS), "t1-paper": "1"})

    assert answer.status_code == 409
    assert (is_saved(night, 1), is_saved(night, 2), signers(night)) == (True, False, 2)


def test_the_desk_that_takes_a_report_sees_what_is_missing_first():
    night = night_with_fleets()
    desk = organizer(night)
    for number, played in zip(match_at(night.event, 1).numbers, (on_time(82, 46), on_time(46, 82)), strict=True):
        reports.report(night.event, 1, number, played, by=BY)
    word = PlayerReport.objects.order_by("pk").first().pk

    answer = desk.post(url(night, "take_report", 1, 1), {"seen": word})

    assert (answer.status_code, is_saved(night)) == (409, False)
    assert "Save anyway" in text_of(answer)
    desk.post(url(night, "take_report", 1, 1), {"seen": word, "anyway": hidden(answer, "anyway")})
    assert is_saved(night)


def test_a_phone_that_may_not_report_yet_is_led_to_the_sheet_to_sign():
    night = required(night_with_fleets())
    first, second = match_at(night.event, 1).entrants

    answer = phone_of(first).post(url(night, "report", 1), {"do": "report", **FACTS})

    assert answer.status_code == 409
    assert f"Check and sign {second}’s fleet" in text_of(answer)
    assert url(night, "sheet", second.number) in answer.content.decode()
    assert 'value="82"' in answer.content.decode()
    assert not PlayerReport.objects.exists()


def test_required_sheets_are_said_in_the_rules_of_the_event():
    night = required(make_night(players=2))

    assert "Fleet sheets Recorded before round 1; each opponent signs before the result." in text_of(
        phone(night, 1).get(reverse("event", args=[night.event.slug]))
    )
