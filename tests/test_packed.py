"""Rows that the database packs are the rows that Django would read, field by field."""

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.test.utils import isolate_apps

from tests.support.nights import BY, Night, make_night
from tourney.actions import penalties
from tourney.models import Entrant, FinalSeat, Fleet, Match, Penalty, Player, Result, Roll, RollOff, Round, Seat
from tourney.queries.rows import EventRows, rows_of
from tourney.runtime.checked_json import UnreadableValue
from tourney.runtime.packed import insert_packed, new_row, packed

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """Two rounds with roll-offs, a third in play with its clock running, and a penalty."""
    night = make_night(players=9, rounds=2, open_round=True, tables=2, seed=4)
    penalties.penalize(night.event, 3, 1, battle_points=-1, reason="late", by=BY)
    return night


def fields(row: models.Model) -> dict:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def loaded(rows: EventRows) -> dict[type[models.Model], list[models.Model]]:
    return {
        Entrant: rows.entrants,
        Player: [entrant.player for entrant in rows.entrants],
        Round: rows.rounds,
        Match: rows.matches,
        Result: [match.result for match in rows.matches if hasattr(match, "result")],
        Penalty: [row for given in rows.penalties.values() for row in given],
        RollOff: rows.roll_offs,
        Roll: [roll for rolled in rows.rolls.values() for roll in rolled],
    }


def test_every_row_of_an_event_is_as_django_reads_it(night: Night):
    for model, rows in loaded(rows_of([night.event], {})[night.event.pk]).items():
        stored = {row.pk: fields(row) for row in model.objects.all()}
        assert stored
        assert {row.pk: fields(row) for row in rows} == stored


def test_they_come_in_their_order_with_the_seats_and_who_has_a_fleet(night: Night):
    second = night.event.entrants.select_related("player").get(number=2)
    Fleet.objects.create(player=second.player, entrant=second, name="Patrol", changed_at=BY.at)
    rows = rows_of([night.event], {})[night.event.pk]

    assert [entrant.number for entrant in rows.entrants if entrant.has_fleet] == [2]
    assert [entrant.number for entrant in rows.entrants] == list(range(1, 10))
    assert [row.number for row in rows.rounds] == [1, 2, 3]
    assert [[roll.number for roll in rolled] for rolled in rows.rolls.values()] == [
        list(range(1, len(rolled) + 1)) for rolled in rows.rolls.values()
    ]
    stored = {match.pk: [(seat.entrant_id, seat.destroyed) for seat in match.seats.all()] for match in rows.matches}
    assert dict(rows.seats) == stored
    assert {len(seats) for seats in stored.values()} == {1, 2}


def test_new_rows_are_stored_as_django_stores_them_and_know_their_keys(night: Night):
    open_round = night.event.rounds.get(number=3)
    reason = {"kind": "neighbours", "ids": [1, 2], "numbers": [4]}
    rows = [
        Match(round=open_round, table=40, reason=reason),
        Match(round=open_round, table=41, moved_from=40, reason=reason, manual_reason='they "asked" \\ twice ’ {a, b}'),
        Match(round=open_round, table=None, reason=reason),
    ]
    one, two = night.event.entrants.filter(number__in=[1, 2]).order_by("number")
    Seat.objects.filter(round=open_round, entrant__in=[one, two]).delete()

    insert_packed(rows)
    seats = [Seat(match=rows[0], round=open_round, entrant=one, side="a", destroyed=[1, 5])]
    seats += [Seat(match=rows[0], round=open_round, entrant=two, side="b")]
    insert_packed(seats)

    assert [fields(Match.objects.get(pk=row.pk)) for row in rows] == [fields(row) for row in rows]
    assert [fields(Seat.objects.get(pk=seat.pk)) for seat in seats] == [fields(seat) for seat in seats]
    assert not rows[0]._state.adding


def test_nothing_is_stored_of_rows_of_which_one_could_not_be_read_again(night: Night):
    open_round, there = night.event.rounds.get(number=3), Match.objects.count()

    with pytest.raises(UnreadableValue, match=r"tourney\.Match\.reason"):
        insert_packed([Match(round=open_round, table=40), Match(round=open_round, table=41, reason={"kind": "luck"})])
    insert_packed([])

    assert Match.objects.count() == there


def test_a_new_row_of_given_values_is_the_one_that_its_model_makes(night: Night):
    one, two = night.event.entrants.order_by("number")[:2]
    values = {"event": night.event, "round": 2, "outcome": "win", "battle_points": 2, "fleet_points": 90}
    values |= {"opponent_fleet_points": None, "is_game": True, "is_by_dice": False, "is_ruled": False}

    made, rows = FinalSeat(entrant=one, opponent=two, **values), new_row(FinalSeat, entrant=one, opponent=two, **values)

    assert fields(rows) == fields(made)
    assert (rows.entrant, rows.opponent, rows.event) == (one, two, night.event)
    assert rows._state.adding


class OwnWords(models.CharField):
    """Read in a way of its own, as a field that inherits from a known one may be."""

    def from_db_value(self, value: str, *_: object) -> str:
        return value.upper()


@isolate_apps("tourney")
@pytest.mark.parametrize(
    "field",
    [
        models.DecimalField(max_digits=5, decimal_places=2),
        models.UUIDField(),
        models.BinaryField(),
        OwnWords(max_length=20),
        models.JSONField(),
        ArrayField(models.DateTimeField()),
    ],
    ids=lambda field: type(field).__name__,
)
def test_a_model_with_a_field_of_an_unknown_type_is_refused_before_a_row_is_read(field: models.Field):
    unknown = type("Unknown", (models.Model,), {"__module__": "tourney.models", "value": field.clone()})

    with pytest.raises(TypeError, match=r"is not known in tourney\.runtime\.packed"):
        packed(unknown, "u")
