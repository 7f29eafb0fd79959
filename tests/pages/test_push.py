"""The switches of a device that is told while Flagship is closed: where they are, what they take, what they refuse."""

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tests.support.push_browsers import PushBrowser
from tests.support.receiving import Receiver
from tourney import access
from tourney.actions import player_cards
from tourney.models import PushKey, PushSubscription
from tourney.queries.my_data import data_of

pytestmark = pytest.mark.django_db

PUBLIC = {"endpoint": "https://push.example.com/abc"}


@pytest.fixture
def night() -> Night:
    return make_night(players=2)


@pytest.fixture
def browser() -> PushBrowser:
    return PushBrowser(Receiver(0))


@pytest.fixture
def phone(night: Night, client: Client) -> Client:
    """It holds the card of player 1."""
    key = player_cards.issue(night.event.entrants.get(number=1).player, by=BY)
    client.cookies[access.card_cookie(night.store)] = key
    return client


@pytest.fixture
def desk(night: Night) -> Client:
    found = Client()
    found.force_login(night.judge)
    return found


def mine(night: Night) -> str:
    return reverse("my_notifications", args=[night.store.slug])


def of_staff(night: Night) -> str:
    return reverse("staff_notifications", args=[night.store.slug])


def test_my_card_and_the_desk_have_them_hidden_until_the_browser_can(phone: Client, desk: Client, night: Night):
    for client, page, address in ((phone, "me", mine(night)), (desk, "desk", of_staff(night))):
        text = client.get(reverse(page, args=[night.event.slug])).text
        before, after = text.split(f'hx-get="{address}"')
        assert before.rsplit("<details", 1)[1].split() == ['class="more"', "data-push", "hidden"]
        assert 'hx-target="#notifications"' in after.split("</details>")[0]


def test_who_only_reads_has_none(client: Client, night: Night):
    assert "data-push" not in client.get(reverse("me", args=[night.event.slug])).text


@pytest.mark.parametrize("part", [True, False])
def test_each_kind_has_a_switch_that_is_off_and_the_form_the_key_of_the_site(part: bool, phone: Client, desk, night):
    headers = {"HX-Request": "true", "HX-Target": "notifications"} if part else {}

    for client, address, titles in (
        (phone, mine(night), ["Your table is ready", "You have a place"]),
        (desk, of_staff(night), ["A judge was called"]),
    ):
        text = client.get(address, headers=headers).text
        assert [title for title in titles if f"<span>{title}</span>" in text] == titles
        assert text.count('name="kinds"') == len(titles)
        assert "checked" not in text
        assert f'data-push-key="{PushKey.objects.get().public}"' in text
        assert ("<html" in text) is not part


def test_what_is_chosen_is_kept_for_the_card(phone: Client, night: Night, browser: PushBrowser):
    response = phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table", "place"]})

    assert (response.status_code, response.json()) == (200, {"kinds": ["place", "table"]})
    row = PushSubscription.objects.get()
    assert row.card.player == night.event.entrants.get(number=1).player
    assert (row.kinds, row.language, row.site) == (["place", "table"], "en", "http://testserver/")
    assert (row.public_key, row.secret) == (browser.public_key, browser.sent()["secret"])


def test_a_kind_that_is_sent_again_and_again_is_chosen_once(phone: Client, night: Night, browser: PushBrowser):
    response = phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"] * 900})

    assert response.json() == {"kinds": ["table"]}
    assert PushSubscription.objects.get().kinds == ["table"]


def test_it_is_kept_in_the_language_of_the_page(phone: Client, night: Night, browser: PushBrowser):
    phone.cookies[site.LANGUAGE_COOKIE_NAME] = "de"

    phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]})

    assert PushSubscription.objects.get().language == "de"


def test_a_host_of_any_length_is_no_error(phone: Client, night: Night, browser: PushBrowser):
    host = ".".join(["a" * 60] * 6)

    response = phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]}, headers={"Host": host})

    assert response.status_code == 200
    assert PushSubscription.objects.get().site.startswith("http://aaa")


def test_what_is_chosen_at_the_desk_is_kept_for_the_role(desk: Client, night: Night, browser: PushBrowser):
    assert desk.post(of_staff(night), browser.sent() | PUBLIC | {"kinds": ["judge"]}).json() == {"kinds": ["judge"]}

    assert PushSubscription.objects.get().membership.user == night.judge


def test_who_signs_out_is_told_nothing_more_on_that_device(phone: Client, desk: Client, night: Night, browser):
    other = PushBrowser(browser.service, "other")
    tablet = Client()
    tablet.force_login(night.judge)
    phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]})
    desk.post(of_staff(night), browser.sent() | PUBLIC | {"kinds": ["judge"]})
    tablet.post(of_staff(night), other.sent() | {"endpoint": "https://push.example.com/other", "kinds": ["judge"]})

    assert desk.post(reverse("sign_out")).status_code == 302

    left = PushSubscription.objects.order_by("pk").values_list("endpoint", "kinds")
    assert [*left] == [(PUBLIC["endpoint"], ["table"]), ("https://push.example.com/other", ["judge"])]
    assert "_auth_user_id" not in desk.session


def test_with_none_it_is_forgotten(phone: Client, night: Night, browser: PushBrowser):
    phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]})

    assert phone.post(mine(night), browser.sent() | PUBLIC).json() == {"kinds": []}

    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({"endpoint": "https://192.168.1.4/push"}, "the address it gave isn’t on the internet."),
        ({"endpoint": "https://127.0.0.1/push"}, "the address it gave isn’t on the internet."),
        ({"endpoint": "http://push.example.com/"}, "the address it gave isn’t on the internet."),
        ({"endpoint": "https://postgres.internal/"}, "the address it gave isn’t on the internet."),
        ({"endpoint": "https://push.example.com/" + "a" * 1000}, "can’t be used here"),
        ({"endpoint": ""}, "can’t be used here"),
        ({"public_key": "abc"}, "can’t be used here"),
        ({"public_key": ""}, "can’t be used here"),
        ({"secret": "abc"}, "can’t be used here"),
        ({"kinds": ["judge"]}, "judge"),
        ({"kinds": ["pizza"]}, "pizza"),
    ],
)
def test_what_cannot_be_told_is_refused_in_a_sentence(sent: dict, why: str, phone: Client, night, browser: PushBrowser):
    response = phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]} | sent)

    assert response.status_code == 422
    assert why in response.json()["why"]
    assert not PushSubscription.objects.exists()


def test_staff_is_not_told_as_players_are(desk: Client, night: Night, browser: PushBrowser):
    assert desk.post(of_staff(night), browser.sent() | PUBLIC | {"kinds": ["table"]}).status_code == 422


def test_without_the_token_of_the_form_nothing_is_kept(night: Night, phone: Client, browser: PushBrowser):
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = phone.cookies

    assert careful.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]}).status_code == 403
    assert not PushSubscription.objects.exists()


def test_without_a_card_or_a_role_there_are_none(client: Client, phone: Client, night: Night, browser: PushBrowser):
    stranger = Client()
    sent = browser.sent() | PUBLIC | {"kinds": ["table"]}
    assert [stranger.get(mine(night)).status_code, stranger.post(mine(night), sent).status_code] == [404, 404]

    stranger.force_login(make_night(players=2).judge)
    assert [stranger.get(of_staff(night)).status_code, stranger.post(of_staff(night), sent).status_code] == [404, 404]
    assert not PushSubscription.objects.exists()


def test_a_card_that_was_replaced_chooses_nothing(phone: Client, night: Night, browser: PushBrowser):
    player_cards.issue(night.event.entrants.get(number=1).player, by=BY)

    assert phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]}).status_code == 404


def test_my_data_say_which_devices_are_told_what(phone: Client, night: Night, browser: PushBrowser):
    phone.post(mine(night), browser.sent() | PUBLIC | {"kinds": ["table"]})

    told = phone.get(reverse("my_data", args=[night.store.slug])).json()["notifications"]

    assert [(one["service"], one["kinds"], one["language"]) for one in told] == [("push.example.com", ["table"], "en")]
    other = night.event.entrants.get(number=2).player
    assert data_of(other, BY.at)["notifications"] == []
