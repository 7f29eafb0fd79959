"""Many finished events of a store, in no time: one is played, the others are its rows once more.

add_months_before(night.event, 319, months=8)
"""

from datetime import timedelta

from django.db import connection, models, transaction

from tests.support.copied import triggers_off
from tourney.models import (
    Entrant,
    Event,
    FinalLine,
    FinalRanking,
    FinalSeat,
    Match,
    Result,
    Roll,
    RollOff,
    Round,
    Seat,
)

COPIED = (Event, Entrant, Round, Match, Seat, Result, RollOff, Roll, FinalRanking, FinalLine, FinalSeat)
STEP = 10_000_000
"""What is added to the keys of each copy."""
A_MONTH = timedelta(days=28)
WAY = {
    Match: "round_id IN (SELECT id FROM tourney_round WHERE event_id = %(event)s)",
    Seat: "round_id IN (SELECT id FROM tourney_round WHERE event_id = %(event)s)",
    RollOff: "round_id IN (SELECT id FROM tourney_round WHERE event_id = %(event)s)",
    Result: "match_id IN (SELECT m.id FROM tourney_match m JOIN tourney_round r ON r.id = m.round_id "
    "WHERE r.event_id = %(event)s)",
    Roll: "roll_off_id IN (SELECT o.id FROM tourney_rolloff o JOIN tourney_round r ON r.id = o.round_id "
    "WHERE r.event_id = %(event)s)",
}


@transaction.atomic
def add_months_before(event: Event, count: int, *, months: int, first: int = 1) -> None:
    """So many copies of the finished event, four weeks apart, the last four weeks before it; `months` to a campaign.

    `first` counts on from copies that are there already.
    """
    store = event.store
    last = (first + count - 2) // months
    campaigns = [
        store.campaigns.get_or_create(slug=f"earlier-{number}", defaults={"storyline": f"Earlier {number}"})[0]
        for number in range(last + 1)
    ]
    with triggers_off(), connection.cursor() as cursor:
        for model in COPIED:
            cursor.execute(_copy(model), {"event": event.pk, "first": first, "last": first + count - 1})
        cursor.execute(
            "UPDATE tourney_event e SET campaign_id = (%(campaigns)s::bigint[])[((e.id - %(event)s) / %(step)s - 1) "
            "/ %(months)s + 1] WHERE e.id > %(step)s AND e.id %% %(step)s = %(event)s",
            {"campaigns": [one.pk for one in campaigns], "event": event.pk, "step": STEP, "months": months},
        )
        cursor.execute("ANALYZE")


def _copy(model: type[models.Model]) -> str:
    fields = model._meta.concrete_fields
    where = WAY.get(model, "event_id = %(event)s")
    return (
        f"INSERT INTO {model._meta.db_table} ({', '.join(_quoted(one) for one in fields)}) "
        f"SELECT {', '.join(_read(one) for one in fields)} FROM {model._meta.db_table} t, "
        f"generate_series(%(first)s, %(last)s) k WHERE t.{'id = %(event)s' if model is Event else where}"
    )


def _quoted(field: models.Field) -> str:
    return connection.ops.quote_name(field.column)


def _read(field: models.Field) -> str:
    column = f"t.{_quoted(field)}"
    if field.primary_key or (field.is_relation and field.related_model in COPIED):
        return f"{column} + k::bigint * {STEP}"
    if (field.model, field.name) == (Event, "slug"):
        return f"{column} || '-copy-' || k"
    if (field.model, field.name) == (Event, "starts_at"):
        return f"{column} - k * interval '{A_MONTH.days} days'"
    return column
