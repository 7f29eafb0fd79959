"""The history of an event that is long over, as one compressed text: a row of `tourney_packed_history`.

Whoever adds such a row packs, and whoever deletes it unpacks: the database makes the text of the changes and takes these
away, or puts them back with the ids they had. Changes are deleted only where each is in the text as it was. The text is
compressed by PostgreSQL itself, so that all of this can be asked in SQL; `event_changes` reads both.
"""

from importlib import import_module

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

REHEARSAL = import_module("tourney.migrations.0013_rehearsal")
CHAIN = import_module("tourney.migrations.0021_journal_chain")

ENTRIES = """
CREATE FUNCTION entries_of_lines(lines text) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg(DISTINCT (line::jsonb -> 'entry_id')::bigint) FROM string_to_table(lines, E'\\n') AS line
$$;
"""

# Asked in FROM, their text becomes part of the question, so that it is planned as if it stood there.
READING = """
CREATE FUNCTION packed_changes(the_event bigint) RETURNS SETOF tourney_change LANGUAGE sql STABLE AS $$
    SELECT change.* FROM tourney_packed_history p, string_to_table(p.lines, E'\\n') AS line,
        jsonb_populate_record(NULL::tourney_change, line::jsonb) AS change
    WHERE p.event_id = the_event
$$;
CREATE FUNCTION event_changes(the_event bigint) RETURNS SETOF tourney_change LANGUAGE sql STABLE AS $$
    SELECT * FROM tourney_change WHERE event_id = the_event
    UNION ALL SELECT * FROM packed_changes(the_event)
$$;
CREATE FUNCTION store_changes(the_store bigint) RETURNS SETOF tourney_change LANGUAGE sql STABLE AS $$
    SELECT change.* FROM tourney_campaign c JOIN tourney_event e ON e.campaign_id = c.id,
        event_changes(e.id) AS change
    WHERE c.store_id = the_store
$$;
"""
NO_READING = """
DROP FUNCTION store_changes(bigint);
DROP FUNCTION event_changes(bigint);
DROP FUNCTION packed_changes(bigint);
"""

# What is chained, for links are made of rows. What looks alike stands together: PostgreSQL finds again what is at most
# 4 kB away, such as the fleet of a seat.
PACKING = """
CREATE FUNCTION history_is_packed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' AND TG_WHEN = 'BEFORE' THEN
        SELECT string_agg(
            to_jsonb(c)::text, E'\\n' ORDER BY "table", coalesce(after, before) -> 'entrant_id', "row", id
        ) INTO NEW.lines FROM tourney_change c
            WHERE event_id = NEW.event_id AND EXISTS (SELECT FROM tourney_journallink WHERE entry_id = c.entry_id);
        RETURN NEW;
    ELSIF TG_OP = 'INSERT' THEN
        DELETE FROM tourney_change c
            WHERE event_id = NEW.event_id AND EXISTS (SELECT FROM tourney_journallink WHERE entry_id = c.entry_id);
        RETURN NULL;
    ELSIF TG_OP = 'DELETE' THEN
        IF NOT is_at_a_rehearsal(OLD.event_id) THEN
            INSERT INTO tourney_change SELECT change.* FROM string_to_table(OLD.lines, E'\\n') AS line,
                jsonb_populate_record(NULL::tourney_change, line::jsonb) AS change;
        END IF;
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'A packed history is kept: it is only unpacked.' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER history_is_packed BEFORE INSERT OR UPDATE ON tourney_packed_history
    FOR EACH ROW EXECUTE FUNCTION history_is_packed();
CREATE TRIGGER history_is_packed_then AFTER INSERT OR DELETE ON tourney_packed_history
    FOR EACH ROW EXECUTE FUNCTION history_is_packed();
CREATE TRIGGER history_is_packed_truncate BEFORE TRUNCATE ON tourney_packed_history
    FOR EACH STATEMENT EXECUTE FUNCTION history_is_packed();
"""
NO_PACKING = """
DELETE FROM tourney_packed_history;
DROP TRIGGER history_is_packed ON tourney_packed_history;
DROP TRIGGER history_is_packed_then ON tourney_packed_history;
DROP TRIGGER history_is_packed_truncate ON tourney_packed_history;
DROP FUNCTION history_is_packed();
"""

KEPT = """
DROP TRIGGER history_is_kept ON tourney_change;
CREATE OR REPLACE FUNCTION history_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (
            SELECT FROM tourney_event e WHERE e.id IN (SELECT event_id FROM removed) AND NOT is_at_a_rehearsal(e.id)
            AND EXISTS (SELECT * FROM removed WHERE event_id = e.id EXCEPT SELECT * FROM packed_changes(e.id))
        ) THEN
            RETURN NULL;
        END IF;
    END IF;
    RAISE EXCEPTION 'The history of an event is kept: nothing of it is deleted.' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER history_is_kept AFTER DELETE ON tourney_change REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION history_is_kept();
"""
KEPT_AS_BEFORE = "DROP TRIGGER history_is_kept ON tourney_change;" + (
    REHEARSAL.KEPT.split("CREATE TRIGGER history_is_kept_truncate")[0].replace("CREATE FUN", "CREATE OR REPLACE FUN")
)

# The link of an entry whose name is erased is over what it changed: that has to be among the changes again.
REDACTION = (
    "CREATE OR REPLACE FUNCTION chain_redaction"
    + CHAIN.CHAIN.split("CREATE FUNCTION chain_redaction")[1].split("CREATE CONSTRAINT TRIGGER")[0]
)
UNPACKED = """
    DELETE FROM tourney_packed_history WHERE the_entry.id = ANY(entries) AND event_id IN (
        SELECT e.id FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        WHERE c.store_id = the_entry.store_id
    );
    SELECT * INTO last"""


class Migration(migrations.Migration):
    dependencies = [("tourney", "0054_lighter_nights")]

    operations = [
        migrations.RunSQL(ENTRIES, "DROP FUNCTION entries_of_lines(text)"),
        migrations.CreateModel(
            name="PackedHistory",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="packed_history",
                        serialize=False,
                        to="tourney.event",
                    ),
                ),
                ("lines", models.TextField(default="")),
                (
                    "entries",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Func("lines", function="entries_of_lines"),
                        output_field=django.contrib.postgres.fields.ArrayField(models.BigIntegerField()),
                    ),
                ),
            ],
            options={"db_table": "tourney_packed_history", "ordering": ["event"]},
        ),
        migrations.RunSQL(READING, NO_READING),
        migrations.RunSQL(PACKING, NO_PACKING),
        migrations.RunSQL(KEPT, KEPT_AS_BEFORE),
        migrations.RunSQL(REDACTION.replace("\n    SELECT * INTO last", UNPACKED, 1), REDACTION),
    ]
