import pytest
from django.urls import reverse

from tests.support.nights import make_night

pytestmark = pytest.mark.django_db


def test_a_part_that_refreshes_itself_sends_the_whole_page_to_the_sign_in_when_the_session_has_ended(client):
    page = reverse("desk", args=[make_night(players=4).event.slug])

    response = client.get(page, headers={"HX-Request": "true", "HX-Target": "now"})

    assert (response.status_code, response["HX-Redirect"]) == (200, f"{reverse('sign_in')}?next={page}")


def test_a_page_asked_for_without_htmx_redirects_to_the_sign_in(client):
    page = reverse("desk", args=[make_night(players=4).event.slug])

    assert client.get(page)["Location"] == f"{reverse('sign_in')}?next={page}"
