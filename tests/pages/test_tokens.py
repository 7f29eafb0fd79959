"""The commendation token on pages: the desk gives it, the phone spends it, everybody reads the ledger (rule 6)."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.months import MONTH, Months, dethrone, draw, play_on, two_months
from tests.support.nights import AT, BY, make_night
from tests.support.phones import phone_of
from tests.support.saying import html_of
from tourney.actions import events, stores, tokens
from tourney.models import Event, Player, TokenLine
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


def text_of(response) -> str:
    """The words of the page's main part."""
    page = re.sub(r"<(script|style|nav|header class=.app).*?</\1>", " ", html_of(response), flags=re.DOTALL)
    page = re.sub(r"</?b>", "", page)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def desk(months: Months, role: str = "organizer") -> Client:
    client = Client()
    client.force_login(getattr(months.first, role))
    return client


def url(months: Months, name: str, *more) -> str:
    return reverse(name, args=[months.event.slug, *more])


def ledger_url(months: Months) -> str:
    return reverse("tokens", args=[months.first.store.slug, months.first.campaign.slug])


def give(months: Months, place: int = 0) -> None:
    tokens.grant(months.event, months.number(place), by=BY)


# the desk


@pytest.mark.parametrize("page", ["desk", "players", "token"])
def test_at_check_in_the_desk_proposes_the_holder_and_one_press_gives_it(page):
    months = two_months([2, 1])
    client, vice = desk(months, "judge"), months.order[1]
    shown = text_of(client.get(url(months, page)))

    assert f"{months.order[0]}, Admiral of month 5, isn’t here; {vice}, Vice Admiral, is the highest who is" in shown
    assert f"Give it to {vice}" in shown
    answer = client.post(url(months, "token"), {"do": "grant", "who": months.number(1), "back": page})

    assert (answer.status_code, answer.headers["Location"]) == (302, url(months, page))
    assert months.ledger() == [("granted", vice)]
    shown = text_of(client.get(url(months, page)))
    assert f"{vice} has it and hasn’t spent it yet." in shown
    assert "Give it to" not in shown


def test_before_anybody_is_here_the_desk_says_who_was_first():
    months = two_months([])

    shown = text_of(desk(months).get(url(months, "players")))

    assert f"{months.order[0]} finished month 5 first. Who gets the token shows here as players check in." in shown


def test_a_better_rank_that_comes_later_is_offered_until_round_1_and_explained_afterwards():
    months = two_months([1, 2])
    give(months, 1)
    months.arrive(0)
    assert f"Pass it on to {months.order[0]}" in text_of(desk(months).get(url(months, "desk")))
    draw(months.event)

    shown = text_of(desk(months).get(url(months, "desk")))

    assert "Pass it on" not in shown
    assert f"{months.order[0]} ranked better in month 5 and is checked in too. But round 1 has begun" in shown


def test_a_press_on_an_old_page_changes_nothing_and_says_why():
    months = two_months([1, 2])
    months.arrive(0)

    answer = desk(months).post(url(months, "token"), {"do": "grant", "who": months.number(1)})

    assert answer.status_code == 409
    assert f"Nothing changed. Someone else has updated the token. {months.order[0]} is Admiral of month 5" in text_of(
        answer
    )
    assert months.ledger() == []


def test_the_desk_records_what_was_spent_at_the_table_and_undoes_it_with_a_reason():
    months = two_months()
    give(months)
    draw(months.event)
    client = desk(months)
    assert "Mark as spent in round 1" in text_of(client.get(url(months, "token")))

    client.post(url(months, "token"), {"do": "spend", "round": 1})
    without = client.post(url(months, "token"), {"do": "unspend", "reason": ""})
    client.post(url(months, "token"), {"do": "unspend", "reason": "the wrong table"})

    assert without.status_code == 422
    assert "Give a reason. It’s kept in the ledger." in text_of(without)
    assert [kind for kind, _ in months.ledger()] == ["granted", "spent", "unspent"]


def test_who_declines_makes_room_for_the_next():
    months = two_months()
    give(months)
    client, admiral, vice = desk(months), *months.order[:2]

    client.post(url(months, "token"), {"do": "decline", "who": months.number(0), "reason": "plays without"})

    shown = text_of(client.get(url(months, "token")))
    assert f"It goes to {vice}" in shown
    assert "Give it after all" in shown
    client.post(url(months, "token"), {"do": "grant", "who": months.number(0)})
    assert months.ledger()[-1] == ("granted", admiral)


def test_a_grant_is_taken_back():
    months = two_months()
    give(months)

    desk(months).post(url(months, "token"), {"do": "take_back", "reason": "pressed too early"})

    assert months.ledger() == [("granted", months.order[0]), ("taken back", months.order[0])]


def test_before_the_end_the_desk_is_told_that_the_token_will_be_lost():
    months = two_months()
    give(months)
    play_on(months.event, 3)

    assert f"{months.order[0]} hasn’t spent the Commendation Award Token and loses it now." in (
        text_of(desk(months).get(url(months, "finish")))
    )


@pytest.mark.parametrize(
    ("pack", "sentence"),
    [
        ("dominion-war-5", "The first month has no token"),
        ("temporal-cold-war-2", "This month is played without the token"),
    ],
)
def test_where_there_is_no_token_its_page_says_why_and_the_desk_says_nothing(client, pack, sentence):
    night = make_night(players=4, pack=pack)
    client.force_login(night.organizer)

    assert sentence in text_of(client.get(reverse("token", args=[night.event.slug])))
    assert "ommendation token" not in text_of(client.get(reverse("desk", args=[night.event.slug])))
    assert "ommendation token" not in text_of(client.get(reverse("players", args=[night.event.slug])))


# my card


def test_my_card_says_that_the_token_waits_for_me_that_i_have_it_and_that_it_went_on():
    months = two_months([1, 2])
    phone = phone_of(months.who(1).player)
    pages = [url(months, "me"), reverse("my_card", args=[months.first.store.slug])]
    seen = [[text_of(phone.get(page)) for page in pages]]
    give(months, 1)
    seen.append([text_of(phone.get(page)) for page in pages])
    months.arrive(0)
    give(months, 0)
    seen.append([text_of(phone.get(page)) for page in pages])

    words = ("The commendation token is yours", "You have the commendation token", "You no longer have the")
    assert [[word in page for page in both] for word, both in zip(words, seen, strict=True)] == [[True, True]] * 3
    assert f"{months.order[0]} has it: {months.order[0]} is Admiral of month 5" in seen[2][0]
    assert "commendation token" not in text_of(phone_of(months.who(2).player).get(pages[1]))


def test_the_phone_spends_it_in_the_round_i_sit_at_a_table_of_and_everybody_sees_it():
    months = two_months()
    give(months)
    phone = phone_of(months.who(0).player)
    assert "Spend it this round" not in text_of(phone.get(url(months, "me")))
    draw(months.event)
    page = phone.get(url(months, "me")).content.decode()
    assert 'data-outbox="your token, spent in round 1"' in page
    key = re.search(r'name="key" value="([^"]+)"', page[page.index("spend-in-1") :])[1]

    answers = [phone.post(url(months, "spend_token"), {"round": 1, "key": key}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert months.ledger() == [("granted", months.order[0]), ("spent", months.order[0])]
    assert "Token spent in round 1" in text_of(phone.get(url(months, "me")))
    opponent = state_of(months.event).last_round.match_of(months.number(0)).opponent_of(months.number(0))
    assert f"{months.order[0]} spent the commendation token this round to re-roll one die." in (
        text_of(phone_of(opponent.player).get(url(months, "me")))
    )
    assert f"{months.order[0]} spent the commendation token in round 1." in (
        text_of(Client().get(url(months, "event")))
    )


def test_the_opponent_and_the_room_know_who_has_it():
    months = two_months()
    give(months)
    draw(months.event)
    opponent = state_of(months.event).last_round.match_of(months.number(0)).opponent_of(months.number(0))

    assert f"{months.order[0]} has the commendation token and may re-roll one die." in (
        text_of(phone_of(opponent.player).get(url(months, "me")))
    )
    assert f"{months.order[0]} has the commendation token." in text_of(Client().get(url(months, "event")))


def test_a_phone_without_the_token_is_refused_and_told_so():
    months = two_months()
    give(months)
    draw(months.event)

    answer = phone_of(months.who(1).player).post(url(months, "spend_token"), {"round": 1, "key": "a"})

    assert answer.status_code == 409
    assert "Another player has the token." in text_of(answer)
    assert Client().post(url(months, "spend_token"), {"round": 1}).status_code == 404


def test_after_the_end_my_card_says_that_the_token_was_lost():
    months = two_months()
    give(months)
    play_on(months.event, 3)
    phone = phone_of(months.who(0).player)
    assert "If you used the token, tell the desk." in text_of(phone.get(url(months, "me")))
    events.finish_event(months.event, by=BY)

    assert "You didn’t spend your token" in text_of(phone.get(url(months, "me")))


# the ledger


def test_the_ledger_tells_each_month_and_what_a_correction_changed():
    months = two_months()
    give(months)
    draw(months.event)
    tokens.spend(months.event, 1, by=BY)
    admiral = months.order[0]

    new = dethrone(months)
    shown = text_of(Client().get(ledger_url(months)))

    assert shown.index("The Last Battle of DS9") < shown.index("This is the first month, so there is no token yet")
    for said in (
        f"Given to {admiral}. {admiral} is Admiral of month 5 (rule 6.1).",
        f"{admiral} spent it in round 1.",
        f"The ranks of month 5 were corrected. {new} should have had the commendation token.",
        f"{admiral} spent it in round 1, and it stays spent (rule 6.4).",
        f"By the corrected ranks {new} would have it. {new} is Admiral of month 5 (rule 6.1).",
    ):
        assert said in shown
    assert "test," not in shown
    assert f"By the corrected ranks, {new} should have had it." in text_of(desk(months).get(url(months, "desk")))
    assert "test, 20 Nov 2026" in text_of(desk(months).get(ledger_url(months)))


def test_the_ledger_of_a_campaign_without_months_says_what_will_stand_there():
    night = make_night(players=0)
    shown = text_of(Client().get(reverse("tokens", args=[night.store.slug, night.campaign.slug])))
    assert "This is the first month, so there is no token yet" in shown

    campaign = events.make_campaign(night.store, storyline="Temporal Cold War", by=BY)
    shown = text_of(Client().get(reverse("tokens", args=[night.store.slug, campaign.slug])))
    assert "Nothing in the ledger yet" in shown


def test_a_finished_month_in_which_nobody_got_the_token_says_so():
    months = two_months()
    play_on(months.event, 3)
    events.finish_event(months.event, by=BY)

    assert f"{months.order[0]} is Admiral of month 5 (rule 6.1). The desk gave it to no one." in (
        text_of(Client().get(ledger_url(months)))
    )


def test_the_campaign_and_the_desk_lead_to_the_ledger():
    months = two_months()
    campaign = Client().get(months.first.campaign.get_absolute_url()).content.decode()

    assert f'href="{ledger_url(months)}"' in campaign
    assert f'href="{ledger_url(months)}"' in desk(months).get(url(months, "token")).content.decode()
    assert f'href="{url(months, "token")}"' in desk(months).get(url(months, "desk")).content.decode()


def test_the_ledger_asks_as_much_for_many_months_as_for_few():
    counts = []
    for more in (0, 3):
        months = two_months(store=make_night(players=0).store)
        for month in range(more):
            night = make_night(players=4, rounds=3, finish=True, store=months.first.store)
            Event.objects.filter(pk=night.event.pk).update(starts_at=AT + MONTH * (month + 1))
        Client().get(ledger_url(months))  # from then on this process knows the packs
        with CaptureQueriesContext(connection) as queries:
            Client().get(ledger_url(months))
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_pages_of_a_month_ask_as_much_with_many_lines_and_players_as_with_few():
    counts = []
    for guests in ((), ("Ensign Quill", "Nine of Ten", "Lark", "Sable")):
        months = two_months(guests=guests)
        give(months)
        if guests:
            tokens.withdraw(months.event, reason="again", by=BY)
            give(months)
        draw(months.event)
        pages = (
            (Client(), url(months, "event")),
            (phone_of(months.who(0).player), url(months, "me")),
            (desk(months), url(months, "desk")),
            (desk(months), url(months, "token")),
        )
        asked = []
        for client, page in pages:
            client.get(page)
            with CaptureQueriesContext(connection) as queries:
                client.get(page)
            asked.append(len(queries))
        counts.append(asked)

    assert counts[0] == counts[1]


def test_where_names_are_shown_short_the_ledger_and_phones_show_them_short():
    months = two_months([1, 2])
    for player in Player.objects.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} Zarkonian{player.pk}")
    months.order = [
        f"{name} {Player.objects.get(name__startswith=f'{name} ').name.split()[-1]}" for name in months.order
    ]
    stores.change_store(months.first.store, names_shown="initial", by=BY)
    phone = phone_of(months.who(1).player)
    offered = [text_of(phone.get(page)) for page in (url(months, "me"), url(months, "event"))]
    give(months, 1)
    draw(months.event)
    pages = [url(months, "me"), url(months, "event"), ledger_url(months)]
    shown = [*offered, *(text_of(phone.get(page)) for page in pages)]

    admiral, vice = months.order[:2]
    assert [admiral in page for page in shown] == [False] * 5
    assert vice not in shown[-1]
    assert f"{admiral.split()[0]} Z., Admiral of month 5, isn’t here" in shown[-1]
    assert TokenLine.objects.get().reason.startswith(f"{admiral}, Admiral of month 5, isn’t here; {vice},")


def test_a_player_reads_of_the_token_month_by_month(client):
    months = two_months()
    page = reverse("store_player", args=[months.first.store.slug, months.who(0).player_id])
    before = text_of(client.get(page))
    tokens.grant(months.event, months.number(0), by=BY)
    held = text_of(client.get(page))
    draw(months.event)
    tokens.spend(months.event, 1, by=BY)

    spent = text_of(client.get(page))

    assert "Commendation token" not in before
    assert ("Commendation token : has it" in held, "Commendation token : spent in round 1" in spent) == (True, True)
