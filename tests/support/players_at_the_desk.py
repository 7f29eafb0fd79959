"""The desk's page of players, and three of them who wait to be checked in."""

from django.test import Client
from django.urls import reverse

from tests.support.nights import BY, Night, make_night
from tourney.actions import entrants
from tourney.models import Entrant, Event


def url(event: Event, name: str = "players", *args) -> str:
    return reverse(name, args=[event.slug, *args])


def signed_in(client: Client, night: Night, role: str = "organizer") -> Client:
    client.force_login(getattr(night, role))
    return client


def registered(event: Event) -> list[tuple[str, str, bool]]:
    rows = Entrant.objects.filter(event=event)
    return list(rows.values_list("player__name", "faction", "checked_in"))


def messages_of(response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def three_waiting() -> Night:
    night = make_night(players=0)
    people = [("Vor", "Klingon"), ("Kestrel", ""), ("Nine of Ten", "Romulan")]
    entrants.register(night.event, people, by=BY)
    return night
