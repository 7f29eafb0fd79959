"""Every change of an event is written down by the database itself, beginning with what is there now."""

import django.db.models.deletion
from django.db import migrations, models

NOTE = """
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
    was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) - TG_ARGV[1:] END;
    now jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) - TG_ARGV[1:] END;
    kept jsonb := coalesce(now, was);
    the_event bigint;
BEGIN
    IF was = now THEN
        RETURN NULL;
    END IF;
    EXECUTE 'SELECT ' || TG_ARGV[0] INTO the_event USING kept;
    INSERT INTO tourney_change (event_id, transaction, "table", "row", before, after)
        VALUES (the_event, pg_current_xact_id()::text::bigint, TG_TABLE_NAME, (kept ->> 'id')::bigint, was, now);
    RETURN NULL;
END $$;
"""

OF_ROUND = "(SELECT event_id FROM tourney_round WHERE id = ($1 ->> ''round_id'')::bigint)"
OF_SEAT = """(SELECT r.event_id FROM tourney_seat s JOIN tourney_round r ON r.id = s.round_id
    WHERE s.id = ($1 ->> ''seat_id'')::bigint)"""
TABLES = {
    "event": ("($1 ->> ''id'')::bigint", ("version", "numbers_given")),
    "entrant": ("($1 ->> ''event_id'')::bigint", ("player_id",)),
    "round": ("($1 ->> ''event_id'')::bigint", ()),
    "match": (OF_ROUND, ("savings",)),
    "seat": (OF_ROUND, ()),
    "result": (
        """(SELECT r.event_id FROM tourney_match m JOIN tourney_round r ON r.id = m.round_id
            WHERE m.id = ($1 ->> ''match_id'')::bigint)""",
        (),
    ),
    "rolloff": (OF_ROUND, ()),
    "throw": (
        """(SELECT r.event_id FROM tourney_rolloff o JOIN tourney_round r ON r.id = o.round_id
            WHERE o.id = ($1 ->> ''roll_off_id'')::bigint)""",
        (),
    ),
    "report": (OF_SEAT, ()),
    "wish": (OF_SEAT, ()),
    "sheetcheck": (OF_SEAT, ()),
}
"""Of each table, the way from a row to its event, and the columns that are not kept."""

FIRST = """
INSERT INTO tourney_change (event_id, transaction, "table", "row", before, after)
    SELECT {event}, 0, 'tourney_{table}', id, NULL, kept FROM
        (SELECT id, to_jsonb(t) - '{{{hidden}}}'::text[] AS kept FROM tourney_{table} t ORDER BY id) AS rows
"""


def trigger(table: str) -> str:
    event, hidden = TABLES[table]
    arguments = ", ".join(f"'{text}'" for text in (event, *hidden))
    return f"""
        CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON tourney_{table}
            FOR EACH ROW EXECUTE FUNCTION note_change({arguments});
    """


def first(table: str) -> str:
    event, hidden = TABLES[table]
    return FIRST.format(event=event.replace("''", "'").replace("$1", "kept"), table=table, hidden=",".join(hidden))


class Migration(migrations.Migration):
    dependencies = [("tourney", "0011_announcements")]

    operations = [
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("transaction", models.BigIntegerField()),
                ("table", models.CharField(max_length=40)),
                ("row", models.BigIntegerField()),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="changes",
                        to="tourney.journalentry",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="changes", to="tourney.event"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["event", "id"], name="history_of_an_event"),
                    models.Index(
                        condition=models.Q(("entry", None)), fields=["transaction"], name="changes_without_entry"
                    ),
                ],
            },
        ),
        migrations.RunSQL(NOTE, "DROP FUNCTION note_change()"),
        *(migrations.RunSQL(first(table), migrations.RunSQL.noop) for table in TABLES),
        *(migrations.RunSQL(trigger(table), f"DROP TRIGGER note_change ON tourney_{table}") for table in TABLES),
    ]
