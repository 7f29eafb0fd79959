"""In which language a page is: the one chosen, else the one asked for; what is kept for many keeps them apart."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.support.nights import make_night
from tourney.runtime.messages import message
from tourney.views.live_parts import parts_for, reader_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def languages(settings):
    """English, and French with no sentences but those that Django brings: its months."""
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]


@pytest.fixture
def address() -> str:
    return reverse("event", args=[make_night(players=4).event.slug])


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "fr-CA,fr;q=0.9,en;q=0.1", "fr"),
        ("", "ja", "en"),
        ("", "en;q=0.2,fr;q=0.9", "fr"),
        ("fr", "en", "fr"),
        ("en", "fr", "en"),
        ("xx", "fr", "fr"),
        ("../fr", "garbage;;q=", "en"),
    ],
)
def test_a_page_is_in_the_language_chosen_or_else_asked_for(address, cookie, accepted, language):
    client = Client(headers={"Accept-Language": accepted})
    if cookie:
        client.cookies["language"] = cookie

    page = client.get(address)

    assert page["Content-Language"] == language
    assert f'<html lang="{language}"' in page.content.decode()
    assert "Accept-Language" in page["Vary"]


def test_a_page_of_another_language_is_another_page(address):
    tags = {accepted: Client(headers={"Accept-Language": accepted}).get(address)["ETag"] for accepted in ("en", "fr")}

    assert tags["en"] != tags["fr"]
    for accepted, status in (("fr", 304), ("en", 200)):
        headers = {"Accept-Language": accepted, "If-None-Match": tags["fr"]}
        assert Client(headers=headers).get(address).status_code == status


def test_what_is_kept_for_all_is_kept_for_all_of_a_language(address):
    pages = [Client(headers={"Accept-Language": accepted}).get(address).content.decode() for accepted in ("fr", "en")]

    assert ["novembre" in page for page in pages] == [True, False]


@pytest.mark.django_db(transaction=True)
def test_a_stream_brings_its_part_in_the_language_of_its_reader(address):
    slug = address.split("/")[2]
    readers = [
        reader_of(slug, address, host="localhost", scheme="http", language=language, cookies={})
        for language in ("fr", "en")
    ]

    _, parts = parts_for(slug, readers)

    assert readers[0] != readers[1]
    assert ["novembre" in "".join(map(str, part)) for part in parts] == [True, False]


def test_a_message_is_said_in_the_language_that_is_active():
    with translation.override("fr"):
        assert str(message("November")) == "novembre"
    assert str(message("November")) == "November"
