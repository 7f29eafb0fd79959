"""Of a row that changes, the history keeps the columns that have another value; and it is written by statement.

What is recorded stays as it is, whole rows and all: `tourney.queries.history` reads both. A row that is added or deleted
is still kept whole, so that from its first line on every row can be built. Seats keep whose they are with every change:
by that is asked who had one.
"""

from importlib import import_module

from django.db import migrations

# The way from a row (`t`) to its event, columns that are not kept, and columns that go with every change.
OF_ROUND = "(SELECT event_id FROM tourney_round WHERE id = t.round_id)"
OF_SEAT = "(SELECT r.event_id FROM tourney_seat s JOIN tourney_round r ON r.id = s.round_id WHERE s.id = t.seat_id)"
TABLES = {
    "event": ("t.id", ("version", "numbers_given"), ()),
    "entrant": ("t.event_id", ("player_id",), ()),
    "round": ("t.event_id", (), ()),
    "match": (OF_ROUND, ("savings",), ()),
    "seat": (OF_ROUND, (), ("entrant_id",)),
    "result": (
        "(SELECT r.event_id FROM tourney_match m JOIN tourney_round r ON r.id = m.round_id WHERE m.id = t.match_id)",
        (),
        (),
    ),
    "penalty": (OF_ROUND, (), ()),
    "rolloff": (OF_ROUND, (), ()),
    "throw": (
        "(SELECT r.event_id FROM tourney_rolloff o JOIN tourney_round r ON r.id = o.round_id WHERE o.id = t.roll_off_id)",
        (),
        (),
    ),
    "report": (OF_SEAT, (), ()),
    "wish": (OF_SEAT, (), ()),
    "sheetcheck": (OF_SEAT, (), ()),
}

NOTE = """
CREATE FUNCTION note_{table}() RETURNS trigger LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
    this_transaction bigint := pg_current_xact_id()::text::bigint;
    hidden text[] := coalesce(TG_ARGV, '{{}}');
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO tourney_change (event_id, transaction, "table", "row", after)
            SELECT {event}, this_transaction, TG_TABLE_NAME, t.id, to_jsonb(t) - hidden FROM added t ORDER BY t.id;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO tourney_change (event_id, transaction, "table", "row", before)
            SELECT {event}, this_transaction, TG_TABLE_NAME, t.id, to_jsonb(t) - hidden FROM removed t ORDER BY t.id;
    ELSE
        INSERT INTO tourney_change (event_id, transaction, "table", "row", before, after)
            SELECT {event}, this_transaction, TG_TABLE_NAME, t.id, changed.before, changed.after
            FROM added t JOIN removed o USING (id) CROSS JOIN LATERAL (
                SELECT jsonb_object_agg(key, was.value) AS before, jsonb_object_agg(key, now.value) AS after
                FROM jsonb_each(to_jsonb(o) - hidden) was JOIN jsonb_each(to_jsonb(t) - hidden) now USING (key)
                WHERE was.value <> now.value OR key = ANY ('{{{always}}}'::text[])
                HAVING bool_or(was.value <> now.value)
            ) changed ORDER BY t.id;
    END IF;
    RETURN NULL;
END $$;
"""
TRIGGER = """
CREATE TRIGGER note_{what} AFTER {what} ON tourney_{table} REFERENCING {rows}
    FOR EACH STATEMENT EXECUTE FUNCTION note_{table}({hidden});
"""
ROWS = {
    "insert": "NEW TABLE AS added",
    "update": "OLD TABLE AS removed NEW TABLE AS added",
    "delete": "OLD TABLE AS removed",
}

# The same hash as before, with each text made once and no function called for it (docs/journal.md).
HASH = """
CREATE OR REPLACE FUNCTION journal_changes_hash(entry bigint, nonce text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT sha256_hex(nonce || ' ' || sha256_hex(coalesce(string_agg(concat(
        octet_length(event), ':', event, ',', octet_length("table"), ':', "table", ',', octet_length("row"), ':', "row", ',',
        coalesce(octet_length(before) || ':' || before || ',', '-,'),
        coalesce(octet_length(after) || ':' || after || ',', '-,')
    ), '' ORDER BY id), ''))) FROM (
        SELECT id, event_id::text AS event, "table", "row"::text AS "row", before::text AS before, after::text AS after
        FROM tourney_change WHERE entry_id = entry OFFSET 0
    ) AS texts
$$;
"""
HASH_AS_BEFORE = (
    import_module("tourney.migrations.0021_journal_chain")
    .HASHES.split(";\n\n")[-1]
    .replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
)


def forwards(table: str) -> str:
    event, hidden, always = TABLES[table]
    arguments = ", ".join(f"'{name}'" for name in hidden)
    triggers = (TRIGGER.format(what=what, table=table, rows=ROWS[what], hidden=arguments) for what in ROWS)
    note = NOTE.format(table=table, event=event, always=",".join(always))
    return f"DROP TRIGGER note_change ON tourney_{table}; {note} {''.join(triggers)}"


def backwards(table: str) -> str:
    history, penalties = (import_module(f"tourney.migrations.{name}") for name in ("0012_history", "0014_penalties"))
    before = penalties.NOTE if table == "penalty" else history.trigger(table)
    return f"{''.join(f'DROP TRIGGER note_{what} ON tourney_{table};' for what in ROWS)} DROP FUNCTION note_{table}(); {before}"


class Migration(migrations.Migration):
    dependencies = [("tourney", "0024_finals")]

    operations = [
        *(migrations.RunSQL(forwards(table), backwards(table)) for table in TABLES),
        migrations.RunSQL(HASH, HASH_AS_BEFORE),
        migrations.RunSQL("DROP FUNCTION note_change()", import_module("tourney.migrations.0012_history").NOTE),
    ]
