"""A store comes from another installation with its history: rows get other ids here, and its chain goes on to fit.

Links that come along are stored as they were made there, and `tourney_chain_origin` says by which ids. It can only be
filled for a store that has no link yet, and never changes. While such a store arrives, new rows write no history: they
bring it along.
"""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

CHANGED_COLUMNS = import_module("tourney.migrations.0025_changed_columns")
ALL_LINKS = import_module("tourney.migrations.0021_journal_chain")
MESSAGES = import_module("tourney.migrations.0033_journal_messages")

ORIGINS = """
CREATE FUNCTION chain_origin_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM tourney_journallink WHERE store_id = NEW.store_id) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'Where the chain of a journal began cannot be changed.' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER chain_origin_is_forever BEFORE INSERT OR UPDATE OR DELETE ON tourney_chain_origin
    FOR EACH ROW EXECUTE FUNCTION chain_origin_is_forever();

CREATE FUNCTION a_store_arrives() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM tourney_chain_origin
        WHERE store_id = nullif(current_setting('flagship.arriving_store', true), '')::bigint
    ) AND NOT EXISTS (
        SELECT FROM tourney_journallink
        WHERE store_id = nullif(current_setting('flagship.arriving_store', true), '')::bigint
    )
$$;
"""
NO_ORIGINS = """
DROP TRIGGER chain_origin_is_forever ON tourney_chain_origin;
DROP FUNCTION chain_origin_is_forever();
DROP FUNCTION a_store_arrives();
"""

# Ids that nobody else gets, above all that were given: they go on after them, so that what is newer has a higher one.
RESERVE = """
CREATE FUNCTION reserve_ids(how_many bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    lowest bigint;
    one record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('reserve_ids', 0));
    SELECT coalesce(max(last_value), 0) + 10000 INTO lowest FROM pg_catalog.pg_sequences
        WHERE schemaname = (SELECT relnamespace::regnamespace::text FROM pg_catalog.pg_class
            WHERE oid = 'tourney_store'::regclass) AND sequencename LIKE 'tourney\\_%';
    IF how_many NOT BETWEEN 1 AND 1099511627776 OR lowest > 4503599627370496 THEN
        RAISE EXCEPTION 'So many ids there are not.' USING ERRCODE = 'program_limit_exceeded';
    END IF;
    FOR one IN SELECT schemaname, sequencename FROM pg_catalog.pg_sequences
        WHERE schemaname = (SELECT relnamespace::regnamespace::text FROM pg_catalog.pg_class
            WHERE oid = 'tourney_store'::regclass) AND sequencename LIKE 'tourney\\_%'
    LOOP
        PERFORM pg_catalog.setval(format('%I.%I', one.schemaname, one.sequencename)::regclass, lowest + how_many);
    END LOOP;
    RETURN lowest;
END $$;
"""

QUIET = """
DROP TRIGGER note_insert ON tourney_{table};
CREATE TRIGGER note_insert AFTER INSERT ON tourney_{table} REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT
    WHEN (coalesce(current_setting('flagship.arriving_store', true), '') = '' OR NOT a_store_arrives())
    EXECUTE FUNCTION note_{table}({hidden});
"""
AS_BEFORE = """
DROP TRIGGER note_insert ON tourney_{table};
CREATE TRIGGER note_insert AFTER INSERT ON tourney_{table} REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION note_{table}({hidden});
"""

COMPUTED = ALL_LINKS.LINKS.split("CREATE TRIGGER")[0]
"""The function that computes the fields of a link."""
AS_IT_CAME = """
    IF NEW.number <= (SELECT max(until) FROM tourney_chain_origin WHERE store_id = the_entry.store_id) THEN
        NEW.store_id := the_entry.store_id;
        RETURN NEW;
    END IF;
    PERFORM pg_advisory"""
ONE_LINK = """
CREATE OR REPLACE FUNCTION chain_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tourney_journallink (entry_id) SELECT id FROM tourney_journalentry WHERE id = NEW.id{unless};
    RETURN NULL;
END $$;
"""
CAME_WITH_ONE = " AND NOT EXISTS (SELECT FROM tourney_journallink WHERE entry_id = NEW.id)"


def replaced(sql: str) -> str:
    return sql.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")


def hidden(table: str) -> str:
    _, names, _ = CHANGED_COLUMNS.TABLES[table]
    return ", ".join(f"'{name}'" for name in names)


class Migration(migrations.Migration):
    dependencies = [("tourney", "0048_card_steps_and_name_keys")]

    operations = [
        migrations.AddField("journalentry", "by_elsewhere", models.BigIntegerField(null=True)),
        migrations.AddField("playercard", "words_secret", models.CharField(max_length=16, blank=True, default="")),
        migrations.AddField(
            "store",
            "moved_to",
            models.CharField(max_length=300, default="", help_text="its address elsewhere; empty: it is here"),
        ),
        migrations.CreateModel(
            name="ChainOrigin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("until", models.PositiveIntegerField()),
                ("shift", models.BigIntegerField()),
                ("packs", models.JSONField()),
                ("staff", models.JSONField(default=list)),
                (
                    "store",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="origins",
                        to="tourney.store",
                    ),
                ),
            ],
            options={
                "db_table": "tourney_chain_origin",
                "ordering": ["until"],
                "constraints": [
                    models.UniqueConstraint(fields=("store", "until"), name="one_origin_per_number_and_store")
                ],
            },
        ),
        migrations.RunSQL(ORIGINS, NO_ORIGINS),
        migrations.RunSQL(RESERVE, "DROP FUNCTION reserve_ids(bigint)"),
        migrations.RunSQL(
            MESSAGES.WITH_MESSAGE.replace("e.by_id::text", "coalesce(e.by_elsewhere, e.by_id)::text"),
            MESSAGES.WITH_MESSAGE,
        ),
        migrations.RunSQL(replaced(COMPUTED.replace("\n    PERFORM pg_advisory", AS_IT_CAME, 1)), replaced(COMPUTED)),
        migrations.RunSQL(ONE_LINK.format(unless=CAME_WITH_ONE), ONE_LINK.format(unless="")),
        *(
            migrations.RunSQL(
                QUIET.format(table=table, hidden=hidden(table)), AS_BEFORE.format(table=table, hidden=hidden(table))
            )
            for table in CHANGED_COLUMNS.TABLES
        ),
    ]
