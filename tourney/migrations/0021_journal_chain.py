"""The journal as a hash chain: per store a link for each entry, with the hash of the one before in its own.

A link is written at the end of the transaction, by a deferred trigger, so that the lock of the store's chain is the last
one that is taken. It hashes the entry and the rows that the entry changed (`tourney_change`), with a nonce that is
deleted when a name in there is forgotten: then a new link holds the hashes of what is there instead, and names the
entry that says so. `tourney.queries.journal_chain` computes the same hashes without the functions of the database.
"""

import django.db.models.deletion
from django.db import migrations, models

HASHES = """
CREATE FUNCTION netstring(part text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(octet_length(part) || ':' || part || ',', '-,')
$$;

CREATE FUNCTION sha256_hex(part text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(sha256(convert_to(part, 'UTF8')), 'hex')
$$;

CREATE FUNCTION journal_content_hash(e tourney_journalentry, nonce text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT sha256_hex(
        netstring(nonce) || netstring(e.id::text) || netstring(e.store_id::text) || netstring(e.event_id::text)
        || netstring(e.version::text) || netstring(to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
        || netstring(e.by_id::text) || netstring(e.by_name) || netstring(e.did) || netstring(e.what)
        || netstring(e.before::text) || netstring(e.after::text) || netstring(e.reason)
    )
$$;

CREATE FUNCTION journal_changes_hash(entry bigint, nonce text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT sha256_hex(nonce || ' ' || sha256_hex(coalesce(string_agg(
        netstring(c.event_id::text) || netstring(c."table") || netstring(c."row"::text)
        || netstring(c.before::text) || netstring(c.after::text), '' ORDER BY c.id
    ), ''))) FROM tourney_change c WHERE c.entry_id = entry
$$;
"""
NO_HASHES = """
DROP FUNCTION journal_changes_hash(bigint, text);
DROP FUNCTION journal_content_hash(tourney_journalentry, text);
DROP FUNCTION sha256_hex(text);
DROP FUNCTION netstring(text);
"""

LINKS = """
CREATE FUNCTION journal_link_is_computed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    the_entry tourney_journalentry;
    last tourney_journallink;
BEGIN
    SELECT * INTO STRICT the_entry FROM tourney_journalentry WHERE id = NEW.entry_id;
    PERFORM pg_advisory_xact_lock(hashtextextended('tourney_journallink', the_entry.store_id));
    SELECT * INTO last FROM tourney_journallink WHERE store_id = the_entry.store_id ORDER BY number DESC LIMIT 1;
    NEW.store_id := the_entry.store_id;
    NEW.number := coalesce(last.number, 0) + 1;
    NEW.nonce := gen_random_uuid()::text;
    NEW.content_hash := journal_content_hash(the_entry, NEW.nonce);
    NEW.changes_hash := journal_changes_hash(NEW.entry_id, NEW.nonce);
    NEW.chain_hash := sha256_hex(concat_ws(
        ' ', coalesce(last.chain_hash, repeat('0', 64)), NEW.number, NEW.entry_id, coalesce(NEW.redacted_for_id, 0),
        NEW.content_hash, NEW.changes_hash
    ));
    RETURN NEW;
END $$;
CREATE TRIGGER journal_link_is_computed BEFORE INSERT ON tourney_journallink
    FOR EACH ROW EXECUTE FUNCTION journal_link_is_computed();

CREATE FUNCTION journal_link_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF is_rehearsal(OLD.store_id) THEN
            RETURN OLD;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        IF NEW.nonce = '' AND to_jsonb(NEW) - 'nonce' = to_jsonb(OLD) - 'nonce' AND EXISTS (
            SELECT FROM tourney_journallink WHERE entry_id = OLD.entry_id AND number > OLD.number
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The chain of the journal cannot be changed: links are only added.'
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER journal_link_is_forever BEFORE UPDATE OR DELETE ON tourney_journallink
    FOR EACH ROW EXECUTE FUNCTION journal_link_is_forever();
CREATE TRIGGER journal_link_is_forever_truncate BEFORE TRUNCATE ON tourney_journallink
    FOR EACH STATEMENT EXECUTE FUNCTION journal_link_is_forever();
"""
NO_LINKS = """
DROP TRIGGER journal_link_is_forever_truncate ON tourney_journallink;
DROP TRIGGER journal_link_is_forever ON tourney_journallink;
DROP TRIGGER journal_link_is_computed ON tourney_journallink;
DROP FUNCTION journal_link_is_forever();
DROP FUNCTION journal_link_is_computed();
"""

CHAIN = """
CREATE FUNCTION chain_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO tourney_journallink (entry_id) SELECT id FROM tourney_journalentry WHERE id = NEW.id;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER chain_journal AFTER INSERT ON tourney_journalentry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_journal();

CREATE FUNCTION chain_redaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    row_now jsonb := to_jsonb(NEW);
    the_entry tourney_journalentry;
    last tourney_journallink;
    the_forgetting bigint;
BEGIN
    SELECT * INTO the_entry FROM tourney_journalentry
        WHERE id = (row_now ->> CASE TG_TABLE_NAME WHEN 'tourney_change' THEN 'entry_id' ELSE 'id' END)::bigint;
    SELECT * INTO last FROM tourney_journallink WHERE entry_id = the_entry.id ORDER BY number DESC LIMIT 1;
    IF last IS NULL OR (last.content_hash = journal_content_hash(the_entry, last.nonce)
            AND last.changes_hash = journal_changes_hash(the_entry.id, last.nonce)) THEN
        RETURN NULL;
    END IF;
    SELECT max(id) INTO the_forgetting FROM tourney_journalentry
        WHERE store_id = the_entry.store_id AND did = 'forget' AND strpos(row_now::text, after ->> 'mark') > 0;
    IF the_forgetting IS NULL THEN
        RAISE EXCEPTION 'The journal cannot be changed: entries are only added.' USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO tourney_journallink (entry_id, redacted_for_id) VALUES (the_entry.id, the_forgetting);
    UPDATE tourney_journallink SET nonce = ''
        WHERE entry_id = the_entry.id AND number <= last.number AND nonce <> '';
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER chain_redaction AFTER UPDATE ON tourney_journalentry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_redaction();
CREATE CONSTRAINT TRIGGER chain_redaction AFTER UPDATE OF before, after ON tourney_change
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.entry_id IS NOT NULL) EXECUTE FUNCTION chain_redaction();
"""
NO_CHAIN = """
DROP TRIGGER chain_redaction ON tourney_change;
DROP TRIGGER chain_redaction ON tourney_journalentry;
DROP TRIGGER chain_journal ON tourney_journalentry;
DROP FUNCTION chain_redaction();
DROP FUNCTION chain_journal();
"""

HISTORY = """
CREATE FUNCTION history_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    name text := to_jsonb(current_setting('flagship.forgotten_name', true))::text;
    mark text := current_setting('flagship.forgotten_mark', true);
BEGIN
    IF length(name) > 2 AND mark <> '' THEN
        name := substr(name, 2, length(name) - 2);
        IF replace(to_jsonb(NEW)::text, mark, name) = replace(to_jsonb(OLD)::text, mark, name) AND EXISTS (
            SELECT FROM tourney_journalentry j
            JOIN tourney_campaign c ON c.store_id = j.store_id JOIN tourney_event e ON e.campaign_id = c.id
            WHERE e.id = OLD.event_id AND j.did = 'forget' AND j.after ->> 'mark' = mark
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The history of an event is kept: nothing of it is changed.' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER history_is_written_once
    BEFORE UPDATE OF id, event_id, transaction, "table", "row", before, after ON tourney_change
    FOR EACH ROW EXECUTE FUNCTION history_is_written_once();
CREATE TRIGGER history_has_one_entry BEFORE UPDATE OF entry_id ON tourney_change
    FOR EACH ROW WHEN (OLD.entry_id IS NOT NULL) EXECUTE FUNCTION history_is_written_once();
"""
HISTORY_AGAIN = """
DROP TRIGGER history_has_one_entry ON tourney_change;
DROP TRIGGER history_is_written_once ON tourney_change;
DROP FUNCTION history_is_written_once();
"""

# What is there is chained as it is. Changes from before that no entry names become part of one that says so.
EXPLAIN = """
INSERT INTO tourney_journalentry (store_id, at, by_name, did, what, reason)
    SELECT c.store_id, now(), 'Flagship', 'begin_chain',
        'History sealed. Changes recorded before: ' || count(*) || '.', ''
    FROM tourney_change t JOIN tourney_event e ON e.id = t.event_id JOIN tourney_campaign c ON c.id = e.campaign_id
    WHERE t.entry_id IS NULL GROUP BY c.store_id ORDER BY c.store_id;
UPDATE tourney_change t SET entry_id = j.id
    FROM tourney_journalentry j, tourney_event e, tourney_campaign c
    WHERE t.entry_id IS NULL AND e.id = t.event_id AND c.id = e.campaign_id
        AND j.store_id = c.store_id AND j.did = 'begin_chain';
INSERT INTO tourney_journallink (entry_id) SELECT id FROM tourney_journalentry ORDER BY id;
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
"""


class Migration(migrations.Migration):
    dependencies = [("tourney", "0020_join_pace")]

    operations = [
        migrations.CreateModel(
            name="JournalLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("nonce", models.CharField(blank=True, max_length=36)),
                ("content_hash", models.CharField(max_length=64)),
                ("changes_hash", models.CharField(max_length=64)),
                ("chain_hash", models.CharField(max_length=64)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="links", to="tourney.journalentry"
                    ),
                ),
                (
                    "redacted_for",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tourney.journalentry",
                    ),
                ),
                (
                    "store",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="links",
                        to="tourney.store",
                    ),
                ),
            ],
            options={
                "ordering": ["store", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("store", "number"), name="one_link_per_number_and_store"),
                    models.UniqueConstraint(
                        condition=models.Q(("redacted_for", None)), fields=("entry",), name="one_first_link_per_entry"
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="journalentry",
            index=models.Index(condition=models.Q(("did", "forget")), fields=["store"], name="entries_that_forget"),
        ),
        migrations.RunSQL(HASHES, NO_HASHES),
        migrations.RunSQL(LINKS, NO_LINKS),
        migrations.RunSQL(EXPLAIN, migrations.RunSQL.noop),
        migrations.RunSQL(CHAIN, NO_CHAIN),
        migrations.RunSQL(HISTORY, HISTORY_AGAIN),
    ]
