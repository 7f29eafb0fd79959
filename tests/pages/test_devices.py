"""The devices where somebody is signed in: listed, signed out one by one or all but this one; nothing else is kept."""

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone

from tests.pages.test_access import names
from tests.pages.test_account import choose, make_link
from tests.pages.test_accounts import ACCOUNT, invited
from tests.pages.test_me import text_of
from tests.pages.test_sign_ins import FIREFOX
from tests.support.accounts import signed_in, signed_in_long_ago
from tests.support.nights import PASSWORD, make_night, make_store
from tests.support.phones import phone_of
from tourney.models import Store, User
from tourney.queries.accounts import sessions_of
from tourney.serving.housekeeping import tidy

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return make_store()[1]["judge"]


def devices(user) -> list[str]:
    return [one.user_agent for one in sessions_of(User.objects.get(pk=user.pk), timezone.now())]


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def with_firefox(user) -> Client:
    return signed_in(user, headers={"User-Agent": FIREFOX}, REMOTE_ADDR="203.0.113.7")


def test_each_device_is_listed_with_what_it_is_where_it_was_and_which_one_this_is(user):
    with_firefox(user)
    here = signed_in(user)

    page = text_of(here.get(reverse("account")))

    assert "Firefox · Windows 203.0.113.x · signed in" in page
    assert page.count("This device") == 1
    assert page.index("This device") < page.index("Firefox · Windows")


def test_times_are_those_of_the_store(user):
    Store.objects.update(time_zone="Asia/Tokyo", locale="en_US")
    client = signed_in(user)
    UserSession.objects.update(created_at=datetime(2026, 11, 26, 20, 30, tzinfo=UTC))

    assert "signed in Nov 27, 2026, 5:30 AM" in text_of(client.get(reverse("account"))).replace("\u202f", " ")


def test_no_address_and_nothing_a_browser_says_of_itself_is_kept(user):
    with_firefox(user)

    row = UserSession.objects.get()

    assert (row.ip, row.user_agent, row.data) == ("0.0.0.0", "Firefox · Windows", {"network": "203.0.113.x"})


def test_a_device_is_signed_out_from_another(user):
    other, here = with_firefox(user), signed_in(user)
    number = UserSession.objects.get(user_agent="Firefox · Windows").pk

    page = here.post(reverse("end_session"), {"session": number}, follow=True)

    assert "That device is signed out." in text_of(page)
    assert (is_in(other), is_in(here)) == (False, True)
    assert devices(user) == [""]


def test_all_others_are_signed_out_also_those_of_before_there_was_a_list(user):
    old, other, here = signed_in_long_ago(user), with_firefox(user), signed_in(user)
    colleague = signed_in(make_store("Deck Twelve")[1]["judge"])
    import_module("tourney.migrations.0058_sessions_on_the_list").put_on_the_list(apps, None)

    here.post(reverse("end_session"), {"session": "others"})

    assert [is_in(client) for client in (old, other, here, colleague)] == [False, False, True, True]


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "9" * 400, "٣"])
def test_what_is_no_device_signs_nobody_out(user, number):
    here = signed_in(user)

    assert here.post(reverse("end_session"), {"session": number}).status_code == 302
    assert is_in(here)


def test_nobody_signs_somebody_else_out(user):
    other = signed_in(make_store("Deck Twelve")[1]["judge"])
    here = signed_in(user)

    here.post(reverse("end_session"), {"session": UserSession.objects.get(user__username__contains="deck").pk})

    assert is_in(other)


def test_a_changed_password_leaves_this_device_alone_on_the_list(user):
    other, here = with_firefox(user), signed_in(user)
    form = {"old_password": PASSWORD} | dict.fromkeys(("new_password1", "new_password2"), "three calm harbors")

    here.post(reverse("password"), form)

    assert (is_in(other), is_in(here), devices(user)) == (False, True, [""])
    assert Session.objects.count() == 1


def test_a_new_password_by_a_link_leaves_the_device_it_was_chosen_on():
    store, users = make_store()
    with_firefox(users["judge"])

    choose(make_link(store, users))

    assert devices(users["judge"]) == [""]


def test_who_comes_by_an_invitation_is_on_the_list(client):
    client.post(invited(make_store()[0]), ACCOUNT)

    assert devices(User.objects.get(username="quill")) == [""]


def test_a_session_of_before_there_was_a_list_is_on_it_once_its_account_is_opened(user):
    old = signed_in_long_ago(user)

    assert "This device" in text_of(old.get(reverse("account")))
    assert len(devices(user)) == 1


def test_what_ended_is_no_longer_listed_and_forgotten_within_the_hour(user):
    gone, ended = signed_in(user), with_firefox(user)
    gone.post(reverse("sign_out"))
    Session.objects.filter(pk=ended.session.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))

    assert devices(user) == []
    tidy(timezone.now())
    assert not UserSession.objects.exists()


# what allauth brings is not to be had, and costs nobody anything


def test_no_page_of_allauth_has_an_address():
    from allauth import urls

    theirs = {name for name in names(get_resolver(urls.__name__)) if name}
    assert {"account_login", "account_signup", "mfa_index", "usersessions_list"} <= theirs
    for name in theirs:
        with pytest.raises(NoReverseMatch):
            reverse(name)
    assert theirs.isdisjoint(names(get_resolver()))


@pytest.mark.parametrize("path", ["/accounts/", "/accounts/login/", "/accounts/signup/", "/accounts/2fa/", "/signup/"])
def test_there_is_no_sign_up_for_strangers(client, path):
    assert client.get(path).status_code == 404


def test_a_phone_and_a_stranger_ask_no_table_of_allauths(django_assert_max_num_queries):
    night = make_night(players=2)
    phone = phone_of(night.event.entrants.get(number=1).player)

    for client in (phone, Client(), signed_in(night.judge)):
        for path in (night.store.get_absolute_url(), reverse("event", args=[night.event.slug]), "/nothing/"):
            with django_assert_max_num_queries(40) as asked:
                client.get(path)
            assert not [one["sql"] for one in asked if re_allauth(one["sql"])]


def re_allauth(sql: str) -> bool:
    return any(f'"{table}_' in sql for table in ("account", "mfa", "usersessions"))
