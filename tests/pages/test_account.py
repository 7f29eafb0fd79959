"""A staff member's own account: asked again before anything about the sign-in changes, e-mail, a new password."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from tests.pages.test_guessing import sign_in, ten_minutes_later
from tests.pages.test_me import text_of
from tests.support.accounts import signed_in, signed_in_long_ago
from tests.support.factories import UserFactory
from tests.support.nights import PASSWORD, make_store
from tourney.actions import accounts
from tourney.actions.mail import WAITS
from tourney.actions.new_stores import let_approve
from tourney.models import JournalEntry, Membership, Role, SignInOutcome
from tourney.runtime.email_url import mail_server
from tourney.runtime.task_worker import run_next
from tourney.views.accounts import MOST_MAILS, MOST_MAILS_OF_ADDRESS
from tourney.views.throttle import MOST_KEYS, MOST_PASSWORDS

pytestmark = pytest.mark.django_db

NEW = "three calm harbors"
GONE = "This link no longer works"


def choose(link: str, password: str = NEW, client: Client | None = None):
    return (client or Client()).post(link, {"password": password, "confirm": password})


def user_at(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


@pytest.fixture
def store_and_users():
    return make_store()


@pytest.fixture
def mailed(settings):
    """An installation that sends e-mail, and knows its own address."""
    settings.MAIL_IS_ON, settings.PUBLIC_URL = True, "https://flagship.example"
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
    settings.DEFAULT_FROM_EMAIL = "desk@flagship.example"
    return mail.outbox


def send_waiting() -> None:
    while run_next(timezone.now()):
        pass


# the page


def test_the_foot_of_each_page_leads_to_the_account(store_and_users):
    _, users = store_and_users

    page = signed_in_long_ago(users["judge"]).get(reverse("account"))

    assert f"You’re signed in as {users['judge'].username}." in text_of(page)
    assert f'href="{reverse("account")}"' in page.text.partition("<footer")[2]
    assert reverse("password") in page.text


def test_without_a_mail_server_nothing_is_said_of_e_mail(store_and_users):
    client = signed_in(store_and_users[1]["judge"])

    assert "E-mail" not in text_of(client.get(reverse("account")))
    assert client.get(reverse("own_address")).status_code == 302
    assert Client().post(reverse("forgot_password"), {"email": "a@b.example"}).status_code == 404
    assert "Ask an owner of your store" in text_of(Client().get(reverse("forgot_password")))


# asked again


def test_a_session_that_was_left_open_is_asked_for_the_password_before_the_e_mail_changes(store_and_users, mailed):
    user = store_and_users[1]["judge"]
    client = signed_in_long_ago(user)
    asked = client.get(reverse("own_address"))
    assert asked["Location"] == f"{reverse('confirm_yourself')}?next=%2Faccount%2Fe-mail%2F"
    assert client.post(reverse("own_address"), {"email": "thief@b.example"}).status_code == 302
    assert not EmailAddress.objects.exists()

    wrong = client.post(asked["Location"], {"password": "guessed"})
    right = client.post(asked["Location"], {"password": PASSWORD})

    assert (wrong.status_code, "That isn’t your password." in text_of(wrong)) == (422, True)
    assert right["Location"] == reverse("own_address")
    assert client.get(reverse("own_address")).status_code == 200


def test_who_signed_in_a_moment_ago_is_not_asked_again_and_later_is(store_and_users, mailed, monkeypatch):
    client = signed_in(store_and_users[1]["judge"])
    assert client.get(reverse("own_address")).status_code == 200

    monkeypatch.setattr("tourney.views.door.CONFIRMED", timedelta(0))

    assert client.get(reverse("own_address")).status_code == 302


def test_guesses_at_an_open_laptop_count_with_those_of_the_sign_in_and_are_told(store_and_users):
    store, users = store_and_users
    client = signed_in_long_ago(users["judge"])
    for _ in range(MOST_PASSWORDS):
        client.post(reverse("confirm_yourself"), {"password": "guessed"})

    refused = client.post(reverse("confirm_yourself"), {"password": PASSWORD})

    assert (refused.status_code, refused["Retry-After"]) == (429, "600")
    assert sign_in(users["judge"].username, PASSWORD).status_code == 429
    told = list(store.sign_in_attempts.order_by("pk").values_list("outcome", flat=True))
    assert told == [SignInOutcome.WRONG_PASSWORD] * MOST_PASSWORDS + [SignInOutcome.NOT_TRIED]
    ten_minutes_later()
    assert client.post(reverse("confirm_yourself"), {"password": PASSWORD}).status_code == 302


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_nobody_is_led_to_another_site_by_being_asked(store_and_users, elsewhere):
    client = signed_in_long_ago(store_and_users[1]["judge"])

    answer = client.post(reverse("confirm_yourself"), {"password": PASSWORD, "next": elsewhere})

    assert answer["Location"] == reverse("account")


# a link by an owner


def make_link(store, users, role: str = "judge", by: str = "owner") -> str:
    member = Membership.objects.get(user=users[role], store=store)
    client = signed_in_long_ago(users[by])
    page = client.post(reverse("sign_in_help", args=[store.slug, member.pk]), follow=True)
    found = re.search(r"http://testserver(/new-password/[\w-]+/)", page.text)
    assert found, text_of(page)
    return found[1]


def test_an_owner_makes_a_link_with_which_a_member_chooses_a_new_password(store_and_users):
    store, users = store_and_users
    elsewhere = signed_in(users["judge"])
    link, client = make_link(store, users), Client()

    page = client.get(link)
    answer = choose(link, client=client)

    assert f"For {users['judge'].username}." in text_of(page)
    assert answer["Location"] == store.get_absolute_url()
    assert "Your password is changed. Other devices are signed out." in text_of(client.get(answer["Location"]))
    assert user_at(client) == str(users["judge"].pk)
    assert elsewhere.get(reverse("account")).status_code == 302
    assert [sign_in(users["judge"].username, one).status_code for one in (PASSWORD, NEW)] == [422, 302]
    assert store.sign_in_attempts.filter(outcome=SignInOutcome.SIGNED_IN).exists()


def test_the_journal_says_for_whom_a_link_was_made_and_by_whom(store_and_users):
    store, users = store_and_users
    make_link(store, users)

    entry = JournalEntry.objects.filter(store=store).latest("pk")

    assert (entry.did, entry.by) == ("make_password_link", users["owner"])
    assert f"Link for a new password created for {users['judge'].username}." in str(entry.what)


def test_a_link_is_shown_once_and_works_once(store_and_users):
    store, users = store_and_users
    member = Membership.objects.get(user=users["judge"])
    client = signed_in_long_ago(users["owner"])
    here = reverse("sign_in_help", args=[store.slug, member.pk])
    link = re.search(r"/new-password/[\w-]+/", client.post(here, follow=True).text)[0]

    assert "/new-password/" not in client.get(here).text
    choose(link)
    again = choose(link, "another calm harbor")

    assert (again.status_code, GONE in text_of(again)) == (410, True)
    assert sign_in(users["judge"].username, NEW).status_code == 302


def test_a_link_ends_with_the_next_sign_in_and_after_three_days(store_and_users, settings):
    store, users = store_and_users
    link = make_link(store, users)
    sign_in(users["judge"].username, PASSWORD)
    assert Client().get(link).status_code == 410

    old = make_link(store, users)
    settings.PASSWORD_RESET_TIMEOUT = -1

    assert Client().get(old).status_code == 410


def test_a_weak_password_is_refused_with_a_link_too(store_and_users):
    store, users = store_and_users

    page = choose(make_link(store, users), "starbase-games1")

    assert page.status_code == 422
    assert "This password is the store’s name with little added." in text_of(page)


def test_wrong_links_count_as_any_other_key_does():
    statuses = [Client().get(reverse("new_password", args=[f"1-{number:032}"])).status_code for number in range(21)]

    assert statuses == [410] * MOST_KEYS + [429]


@pytest.mark.parametrize("key", ["", "-", "1", "zzzzzzzzzzzzzzzzzzzz-1-2", "é-x", "1-" + "a" * 500])
def test_what_is_no_link_is_gone(key):
    assert accounts.user_of_link(key) is None


def test_who_is_signed_in_as_somebody_else_is_signed_out_by_a_link(store_and_users):
    store, users = store_and_users
    client = signed_in(users["owner"])

    choose(make_link(store, users), client=client)

    assert user_at(client) == str(users["judge"].pk)


def test_an_owner_of_one_store_gets_no_key_to_another(store_and_users):
    store, users = store_and_users
    other, _ = make_store("Deck Twelve")
    Membership.objects.create(store=other, user=users["judge"], role=Role.OWNER)
    here = reverse("sign_in_help", args=[store.slug, Membership.objects.get(user=users["judge"], store=store).pk])
    client = signed_in_long_ago(users["owner"])

    shown, refused = client.get(here), client.post(here)

    assert "also has a role at a store that isn’t yours" in text_of(shown)
    assert "<button" not in shown.text.partition("<main")[2].partition("</main")[0]
    assert (refused.status_code, "isn’t yours" in text_of(refused)) == (409, True)
    assert not JournalEntry.objects.filter(did="make_password_link").exists()
    Membership.objects.create(store=other, user=users["owner"], role=Role.OWNER)
    assert make_link(store, users)
    assert JournalEntry.objects.filter(did="make_password_link").count() == 2


def test_an_owner_gets_no_key_to_approving_new_stores(store_and_users):
    store, users = store_and_users
    let_approve(users["judge"])
    here = reverse("sign_in_help", args=[store.slug, Membership.objects.get(user=users["judge"], store=store).pk])
    client = signed_in_long_ago(users["owner"])

    shown, refused = client.get(here), client.post(here)

    assert "approves new stores here" in text_of(shown)
    assert "<button" not in shown.text.partition("<main")[2].partition("</main")[0]
    assert (refused.status_code, "approves new stores here" in text_of(refused)) == (409, True)
    assert not JournalEntry.objects.filter(did="make_password_link").exists()
    let_approve(users["owner"])
    assert make_link(store, users)


# a link on the command line


def link_for(name: str, **options) -> str:
    output = StringIO()
    call_command("setup_link", owner=name, stdout=output, **options)
    return output.getvalue()


def test_the_command_prints_a_link_for_an_owner(store_and_users):
    store, users = store_and_users

    link = link_for(users["owner"].username.upper(), base_url="https://flagship.example/").strip()

    assert re.fullmatch(r"https://flagship\.example/new-password/[\w-]+/", link)
    assert choose(link.removeprefix("https://flagship.example"))["Location"] == store.get_absolute_url()
    assert JournalEntry.objects.filter(store=store, did="make_password_link").get().by_name == "the command line"


@pytest.mark.parametrize("role", ["judge", "nobody"])
def test_the_command_knows_owners_alone(store_and_users, role):
    name = store_and_users[1][role].username if role == "judge" else "nobody"

    with pytest.raises(CommandError, match="No owner has the sign-in name"):
        link_for(name)


# e-mail


def give(client: Client, email: str):
    return client.post(reverse("own_address"), {"email": email}, follow=True)


def confirmed(client: Client, mailed, email: str = "quill@b.example") -> None:
    give(client, email)
    send_waiting()
    link = re.search(r"https://flagship\.example(/account/e-mail/\S+/)", mailed[-1].body)[1]
    client.post(link)


def test_an_address_counts_once_the_link_in_the_e_mail_was_opened(store_and_users, mailed):
    client = signed_in(store_and_users[1]["judge"])

    page = give(client, "quill@b.example")
    assert "We’ve sent a link to quill@b.example. Open it to confirm." in text_of(page)
    assert "quill@b.example: not confirmed yet." in text_of(page)
    send_waiting()
    [sent] = mailed
    assert (sent.to, sent.from_email) == (["quill@b.example"], "desk@flagship.example")
    link = re.search(r"https://flagship\.example(/account/e-mail/\S+/)", sent.body)[1]
    reader = Client()
    assert "will go to quill@b.example" in text_of(reader.get(link))
    assert not EmailAddress.objects.get().verified
    reader.post(link)

    assert EmailAddress.objects.get().verified
    assert Client().get(link).status_code == 410


def test_an_address_of_another_account_is_not_confirmed(store_and_users, mailed):
    _, users = store_and_users
    confirmed(signed_in(users["judge"]), mailed)
    client = signed_in(users["owner"])
    give(client, "quill@b.example")
    send_waiting()
    link = re.search(r"https://flagship\.example(/account/e-mail/\S+/)", mailed[-1].body)[1]

    page = client.post(link)

    assert (page.status_code, "Another account uses this address." in text_of(page)) == (409, True)
    assert EmailAddress.objects.filter(verified=True).get().user == users["judge"]


def test_an_address_is_changed_and_removed(store_and_users, mailed):
    client = signed_in(store_and_users[1]["judge"])
    confirmed(client, mailed)

    give(client, "other@b.example")
    assert [(one.email, one.verified) for one in EmailAddress.objects.all()] == [("other@b.example", False)]
    give(client, "")

    assert not EmailAddress.objects.exists()


def forget(email: str, client: Client | None = None, **more):
    return (client or Client()).post(reverse("forgot_password"), {"email": email}, **more)


def test_a_forgotten_password_is_chosen_anew_with_a_link_by_e_mail(store_and_users, mailed):
    store, users = store_and_users
    confirmed(signed_in(users["judge"]), mailed)

    told = forget("Quill@B.example")
    send_waiting()

    assert "If an account has confirmed Quill@B.example, a link is on its way." in text_of(told)
    assert mailed[-1].to == ["quill@b.example"]
    assert users["judge"].username in mailed[-1].body
    link = re.search(r"https://flagship\.example(/new-password/\S+/)", mailed[-1].body)[1]
    assert choose(link)["Location"] == store.get_absolute_url()


def test_nobody_learns_who_has_an_account_and_nothing_is_sent_to_strangers(store_and_users, mailed):
    give(signed_in(store_and_users[1]["judge"]), "unconfirmed@b.example")
    send_waiting()
    mailed.clear()

    answers = {forget(email).text.replace(email, "") for email in ("nobody@b.example", "unconfirmed@b.example")}
    send_waiting()

    assert len({re.sub(r'csrf\S+" value="\w+', "", one) for one in answers}) == 1
    assert mailed == []


def test_no_key_waits_in_the_table_of_tasks(store_and_users, mailed):
    from django_tasks_db.models import DBTaskResult

    client = signed_in(store_and_users[1]["judge"])
    confirmed(client, mailed)
    forget("quill@b.example")

    waiting = [str(one.args_kwargs) for one in DBTaskResult.objects.filter(finished_at=None)]

    assert len(waiting) == 1
    assert "new-password" not in waiting[0]


def test_e_mails_are_counted_by_address_and_network(mailed):
    assert [forget("a@b.example").status_code for _ in range(MOST_MAILS + 1)] == [200] * MOST_MAILS + [429]
    others = [forget(f"a{number}@b.example").status_code for number in range(MOST_MAILS_OF_ADDRESS - MOST_MAILS + 1)]

    assert others == [200] * (MOST_MAILS_OF_ADDRESS - MOST_MAILS) + [429]
    assert forget("z@b.example", REMOTE_ADDR="192.168.1.20").status_code == 200


def test_a_mail_server_that_is_away_is_asked_again(store_and_users, mailed, settings):
    from django_tasks_db.models import DBTaskResult

    user = store_and_users[1]["judge"]
    EmailAddress.objects.create(user=user, email="quill@b.example", verified=True, primary=True)
    settings.MAILERS = {"default": mail_server("smtp://127.0.0.1:9").mailer()}
    forget("quill@b.example")

    for _ in WAITS:
        send_waiting()
        waiting = DBTaskResult.objects.filter(finished_at=None)
        assert waiting.get().run_after > timezone.now()
        waiting.update(run_after=timezone.now())
    send_waiting()

    assert not DBTaskResult.objects.filter(finished_at=None).exists()
    assert mailed == []


def test_an_e_mail_is_in_the_language_of_who_asked(store_and_users, mailed):
    user = store_and_users[1]["judge"]
    EmailAddress.objects.create(user=user, email="quill@b.example", verified=True, primary=True)

    forget("quill@b.example", headers={"Accept-Language": "de"})
    send_waiting()

    with translation.override("de"):
        assert mailed[-1].subject == gettext("A new password for Flagship")


def test_who_is_no_longer_active_gets_no_link():
    user = UserFactory(is_active=False)
    link = f"{user.pk}-{default_token_generator.make_token(user)}"

    assert accounts.user_of_link(link) is None
