"""What a finished event came to: its final ranks, and what each player did in each round.

It follows from the event's other rows and could be computed from them at any time; it is kept so that pages about many
months read a few rows of each. `actions/finals.py` writes it in the transaction of whatever changes a finished event.

Whose a line or a seat is, its entrant says; that is kept in it too, so that all of one player are found by one index.
"""

from typing import Any

from django.db import models

from scoring.domain.factions import FactionLine
from tourney.models.event import Entrant, Event, Player
from tourney.runtime import json_shapes as shapes
from tourney.runtime.checked_json import CheckedJSONField


def _of_entrant(**options: Any) -> "models.ForeignKey[Any, Any]":
    """The player of an entrant in the same row: it goes with that one, so that the database has nothing to check."""
    return models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False, **options
    )


class FinalRanking(models.Model):
    """A finished event: how many rounds counted, and the factions as rule 5.3 ranks them."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="final_ranking")
    rounds = models.PositiveSmallIntegerField()
    factions = CheckedJSONField(
        default=list,
        reader=shapes.reader_of(shapes.list_of(FactionLine)),
        instead=list,
        help_text="as scoring.domain.factions.FactionLine has them",
    )

    def __str__(self) -> str:
        return f"final ranks of {self.event}"


class FinalLine(models.Model):
    """An entrant's line of the final ranks (rule 5.1); `place` counts the lines from 1, also where ranks are shared."""

    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, primary_key=True, related_name="final_line")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="final_lines", db_index=False)
    player = _of_entrant()
    place = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    shared = models.BooleanField()
    title = models.CharField(max_length=80, blank=True)
    battle_points = models.IntegerField()
    fleet_points = models.IntegerField()
    dropped = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "place"], name="one_final_line_per_place_and_event")]
        indexes = [models.Index(fields=["player"], name="final_lines_of_player")]

    def __str__(self) -> str:
        return f"rank {self.rank}"


class FinalSeat(models.Model):
    """What an entrant did in a round of a finished event; `opponent` is None with a bye.

    `outcome` and the points are those of `scoring.domain.points.Score`. `is_game`: two played it to its end, one won
    or neither did. `is_by_dice`: the roll-off at the table decided it. `is_ruled`: something was decided beside the
    play.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="final_seats", db_index=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="final_seats")
    round = models.PositiveSmallIntegerField()
    opponent = models.ForeignKey(Entrant, on_delete=models.CASCADE, null=True, related_name="+")
    player = _of_entrant()
    opponent_player = _of_entrant(null=True)
    outcome = models.CharField(max_length=20)
    battle_points = models.IntegerField()
    fleet_points = models.IntegerField(null=True)
    opponent_fleet_points = models.IntegerField(null=True)
    is_game = models.BooleanField()
    is_by_dice = models.BooleanField()
    is_ruled = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entrant", "round"], name="one_final_seat_per_entrant_and_round")
        ]
        indexes = [models.Index(fields=["player"], name="games_of_player", condition=models.Q(is_game=True))]

    def __str__(self) -> str:
        return f"round {self.round}"
