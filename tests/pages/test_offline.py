"""What a page promises for a time without a network is true of the address it is on: only HTTPS keeps pages."""

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db

PROMISE = "Works offline once opened."
OPEN = "Without a network, only a page you leave open works."


@pytest.mark.parametrize(
    ("host", "secure", "says"),
    [
        ("localhost", False, PROMISE),
        ("192.168.1.20:8000", False, OPEN),
        ("192.168.1.20", True, PROMISE),
    ],
)
def test_the_judges_desk_promises_kept_pages_only_where_a_browser_keeps_them(settings, host, secure, says):
    settings.ALLOWED_HOSTS = ["*"]

    page = Client(headers={"Host": host}).get(reverse("judge"), secure=secure).content.decode()

    assert [sentence for sentence in (PROMISE, OPEN) if sentence in page] == [says]


def test_the_page_in_place_of_one_that_is_not_kept_is_in_the_readers_language_and_names_nobody():
    page = Client(headers={"Accept-Language": "de"}).get(reverse("offline")).content.decode()

    assert '<html lang="de"' in page
    assert "<!--kept-->" in page
    assert "csrfmiddlewaretoken" not in page
