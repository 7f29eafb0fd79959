"""A staff member's account in a browser: a passkey made and used, an app set up, devices; on phone and laptop."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import CDPSession, Page, expect

from tests.pages.test_second_step import code_of
from tests.support.accounts import signed_in_long_ago
from tests.support.browsing import LAPTOP, PHONE, assert_accessible_by_day_and_night
from tests.support.clicking import look_at, press
from tests.support.nights import PASSWORD, Night, make_night
from tourney.actions import accounts, second_step
from tourney.runtime.task_worker import run_next

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def night() -> Night:
    return make_night(players=2)


@contextmanager
def fingers(page: Page) -> Iterator[tuple[CDPSession, str]]:
    """A device that knows its owner by a finger, which is always there."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    number = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]
    yield devtools, number


def sign_in(page: Page, night: Night, server: str, path: str = "/account/") -> Page:
    page.goto(f"{server}/sign-in/?next={path}")
    page.get_by_label("Sign-in name").fill(night.judge.username)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, page.get_by_role("button", name="Sign in", exact=True))
    return page


def looked_at(page: Page) -> None:
    """Nothing is too small, too wide or hard to read, by day and by night."""
    look_at(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
    assert_accessible_by_day_and_night(page)


def test_a_passkey_is_made_and_signs_in_without_a_password(open_page: Callable[..., Page], night, server: str):
    page = open_page(LAPTOP)
    with fingers(page) as (devtools, number):
        sign_in(page, night, server)
        press(page, page.get_by_role("link", name="Add passkey"))
        looked_at(page)
        page.get_by_label("Name").fill("Laptop of the store")
        press(page, page.get_by_role("button", name="Create passkey"))

        expect(page.get_by_role("status").filter(has_text="Passkey added.")).to_be_visible()
        expect(page.locator("main")).to_contain_text("Laptop of the store")
        expect(page.locator("main")).to_contain_text("localhost · added")
        assert len(devtools.send("WebAuthn.getCredentials", {"authenticatorId": number})["credentials"]) == 1
        looked_at(page)
        press(page, page.locator(".app-user").get_by_role("button", name="Sign out"))

        second_step.turn_on(night.judge, "A" * 32)  # a passkey asks for no code
        page.goto(f"{server}/sign-in/?next=/e/{night.event.slug}/desk/")
        looked_at(page)
        press(page, page.get_by_role("button", name="Use a passkey instead"))
        expect(page).to_have_url(f"{server}/e/{night.event.slug}/desk/")
        page.goto(f"{server}/account/")
        expect(page.locator("main")).to_contain_text("last used")

        page.get_by_role("button", name="Remove Laptop of the store").click()
        press(page, page.get_by_role("dialog").get_by_role("button", name="Remove"))
        expect(page.get_by_role("status").filter(has_text="Passkey removed.")).to_be_visible()
        press(page, page.locator(".app-user").get_by_role("button", name="Sign out"))
        page.goto(f"{server}/sign-in/")
        page.get_by_role("button", name="Use a passkey instead").click()
        expect(page.locator("[data-passkey-says]")).to_contain_text("That passkey doesn’t open this account here.")
        looked_at(page)


@pytest.mark.nightly
def test_a_passkey_confirms_who_left_the_laptop_and_came_back(open_page: Callable[..., Page], night, server: str):
    page = open_page(PHONE)
    with fingers(page):
        sign_in(page, night, server, "/account/passkeys/new/")
        press(page, page.get_by_role("button", name="Create passkey"))
        page.context.clear_cookies()
        page.context.add_cookies([session_of(night, server)])
        page.goto(f"{server}/account/authenticator/")
        expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
        looked_at(page)

        press(page, page.get_by_role("button", name="Use a passkey instead"))

        expect(page.get_by_role("heading", name="Authenticator app")).to_be_visible()


def session_of(night: Night, server: str) -> dict[str, str]:
    key = signed_in_long_ago(night.judge).cookies["sessionid"].value
    return {"name": "sessionid", "value": key, "url": server}


@pytest.mark.parametrize("device", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_an_app_is_set_up_and_its_code_asked_for(open_page: Callable[..., Page], night, server: str, device):
    page = sign_in(open_page(device), night, server)
    looked_at(page)
    press(page, page.get_by_role("link", name="Set up app"))
    looked_at(page)
    secret = page.locator(".url code").inner_text().replace(" ", "")
    page.get_by_role("textbox", name="Code").fill(code_of(secret))
    press(page, page.get_by_role("button", name="Turn on"))

    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    codes = page.locator(".recovery-codes code").all_inner_texts()
    assert len({*codes}) == 10
    looked_at(page)
    press(page, page.get_by_role("link", name="Done"))
    expect(page.locator("main")).to_contain_text("10 left")
    looked_at(page)
    press(page, page.locator(".app-user").get_by_role("button", name="Sign out"))
    sign_in(page, night, server)
    looked_at(page)
    page.get_by_role("textbox", name="Code").fill(codes[0])
    press(page, page.get_by_role("button", name="Sign in", exact=True))
    expect(page.locator("main")).to_contain_text("9 left")


@pytest.mark.nightly
def test_the_ways_back_in_are_fit_to_be_seen(open_page: Callable[..., Page], night, server: str, settings):
    settings.MAIL_IS_ON, settings.PUBLIC_URL = True, server
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
    page = sign_in(open_page(PHONE), night, server, "/account/e-mail/")
    looked_at(page)
    page.get_by_role("textbox", name="E-mail").fill("quill@b.example")
    press(page, page.get_by_role("button", name="Save"))
    looked_at(page)
    while run_next(timezone.now()):
        pass
    page.goto(server + re.search(r"/account/e-mail/\S+/", mail.outbox[-1].body)[0])
    looked_at(page)
    press(page, page.get_by_role("button", name="Confirm e-mail"))
    expect(page.locator("main")).to_contain_text("quill@b.example is confirmed.")
    page.context.clear_cookies()
    page.goto(f"{server}/forgot-password/")
    looked_at(page)
    page.get_by_role("textbox", name="E-mail").fill("quill@b.example")
    press(page, page.get_by_role("button", name="Send link"))
    looked_at(page)
    page.goto(f"{server}/new-password/{accounts.password_key(type(night.judge).objects.get(pk=night.judge.pk))}/")
    looked_at(page)
