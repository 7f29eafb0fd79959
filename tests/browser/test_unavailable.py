"""The site can't take anything just now: what was sent is kept on the device, and what was typed stays."""

import shutil
import signal
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_at_the_table import give_card, seated, sign_in
from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.built_fleets import bring_all
from tests.support.clicking import press
from tests.support.nights import make_night
from tests.support.serving import free_port, installed
from tourney.models import SheetCheck

pytestmark = pytest.mark.django_db(transaction=True)
Usage = namedtuple("Usage", "total used free")
BACK = 15_000
"""Milliseconds in which what waits must be sent once there is room again."""


@pytest.fixture
def free(monkeypatch) -> Callable[[int], None]:
    """`free(bytes)`: so much room is left on the disk, where the embedded database lies too."""

    def free(left: int) -> None:
        monkeypatch.delenv("DATABASE_URL", raising=False)
        monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(left, 0, left))

    return free


@pytest.mark.nightly
def test_what_a_phone_sends_to_a_full_disk_waits_and_is_sent_later(free, open_page: Callable[..., Page], server: str):
    night = make_night(players=4, open_round=True)
    bring_all(night.event)
    me, other = seated(night)
    phone = give_card(open_page(PHONE), me, server)
    press(phone, phone.get_by_role("link", name="Check and sign"))

    free(0)
    phone.get_by_role("button", name="It matches: sign the fleet").click()
    expect(phone.locator(".outbox-waiting")).to_contain_text(f"your signature on {other}’s fleet")
    assert not SheetCheck.objects.exists()
    free(10**12)

    expect(phone.locator(".outbox")).to_contain_text(f"Sent: your signature on {other}’s fleet.", timeout=BACK)
    assert SheetCheck.objects.get().state == SheetCheck.State.SIGNED


def test_the_desk_reads_why_something_was_not_saved(free, open_page: Callable[..., Page], server: str):
    night = make_night(players=4, open_round=True)
    desk = sign_in(open_page(LAPTOP), night, night.organizer, server)
    desk.goto(f"/e/{night.event.slug}/desk/settings/")

    free(0)
    desk.locator("main form button[type=submit]").last.click()

    expect(desk.get_by_role("heading", name="The disk is full")).to_be_visible()
    expect(desk.get_by_text("Not saved. The store computer’s disk is full.")).to_be_visible()


@pytest.mark.nightly
def test_a_page_comes_when_the_database_is_back(browser: Browser, tmp_path: Path):
    site = installed(tmp_path / "var", free_port())
    database, context = site.database(), browser.new_context(**PHONE)
    database.stop()
    page = context.new_page()
    page.goto(f"http://localhost:{site.port}/", wait_until="load")

    expect(page.get_by_text("The store’s database isn’t answering right now.")).to_be_visible()
    assert_accessible(page)
    database.ensure_running()
    database.release()

    expect(page.get_by_role("link", name="Try again now")).to_be_hidden()
    expect(page.get_by_role("heading", name="Flagship is running")).to_be_visible()
    context.close()
    site.end(signal.SIGTERM)
    site.process.stdout.close()
    database.remove()
