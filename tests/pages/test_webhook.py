"""The page of a store's webhook: set it up, see what was sent, send a test, turn it off."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.every_page import told_by_webhook
from tests.support.nights import BY, Night, make_night
from tests.support.saying import html_of
from tourney.actions import announcements, store_players
from tourney.models import Delivery, Webhook
from tourney.sharing.actions import webhooks
from tourney.sharing.domain.webhooks import CHOICES

pytestmark = pytest.mark.django_db

ADDRESS = "https://hooks.example.com/7?key=a"


@pytest.fixture
def night() -> Night:
    return make_night(players=4, rounds=1)


@pytest.fixture
def owner(night: Night, client: Client) -> Client:
    client.force_login(night.owner)
    return client


def page_of(night: Night) -> str:
    return reverse("webhook", args=[night.store.slug])


def save(owner: Client, night: Night, **typed: object):
    return owner.post(page_of(night), {"address": ADDRESS, "format": "json", "kinds": ["ranks_final"]} | typed)


def press(owner: Client, night: Night, name: str) -> str:
    response = owner.post(reverse(name, args=[night.store.slug]), follow=True)
    assert response.redirect_chain == [(page_of(night), 302)]
    return html_of(response)


def test_the_settings_lead_there(owner: Client, night: Night):
    assert f'href="{page_of(night)}"' in owner.get(reverse("store_settings", args=[night.store.slug])).text


def test_before_there_is_one_the_page_has_the_form_alone(owner: Client, night: Night):
    page = owner.get(page_of(night)).text

    assert "Deliveries" not in page
    assert "Send a test" not in page
    assert page.count("checked") == 1 + len(CHOICES)


def test_saved_it_says_so_and_shows_an_empty_log(owner: Client, night: Night):
    page = owner.get(save(owner, night).url).text

    webhook = Webhook.objects.get()
    assert (webhook.address, webhook.format, webhook.kinds) == (ADDRESS, "json", ["ranks_final"])
    assert webhook.site == "http://testserver/"
    assert "Saved. Send a test to see whether messages arrive." in page
    assert "Nothing sent yet. Send a test to see whether messages arrive." in page
    assert webhook.secret in page


def test_a_host_of_any_length_is_no_error(owner: Client, night: Night):
    host = ".".join(["a" * 60] * 6)

    response = owner.post(
        page_of(night), {"address": ADDRESS, "format": "json", "kinds": ["ranks_final"]}, headers={"Host": host}
    )

    assert response.status_code == 302
    assert Webhook.objects.get().site == f"http://{host}/"[:300]


def test_a_kind_that_is_sent_again_and_again_is_chosen_once(owner: Client, night: Night):
    save(owner, night, kinds=["ranks_final"] * 11)

    assert Webhook.objects.get().kinds == ["ranks_final"]


def test_discord_needs_no_secret(owner: Client, night: Night):
    page = owner.get(save(owner, night, format="discord").url).text

    assert Webhook.objects.get().secret not in page


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ({"address": "http://hooks.example.com/"}, "Use an address that begins with https://."),
        ({"address": "https://192.168.1.4/"}, "This address is inside a private network."),
        ({"address": "https://discord.com/api/webhooks/1/a"}, "This is an address from Discord."),
        ({"address": ""}, "This field is required."),
        ({"address": "https://a.example/" + "a" * 500}, "at most 500 characters"),
        ({"kinds": []}, "Choose at least one."),
        ({"kinds": ["test"]}, "test"),
        ({"format": "xml"}, "xml"),
    ],
)
def test_what_cannot_be_sent_to_is_refused_and_kept_as_typed(typed: dict, why: str, owner: Client, night: Night):
    response = save(owner, night, **typed)

    assert response.status_code == 422
    assert why in html_of(response)
    assert not Webhook.objects.exists()
    assert "Not saved. Your entries are still here." in html_of(response)


def test_the_log_says_what_came_of_each_and_what_is_next(owner: Client, night: Night):
    told_by_webhook(night.store)

    page = owner.get(page_of(night)).text

    test, tables, closed, date = page.split('<li class="row">')[1:]
    assert all(said in test for said in ("Test", "Delivered", "Answer 200", "ok"))
    assert all(said in tables for said in ("Failed", "Answer 500", "&lt;h1&gt;Internal error", "Next try:"))
    assert all(said in closed for said in ("Round 1 closed", "Not sent", "It was no longer true by then."))
    assert all(said in date for said in ("Next date", "Given up", "The server didn’t answer in time."))
    assert night.event.name.replace("'", "&#x27;") in date


def test_a_test_waits_until_the_worker_sends_it_and_the_log_asks_again(owner: Client, night: Night):
    save(owner, night)

    page = press(owner, night, "test_webhook")
    assert "Waiting" in page
    assert 'hx-trigger="load delay:2s"' in page

    Delivery.objects.update(outcome="delivered", attempts=1, next_at=None, status=204)
    part = owner.get(page_of(night), headers={"HX-Request": "true", "HX-Target": "webhook-log"}).text
    assert part.strip().startswith('<div id="webhook-log"')
    assert "Delivered" in part
    assert "hx-trigger" not in part


def test_a_new_secret_takes_the_place_of_the_old(owner: Client, night: Night):
    save(owner, night)
    old = Webhook.objects.get().secret

    page = press(owner, night, "new_webhook_secret")

    assert old not in page
    assert Webhook.objects.get().secret in page


def test_turned_off_it_says_so_and_saving_turns_it_on(owner: Client, night: Night):
    save(owner, night)

    page = press(owner, night, "turn_off_webhook")
    assert "Webhook turned off. Save it to turn it on again." in page
    assert "Save and turn on" in page
    assert reverse("test_webhook", args=[night.store.slug]) not in page
    assert "Waiting" not in press(owner, night, "test_webhook")

    save(owner, night)
    assert Webhook.objects.get().is_on


def test_without_a_webhook_no_press_does_anything(owner: Client, night: Night):
    for name in ("test_webhook", "new_webhook_secret", "turn_off_webhook"):
        press(owner, night, name)

    assert not Delivery.objects.exists()
    assert not night.store.journal.filter(did__in=("change_webhook", "new_secret")).exists()


def test_an_erased_player_is_gone_from_what_servers_answered(night: Night):
    webhook = webhooks.save_webhook(
        night.store, address=ADDRESS, format="json", kinds=CHOICES, site="https://f.example", by=BY
    )
    player = night.store.players.first()
    row = Delivery.objects.create(webhook=webhook, kind="test", made_at=BY.at, answer=f"Thanks, {player.name}")

    store_players.erase(player, by=BY)

    row.refresh_from_db()
    assert player.name not in row.answer


def test_players_see_nothing_of_it(client: Client, night: Night):
    webhooks.save_webhook(night.store, address=ADDRESS, format="json", kinds=CHOICES, site="https://f.example", by=BY)
    announcements.announce(night.event, "Pizza is here", by=BY)

    assert "hooks.example" not in client.get(reverse("event", args=[night.event.slug])).text
