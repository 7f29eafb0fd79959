"""Results from the players' phones: report, look at, confirm, take back."""

import re

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.pages.test_me import phone_of, text_of
from tests.support.built_fleets import bring_all
from tests.support.nights import BY, Night, make_night
from tests.support.tables import enter, match_at, on_time
from tourney.actions import reports, sign_off, wishes
from tourney.models import Entrant, Event, IdempotencyKey, PlayerReport

pytestmark = pytest.mark.django_db

TIME = {"do": "report", "ending": "time", "sp_left_a": "30", "sp_left_b": "20"}


@pytest.fixture
def night() -> Night:
    """Four players, round 1 in play."""
    return make_night(players=4, open_round=True)


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    """Who sits at table 1."""
    return match_at(night.event, 1).entrants


@pytest.fixture
def phones(pair) -> tuple[Client, Client]:
    return tuple(map(phone_of, pair))


def url(night: Night, number: int = 1) -> str:
    return reverse("report", args=[night.event.slug, number])


def card(night: Night) -> str:
    return reverse("me", args=[night.event.slug])


def say(night: Night, entrant: Entrant, played=None, **more) -> int:
    """That player has reported; the report as a button of the page names it."""
    reports.report(night.event, 1, entrant.number, played or on_time(30, 20), by=more.pop("by", BY), **more)
    return PlayerReport.objects.get(seat__entrant=entrant).pk


def keys_in(response) -> list[str]:
    return re.findall(r'name="key"\s+value="([^"]+)"', response.content.decode())


def test_nobody_reported_yet_and_the_card_leads_to_the_form(night, pair, phones):
    other = pair[1]

    on_card = text_of(phones[0].get(card(night)))
    page = text_of(phones[0].get(url(night)))

    assert "Enter result" in on_card
    assert f"Round 1, against {other}" in page
    assert (
        f"How did it end? I won {other}’s fleet is gone I lost My fleet is gone Time Time was called "
        f"It ended another way Both eliminated {other} conceded I conceded"
    ) in page
    assert "No-show" not in page
    assert f"Send to {other}" in page


def test_each_showing_of_the_form_has_a_key_of_its_own(night, phones):
    keys = [keys_in(phones[0].get(url(night))) for _ in range(2)]

    assert [len(key) for key in keys] == [1, 1]
    assert keys[0] != keys[1]


def test_what_was_sent_waits_for_the_other_player(night, pair, phones):
    me, other = pair

    mine = phones[0].post(url(night), TIME | {"words": "close", "key": "k"}, follow=True)
    theirs = phones[1].get(url(night))

    assert f"Sent. {other} has to confirm it." in text_of(mine)
    assert "Your report Awaiting confirmation You win 80–70." in text_of(mine)
    assert f"{me}’s report You lose 70–80." in text_of(theirs)
    assert f"{me}: close" in text_of(theirs)
    assert "Yes, that’s right No, report a different result" in text_of(theirs)
    assert IdempotencyKey.objects.get().key == "k"


def test_the_cards_of_both_say_so(night, pair, phones):
    say(night, pair[0])

    mine, theirs = (text_of(phone.get(card(night))) for phone in phones)

    assert f"You reported: You win 80–70. Waiting for {pair[1]} to confirm. See my report" in mine
    assert (
        f"{pair[0]} reported: You lose 70–80. Is that right? "
        f"{pair[0]}: 100 −20 = 80 FP · 2 BP You: 100 −30 = 70 FP · 1 BP Yes, that’s right No, report a different result"
    ) in theirs


def test_yes_is_said_on_the_card_in_one_press_and_once(night, pair, phones):
    seen = say(night, pair[0], words="close")
    page = phones[1].get(card(night))
    form = re.search(r'<form method="post"\s+action="([^"]*/report/)".*?</form>', page.text, re.DOTALL)
    facts = dict(re.findall(r'name="(key|seen|do)"\s+value="([^"]+)"', form[0]))
    assert facts == {"key": facts["key"], "seen": str(seen), "do": "confirm"}
    assert f"{pair[0]}: close" in text_of(page)
    assert primary(page) == ["Yes, that’s right"]

    for _ in "twice":
        assert "Official result Agreed" in text_of(phones[1].post(form[1], facts, follow=True))

    assert match_at(night.event, 1).played == on_time(30, 20)
    assert IdempotencyKey.objects.filter(key=facts["key"]).count() == 1
    assert "Yes, that’s right" not in text_of(phones[1].get(card(night)))


def test_a_reported_tie_is_summed_up_on_the_card_without_points_of_a_battle(night, pair, phones):
    say(night, pair[0], on_time(30, 30))

    said = text_of(phones[1].get(card(night)))

    assert f"{pair[0]}: 100 −30 = 70 FP · roll-off pending You: 100 −30 = 70 FP · roll-off pending Yes" in said


def test_where_only_the_desk_enters_results_a_card_says_no_yes(night, pair, phones):
    say(night, pair[0])
    Event.objects.update(reported_by="desk")

    assert "Yes, that’s right" not in text_of(phones[1].get(card(night)))


def test_yes_that_is_right_makes_it_the_result(night, pair, phones):
    seen = say(night, pair[0])

    page = phones[1].post(url(night), {"do": "confirm", "seen": seen, "key": "k"}, follow=True)

    assert match_at(night.event, 1).played == on_time(30, 20)
    assert f"Agreed. {pair[0]} wins, 80 Fleet Points to 70." in text_of(page)
    assert "Official result Agreed" in text_of(page)
    assert "This isn’t what you reported" not in text_of(page)


def test_no_something_is_different_opens_the_form_with_what_the_other_sent(night, pair, phones):
    say(night, pair[0])

    page = phones[1].get(url(night), {"own": 1}).content.decode()

    assert re.search(r'name="sp_left_a"\s+value="30"', page)
    assert re.search(r'value="time"[^>]*checked', page)


def test_what_is_typed_is_looked_at_before_it_is_sent(night, phones):
    looked_at = TIME | {"preview": "1"}

    answers = [phones[0].post(url(night), sent).status_code for sent in (looked_at, looked_at | {"sp_left_a": "x"})]

    assert answers == [200, 422]
    assert not PlayerReport.objects.exists()


def test_in_a_dispute_a_player_accepts_what_the_other_reported_in_one_press(night, pair, phones):
    theirs = say(night, pair[0])
    mine = say(night, pair[1], on_time(30, 25))
    page = phones[1].get(url(night))
    assert f"Accept {pair[0]}’s report" in text_of(page)
    assert re.search(rf"{pair[0]} reported: You lose \d+–\d+", text_of(page))
    assert f'name="seen" value="{theirs}"' in page.content.decode()
    stale = phones[1].post(url(night), {"do": "confirm", "seen": mine})

    agreed = text_of(phones[1].post(url(night), {"do": "confirm", "seen": theirs}, follow=True))

    assert (stale.status_code, match_at(night.event, 1).played) == (409, on_time(30, 20))
    assert "Agreed. " in agreed
    assert "Official result Agreed" in agreed
    assert "Official result Agreed" in text_of(phones[0].get(url(night)))


def test_what_is_no_longer_said_is_not_confirmed(night, pair, phones):
    seen = say(night, pair[0])
    say(night, pair[0], on_time(30, 25))

    page = phones[1].post(url(night), {"do": "confirm", "seen": seen, "key": "k"})

    assert page.status_code == 409
    assert f"Not confirmed. {pair[0]} changed the report. Check it again." in text_of(page)
    assert f"{pair[0]}’s report You lose 70–75." in text_of(page)
    assert match_at(night.event, 1).result is None


def test_a_report_is_taken_back_on_the_phone(night, pair, phones):
    say(night, pair[0])

    page = phones[0].post(url(night), {"do": "withdraw", "key": "k"}, follow=True)

    assert "Report withdrawn." in text_of(page)
    assert f"Send to {pair[1]}" in text_of(page)
    assert not PlayerReport.objects.exists()


def test_the_same_key_again_is_answered_with_how_things_stand(night, pair, phones):
    facts = TIME | {"key": "k"}
    phones[0].post(url(night), facts)

    again = phones[0].post(url(night), facts, follow=True)
    say(night, pair[1])
    later = phones[0].post(url(night), facts, follow=True)

    assert "Nothing changed. Your report had already arrived." in text_of(again)
    assert "Not saved. The match already has this result." in text_of(later)
    assert PlayerReport.objects.count() == 2


def test_whoever_comes_after_the_desk_is_told_what_counts(night, pair, phones):
    enter(night.event, 1, on_time(30, 25))

    page = phones[0].post(url(night), TIME | {"key": "k"}, follow=True)

    assert (
        "Not saved. The match already has a result. "
        f"You sent: {pair[0]} wins, 80 Fleet Points to 70. If the result is wrong, go to the desk."
    ) in text_of(page)
    assert "Official result Entered You win 75–70." in text_of(page)


def test_a_tied_result_sends_both_to_the_dice(night, pair, phones):
    say(night, pair[0], on_time(30, 30))

    page = phones[1].post(url(night), TIME | {"sp_left_b": "30"}, follow=True)

    assert "Tied – you each roll 5 attack dice; most Battle Stations wins." in text_of(page)


def test_in_a_month_of_defense_dice_the_card_says_who_rolls_which():
    night = make_night(players=4, open_round=True, pack="drive")
    match = match_at(night.event, 1)
    enter(night.event, 1, on_time(30, 30))

    attacks, defends = (
        text_of(phone_of(one).get(card(night))) for one in sorted(match.entrants, key=lambda one: one.number)
    )
    looked_up = text_of(Client().get(reverse("event", args=[night.event.slug]), {"q": match.a.player.name}))

    assert "Tied – you roll 5 attack dice, " in attacks
    assert "Tied – you roll 5 defense dice, " in defends
    assert "one player rolls 5 attack dice, the other 5 defense dice" in looked_up


def test_a_number_that_the_own_fleet_cannot_leave_is_said_to_its_player_as_you(night, pair, phones):
    bring_all(night.event)

    for letter, whose in (("a", "Your fleet"), ("b", f"{pair[1]}’s fleet")):
        page = text_of(
            phones[0].post(url(night), TIME | {"sp_left_a": "46", "sp_left_b": "46", f"sp_left_{letter}": "45"})
        )
        assert f"{whose} can’t have 45 SP left. Nearest possible: 44 or 46." in page


def test_a_player_is_you_in_what_is_refused_and_in_the_reason_of_a_result(night, pair, phones):
    refused = text_of(phones[0].post(url(night), TIME | {"sp_left_a": "900"}))
    say(night, pair[1])
    waits = text_of(phones[0].get(url(night)))
    enter(night.event, 1, on_time(30, 20))
    counts = [text_of(phone.get(url(night))) for phone in phones]

    assert "Your fleet can’t have 900 SP left: the limit is 100." in refused
    won = f"Time was called. You win on Fleet Points, 80 to {pair[1]}’s 70."
    assert won in waits
    assert won in counts[0]
    assert f"Time was called. {pair[0]} wins on Fleet Points, 80 to your 70." in counts[1]


def test_the_own_side_of_the_sum_is_you(night, pair, phones):
    page = phones[0].post(url(night), TIME | {"preview": "1"}).content.decode()

    sides = [" ".join(one.split()) for one in re.findall(r'class="side-name">\s*([^<]+)<', page)]
    assert sides == ["You", str(pair[1])]


def primary(page) -> list[str]:
    found = re.findall(r"<(a|button)[^>]*button-primary[^>]*>(.*?)</\1>", page.content.decode(), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", "", text).split()) for _tag, text in found]


def test_the_one_primary_button_is_what_comes_next_however_far_a_report_is(night, pair, phones):
    say(night, pair[0])
    assert primary(phones[0].get(url(night))) == ["Back to my table"]
    assert primary(phones[0].get(f"{url(night)}?own=1")) == [f"Send to {pair[1]}"]
    assert primary(phones[1].get(url(night))) == ["Yes, that’s right"]

    say(night, pair[1], on_time(20, 30))
    for phone, other in zip(phones, reversed(pair), strict=True):
        assert primary(phone.get(url(night))) == [f"Accept {other}’s report"]
        assert primary(phone.get(f"{url(night)}?own=1")) == [f"Send to {other}"]


@pytest.mark.parametrize(
    ("facts", "status", "sentence"),
    [
        ({}, 422, "Choose how the match ended."),
        ({"ending": "time", "sp_left_a": "30"}, 422, "’s SP left."),
        ({"ending": "no_show", "out": "a"}, 422, "Select a valid choice."),
        ({"ending": "time", "sp_left_a": "30", "sp_left_b": "x"}, 422, "Enter a whole number."),
        ({"ending": "concession", "out": "a", "sp_left_b": "5"}, 409, "To concede, send the desk a request"),
    ],
)
def test_what_cannot_be_sent_stays_in_the_form(night, phones, facts, status, sentence):
    page = phones[0].post(url(night), {"do": "report"} | facts)

    assert page.status_code == status
    assert sentence in text_of(page)
    assert not PlayerReport.objects.exists()


def test_the_sum_is_shown_before_anything_is_sent(night, phones):
    headers = {"HX-Request": "true", "HX-Target": "preview"}

    part = phones[0].post(url(night), TIME | {"preview": "1"}, headers=headers)
    unfinished = phones[0].post(url(night), {"preview": "1", "ending": "time"}, headers=headers)
    whole = phones[0].post(url(night), TIME | {"preview": "1"})

    assert part.content.decode().lstrip().startswith('<section id="preview"')
    assert "You win 80–70. That’s 2 Battle Points and 80 Fleet Points for you." in text_of(part)
    assert (unfinished.status_code, "Enter your SP left." in text_of(unfinished)) == (200, True)
    assert "You win 80–70." in text_of(whole)
    assert not PlayerReport.objects.exists()


def test_sp_left_stand_there_already_where_fleets_are_marked(night, pair, phones):
    bring_all(night.event)
    sign_off.mark_destroyed(night.event, 1, pair[1].number, [1], by=BY)

    page = phones[0].get(url(night)).content.decode()

    assert re.search(r'name="sp_left_b"\s+value="46"', page)
    assert not re.search(r'name="sp_left_a"\s+value', page)
    assert re.search(rf"<a [^>]*>\s*{pair[1]}’s fleet\s*</a>", page)


def test_the_part_that_asks_again_is_answered_with_itself_or_with_nothing_new(night, pair, phones):
    headers = {"HX-Request": "true", "HX-Target": "word"}
    first = phones[1].get(url(night), headers=headers)

    again = phones[1].get(url(night), headers=headers | {"If-None-Match": first["ETag"]})
    say(night, pair[0])
    then = phones[1].get(url(night), headers=headers | {"If-None-Match": first["ETag"]})

    assert first.content.decode().lstrip().startswith('<div id="word"')
    assert (again.status_code, then.status_code) == (304, 200)
    assert "Yes, that’s right" in text_of(then)


def test_where_only_the_desk_enters_results_the_phone_says_so(night, phones):
    Event.objects.filter(pk=night.event.pk).update(reported_by="desk")

    page = text_of(phones[0].get(url(night)))
    refused = phones[0].post(url(night), TIME)

    assert "The desk enters results Tell the desk how your match ended." in page
    assert "Enter result" not in text_of(phones[0].get(card(night)))
    assert refused.status_code == 409


def test_only_those_who_sit_there_find_the_page(client, night):
    bye = make_night(players=3, open_round=True, store=night.store)
    alone = bye.event.entrants.exclude(number__in=match_at(bye.event, 1).numbers).get()

    assert client.get(url(night)).status_code == 404
    assert phone_of(match_at(night.event, 1).a).get(url(night, 2)).status_code == 404
    assert phone_of(alone).get(url(bye)).status_code == 404


@pytest.mark.many
@pytest.mark.parametrize("name", ["report", "me", "desk"])
def test_the_number_of_queries_does_not_grow_with_the_tables(client, name):
    warm = make_night(players=4, open_round=True)
    few, many = (make_night(players=players, open_round=True, store=warm.store) for players in (4, 16))
    client.force_login(warm.owner)
    counts = []
    for night in (warm, few, many):  # each at its first sight: what is loaded is kept for the next
        for table in range(1, night.event.entrants.count() // 2 + 1):
            for entrant in match_at(night.event, table).entrants:
                say(night, entrant, on_time(30, 20 + entrant.number))
                wishes.ask(night.event, entrant.number, "drop", by=BY)
        visitor = client if name == "desk" else phone_of(match_at(night.event, 1).a)
        page = url(night) if name == "report" else reverse(name, args=[night.event.slug])
        with CaptureQueriesContext(connection) as queries:
            assert visitor.get(page).status_code == 200
        counts.append(len(queries))

    assert counts[1] == counts[2]


# how much is loaded


def loads_of(client: Client, address: str, data: dict[str, str]) -> int:
    """How often the whole event is loaded while a phone's form is answered."""
    with CaptureQueriesContext(connection) as queries:
        assert client.post(address, data).status_code == 302
    return sum("WITH event AS MATERIALIZED" in query["sql"] for query in queries.captured_queries)


def test_what_a_phone_sends_loads_its_match_alone(night, pair, phones):
    first, second = phones
    reported = loads_of(first, url(night), TIME | {"key": "a"})
    said = str(PlayerReport.objects.get(seat__entrant=pair[0]).pk)

    confirmed = loads_of(second, url(night), {"do": "confirm", "seen": said, "key": "b"})

    assert (reported, confirmed) == (0, 0)
    assert match_at(night.event, 1).result is not None


def test_where_only_the_desk_enters_results_no_phone_rolls(night, phones):
    enter(night.event, 1, on_time(30, 30))
    rolls = reverse("my_dice", args=[night.event.slug, 1])
    assert rolls in phones[0].get(url(night)).content.decode()
    Event.objects.update(reported_by="desk", version=F("version") + 1)

    assert rolls not in phones[0].get(url(night)).content.decode()
    assert ">Roll off<" not in phones[0].get(card(night)).content.decode()


def test_a_roll_of_thousands_of_digits_is_none_that_was_seen(night, phones):
    enter(night.event, 1, on_time(30, 30))
    rolls, asks = reverse("my_dice", args=[night.event.slug, 1]), {"do": "software", "key": "k"}

    assert phones[0].post(rolls, asks | {"roll": "1" * 5000}).status_code == 409
    assert phones[0].post(rolls, asks | {"roll": "1"}).status_code == 302
