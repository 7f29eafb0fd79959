"""What the desk keeps for its readers: by version and role, nothing of any reader, and never older than the facts."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from scoring.domain.points import Ending, Played, Side
from tests.support.built_fleets import bring_all
from tests.support.nights import BY, Night, make_night
from tests.support.tables import match_at, on_time
from tests.test_kept import SHOWN_FROM_KEPT
from tourney.actions import (
    entrants,
    events,
    history,
    penalties,
    reports,
    results,
    roll_offs,
    rounds,
    sign_off,
    store_players,
    tables,
    wishes,
)
from tourney.actions.results import ResultInput
from tourney.models import Event, Fleet, PlayerReport, RollOff, Wish
from tourney.queries.history import last_step_of
from tourney.queries.shared import SHARED, staff_state
from tourney.templatetags.desk_form import PLACE

pytestmark = pytest.mark.django_db
OWN = re.compile(
    r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=data-server-now=")\d+|(?<=W/\\")[^"\\]+'
    r'|(?<=name="as_of" value=")\d+|(?<=data-version=")\d+'
)
FORMS = re.compile(r'<form[^>]*method="post".*?</form>', re.DOTALL)
ROLES = ("owner", "organizer", "judge")


@pytest.fixture
def night() -> Night:
    """Four players, two of them with fleets; round 1 is in play, and the desk is asked about each table."""
    night = make_night(players=4)
    rounds.pair_round(night.event, seed=1, by=BY)
    bring_all(night.event, match_at(night.event, 2).numbers)
    rounds.publish_round(night.event, 1, by=BY)
    reports.report(night.event, 1, match_at(night.event, 1).a.number, on_time(35, 50), by=BY)
    wishes.ask(night.event, match_at(night.event, 2).a.number, Wish.Kind.CONCEDE, by=BY)
    return night


def pages_of(event: Event) -> list[str]:
    at = [event.slug]
    number = staff_state(Event.objects.with_context().get(pk=event.pk)).last_round
    rounds_there = [reverse("results", args=[*at, number.number])] if number else []
    return [reverse("desk", args=at), reverse("players", args=at), *rounds_there]


def reader(night: Night, role: str) -> Client:
    client = Client()
    client.force_login(getattr(night, role))
    return client


def read(client: Client, page: str) -> str:
    """The page as this reader sees it, but for what is another in every answer."""
    return OWN.sub("", client.get(page).content.decode())


@pytest.mark.parametrize("first", ROLES)
def test_every_role_reads_its_own_page_whoever_read_before(night, first):
    alone = {}
    for role in ROLES:
        SHARED.forget()
        alone[role] = [read(reader(night, role), page) for page in pages_of(night.event)]

    SHARED.forget()
    for role in (first, *ROLES):
        assert [read(reader(night, role), page) for page in pages_of(night.event)] == alone[role]
    assert alone["judge"] != alone["organizer"]


def test_a_stranger_reads_nothing_of_what_is_kept_for_the_desk(night):
    public = reverse("event", args=[night.event.slug])
    SHARED.forget()
    alone = read(Client(), public)

    SHARED.forget()
    for role in ROLES:
        for page in pages_of(night.event):
            read(reader(night, role), page)
    assert [Client().get(page).status_code for page in pages_of(night.event)] == [302, 302, 302]
    assert read(Client(), public) == alone


def test_what_is_kept_holds_no_token_and_no_reader(night):
    for role in ROLES:
        for page in pages_of(night.event):
            read(reader(night, role), page)

    state = staff_state(Event.objects.with_context().get(pk=night.event.pk))
    kept = [made[0] for (_, key), made in state._made.items() if isinstance(key, tuple) and key[0] == "html"]
    assert any(PLACE in html for html in kept)
    told = [getattr(night, role).username for role in ROLES] + ["csrfmiddlewaretoken", str(AnonymousUser())]
    assert [word for word in told for html in kept if word in html] == []


def test_every_form_has_the_token_of_its_reader_and_the_version_that_they_saw(night):
    client = reader(night, "organizer")
    for page in pages_of(night.event):
        response = client.get(page)
        others = (reverse("sign_out"), reverse("language"))
        forms = [form for form in FORMS.findall(response.content.decode()) if not any(one in form for one in others)]
        assert forms
        assert PLACE not in response.content.decode()
        for form in forms:
            assert form.count('name="csrfmiddlewaretoken"') == 1
            seen = re.findall(r'name="as_of" value="(\d+)"', form)
            assert seen == [str(response.context["as_of"])] or 'id="extend"' in form


def test_a_second_reader_of_the_same_role_is_shown_what_was_made_for_the_first(night):
    SHARED.forget()
    made = [parts_made(reader(night, role), night) for role in ("organizer", "owner", "judge")]

    assert made[0] >= {"desk/parts/table_rows.html", "desk/parts/player_rows.html", "desk/parts/result_rows.html"}
    assert made[1] == set()
    assert "desk/parts/table_rows.html" in made[2]


def test_a_new_version_makes_them_anew(night):
    before = parts_made(reader(night, "organizer"), night)
    results.report_result(night.event, 1, 1, ResultInput(on_time(35, 50)), version=0, by=BY)

    assert parts_made(reader(night, "organizer"), night) == before


def parts_made(client: Client, night: Night) -> set[str]:
    """The templates of kept parts that were rendered while this reader read."""
    return {one.name for page in pages_of(night.event) for one in client.get(page).templates} & SHOWN_FROM_KEPT


class Story:
    """A night on which everything is done that the desk's lists show."""

    def __init__(self, night: Night):
        self.night, self.event = night, night.event
        self.first, self.second = match_at(self.event, 1).numbers
        self.third, self.fourth = match_at(self.event, 2).numbers

    def report_differently(self):
        reports.report(self.event, 1, self.second, on_time(50, 35), by=BY)

    def withdraw(self):
        reports.withdraw(self.event, 1, self.second, by=BY)

    def confirm(self):
        word = PlayerReport.objects.get(seat__round__event=self.event)
        reports.confirm(self.event, 1, self.second, word.pk, by=BY)

    def decline(self):
        wishes.decline(self.event, Wish.objects.get().pk, by=BY)

    def call(self):
        sign_off.call_judge(self.event, 1, self.third, line=0, words="Two captains?", by=BY)

    def settle(self):
        sign_off.settle(self.event, 1, self.third, decided="It is one.", by=BY)

    def sign(self):
        sign_off.sign_on_paper(self.event, 1, 2, by=BY)

    def take_the_signature_back(self):
        sign_off.withdraw(self.event, 1, self.third, by=BY)

    def mark(self):
        fleet = Fleet.objects.get(entrant__event=self.event, entrant__number=self.third)
        sign_off.mark_destroyed(self.event, 1, self.third, [fleet.sheet.ships[0].line.id], by=BY)

    def enter(self):
        results.report_result(
            self.event, 1, 2, ResultInput(Played(Ending.BOTH_ELIMINATED, (Side(), Side()))), version=0, by=BY
        )

    def roll(self):
        group = (self.third, self.fourth)
        roll_offs.roll_by_software(self.event, 1, RollOff.Kind.TABLE, group, seed="7", by=BY)

    def take_the_result_back(self):
        results.remove_result(self.event, 1, 2, version=1, by=BY)

    def penalize(self):
        penalties.penalize(self.event, 1, self.first, fleet_points=-5, reason="Late to the table", by=BY)

    def move(self):
        tables.move_table(self.event, 1, 2, 9, by=BY)

    def undo(self):
        history.undo(self.event, last_step_of(self.event).pk, by=BY)

    def register(self):
        entrants.register(self.event, [("Newcomer", "")], by=BY)

    def check_in(self):
        entrants.check_in(self.event, [5], by=BY)

    def choose_a_faction(self):
        entrants.change_faction(self.event, 5, "Klingon", by=BY)

    def take_the_faction_back(self):
        history.undo(self.event, last_step_of(self.event).pk, by=BY)

    def bring_a_fleet(self):
        bring_all(self.event, [5])

    def remove(self):
        entrants.remove(self.event, 5, by=BY)

    def drop(self):
        entrants.drop(self.event, self.fourth, by=BY)

    def bring_back(self):
        entrants.bring_back(self.event, self.fourth, by=BY)

    def start_the_clock(self):
        rounds.start_clock(self.event, 1, by=BY)

    def close_registration(self):
        events.open_registration(self.event, False, by=BY)

    def erase(self):
        store_players.erase(self.event.entrants.get(number=self.fourth).player, by=BY)


STEPS = [name for name in vars(Story) if not name.startswith("_")]


def test_after_every_step_the_desk_shows_the_facts_and_nothing_older(night):
    story, staff = Story(night), [reader(night, role) for role in ("organizer", "judge")]
    before = None
    for step in STEPS:
        getattr(story, step)()
        kept = [read(client, page) for client in staff for page in pages_of(night.event)]
        SHARED.forget()
        anew = [read(client, page) for client in staff for page in pages_of(night.event)]
        assert (step, kept == anew) == (step, True)
        assert (step, kept != before) == (step, True)
        before = kept
