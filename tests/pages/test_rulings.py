"""Something went wrong at a table: two presses, the points before the second, and a mark for everybody."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring.domain.points import Score
from tests.support.built_fleets import bring_all
from tests.support.nights import BY, Night, make_night
from tests.support.phones import phone_of
from tests.support.saying import html_of
from tests.support.tables import enter, match_at, names_at, on_time
from tourney.actions import history, rounds
from tourney.models import Event, JournalEntry, NamesShown, Penalty, Player
from tourney.queries.history import history_of, stored_rows
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

PACKS = ("dominion-war-6", "temporal-cold-war-2", "tournament-2016")


@pytest.fixture
def night(client) -> Night:
    """Five players, round 1 in play, the organizer signed in; table 1 has 100 SP each, and no fleets are known."""
    night = make_night(players=5, open_round=True)
    client.force_login(night.organizer)
    return night


def url(event: Event, name: str = "ruling", *args) -> str:
    return reverse(name, args=[event.slug, *(args or (1, 1))])


def url_desk(event: Event) -> str:
    return reverse("desk", args=[event.slug])


def text_of(answer) -> str:
    body = re.sub(r"<[^>]+>", " ", html_of(answer))
    return " ".join(html.unescape(body).split())


def in_words(score: Score) -> str:
    fleet_points = "FP as for a bye" if score.fleet_points is None else f"{score.fleet_points} FP"
    return f"{score.battle_points} BP, {fleet_points}"


def promised(client: Client, event: Event) -> dict[str, list[str]]:
    """By each button that can be pressed, the points of both players that stand beside it."""
    body = client.get(url(event)).content.decode()
    found = {}
    for option in re.findall(r'<div class="case-option">.*?</div>', body, re.DOTALL):
        if "disabled" not in option and (key := re.search(r'name="decide"\s+value="(.*?)"', option)):
            found[key[1]] = [" ".join(points.split()) for points in re.findall(r"<b>(.*?)</b>", option, re.DOTALL)]
    return found


def decide(client: Client, event: Event, key: str, *, version: int = 0, **more):
    return client.post(url(event), {"decide": key, "version": version, "reason": "so decided"} | more)


@pytest.mark.many
@pytest.mark.parametrize("with_fleets", [False, True])
@pytest.mark.parametrize("pack", PACKS)
def test_what_stands_beside_each_button_is_what_it_gives(client, pack, with_fleets):
    """Rules 2.9, 2.11, 2.12, by the month's own points."""
    night = make_night(players=4, pack=pack, open_round=True)
    if with_fleets:
        bring_all(night.event)
    client.force_login(night.organizer)
    numbers, given = match_at(night.event, 1).numbers, {}

    shown = promised(client, night.event)
    for key in shown:
        decide(client, night.event, key)
        scores = state_of(night.event).round(1).scores
        given[key] = [in_words(scores[number]) for number in numbers]
        history.undo(night.event, history_of(night.event).last.pk, by=BY)

    assert shown == given
    assert list(shown) == [
        *("no_show a", "no_show b", "neither_came", "concession a", "concession b"),
        *("ruling b", "ruling a", "double_loss"),
    ]


def test_the_last_table_of_a_round_knows_the_mean_already(client, night):
    """Rule 2.11: whoever waited in vain gets the mean of the others."""
    enter(night.event, 2, on_time(50, 30))

    assert promised(client, night.event)["no_show a"] == ["0 BP, 0 FP", "2 BP, 60 FP"]


def test_what_was_marked_on_phones_counts_in_a_concession(client):
    """Rules 2.3, 2.9: the conceder keeps what was earned."""
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    client.force_login(night.organizer)
    match = match_at(night.event, 1)
    before = promised(client, night.event)["concession a"]
    match.row.seats.filter(side="b").update(destroyed=[1])

    after = promised(client, night.event)["concession a"]

    assert before != after
    decide(client, night.event, "concession a")
    scores = state_of(night.event).round(1).scores
    assert after == [in_words(scores[number]) for number in match.numbers]


def test_a_decision_is_one_press_and_one_step_back(client, night):
    there = stored_rows(night.event)

    answer = decide(client, night.event, "no_show b")
    history.undo(night.event, history_of(night.event).last.pk, by=BY)

    assert (answer.status_code, answer.url) == (302, url_desk(night.event) + "#table-1-1")
    assert stored_rows(night.event) == there


def test_pressed_twice_it_is_decided_once(client, night):
    for _ in range(2):
        decide(client, night.event, "double_loss")

    assert JournalEntry.objects.filter(event=night.event, did="report_result").count() == 1


@pytest.mark.many
@pytest.mark.parametrize(
    ("key", "word", "sentence"),
    [
        ("no_show a", "No-show", "{0} was a no-show, so {1} scores like a bye (rule 2.11). Reason: the tram."),
        ("neither_came", "No-show", "{0} and {1} were both no-shows (rule 2.11). Reason: the tram."),
        ("concession b", "Conceded", "{1} conceded, so {0} wins (rule 2.9). Reason: the tram."),
        ("ruling a", "Ruling", "By a ruling, {1} wins (rule 2.12). Reason: the tram."),
        ("double_loss", "Double loss", "By a ruling, both players lose (rule 2.12). Reason: the tram."),
    ],
)
def test_everybody_reads_what_was_decided_and_by_which_rule(client, night, key, word, sentence):
    enter(night.event, 2, on_time(50, 30))
    decide(client, night.event, key, reason="the tram")
    sentence = sentence.format(*names_at(night.event, 1))
    players = [entrant.player for entrant in match_at(night.event, 1).entrants]
    stranger, event = Client(), night.event

    pages = {
        "standings": stranger.get(reverse("standings", args=[event.slug])),
        "pairings": stranger.get(reverse("pairings", args=[event.slug, 1])),
        "desk": client.get(url_desk(event)),
        "paper": client.get(reverse("paper", args=[event.slug]), {"doc": ["standings", "score-sheet"]}),
        **{f"phone of {one}": phone_of(one).get(reverse("me", args=[event.slug])) for one in players},
        **{f"player {one}": stranger.get(reverse("store_player", args=[night.store.slug, one.pk])) for one in players},
    }

    assert [name for name, page in pages.items() if sentence not in text_of(page)] == []
    assert [name for name, page in pages.items() if word not in text_of(page)] == []


def test_a_penalty_is_given_with_one_press_and_read_by_everybody(client, night):
    enter(night.event, 1, on_time(40, 60))
    enter(night.event, 2, on_time(50, 30))
    entrant = match_at(night.event, 1).a
    page = text_of(client.get(url(night.event)))

    answer = client.post(
        url(night.event),
        {"penalize": entrant.number, "fleet_points": "−10", "battle_points": "", "reason": "Late to the table"},
    )

    sentence = f"{entrant} gets −10 Fleet Points (rule 2.12). Reason: Late to the table."
    assert answer.status_code == 302
    assert "Now: 1 BP, 40 FP Then: 1 BP, 30 FP" in page
    assert state_of(night.event).round(1).scores[entrant.number].fleet_points == 30
    for name, args in (("standings", ()), ("pairings", (1,))):
        shown = text_of(Client().get(reverse(name, args=[night.event.slug, *args])))
        assert f"Penalty {'Round 1: ' if name == 'standings' else ''}{sentence}" in shown
    assert sentence in text_of(phone_of(match_at(night.event, 1).b.player).get(reverse("me", args=[night.event.slug])))


def test_typed_points_show_their_effect_before_they_are_given(client, night):
    enter(night.event, 1, on_time(40, 60))
    data = {"fleet_points": "−25", "battle_points": "-1", "reason": "rude"}

    part = client.post(url(night.event), data, headers={"HX-Request": "true", "HX-Target": "effects"})

    assert "Now: 1 BP, 40 FP Then: 0 BP, 15 FP" in text_of(part)
    assert not Penalty.objects.exists()


@pytest.mark.parametrize(
    ("fleet_points", "battle_points", "label"),
    [
        ("-25", "", "Deduct 25 FP from {}"),
        ("", "-1", "Deduct 1 BP from {}"),
        ("-25", "-1", "Deduct 1 BP and 25 FP from {}"),
        ("5", "", "Give {} 5 FP"),
        ("5", "-1", "Change {}’s points: −1 BP, +5 FP"),
        ("ten", "", "Deduct points from {}"),
    ],
)
def test_a_penaltys_button_says_what_it_takes_from_whom(client, night, fleet_points, battle_points, label):
    data = {"fleet_points": fleet_points, "battle_points": battle_points, "reason": "rude"}

    part = client.post(url(night.event), data, headers={"HX-Request": "true", "HX-Target": "effects"})

    assert [label.format(entrant) in text_of(part) for entrant in match_at(night.event, 1).entrants] == [True, True]


def test_what_follows_from_a_penalty_is_asked_once(client, night):
    enter(night.event, 1, on_time(40, 60))
    enter(night.event, 2, on_time(50, 30))
    entrant = match_at(night.event, 1).a

    asked = re.findall(r'data-confirm="([^"]+)"', client.get(url(night.event)).content.decode())
    rounds.close_round(night.event, 1, by=BY)
    later = client.get(url(night.event)).content.decode()

    follows = "Round 1: 1 BP, 40 FP now, 1 BP, 30 FP then. Everyone can read it, with its reason. You can undo it."
    assert f"Deduct 10 FP from {entrant}? {follows}" in asked
    assert "data-confirm=" not in later  # everything it changes is reviewed on a page of its own


def test_other_points_than_the_button_said_are_shown_first(client, night):
    entrant = match_at(night.event, 1).a
    data = {"penalize": entrant.number, "fleet_points": "-15", "reason": "late", "shown": "0 -10"}

    shown = client.post(url(night.event), data)
    given = Penalty.objects.exists()
    client.post(url(night.event), data | {"shown": "0 -15"})

    assert (shown.status_code, given) == (409, False)
    assert "Not saved yet. The points changed: check them, then press again." in text_of(shown)
    assert f"Deduct 15 FP from {entrant}" in text_of(shown)
    assert Penalty.objects.get().fleet_points == -15


def test_the_bye_can_be_penalized_too(client, night):
    number = state_of(night.event).round(1).bye.a.number
    page = reverse("bye_ruling", args=[night.event.slug, 1])
    shown = text_of(client.get(page))

    client.post(page, {"penalize": number, "fleet_points": "-5", "reason": "noise"})

    assert "No-show" not in shown
    assert Penalty.objects.get().entrant.number == number


def test_what_a_penalty_takes_from_the_bye_is_said_before_its_fleet_points_are_known(client, night):
    page = reverse("bye_ruling", args=[night.event.slug, 1])

    assert "−10 FP on top of the round’s average" in text_of(client.get(page))


def test_in_a_finished_event_only_penalties_are_given_here(client):
    night = make_night(players=4, rounds=3, finish=True)
    client.force_login(night.organizer)

    shown = client.get(url(night.event)).content.decode()
    result = client.get(reverse("result", args=[night.event.slug, 1, 1])).content.decode()

    assert "The event is finished." in shown
    assert ['name="penalize"' in shown, 'name="decide"' in shown, "Ruling or penalty" in result] == [True, False, True]


def test_a_penalty_is_taken_back_on_the_same_page(client, night):
    number = match_at(night.event, 1).numbers[0]
    client.post(url(night.event), {"penalize": number, "fleet_points": "-5", "reason": "noise"})

    page = html.unescape(client.get(url(night.event)).content.decode())
    answer = client.post(url(night.event), {"lift": Penalty.objects.get().pk}, follow=True)

    assert f'data-confirm="Remove this penalty? {names_at(night.event, 1)[0]} gets −5 Fleet Points (rule' in page

    assert "Penalty removed." in text_of(answer)
    assert not Penalty.objects.exists()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"decide": "no_show a", "version": 0, "reason": ""}, "Say why: it stands beside the points"),
        ({"decide": "anything", "version": 0, "reason": "x"}, "Choose one of the options below."),
        ({"penalize": "number", "fleet_points": "ten", "reason": "late"}, "Enter a whole number."),
        ({"penalize": "number", "fleet_points": "", "reason": "late"}, "0 would change nothing."),
        ({"penalize": "number", "fleet_points": "-10", "reason": " "}, "Say why: it stands beside the points"),
        ({}, "Say why"),
    ],
)
def test_what_is_wrong_comes_back_with_what_was_typed(client, night, data, message):
    number = match_at(night.event, 1).numbers[0]
    data = {name: number if value == "number" else value for name, value in data.items()}

    answer = client.post(url(night.event), data)

    assert answer.status_code == 422
    assert message in text_of(answer)
    assert not JournalEntry.objects.filter(event=night.event, did__in=("report_result", "penalize")).exists()


def test_a_judge_decides_while_the_round_is_in_play_only(night):
    judge = Client()
    judge.force_login(night.judge)
    decide(judge, night.event, "concession a")
    enter(night.event, 2, on_time(50, 30))
    rounds.close_round(night.event, 1, by=BY)
    data = {"penalize": match_at(night.event, 1).numbers[0], "fleet_points": "-10", "reason": "late"}

    answer = judge.post(url(night.event), data)

    assert match_at(night.event, 1).result.ending == "concession"
    assert answer.status_code == 409
    assert "Only an organizer can edit this result now." in text_of(answer)
    assert not Penalty.objects.exists()


def test_of_a_closed_round_penalties_are_given_and_results_stay(client, night):
    for table in (1, 2):
        enter(night.event, table, on_time(50 + 5 * table, 30 + table))
    rounds.close_round(night.event, 1, by=BY)
    data = {"penalize": match_at(night.event, 1).numbers[0], "fleet_points": "-10", "reason": "late"}

    answers = [decide(client, night.event, "no_show a"), client.post(url(night.event), data)]

    assert [answer.status_code for answer in answers] == [422, 200]
    assert "Review penalty" in text_of(answers[1])


def test_short_names_stand_in_public_sentences(client, night):
    player = Player.objects.get(entries__event=night.event, entries__number=match_at(night.event, 1).numbers[0])
    player.name = "Vor Kandak"
    player.save()
    night.store.names_shown = NamesShown.INITIAL
    night.store.save()

    client.post(
        url(night.event),
        {"penalize": match_at(night.event, 1).numbers[0], "fleet_points": "-10", "reason": "Vor Kandak was late"},
    )

    shown = text_of(Client().get(reverse("pairings", args=[night.event.slug, 1])))
    assert "Vor K. gets −10 Fleet Points (rule 2.12). Reason: Vor K. was late." in shown
    assert "Kandak" not in shown
