"""An owner sets up the webhook, sends a test, and sees it arrive without loading the page again."""

from collections.abc import Callable

import pytest
from django.conf import settings as site
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.support.browsing import LAPTOP, PHONE, assert_accessible
from tests.support.nights import make_store
from tests.support.receiving import receiver, status
from tourney.runtime.task_worker import run_next

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("device", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_test_arrives_and_the_log_says_so_by_itself(device: dict, open_page: Callable[..., Page], server, settings):
    settings.WEBHOOKS_TO_LOOPBACK = True
    store, users = make_store()
    client = Client()
    client.force_login(users["owner"])
    page = open_page(device)
    name = site.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])

    with receiver() as listening:
        page.goto(f"/s/{store.slug}/settings/")
        page.get_by_role("link", name="Webhook").click()
        page.get_by_label("Address").fill("https://192.168.1.4/hook")
        page.get_by_label("JSON, signed: for programs").check()
        settings.WEBHOOKS_TO_LOOPBACK = False
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("alert")).to_contain_text("This address is inside a private network.")

        settings.WEBHOOKS_TO_LOOPBACK = True
        page.get_by_label("Address").fill(listening.address)
        page.get_by_label("Round closed").uncheck()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Nothing sent yet.")).to_be_visible()
        assert_accessible(page)

        listening.answers = [status(200, "Thanks")]
        page.get_by_role("button", name="Send a test").click()
        log = page.locator("#webhook-log")
        expect(log).to_contain_text("Waiting")
        assert run_next(timezone.now())
        expect(log).to_contain_text("Delivered")
        expect(log).to_contain_text("Thanks")
        assert listening.received[0].data["kind"] == "test"

        page.get_by_role("button", name="Turn off").click()
        expect(page.get_by_role("button", name="Save and turn on")).to_be_visible()
