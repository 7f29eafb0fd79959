"""What is kept about players beside their name: the card, and who was found to be one."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from tourney.models.event import Player
from tourney.models.store import Store


class PlayerCard(models.Model):
    """A player's card: the key of a personal link, kept as its hash. Whoever has the key is the player.

    `words_hash` is that of the words that bring it to another phone, "" where it has none (`queries/player_cards.py`);
    `words_secret` says by which installation's secret it was made, "" for this one's.
    What was chosen on a phone that holds it goes with it: `language` is a code, empty while none was chosen; `sets` are
    the names of those that the player owns, and `only_own_sets` says that cards of others are not looked for.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="card")
    key_hash = models.CharField(max_length=64, unique=True)
    issued_at = models.DateTimeField()
    language = models.CharField(max_length=10, blank=True, default="")
    sets = ArrayField(models.CharField(max_length=160), default=list)
    only_own_sets = models.BooleanField(default=False)
    words_hash = models.CharField(max_length=64, blank=True, default="")
    words_secret = models.CharField(max_length=16, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["words_hash"], condition=~models.Q(words_hash=""), name="recovery_words_open_one_card"
            ),
        ]

    def __str__(self) -> str:
        return f"card of {self.player}"


class PlayerMerge(models.Model):
    """Two players who are one: what went from `other` to `kept`, by its ids, so that it can go back."""

    store = models.ForeignKey(Store, on_delete=models.PROTECT, related_name="merges")
    kept = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merges")
    other = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    entries = ArrayField(models.BigIntegerField(), default=list)
    fleets = ArrayField(models.BigIntegerField(), default=list)
    older_names = ArrayField(models.BigIntegerField(), default=list, help_text="players merged into `other` before")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["other"], condition=models.Q(undone_at=None), name="a_player_is_merged_into_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.other} is {self.kept}"


class CardSteps(models.Model):
    """What was `done` with a player's card `since` then: kept for minutes, so that it has a bound."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True, related_name="+")
    since = models.DateTimeField()
    done = models.PositiveIntegerField()

    objects: "models.Manager[CardSteps]" = models.Manager()

    def __str__(self) -> str:
        return f"{self.done} steps of player {self.pk}"


class Attempt(models.Model):
    """A wrong key or password: who tried what, and when. Kept for minutes, to slow down guessing."""

    who = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["who", "at"], name="attempts_of_somebody")]

    def __str__(self) -> str:
        return self.who
