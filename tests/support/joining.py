"""Registrations by phone, as many as wanted, and the desk that sees them."""

from datetime import timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.nights import AT, Night
from tourney.actions import joining
from tourney.actions.joining import Sender
from tourney.actions.record import Actor
from tourney.domain.joining import OF_ADDRESS, RateLimit
from tourney.models import Joining

BOT = Sender("network", "device")


def url(name: str, night: Night, *more) -> str:
    return reverse(name, args=[night.event.slug, *more])


def join(phone: Client, night: Night, name: str, **more):
    return phone.post(url("join", night), {"name": name, "faction": "Klingon", **more})


def names(night: Night) -> list[str]:
    return list(night.event.entrants.values_list("player__name", flat=True))


def crowd(night: Night, many: int, sender: Sender = BOT, first: str = "Bot", seconds: float = 1) -> None:
    """So many registrations by phone from there, one after another."""
    for place in range(many):
        by = Actor(None, "a player", AT + timedelta(seconds=seconds * place))
        joining.join(night.event, (f"{first} {place}", "Klingon"), by=by, sender=sender)


def fill(night: Night, pace: RateLimit = OF_ADDRESS, address: str = "127.0.0.1") -> None:
    """As many have just registered from there as may at once; the clock of another process is a minute fast."""
    at, sender = timezone.now() + timedelta(minutes=1), joining.sender_of(night.event, address, "")
    Joining.objects.bulk_create(
        Joining(event=night.event, at=at, network=sender.network, device=sender.device) for _ in range(pace.burst)
    )


def desk(night: Night) -> Client:
    client = Client()
    client.force_login(night.organizer)
    return client
