"""How somebody registered by phone: what slows bots down, and gives a lost answer again."""

from django.db import models

from tourney.models.event import Entrant, Event


class Joining(models.Model):
    """One registration by phone, kept until the event is finished. It goes into no archive.

    `network` and `device` are keyed digests: they say whether two came from the same address, or the same browser
    at it, and nothing else. `key_hash` is that of the key which the form carried; empty where it had none.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="joinings")
    entrant = models.OneToOneField(Entrant, on_delete=models.SET_NULL, null=True, related_name="joining")
    at = models.DateTimeField()
    network = models.CharField(max_length=32)
    device = models.CharField(max_length=32)
    key_hash = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"joining of {self.entrant}"
