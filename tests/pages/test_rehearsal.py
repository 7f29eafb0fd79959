"""Rehearsals on the pages: who comes there, what it looks like, and that nothing leaks out of it."""

import json
import re
from datetime import timedelta
from io import StringIO
from itertools import product

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.pages.test_access import ACCESS
from tests.support.copied import copied
from tests.support.nights import AT, BY, PASSWORD, Night, make_night, make_store, now
from tests.support.phones import phone_of
from tests.support.tenth import PART, everything_runs
from tourney import access
from tourney.actions import player_cards, rehearsal
from tourney.actions.archive import InvalidArchive, import_event
from tourney.actions.record import Actor
from tourney.models import Entrant, Event, JournalEntry, Pace, Player, Rehearsal, Store, User
from tourney.queries.archive import archive_of
from tourney.queries.state import state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return make_night(players=6)


@pytest.fixture
def desk(night) -> Client:
    return signed_in(night.organizer)


def signed_in(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


@copied
def begun(night: Night, *, made_up: int = 0, pace: str = Pace.STEP) -> Event:
    by = Actor(night.organizer, night.organizer.username, timezone.now())
    return rehearsal.begin(night.event, rehearsal.RehearsalPlan(made_up, pace), by=by, seed=1)


@copied
def played(night: Night, *, rounds: int = 1) -> Event:
    """A rehearsal with so many rounds closed, and the next one in play."""
    copy = begun(night)
    while copy.rounds.filter(state="closed").count() < rounds or state_of(copy).next_step.kind != "results":
        copy.refresh_from_db()
        rehearsal.step(copy, expected_version=copy.version, at=timezone.now())
    return Event.objects.with_context().get(pk=copy.pk)


def places_of(event: Event) -> dict[str, object]:
    first, second = event.entrants.order_by("number")[:2]
    return {
        "store": event.store.slug,
        "campaign": event.campaign.slug,
        "event": event.slug,
        "player": first.player_id,
        "other": second.player_id,
        "pack": "dominion-war-6",
        "snapshot": event.journal.filter(did="publish_round").values_list("pk", flat=True).first() or 0,
    } | dict.fromkeys(("set_up", "invitation", "waiting", "request", "judge", "fleet", "merge"), 0)


def addresses(event: Event) -> list[str]:
    """Every URL of the access table that belongs to the event or its store."""
    return [path.format(**places_of(event)) for path, _, _ in ACCESS if path.startswith(("/e/", "/s/"))]


def in_words(response) -> str:
    """Status and body without what differs from showing to showing."""
    body = response.text if response["Content-Type"] != "image/png" else repr(response.content)
    body = re.sub(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"', "", body)
    return f"{response.status_code} {re.sub(r'data-server-now="[0-9]*"|data-key="[^"]*"', '', body)}"


# nobody finds it


@pytest.mark.many
@pytest.mark.parametrize("who", ["stranger", "elsewhere", "judge", "player"])
def test_nobody_but_its_organizers_gets_any_page_of_it(night, who):
    copy = played(night)
    _, others = make_store("Deck Twelve")
    real = Player.objects.get(store=night.store, name=night.event.entrants.get(number=1).player.name)
    clients = {
        "stranger": Client(),
        "elsewhere": signed_in(others["owner"]),
        "judge": signed_in(night.judge),
        "player": phone_of(real),
    }
    client = clients[who]
    client.cookies[access.card_cookie(copy.store)] = player_cards.issue(copy.entrants.get(number=1).player, by=BY)

    answers = {path: client.get(path) for path in addresses(copy) if not path.endswith("/live/")}

    seen = {
        path: answer.status_code
        for path, answer in answers.items()
        if answer.status_code not in (404, 405)
        and not (answer.status_code == 302 and answer["Location"].startswith("/sign-in/"))
    }
    assert seen == {}


def test_nobody_but_its_organizers_does_anything_there(night):
    copy, judge = played(night), signed_in(night.judge)

    answers = {path: judge.post(path).status_code for path in addresses(copy)}

    assert set(answers.values()) == {404, 405}


def test_a_card_of_the_rehearsal_opens_nothing_for_a_player(night):
    copy = played(night)
    key = player_cards.issue(copy.entrants.get(number=1).player, by=BY)

    response = Client().get(f"/card/{key}/")

    assert (response.status_code, response.cookies.keys()) == (404, set())


def test_a_card_of_the_store_is_nobody_at_the_rehearsal(night):
    copy = played(night)
    client = signed_in(night.organizer)
    client.cookies[access.card_cookie(copy.store)] = player_cards.issue(night.event.entrants.first().player, by=BY)

    assert client.get(f"/s/{copy.store.slug}/me/data/").status_code == 404


def test_store_pages_of_owners_and_organizers_are_not_there_at_a_rehearsal(night):
    copy = played(night)
    owner = signed_in(night.owner)
    pages = ("people/", "settings/", "journal/", "players/", "new-campaign/", "packs/import/")

    answers = [owner.get(f"/s/{copy.store.slug}/{page}").status_code for page in pages]

    assert answers == [404] * len(pages)


def readers(night: Night, owner: User) -> list[Client]:
    """A stranger, a player and the owner, each with the cookie that forms ask for, which is a part of every ETag."""
    found = [Client(), phone_of(night.event.entrants.get(number=1).player), signed_in(owner)]
    for client in found:
        client.get("/sign-in/")
        client.get("/password/")
        client.get(f"/e/{night.event.slug}/join/")
    return found


def test_every_page_of_the_store_and_its_events_is_the_same_with_and_without_a_rehearsal():
    month = make_night(players=6, rounds=3, finish=True)
    tonight = make_night(players=5, rounds=1, open_round=True, pack="dominion-war-5", store=month.store)
    soon = make_night(players=6, pack="dominion-war-4", store=month.store)
    people = readers(soon, month.owner)
    pages = {"/", *(path for night in (month, tonight, soon) for path in addresses(night.event))}
    pages -= {f"/e/{soon.event.slug}/desk/rehearsal/"}
    looked_at = [*product(sorted(pages), people)][:: 1 if everything_runs() else PART]

    def shown() -> list[str]:
        return [in_words(reader.get(path)) for path, reader in looked_at]

    def versions() -> list:
        return list(Event.objects.filter(campaign__store=month.store).order_by("pk").values_list("version", flat=True))

    before, versions_before = shown(), versions()
    copy = rehearsal.begin(soon.event, rehearsal.RehearsalPlan(3, Pace.FAST), by=now(), seed=1)
    while copy.finished_at is None:
        rehearsal.step(copy, expected_version=copy.version, at=AT)
        copy.refresh_from_db()

    different = [path for (path, _), page, was in zip(looked_at, shown(), before, strict=True) if page != was]
    assert different == []
    assert versions() == versions_before


def test_the_front_page_knows_one_store(night):
    begun(night)

    assert Client().get("/")["Location"] == f"/s/{night.store.slug}/"


def test_signing_in_leads_to_the_store_and_discards_old_rehearsals(night):
    begun(night)
    Rehearsal.objects.update(ends_at=timezone.now() - timedelta(minutes=1))

    response = Client().post("/sign-in/", {"username": night.organizer.username, "password": "tea, earl grey"})
    answer = Client().post("/sign-in/", {"username": night.organizer.username, "password": PASSWORD})

    assert response.status_code == 422
    assert answer["Location"] == f"/s/{night.store.slug}/"
    assert not Rehearsal.objects.exists()


def test_from_the_end_of_its_days_on_nobody_sees_it(night, desk):
    copy = begun(night)
    before = desk.get(f"/e/{copy.slug}/desk/").status_code
    Rehearsal.objects.update(ends_at=timezone.now() - timedelta(seconds=1))

    assert (before, desk.get(f"/e/{copy.slug}/desk/").status_code) == (200, 404)
    assert desk.post(f"/e/{night.event.slug}/desk/rehearsal/", {"made_up": 0, "pace": "step"}).status_code == 302


def test_an_archive_of_it_says_so_and_no_store_takes_it(night, tmp_path):
    copy = played(night)
    data = archive_of(copy)
    file = tmp_path / "rehearsal.json"
    file.write_text(json.dumps(data | {"event": data["event"] | {"slug": "free"}}))

    assert data["rehearsal"] is True
    assert "rehearsal" not in archive_of(night.event)
    with pytest.raises(InvalidArchive, match="archive of a rehearsal"):
        import_event(night.store, data, by=BY)
    with pytest.raises(CommandError, match="archive of a rehearsal"):
        call_command("import_event", str(file), stdout=StringIO())


# what it looks like


def test_every_page_of_it_says_what_it_is(night, desk):
    copy = played(night)

    answers = {path: desk.get(path) for path in addresses(copy)}
    pages = {
        path: " ".join(answer.content.decode().split())
        for path, answer in answers.items()
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
    }

    unmarked = [
        path
        for path, page in pages.items()
        if not all(
            part in page
            for part in (
                "<title>Rehearsal · ",
                'class="is-rehearsal"',
                'class="rehearsal-banner"',
                'content="noindex, nofollow"',
            )
        )
    ]
    assert len(pages) > 30
    assert unmarked == []


def test_no_real_page_looks_like_one(night, desk):
    begun(night)
    looked_at = addresses(night.event)[:: 1 if everything_runs() else PART]

    answers = (desk.get(path) for path in looked_at)
    assert [answer for answer in answers if b"is-rehearsal" in answer.content] == []


def test_the_poster_of_a_rehearsal_says_so_in_the_file_too(night, desk):
    copy = played(night)

    svg = desk.get(f"/s/{copy.store.slug}/campaigns/{copy.campaign.slug}/poster.svg")

    assert "Rehearsal" in svg.content.decode()


# at the desk


def test_the_desk_leads_to_the_rehearsal_until_the_event_begins(night, desk):
    link = f"/e/{night.event.slug}/desk/rehearsal/"
    begins = make_night(players=4, open_round=True, pack="dominion-war-5", store=night.store)

    assert link in desk.get(f"/e/{night.event.slug}/desk/").content.decode()
    assert "/desk/rehearsal/" not in desk.get(f"/e/{begins.event.slug}/desk/").content.decode()
    assert "/desk/rehearsal/" not in signed_in(night.judge).get(f"/e/{night.event.slug}/desk/").content.decode()
    assert "The event has started" in desk.get(f"/e/{begins.event.slug}/desk/rehearsal/").content.decode()


@pytest.mark.parametrize(("players", "offered"), [(0, 8), (3, 5), (4, 0), (9, 0)])
def test_fewer_than_four_are_filled_up(players, offered):
    night = make_night(players=players)

    page = signed_in(night.organizer).get(f"/e/{night.event.slug}/desk/rehearsal/").content.decode()

    assert re.search(r'<input[^>]*name="made_up"[^>]*>', page)[0].count(f'value="{offered}"') == 1


def test_begun_it_opens_its_own_desk(night, desk):
    response = desk.post(f"/e/{night.event.slug}/desk/rehearsal/", {"made_up": 2, "pace": "minute"})

    row = Rehearsal.objects.get()
    assert response["Location"] == f"/e/{row.store.slug}/desk/"
    assert (row.event, row.registered, row.made_up, row.pace, row.by_name) == (
        night.event,
        6,
        2,
        "minute",
        night.organizer.username,
    )
    assert Entrant.objects.filter(event__slug=row.store.slug).count() == 8


@pytest.mark.parametrize("typed", ["", "-1", "495", "many"])
def test_a_number_of_players_that_cannot_be_is_said_at_the_field(night, desk, typed):
    response = desk.post(f"/e/{night.event.slug}/desk/rehearsal/", {"made_up": typed, "pace": "step"})

    assert response.status_code == 422
    assert 'aria-invalid="true"' in response.content.decode()
    assert not Rehearsal.objects.exists()


def test_a_second_one_is_refused_and_the_page_leads_to_the_first(night, desk):
    copy = begun(night)
    address = f"/e/{night.event.slug}/desk/rehearsal/"

    refused = desk.post(address, {"made_up": 0, "pace": "step"})

    assert refused.status_code == 409
    assert f"/e/{copy.slug}/desk/" in desk.get(address).content.decode()
    assert desk.get(f"/e/{copy.slug}/desk/rehearsal/")["Location"] == f"/e/{copy.slug}/desk/"


def test_next_step_pressed_twice_on_one_page_is_one_step(night, desk):
    copy = begun(night)
    facts = {"seen": copy.version, "do": "next"}

    desk.post(f"/e/{copy.slug}/desk/rehearsal/step/", facts)
    page = desk.post(f"/e/{copy.slug}/desk/rehearsal/step/", facts, follow=True).content.decode()

    assert "Something changed here" in page
    assert state_of(copy).next_step.kind == "pair"


def test_two_open_pages_play_no_faster_than_one(night, desk):
    copy = begun(night, pace=Pace.MINUTE)
    facts = {"seen": copy.version}

    for _ in range(2):
        desk.post(f"/e/{copy.slug}/desk/rehearsal/step/", facts)

    assert state_of(copy).next_step.kind == "pair"


def test_as_fast_as_it_goes_a_request_plays_more_than_a_step(night, desk):
    copy = begun(night, pace=Pace.FAST)

    desk.post(f"/e/{copy.slug}/desk/rehearsal/step/", {"seen": copy.version})

    assert copy.rounds.exists()


@pytest.mark.parametrize(("pace", "delay"), [("step", None), ("minute", "8571"), ("fast", "400")])
def test_the_page_goes_on_by_itself_as_the_pace_says(night, desk, pace, delay):
    """Three tables: pair, publish, three parts of results, dice, close are seven steps of a minute."""
    copy = begun(night)
    desk.post(f"/e/{copy.slug}/desk/rehearsal/pace/", {"pace": pace})

    page = desk.get(f"/e/{copy.slug}/desk/").content.decode()

    found = re.search(r'hx-trigger="load delay:(\d+)ms"', page)
    assert (found and found[1]) == delay


def test_where_it_cannot_go_on_it_stops_and_says_why(desk, night):
    night = make_night(players=2, pack="dominion-war-5", store=night.store)
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0, Pace.FAST), by=now(), seed=1)
    desk.post(f"/e/{copy.slug}/desk/players/1/", {"do": "drop"})
    copy.refresh_from_db()
    address = f"/e/{copy.slug}/desk/rehearsal/step/"
    desk.post(address, {"seen": copy.version, "do": "next"})
    copy.refresh_from_db()

    page = desk.post(address, {"seen": copy.version}, follow=True).content.decode()

    assert "The rehearsal is waiting for you. Only one player is checked in." in page
    assert Rehearsal.objects.get().pace == Pace.STEP


def test_what_it_found_stands_at_its_desk(desk, night):
    night = make_night(players=3, pack="dominion-war-5", store=night.store)
    Event.objects.filter(pk=night.event.pk).update(rounds_planned=4, fleets_must_be_legal=True)
    night.event.entrants.filter(number=2).update(faction="")
    copy = rehearsal.begin(night.event, rehearsal.RehearsalPlan(0), by=now(), seed=1)
    while copy.finished_at is None:
        rehearsal.step(copy, expected_version=copy.version, at=AT)
        copy.refresh_from_db()

    page = " ".join(re.sub(r"<[^>]+>", " ", desk.get(f"/e/{copy.slug}/desk/").content.decode()).split())

    state = state_of(copy)
    assert f"The event is over: {state.names[state.standings(4)[0].id]} wins" in page
    assert "3 of 3 registered players have no legal fleet yet" in page
    assert "1 player has no faction yet" in page
    assert "3 players, 4 rounds: only 3 can be played without a rematch or a second bye" in page
    assert "4 rounds of 60 minutes" in page
    assert "gets another bye: everyone has had one (rules 3.5 and 3.7)." in page


def test_discarded_twice_it_is_gone_and_the_real_desk_is_there(night, desk):
    copy = played(night)
    address = f"/e/{night.event.slug}/desk/rehearsal/discard/"

    answers = [desk.post(address)["Location"] for _ in range(2)]

    assert answers == [f"/e/{night.event.slug}/desk/"] * 2
    assert (Rehearsal.objects.count(), Store.objects.count()) == (0, 1)
    assert not JournalEntry.objects.filter(store=copy.store.pk).exists()


def test_every_act_of_the_desk_works_there(night, desk):
    """Drop somebody, correct a result, undo, print."""
    copy = played(night)
    table = state_of(copy).rounds[0].tables[0].row.table
    slug = copy.slug

    dropped = desk.post(f"/e/{slug}/desk/players/1/", {"do": "drop"})
    last = copy.journal.filter(did="drop").get()
    undone = desk.post(f"/e/{slug}/desk/history/undo/", {"step": last.pk})
    printed = desk.get(f"/e/{slug}/desk/print/paper/", {"doc": ["slips", "standings"], "size": "a4"})
    result = desk.get(f"/e/{slug}/desk/rounds/1/tables/{table}/")

    assert [dropped.status_code, undone.status_code, printed.status_code, result.status_code] == [302, 302, 200, 200]
    assert copy.entrants.get(number=1).dropped_from is None
    assert printed.content.decode().count(copy.name) > 3
