"""Rounds at the desk: their addresses, drafts, and who is signed in."""

from random import Random

from django.test import Client
from django.urls import reverse

from tests.support.copied import copied
from tests.support.nights import BY, Night, make_night
from tourney.actions import rounds, simulation
from tourney.models import Event
from tourney.queries.state import state_of


def url(event: Event, name: str, *args) -> str:
    return reverse(name, args=[event.slug, *args])


def signed_in(client: Client, night: Night, role: str = "organizer") -> Client:
    client.force_login(getattr(night, role))
    return client


@copied
def drafted(players: int = 6, rounds_before: int = 0) -> Night:
    night = make_night(players=players, rounds=rounds_before)
    rounds.pair_round(night.event, seed=7, by=BY)
    return night


def seating(event: Event, number: int = 1) -> list[tuple[int, ...]]:
    return [match.numbers for match in state_of(event).round(number).matches]


@copied
def everybody_met() -> Night:
    """Four who have met in three rounds, and a draft of a fourth."""
    night = make_night(players=4)
    Event.objects.filter(pk=night.event.pk).update(rounds_planned=4)
    night.event.refresh_from_db()
    by = BY
    for _ in range(3):
        by = simulation.draw(night.event, random=Random(3), by=by)
        by = simulation.play_round(night.event, random=Random(4), by=by)
    rounds.pair_round(night.event, seed=5, by=by)
    return night


def stop_url(night: Night) -> str:
    return f"{url(night.event, 'finish')}?stop=4"
