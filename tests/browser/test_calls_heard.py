"""A call for a judge is heard at the desk and on a judge's phone: in the title, by a screen reader, and as a tone."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.test_at_the_table import sign_in
from tests.support.browsing import LAPTOP, PHONE, violations
from tests.support.nights import Night, make_night, now
from tests.support.tables import match_at
from tourney.actions import announcements, judge_calls
from tourney.models import Entrant, Event

pytestmark = pytest.mark.django_db(transaction=True)

COUNTED = """
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  document.body.dataset.tones = Number(document.body.dataset.tones ?? 0) + 1;
  return start.apply(this, when);
};
navigator.vibrate = () => (document.body.dataset.shaken = "yes");
"""
SETTING = "Play a sound when a judge is needed"
PLACES = pytest.mark.parametrize(
    ("device", "path"),
    [(LAPTOP, "/e/{event}/desk/"), (PHONE, "/s/{store}/judge/"), (PHONE, "/e/{event}/desk/")],
    ids=["desk", "judge's phone", "desk on a phone"],
)


@pytest.fixture
def night() -> Night:
    night = make_night(players=4, open_round=True)
    Event.objects.update(starts_at=timezone.now())
    return night


@pytest.fixture
def pair(night) -> tuple[Entrant, Entrant]:
    return match_at(night.event, 1).entrants


def at_work(page: Page, night: Night, server: str, path: str) -> Page:
    page.add_init_script(COUNTED)
    sign_in(page, night, night.judge, server)
    page.goto(path.format(event=night.event.slug, store=night.store.slug))
    return page


def expect_called(page: Page, who: Entrant, about: str) -> None:
    sentence = f"Table 1: {who} calls a judge: {about}"
    expect(page).to_have_title(f"● {sentence}")
    expect(page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)


@PLACES
def test_a_new_call_sounds_once_where_it_was_asked_for(
    night, pair, device: dict, path: str, open_page: Callable[..., Page], server: str
):
    page = at_work(open_page(device), night, server, path)
    setting, body = page.get_by_role("checkbox", name=SETTING), page.locator("body")
    expect(setting).not_to_be_checked()

    setting.check()
    expect(body).to_have_attribute("data-tones", "1")
    judge_calls.call(night.event, pair[0].number, "time", by=now())
    expect_called(page, pair[0], "Time")
    expect(body).to_have_attribute("data-tones", "2")
    expect(body).to_have_attribute("data-shaken", "yes")
    announcements.announce(night.event, "Pizza is here", by=now())
    judge_calls.call(night.event, pair[1].number, "behavior", by=now())

    expect_called(page, pair[1], "Behavior")
    expect(body).to_have_attribute("data-tones", "3")
    page.reload()
    expect(setting).to_be_checked()
    assert violations(page) == []


@PLACES
def test_nothing_sounds_where_it_was_not_asked_for_or_no_longer(
    night, pair, device: dict, path: str, open_page: Callable[..., Page], server: str
):
    page = at_work(open_page(device), night, server, path)
    setting = page.get_by_role("checkbox", name=SETTING)

    judge_calls.call(night.event, pair[0].number, "time", by=now())
    expect_called(page, pair[0], "Time")
    expect(page.locator("body")).not_to_have_attribute("data-tones", re.compile("."))
    setting.check()
    setting.uncheck()
    judge_calls.call(night.event, pair[1].number, "behavior", by=now())

    expect_called(page, pair[1], "Behavior")
    expect(page.locator("body")).to_have_attribute("data-tones", "1")  # of the setting itself
    expect(page.locator("body")).not_to_have_attribute("data-shaken", "yes")


def test_a_call_between_two_rounds_is_heard_too(open_page: Callable[..., Page], server: str):
    night = make_night(players=4, rounds=1)
    Event.objects.update(starts_at=timezone.now())
    page, caller = at_work(open_page(LAPTOP), night, server, "/e/{event}/desk/"), night.event.entrants.first()
    page.get_by_role("checkbox", name=SETTING).check()

    judge_calls.call(night.event, caller.number, "other", by=now())

    expect(page).to_have_title(re.compile(f"^● {caller} calls a judge"))
    expect(page.locator("body")).to_have_attribute("data-tones", "2")
