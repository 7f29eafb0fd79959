"""A store that shows first name and initial: no public page knows a full name, the desk and the own card do."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils.html import escape

from tests.pages.test_access import names
from tests.support.built_fleets import bring, bring_all, too_dear
from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tests.support.tables import eliminated, enter, match_at, night_with_ties
from tourney import access
from tourney.actions import by_hand, events, fleets, player_cards, rounds, store_players, stores
from tourney.actions.announcements import announce
from tourney.actions.prizes import set_prizes
from tourney.models import Event, FleetsShown, JournalEntry, Player, Seat
from tourney.queries.shared import shared_state
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db

SECRET = re.compile("zarkonian", re.IGNORECASE)
HREF = re.compile(r'(?:href|hx-get)="(/[^"#]*)')


@pytest.fixture
def night() -> Night:
    return at_a_store_that_shows_initials()


@copied
def at_a_store_that_shows_initials() -> Night:
    """Round 2 in play with a swap by hand; at the same store events that are over, tied and still to come."""
    night = make_night(players=7, rounds=1, open_round=True, tables=1)
    make_night(players=6, rounds=3, finish=True, seed=2, store=night.store)
    night_with_ties(store=night.store, seed=3)
    make_night(players=4, seed=4, store=night.store)
    drafted = make_night(players=6, rounds=1, seed=5, store=night.store)
    bring_all(night.event, range(2, 8))
    bring(night.event, 1, too_dear())
    Event.objects.update(fleets_shown=FleetsShown.ALL)
    give_last_names(night)
    _by_hand(drafted.event)
    enter(night.event, 2, eliminated(left=66), number=2, ruling=f"{match_at(night.event, 2, 2).a} came late")
    owner = night.event.entrants.get(number=1)
    owner.fleet.unlocked = f"{owner} forgot a card"
    owner.fleet.name = f"Pride of {owner}"
    owner.fleet.save()
    fleets.allow(night.event, 1, "7.5", 0, reason=f"{owner} borrows it", by=BY)
    announce(night.event, f"{owner} to the counter", by=BY)
    over = Event.objects.exclude(finished_at=None).get()
    set_prizes(over, f"1: shield given by {over.entrants.get(number=1)}", expected="", by=BY)
    stores.change_store(night.store, names_shown="initial", by=BY)
    night.event.refresh_from_db()
    return night


def give_last_names(night: Night) -> None:
    """A last word of its own for everybody: Zarkonian with a number at its end."""
    for player in night.store.players.all():
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} Zarkonian{player.pk}")


def _by_hand(event: Event) -> None:
    rounds.pair_round(event, seed=1, by=BY)
    first, second = (match_at(event, table, 2).a for table in (1, 2))
    by_hand.place(event, 2, first.number, second.number, reason=f"{first} has to leave early", by=BY)
    rounds.publish_round(event, 2, by=BY)


def addresses_of(slug: str) -> Iterator[str]:
    """Every address that takes this slug alone."""
    for name in names(get_resolver()):
        with suppress(NoReverseMatch):
            yield reverse(name, args=[slug])


def crawl(client: Client, night: Night) -> Iterator[tuple[str, str]]:
    """(address, text) of all pages of the store that this client reaches, with those that no page leads to."""
    waiting = [*addresses_of(night.store.slug)]
    for event in Event.objects.all():
        waiting += addresses_of(event.slug)
        waiting += [f"{reverse('join', args=[event.slug])}?in={number}" for number in (1, 2, 99)]
        waiting += [reverse("sheet", args=[event.slug, number]) for number in (1, 2, 3)]
        waiting += [f"{reverse(name, args=[event.slug])}?q=vo" for name in ("event", "standings")]
    seen = set()
    while waiting:
        address = waiting.pop()
        if address in seen or address.startswith("/static/"):
            continue
        seen.add(address)
        answer = client.get(address)
        if answer.status_code == 200 and not answer.streaming and answer["Content-Type"] != "image/png":
            text = answer.content.decode()
            yield address, text
            waiting += HREF.findall(text.replace("&amp;", "&"))


def test_no_public_page_knows_a_full_name(client, night):
    pages = dict(crawl(client, night))

    kinds = {re.sub(r"\d+", "#", address.partition("?")[0].replace(night.event.slug, "EVENT")) for address in pages}
    assert {"/e/EVENT/", "/e/EVENT/rounds/#/", "/e/EVENT/standings/", "/e/EVENT/fleets/#/", "/e/EVENT/join/"} <= kinds
    assert [address for address, text in pages.items() if SECRET.search(text)] == []
    for words in (
        "came late",
        "has to leave early",
        "forgot a card",
        "Pride of",
        "borrows it",
        "to the counter",
        "shield",
    ):
        assert any(words in text for text in pages.values()), words


@pytest.mark.nightly
def test_a_ruling_about_somebody_of_another_night_does_not_give_the_name_away(client, night):
    elsewhere = Event.objects.exclude(finished_at=None).get().entrants.all()
    here = night.event.entrants.values("player")
    other = Player.objects.create(store=night.store, name="Grell Zarkonian99")
    guest = next((one.player for one in elsewhere.exclude(player__in=here)), other)
    table = state_of(night.event).last_round.missing[0].table
    enter(night.event, table, eliminated(left=66), number=2, ruling=f"{guest} lent a fleet to {other}")
    owner = night.event.entrants.get(number=1)
    fleets.allow(night.event, owner.number, "7.5", 0, reason=f"{other} was the judge", by=BY)

    pages = dict(crawl(client, night))

    assert [address for address, text in pages.items() if SECRET.search(text)] == []
    assert any("Grell Z." in text and "lent a fleet to" in text for text in pages.values())
    assert any("was the judge" in text for text in pages.values())


@pytest.mark.nightly
def test_a_players_phone_knows_the_own_full_name_and_those_of_opponents(client, night):
    own = match_at(night.event, 3, 2).a
    at_tables = Seat.objects.filter(match__seats__entrant__player=own.player)
    met = set(at_tables.values_list("entrant__player__name", flat=True))
    client.cookies[access.card_cookie(night.store)] = player_cards.issue(own.player, by=BY)

    pages = dict(crawl(client, night))

    found = {address: {*re.findall(r"\w+ Zarkonian\d+", text)} for address, text in pages.items()}
    assert found[reverse("me", args=[night.event.slug])] == {own.player.name}
    assert found[reverse("my_card", args=[night.store.slug])] == {own.player.name}
    assert {address: names for address, names in found.items() if names - met} == {}


def test_the_desk_knows_the_full_names(client, night):
    client.force_login(night.organizer)
    names = set(night.event.entrants.values_list("player__name", flat=True))

    desk = client.get(reverse("desk", args=[night.event.slug])).content.decode()
    sheet = client.get(reverse("sheet", args=[night.event.slug, 1])).content.decode()

    assert {name for name in names if name in desk} == names
    assert state_of(night.event).names[1] in sheet


def test_a_player_is_found_by_the_full_name_and_by_the_one_that_is_shown(client, night):
    match = match_at(night.event, 1, 2)
    full = match.a.player.name
    shown = shared_state(night.event).names[match.a.number]
    first, last = full.split()

    for text in (full, full.upper(), last, shown, first):
        page = client.get(reverse("event", args=[night.event.slug]), {"q": text})
        assert page.context["me"] == match.a.number, text
    assert client.get(reverse("event", args=[night.event.slug]), {"q": last[:-1]}).context["me"] is None


def test_a_name_that_is_registered_already_is_answered_as_it_is_shown(client, night):
    to_come = Event.objects.get(rounds=None)
    entrant = to_come.entrants.get(number=1)
    typed = {"name": entrant.player.name.lower(), "faction": "Romulan"}

    page = client.post(reverse("join", args=[to_come.slug]), typed)

    assert page.status_code == 409
    assert page.context["already"] == shared_state(to_come).names[1]
    assert entrant.player.name not in page.content.decode()


def test_everybody_is_shown_as_first_name_and_initial_that_nobody_else_at_the_store_has(night):
    for pk, name in enumerate(("Vor Zarkonian", "Vor Zarkonius", "Nine of Ten", "Onyx")):
        Player.objects.filter(pk=night.event.entrants.get(number=pk + 1).player_id).update(name=name)
    stores.change_store(night.store, name="Deck Nine", by=BY)
    night.event.refresh_from_db()

    names = shared_state(night.event).names

    assert [names[number] for number in (1, 2, 3, 4)] == ["Vor Zarkonia.", "Vor Zarkoniu.", "Nine T.", "Onyx"]


def test_a_change_reaches_the_pages_of_finished_events_too(client, night):
    over = Event.objects.exclude(finished_at=None).get()
    address = reverse("standings", args=[over.slug])
    before = client.get(address)
    stores.change_store(night.store, names_shown="full", by=BY)

    after = client.get(address, headers={"If-None-Match": before.headers["ETag"]})

    assert after.status_code == 200
    names = over.entrants.values_list("player__name", flat=True)
    assert [name for name in names if escape(name) not in after.content.decode()] == []


def test_the_journal_says_how_names_were_shown_before(night):
    entry = JournalEntry.objects.filter(did="change_store").last()

    assert (entry.before, entry.after) == ({"names_shown": "full"}, {"names_shown": "initial"})


def test_a_forgotten_player_keeps_the_mark(night):
    player = night.event.entrants.get(number=1).player
    mark = store_players.erase(player, by=BY)
    night.event.refresh_from_db()

    assert shared_state(night.event).names[1] == mark


def test_actions_write_full_names(night):
    for match in state_of(night.event).last_round.missing:
        enter(night.event, match.table, eliminated(left=66), number=2)
    rounds.close_round(night.event, 2, by=BY)
    events.finish_event(night.event, by=BY, reason="the shop closes")

    assert SECRET.search(JournalEntry.objects.last().what)
