"""Staff at their own accounts: signed in as by the form, with what only a sign-in leaves in the session."""

from django.test import Client
from django.urls import reverse

from tests.support.nights import PASSWORD
from tourney.models import User


def signed_in(user: User, *, password: str = PASSWORD, **more) -> Client:
    """Somebody who has just typed name and password; `more` are headers and the like."""
    client = Client(**more)
    answer = client.post(reverse("sign_in"), {"username": user.username, "password": password})
    assert answer.status_code == 302, answer.text
    return client


def signed_in_long_ago(user: User) -> Client:
    """Somebody whose session is older than what is asked again."""
    client = Client()
    client.force_login(user)
    return client
