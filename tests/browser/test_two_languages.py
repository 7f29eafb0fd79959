"""A night with a desk in German and a phone in English: each reads its own, also of what the other did."""

import re
from collections.abc import Callable

import pytest
from django.utils import translation
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE
from tests.support.clicking import press
from tests.support.nights import PASSWORD, make_night
from tests.support.tables import names_at
from tourney.models import Entrant, JournalEntry

CHECK_IN = 'Check in <span class="visually-hidden">%(name)s</span>'
ENTER = 'Enter result <span class="visually-hidden">of table %(table)s</span>'

pytestmark = pytest.mark.django_db(transaction=True)


def german(text: str, **facts: object) -> str:
    """As the catalogue says it, without its markup."""
    with translation.override("de"):
        said = translation.gettext(text)
    return re.sub(r"<[^>]*>", "", said % facts if facts else said)


def test_the_desk_speaks_german_the_phone_english_and_the_journal_both(open_page: Callable[..., Page]):
    night = make_night(players=3)
    desk, phone = open_page(LAPTOP | {"locale": "de-DE"}), open_page(PHONE | {"locale": "en-US"})

    phone.goto(f"/e/{night.event.slug}/join/")
    phone.get_by_label("Your name").fill("Nine of Ten")
    phone.get_by_role("radio", name="Romulan").check()
    press(phone, phone.get_by_role("button", name="Join"))
    press(phone, phone.get_by_role("link", name="Go to the event"))
    expect(phone.locator("#answer")).to_have_text("Registered, not checked in yet")

    desk.goto(f"/sign-in/?next=/e/{night.event.slug}/desk/players/")
    desk.get_by_label(german("Sign-in name")).fill(night.organizer.username)
    desk.get_by_label(german("Password")).fill(PASSWORD)
    press(desk, desk.get_by_role("button", name=german("Sign in")))
    expect(desk.locator("html")).to_have_attribute("lang", "de")
    desk.get_by_role("button", name=german(CHECK_IN, name="Nine of Ten")).click()
    press(desk, desk.get_by_role("link", name=german("Overview"), exact=True))
    press(desk, desk.get_by_role("button", name=german("Pair round %(number)s", number=1)))
    press(desk, desk.get_by_role("button", name=german("Publish round %(number)s", number=1)))

    seat = Entrant.objects.get(event=night.event, player__name="Nine of Ten").seats.get()
    table, me = seat.match.table, "ab".index(seat.side)
    names = names_at(night.event, table)
    expect(phone.locator("#answer")).to_contain_text(f"You’re at table {table} against {names[1 - me]}")

    press(desk, desk.get_by_role("link", name=german(ENTER, table=table)))
    desk.get_by_role("radio", name=german("Time")).check()
    for name, left in zip(names, (35, 50), strict=True):
        desk.get_by_role("group", name=german("SP left")).get_by_label(name).fill(str(left))
    press(desk, desk.get_by_role("button", name=german("Save result")))
    expect(phone.locator(".answer")).to_contain_text(("You lost", "You won")[me])

    entry = JournalEntry.objects.filter(event=night.event).latest("pk")
    with translation.override("de"):
        in_german = entry.sentence
    press(desk, desk.get_by_role("navigation").get_by_role("link", name=german("Journal"), exact=True))
    expect(desk.locator("main")).to_contain_text(in_german)
    press(desk, desk.get_by_role("button", name="English"))
    expect(desk.locator("html")).to_have_attribute("lang", "en")
    expect(desk.locator("main")).to_contain_text(entry.what)
    expect(desk.locator("main")).not_to_contain_text(in_german)
