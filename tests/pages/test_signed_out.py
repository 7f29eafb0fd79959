"""A session that has ended: why, what was typed, and the way back; and whose header a page has that is not there."""

from html.parser import HTMLParser

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.support.nights import PASSWORD, Night, make_night, make_store
from tests.support.public_pages import text_of
from tourney.models import Player, User
from tourney.queries.stores import own_store_of
from tourney.views.responses import own_store_context
from tourney.views.signed_out import page_before

pytestmark = pytest.mark.django_db

NAMES = "Zephyr\nYarrow"
KEPT = "Not saved: you’re signed out. Your entries are still here. Sign in to send them."


class Form(HTMLParser):
    """The form of a page that is sent to that address, with its hidden fields."""

    def __init__(self, response, action: str):
        super().__init__()
        self.action, self.fields, self._is_open, self.is_there = action, {}, False, False
        self.feed(response.content.decode())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        facts = dict(attributes)
        if tag == "form":
            self._is_open = facts.get("action") == self.action
            self.is_there |= self._is_open
        if tag == "input" and self._is_open and facts.get("type") == "hidden":
            self.fields[facts["name"]] = facts.get("value") or ""


@pytest.fixture
def night() -> Night:
    return make_night(players=2)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def players_of(night: Night) -> str:
    return reverse("players", args=[night.event.slug])


def register(client: Client, night: Night, **headers: str):
    """Two names at once, sent from the page of the players."""
    facts = {"do": "many", "names": NAMES, "csrfmiddlewaretoken": "t"}
    sent_from = f"http://testserver{players_of(night)}?q=ves"
    return client.post(players_of(night), facts, headers={"Referer": sent_from} | headers)


def sign_in(client: Client, night: Night, asked, *, password: str = PASSWORD):
    facts = Form(asked, reverse("sign_in")).fields
    return client.post(reverse("sign_in"), facts | {"username": night.organizer.username, "password": password})


def test_a_part_that_refreshes_itself_sends_the_whole_page_to_the_sign_in_when_the_session_has_ended(client):
    page = reverse("desk", args=[make_night(players=4).event.slug])

    response = client.get(page, headers={"HX-Request": "true", "HX-Target": "now"})

    assert (response.status_code, response["HX-Redirect"]) == (200, f"{reverse('sign_in')}?needed=&next={page}")


def test_a_page_asked_for_without_a_sign_in_redirects_to_it_and_it_says_why(client, night):
    page = players_of(night)

    response = client.get(page, follow=True)

    assert response.redirect_chain == [(f"{reverse('sign_in')}?needed=&next={page}", 302)]
    assert "You’re signed out. Sign in to open this page." in text_of(response)
    assert "You’re signed out." not in text_of(client.get(reverse("sign_in"), {"next": "/"}))


def test_what_was_typed_is_kept_over_the_sign_in_and_sent_only_when_it_is_said(night):
    client = signed_in(night.organizer)
    Session.objects.all().delete()

    asked = register(client, night)
    assert asked.status_code == 422
    assert KEPT in text_of(asked)
    wrong = sign_in(client, night, asked, password="not this one")
    assert KEPT in text_of(wrong)
    kept = sign_in(client, night, wrong)

    assert "Not saved yet" in text_of(kept)
    assert "Names Zephyr Yarrow" in text_of(kept)
    assert f'href="{players_of(night)}?q=ves"' in kept.content.decode()
    assert not Player.objects.filter(name="Zephyr").exists()
    client.post(players_of(night), Form(kept, players_of(night)).fields)
    assert set(Player.objects.filter(name__in=NAMES.split()).values_list("name", flat=True)) == {"Zephyr", "Yarrow"}


def test_what_htmx_sent_is_kept_in_a_sign_in_that_takes_the_place_of_the_page(night):
    asked = register(Client(), night, **{"HX-Request": "true", "HX-Target": "list"})

    assert (asked.status_code, asked["HX-Retarget"]) == (422, "body")
    assert "names=Zephyr" in Form(asked, reverse("sign_in")).fields["kept"]


def test_a_button_alone_leads_over_the_sign_in_back_to_its_page(night):
    page = players_of(night)
    sent_from = {"Referer": f"http://testserver{page}"}

    response = Client().post(reverse("check_in_all", args=[night.event.slug]), {"as_of": "3"}, headers=sent_from)

    assert response["Location"] == f"{reverse('sign_in')}?needed=&next={page}"


@pytest.mark.parametrize("referer", ["https://elsewhere.example/trap/", ""])
def test_a_page_of_another_site_is_not_gone_back_to(night, referer):
    response = Client().post(reverse("check_in_all", args=[night.event.slug]), headers={"Referer": referer})

    assert response["Location"] == f"{reverse('sign_in')}?needed=&next="


def test_no_password_is_kept_in_a_page():
    response = Client().post(reverse("password"), {"old_password": PASSWORD, "new_password1": "x"})

    assert response.status_code == 302


@pytest.mark.parametrize("to", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_nothing_is_sent_to_another_site(night, to):
    facts = {"username": night.organizer.username, "password": PASSWORD, "kept": "names=Zephyr", "kept_to": to}

    assert Client().post(reverse("sign_in"), facts)["Location"] == night.store.get_absolute_url()


@pytest.mark.parametrize("path", ["/s/{store}/nothing/", "/e/{event}/desk/players/99/", "/nothing/"])
def test_a_page_that_is_not_there_keeps_the_header_of_the_store_for_who_is_signed_in(night, path):
    response = signed_in(night.organizer).get(path.format(store=night.store.slug, event=night.event.slug))

    assert response.status_code == 404
    assert Form(response, reverse("sign_out")).is_there
    assert f'href="{reverse("packs", args=[night.store.slug])}"' in response.content.decode()
    assert "Sign in" not in text_of(response)


def test_a_page_that_is_not_there_says_nothing_of_a_store_where_the_reader_has_no_role(night):
    own, users = make_store(name="Outpost")

    response = signed_in(users["owner"]).get(reverse("staff", args=[night.store.slug]))

    assert response.status_code == 404
    assert night.store.name not in text_of(response)
    assert own.name in text_of(response)


def test_a_form_whose_token_does_not_fit_keeps_the_header_of_the_store(night):
    client = Client(enforce_csrf_checks=True)
    client.force_login(night.organizer)

    response = register(client, night)

    assert response.status_code == 403
    assert Form(response, reverse("sign_out")).is_there
    assert night.store.name in text_of(response)


def test_a_page_that_is_not_there_asks_the_database_nothing_for_a_stranger(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/nothing/").status_code == 404


@pytest.mark.parametrize("referer", ["http://[x", "http://elsewhere.example/e/", "", "\\\\elsewhere"])
def test_where_a_form_came_from_is_no_page_of_this_site(rf, referer):
    assert page_before(rf.post("/", headers={"referer": referer})) == ""


def test_who_signed_in_meanwhile_in_another_tab_goes_on_with_what_was_kept(night):
    client = Client()
    facts = Form(register(client, night), reverse("sign_in")).fields
    client.force_login(night.organizer)

    asked = client.post(reverse("sign_in"), facts | {"username": night.organizer.username, "password": PASSWORD})

    assert asked.status_code == 200
    assert Form(asked, players_of(night)).fields["names"].split() == NAMES.split()


def test_an_address_names_the_store_of_its_own_kind_whatever_else_it_says(night, django_assert_num_queries):
    at_event, at_store = f"/e/{night.event.slug}/desk/", f"/s/{night.store.slug}/"

    assert own_store_of(night.organizer, at_event) == own_store_of(night.organizer, at_store) == night.store
    assert own_store_of(night.organizer, f"/s/{night.event.slug}/") is None
    assert own_store_of(night.organizer, f"/e/{night.store.slug}/") is None
    with django_assert_num_queries(0):
        assert own_store_of(night.organizer, "/") is None


@pytest.mark.parametrize(
    ("origin", "status"), [("http://testserver", 200), ("http://elsewhere.example", 403), ("null", 403)]
)
def test_a_sign_in_of_before_another_tabs_keeps_what_was_typed_if_it_is_of_this_site(night, origin, status):
    facts = Form(register(Client(), night), reverse("sign_in")).fields
    client = Client(enforce_csrf_checks=True, headers={"Origin": origin})
    client.force_login(night.organizer)

    asked = client.post(reverse("sign_in"), facts | {"username": "a", "password": "b", "csrfmiddlewaretoken": "old"})

    assert asked.status_code == status
    assert Form(asked, players_of(night)).is_there == (status == 200)


def test_the_store_of_an_address_is_found_beside_its_question(night, rf):
    other, _ = make_store(name="Another store")
    other.memberships.create(user=night.organizer, role="organizer")
    request = rf.get("/")
    request.user = night.organizer

    for store, path in ((night.store, f"/e/{night.event.slug}?q=1"), (other, f"/s/{other.slug}?q=1")):
        assert own_store_context(request, path)["store"] == store
