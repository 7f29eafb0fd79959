"""The print centre in every state of the night, what its documents say, and where the codes lead."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages.test_me import phone, text_of
from tests.support.built_fleets import bring, two_ships
from tests.support.nights import BY, Night, make_night
from tests.support.tables import match_at
from tourney.actions import entrants, player_cards, rounds
from tourney.models import Event, PlayerCard
from tourney.printing.domain.documents import DOCUMENTS, GROUPS
from tourney.printing.queries.documents import printable_of
from tourney.queries.player_cards import is_key_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def desk(night: Night, role: str = "judge") -> Client:
    client = Client()
    client.force_login(getattr(night, role))
    return client


def centre(night: Night, query: str = "") -> dict:
    response = desk(night).get(reverse("print_centre", args=[night.event.slug]) + query)
    assert response.status_code == 200
    return response.context


def paper(night: Night, query: str, status: int = 200):
    response = desk(night).get(f"{reverse('paper', args=[night.event.slug])}?{query}")
    assert response.status_code == status
    return response


def titles(chosen: dict | None) -> list[str]:
    return list(map(str, chosen["titles"])) if chosen else []


# the print centre

LISTS = ["Pairings A–Z", "Match slips"]
STANDINGS = ["Standings", "Factions"]
AT_THE_END = [*STANDINGS, "Score sheet", "Awards", "Sign-in sheet"]
IN_ROUND_1 = ["Pairings A–Z", "Pairings by table", "Match slips", "Past opponents", "Score sheet", "Pairing by hand"]
IN_ROUND_2 = [*IN_ROUND_1[:3], "Standings", *IN_ROUND_1[3:]]


@pytest.mark.parametrize(
    ("night", "moment", "usual", "bundle"),
    [
        ({"players": 0}, "before", [], []),
        ({}, "before", ["Check-in list", "Fleet Build Sheets", "Table numbers"], []),
        ({"open_round": True}, "playing", LISTS, IN_ROUND_1),
        ({"rounds": 1}, "between", STANDINGS, IN_ROUND_2),
        ({"rounds": 1, "open_round": True}, "playing", [*LISTS, "Standings"], IN_ROUND_2),
        ({"rounds": 3}, "over", AT_THE_END, IN_ROUND_2),
        ({"rounds": 3, "finish": True}, "finished", AT_THE_END, IN_ROUND_2),
    ],
)
def test_one_press_prints_what_the_moment_asks_for(night, moment, usual, bundle):
    found = centre(make_night(**night))

    assert (found["moment"], titles(found["usual"]), titles(found["bundle"])) == (moment, usual, bundle)


@pytest.mark.parametrize(
    ("night", "first"),
    [
        ({}, "Before the first round"),
        ({"open_round": True}, "During the round"),
        ({"rounds": 1}, "Ranks and wrap-up"),
        ({"rounds": 3, "finish": True}, "Ranks and wrap-up"),
    ],
)
def test_the_documents_of_the_moment_stand_first_and_open(night, first):
    night = make_night(**night)

    answer = desk(night).get(reverse("print_centre", args=[night.event.slug]))

    groups = answer.context["groups"]
    assert [str(title) for _, title, _ in groups] == sorted(map(str, GROUPS.values()), key=lambda title: title != first)
    assert re.findall(r"(open)?>\s*<summary>\s*<h3>(.*?)</h3>", answer.content.decode())[0] == ("open", first)
    kinds = [document.kind for _, _, documents in groups for document, _ in documents]
    assert sorted(kinds) == sorted(kind for kind in DOCUMENTS if kind in printable_of(state_of(night.event)))


def test_the_print_centre_says_how_many_sheets_a_set_takes():
    found = centre(make_night(players=13, rounds=1, open_round=True))

    assert (str(found["usual"]["sheets"]), str(found["bundle"]["sheets"])) == ("4 sheets", "8 sheets")


def test_a_draft_is_printed_in_no_set_and_marked_where_the_desk_looks_at_it():
    night = make_night(rounds=1)
    rounds.pair_round(night.event, seed=1, by=BY)

    found = centre(night)

    assert (found["moment"], found["usual"]) == ("drafted", None)
    assert [(number, str(words)) for number, words in found["rounds"]] == [(1, "Round 1"), (2, "Round 2 (draft)")]
    assert "Round 1 of 3" in text_of(paper(night, "doc=pairings"))
    assert "Draft, not published" not in text_of(paper(night, "doc=pairings"))
    assert "Draft, not published" in text_of(paper(night, "doc=pairings&round=2"))
    assert text_of(paper(night, "doc=slips&round=2")).count("Draft") == 4


@pytest.mark.parametrize(
    ("locale", "query", "size"),
    [
        ("de_DE", "", "a4"),
        ("en_US", "", "letter"),
        ("en_US", "?size=a4", "a4"),
        ("de_DE", "?size=letter", "letter"),
        ("de_DE", "?size=napkin", "a4"),
    ],
)
def test_the_paper_is_that_of_the_country_unless_somebody_says_otherwise(locale, query, size):
    night = make_night(players=2)
    night.store.locale = locale
    night.store.save()

    found = centre(night, query)

    assert found["size"] == size
    assert f"size={size}" in found["usual"]["url"]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "There’s nothing to print for this document yet."),
        ("doc=napkins", "There’s nothing to print for this document yet."),
        ("doc=slips", "There’s nothing to print for this document yet."),
        ("doc=check-in&round=1", "This round doesn’t exist."),
        ("doc=check-in&after=1", "There are no standings after that round."),
        ("doc=check-in&per_page=5", "Choose how many slips go on a sheet: 1, 2, 3, 4, 6."),
        ("doc=blank-sheet&copies=61", "Choose 1 to 60 copies."),
        ("doc=check-in&size=a5", "Choose a paper size: A4, US Letter."),
    ],
)
def test_what_cannot_be_printed_says_why(query, reason):
    assert reason in text_of(paper(make_night(), query, status=409))


def test_copies_are_counted():
    assert text_of(paper(make_night(), "doc=blank-sheet&copies=3")).count("Before Battle Starts") == 3


# the documents


def test_7_16_a_slip_says_whose_fleet_has_the_initiative():
    night = make_night(players=2, open_round=True)
    first, second = match_at(night.event, 1).numbers
    bring(night.event, first)
    bring(night.event, second, two_ships(resource=None))

    text = text_of(paper(night, "doc=slips"))

    assert "82 SP" in text
    assert "62 SP initiative" in text
    assert "Initiative: lower fleet total." in text


def test_who_has_no_fleet_here_gets_a_blank_sheet_with_the_name_on_it():
    night = make_night(players=3)
    bring(night.event, 2)
    builds = paper(night, "doc=build-sheets").context["documents"][0]["builds"]
    names = sorted(entrant.player.name for entrant in night.event.entrants.select_related("player"))
    of_2 = night.event.entrants.get(number=2).player.name

    assert [(build.name, build.is_blank) for build in builds] == [(name, name != of_2) for name in names]


def test_the_score_sheet_keeps_what_is_known_and_leaves_the_rest_open():
    night = make_night(players=4, rounds=1)
    entrants.register(night.event, [("Late", "Klingon")], by=BY)

    (document,) = paper(night, "doc=score-sheet").context["documents"]

    known = [(str(line.entrant or ""), [score is not None for score in line.scores]) for line in document["lines"]]
    assert known[4:] == [("Late", [False] * 3), *[("", [False] * 3)] * 3]
    assert [scores for _, scores in known[:4]] == [[True, False, False]] * 4
    assert {line.standing for line in document["lines"]} == {None}


def test_printed_in_the_middle_of_a_round_the_score_sheet_has_what_is_entered_and_the_sums_so_far():
    night = make_night(players=7, rounds=1, open_round=True, tables=2)
    state = state_of(night.event)
    first, second = state.rounds

    (document,) = paper(night, "doc=score-sheet").context["documents"]

    lines = [line for line in document["lines"] if line.entrant]
    assert [line.scores for line in lines] == [
        (first.scores[line.entrant.number], second.scores.get(line.entrant.number), None) for line in lines
    ]
    assert [line.so_far for line in lines] == [
        (sum(score.battle_points for score in known), sum(score.fleet_points or 0 for score in known))
        for known in ([score for score in line.scores if score] for line in lines)
    ]
    assert sorted(line.scores[1] is not None for line in lines) == [False] * 2 + [True] * 5
    assert document["has_so_far"]


def test_the_final_score_sheet_has_ranks_and_titles():
    night = make_night(players=4, rounds=3, finish=True)
    state = state_of(night.event)
    first, second, *_ = (state.names[line.id] for line in state.standings(3))

    answer = paper(night, "doc=score-sheet")

    assert f"{first} Admiral" in text_of(answer)
    assert f"{second} Vice Admiral" in text_of(answer)
    assert not answer.context["documents"][0]["has_so_far"]


def test_the_record_says_whom_everybody_has_met_and_who_had_the_bye():
    night = make_night(players=3, rounds=1)
    bye = state_of(night.event).rounds[0].bye.a.player.name
    first, second = (entrant.player.name for entrant in match_at(night.event, 1).entrants)

    (document,) = paper(night, "doc=record").context["documents"]

    assert {(line.entrant.player.name, *map(str, line.met), line.byes) for line in document["lines"]} == {
        (bye, "Bye", 1),
        (first, second, 0),
        (second, first, 0),
    }


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"rounds": 1}, ["first against second, third against fourth", "rounded up", "Tables of round 2"]),
        ({"rounds": 1, "pack": "tournament-2016"}, ["60 Fleet Points", "Tables of round 2"]),
        ({}, ["Draw two names for each table"]),
        (
            {"rounds": 3},
            ["Those are the ranks", "The victorious faction", "Titles, from rank 1 down: Admiral, Vice Admiral."],
        ),
    ],
)
def test_3_how_to_pair_by_hand_follows_the_month(facts, said):
    text = text_of(paper(make_night(players=5, **facts), "doc=by-hand"))

    assert [words for words in said if words not in text] == []


def test_a_name_is_text_and_no_html():
    night = make_night(players=2, open_round=True)
    player = night.event.entrants.get(number=1).player
    player.name = "<b>Vor"
    player.save()

    for kind in ("pairings", "tables", "slips", "check-in", "score-sheet", "build-sheets", "record"):
        assert b"<b>Vor" not in paper(night, f"doc={kind}").content


def test_however_many_play_the_whole_bundle_takes_a_handful_of_queries(django_assert_max_num_queries):
    night = make_night(players=14, rounds=1, open_round=True)
    client, address = desk(night), centre(night)["bundle"]["url"] + "&doc=build-sheets&doc=check-in"

    with django_assert_max_num_queries(15):
        assert client.get(address).status_code == 200


# the code on a slip


def slip(night: Night, table: int = 1, number: int = 1) -> str:
    return reverse("slip", args=[night.event.slug, number, table])


def test_the_code_of_a_slip_leads_everybody_to_what_they_do_there():
    night = make_night(players=4, open_round=True)
    here, elsewhere = match_at(night.event, 1).a, match_at(night.event, 2).a
    code = slip(night)

    assert desk(night).get(code).url == reverse("result", args=[night.event.slug, 1, 1])
    assert phone(night, here.number).get(code).url == reverse("report", args=[night.event.slug, 1])
    assert phone(night, elsewhere.number).get(code).url == reverse("pairings", args=[night.event.slug, 1])
    assert Client().get(code).url == reverse("pairings", args=[night.event.slug, 1])


def test_the_code_of_a_table_that_is_not_there_leads_nowhere():
    night = make_night(players=4, rounds=1)
    rounds.pair_round(night.event, seed=1, by=BY)

    assert [desk(night).get(slip(night, *place)).status_code for place in ((3, 1), (1, 2), (1, 9))] == [404] * 3


# player cards


def cards(night: Night, **data):
    return desk(night, "organizer").post(reverse("print_cards", args=[night.event.slug]), data)


def players_of(event: Event) -> list[int]:
    return list(event.entrants.values_list("player", flat=True))


def test_who_has_no_card_is_ticked_and_who_has_one_is_not():
    night = make_night(players=3)
    player_cards.issue(night.event.entrants.get(number=2).player, by=BY)

    form = desk(night, "organizer").get(reverse("print_cards", args=[night.event.slug])).context["form"]

    assert sorted((entrant.number, ticked) for entrant, _, ticked in form.lines) == [(1, True), (2, False), (3, True)]


def test_cards_are_issued_and_shown_once():
    night = make_night(players=3)

    response = cards(night, player=players_of(night.event))

    assert response.status_code == 200
    assert text_of(response).count("Your card for every month") == 3
    assert "no-store" in response["Cache-Control"]
    assert PlayerCard.objects.count() == 3


def test_no_card_in_use_ends_unless_the_desk_says_so():
    night = make_night(players=2)
    player = night.event.entrants.get(number=1).player
    key = player_cards.issue(player, by=BY)
    in_use = PlayerCard.objects.get()

    asked = cards(night, player=players_of(night.event))

    assert asked.status_code == 409
    assert "Nothing printed yet: 1 player already has a card." in text_of(asked)
    assert f'name="replace" value="{in_use.pk}"' in asked.content.decode()
    assert list(PlayerCard.objects.all()) == [in_use]

    left_out = cards(night, player=players_of(night.event), leave="on")

    assert text_of(left_out).count("Your card for every month") == 1
    assert is_key_of(player, key)

    other = PlayerCard.objects.exclude(pk=in_use.pk).get()
    replaced = cards(night, player=players_of(night.event), replace=[in_use.pk, other.pk])

    assert replaced.status_code == 200
    assert not is_key_of(player, key)


def test_sent_a_second_time_the_question_comes_again_and_the_new_cards_stay():
    night = make_night(players=1)
    player_cards.issue(night.event.entrants.get().player, by=BY)
    data = {"player": players_of(night.event), "replace": [PlayerCard.objects.get().pk]}
    cards(night, **data)
    new = PlayerCard.objects.get()

    again = cards(night, **data)

    assert (again.status_code, PlayerCard.objects.get()) == (409, new)


def test_nobody_ticked_is_said():
    night = make_night(players=1)

    response = cards(night)

    assert response.status_code == 422
    assert "Tick the players whose cards you want to print." in text_of(response)


def test_leaving_out_everybody_prints_nothing():
    night = make_night(players=1)
    player_cards.issue(night.event.entrants.get().player, by=BY)

    response = cards(night, player=players_of(night.event), leave="on")

    assert response.status_code == 422
