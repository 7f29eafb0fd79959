"""Stores are asked for, found by name and town, and deleted.

A store that is deleted goes whole, journal, ledger and history with it: where the triggers let nothing go but what is a
rehearsal's, they now also let go what belongs to a store that `tourney_deleted_store` names. Such a row can only be
added, and a transaction that adds one ends with an error unless the store is gone by then. So nothing of a store that
stays can be deleted, and that a store was deleted stays known.
"""

from importlib import import_module

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Upper

from tourney.runtime.found_by import joined_words

MAY_GO = """
CREATE FUNCTION may_go(the_store bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT is_rehearsal(the_store) OR EXISTS (SELECT FROM tourney_deleted_store WHERE number = the_store)
$$;
CREATE FUNCTION may_go_with_its_store(the_event bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        WHERE e.id = the_event AND may_go(c.store_id)
    )
$$;
"""
NOTHING_GOES = """
DROP FUNCTION may_go_with_its_store(bigint);
DROP FUNCTION may_go(bigint);
"""

ASK = """
DO $$
DECLARE
    one text;
BEGIN
    FOREACH one IN ARRAY ARRAY[
        'journal_is_forever', 'journal_link_is_forever', 'token_ledger_is_forever', 'history_is_kept', 'event_is_kept'
    ] LOOP
        EXECUTE replace(replace(pg_get_functiondef(one::regproc), '{store}(', '{instead}('), '{event}(', '{so}(');
    END LOOP;
END $$;
"""
ORIGINS_GO = """
CREATE OR REPLACE FUNCTION chain_origin_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM tourney_journallink WHERE store_id = NEW.store_id) THEN
            RETURN NEW;
        END IF;
    ELSIF TG_OP = 'DELETE' THEN
        IF may_go(OLD.store_id) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'Where the chain of a journal began cannot be changed.' USING ERRCODE = 'restrict_violation';
END $$;
"""
ORIGINS_STAY = import_module("tourney.migrations.0049_store_archive").ORIGINS.split("CREATE TRIGGER")[0]

STAYS_AT_ITS_STORE = """
CREATE OR REPLACE FUNCTION rehearsal_stays_one() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stays boolean := CASE TG_TABLE_NAME
        WHEN 'tourney_store' THEN
            (to_jsonb(OLD) -> 'rehearsal_id') = (to_jsonb(NEW) -> 'rehearsal_id')
        WHEN 'tourney_campaign' THEN
            (to_jsonb(OLD) -> 'store_id') = (to_jsonb(NEW) -> 'store_id')
        ELSE (
            SELECT was.store_id = now.store_id FROM tourney_campaign was, tourney_campaign now
            WHERE was.id = (to_jsonb(OLD) ->> 'campaign_id')::bigint
                AND now.id = (to_jsonb(NEW) ->> 'campaign_id')::bigint
        )
    END;
BEGIN
    IF stays THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'What is real never becomes a rehearsal, nor a rehearsal real, and nothing goes to another store.'
        USING ERRCODE = 'restrict_violation';
END $$;
"""
"""Or a store that may be deleted could take what another has."""
REHEARSAL_STAYS_ONE = import_module("tourney.migrations.0013_rehearsal").STAYS.split("CREATE TRIGGER")[0]

REHEARSALS = {"store": "is_rehearsal", "event": "is_at_a_rehearsal"}
ALL = {"store": "may_go", "event": "may_go_with_its_store"}

WHOLE = """
CREATE FUNCTION deleted_store_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'That a store was deleted stays known, and its addresses stay its own.'
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER deleted_store_is_forever BEFORE UPDATE OR DELETE ON tourney_deleted_store
    FOR EACH ROW EXECUTE FUNCTION deleted_store_is_forever();
CREATE TRIGGER deleted_store_is_forever_truncate BEFORE TRUNCATE ON tourney_deleted_store
    FOR EACH STATEMENT EXECUTE FUNCTION deleted_store_is_forever();
CREATE TRIGGER retired_address_is_forever BEFORE UPDATE OR DELETE ON tourney_retired_address
    FOR EACH ROW EXECUTE FUNCTION deleted_store_is_forever();
CREATE TRIGGER retired_address_is_forever_truncate BEFORE TRUNCATE ON tourney_retired_address
    FOR EACH STATEMENT EXECUTE FUNCTION deleted_store_is_forever();

CREATE FUNCTION deleted_store_is_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tourney_store WHERE id = NEW.number) THEN
        RAISE EXCEPTION 'A store is deleted whole, or not at all.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER deleted_store_is_gone AFTER INSERT ON tourney_deleted_store
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION deleted_store_is_gone();

CREATE FUNCTION deleted_store_was_here() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tourney_store WHERE id = NEW.number) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'Only a store that is here can be deleted.' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER deleted_store_was_here BEFORE INSERT ON tourney_deleted_store
    FOR EACH ROW EXECUTE FUNCTION deleted_store_was_here();

CREATE FUNCTION deleted_store_comes_back_by_no_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tourney_deleted_store WHERE number = NEW.id) THEN
        RAISE EXCEPTION 'That store was deleted: its number is no other store''s.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER deleted_store_comes_back_by_no_number BEFORE INSERT OR UPDATE OF id ON tourney_store
    FOR EACH ROW EXECUTE FUNCTION deleted_store_comes_back_by_no_number();
"""
IN_PARTS = """
DROP TRIGGER deleted_store_comes_back_by_no_number ON tourney_store;
DROP FUNCTION deleted_store_comes_back_by_no_number();
DROP TRIGGER deleted_store_was_here ON tourney_deleted_store;
DROP TRIGGER deleted_store_is_gone ON tourney_deleted_store;
DROP TRIGGER retired_address_is_forever_truncate ON tourney_retired_address;
DROP TRIGGER retired_address_is_forever ON tourney_retired_address;
DROP TRIGGER deleted_store_is_forever_truncate ON tourney_deleted_store;
DROP TRIGGER deleted_store_is_forever ON tourney_deleted_store;
DROP FUNCTION deleted_store_was_here();
DROP FUNCTION deleted_store_is_gone();
DROP FUNCTION deleted_store_is_forever();
"""


def asking(before: dict[str, str], after: dict[str, str]) -> str:
    """The triggers that let nothing go ask these functions in place of those."""
    return ASK.format(store=before["store"], event=before["event"], instead=after["store"], so=after["event"])


def write_words(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The stores that are here are found, too."""
    stores = apps.get_model("tourney", "Store").objects
    for pk, name in stores.values_list("pk", "name"):
        stores.filter(pk=pk).update(found_by=joined_words(name))


class Migration(migrations.Migration):
    dependencies = [("tourney", "0052_events_by_earlier_slugs")]

    operations = [
        migrations.AddField(
            "store",
            "place",
            models.CharField(default="", help_text="its town, for who looks for it; empty: nobody said", max_length=80),
        ),
        migrations.AddField(
            "store",
            "found_by",
            models.TextField(default="", editable=False, help_text="the words of both; lists are in their order"),
        ),
        migrations.RunPython(write_words, migrations.RunPython.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED", migrations.RunSQL.noop),
        migrations.AddIndex(
            "store",
            models.Index(fields=["found_by", "id"], name="stores_in_order", condition=models.Q(("rehearsal", None))),
        ),
        migrations.AddIndex(
            "store",
            GinIndex(
                models.Func(
                    models.Func(models.F("found_by"), models.Value(" "), function="string_to_array"),
                    function="array_to_tsvector",
                ),
                name="stores_by_words",
                fastupdate=False,
                condition=models.Q(("rehearsal", None)),
            ),
        ),
        migrations.CreateModel(
            name="StoreRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key_hash",
                    models.CharField(help_text="of the key in the link of who asked", max_length=64, unique=True),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("approved", "Approved"), ("declined", "Declined")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("place", models.CharField(default="", max_length=80)),
                ("time_zone", models.CharField(max_length=60)),
                ("locale", models.CharField(max_length=12)),
                (
                    "reason",
                    models.CharField(default="", help_text="of who asks; empty once decided", max_length=300),
                ),
                (
                    "username",
                    models.CharField(default="", help_text="empty for who has an account", max_length=150),
                ),
                ("password", models.CharField(default="", help_text="hashed; empty once decided", max_length=128)),
                ("asked_at", models.DateTimeField()),
                (
                    "asked_from",
                    models.CharField(default="", help_text="a digest; empty once decided", max_length=64),
                ),
                ("decided_at", models.DateTimeField(null=True)),
                ("answer", models.CharField(default="", help_text="of who declined", max_length=300)),
                (
                    "store",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requests",
                        to="tourney.store",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["asked_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "approved", "declined"])),
                        name="store_request_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state", "waiting"))
                        | models.Q(("asked_from", ""), ("password", ""), ("reason", "")),
                        name="decided_store_request_keeps_no_secret",
                    ),
                    models.UniqueConstraint(
                        Upper("username"),
                        condition=models.Q(("state", "waiting")) & ~models.Q(("username", "")),
                        name="one_waiting_request_per_sign_in_name",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeletedStore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField(help_text="the id it had", unique=True)),
                ("deleted_at", models.DateTimeField()),
                ("by_name", models.CharField(help_text="who deleted it", max_length=150)),
                ("entries", models.PositiveIntegerField(help_text="of its journal")),
                (
                    "head",
                    models.CharField(
                        help_text="the last hash of its journal’s chain; empty: there was none", max_length=64
                    ),
                ),
                (
                    "moved_to",
                    models.CharField(default="", help_text="where its links lead on; empty: nowhere", max_length=300),
                ),
            ],
            options={"db_table": "tourney_deleted_store"},
        ),
        migrations.CreateModel(
            name="RetiredAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("path", models.CharField(max_length=110, unique=True)),
                (
                    "event",
                    models.BigIntegerField(help_text="the id of the event: its short address", null=True, unique=True),
                ),
                (
                    "store",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="addresses",
                        to="tourney.deletedstore",
                    ),
                ),
            ],
            options={"db_table": "tourney_retired_address"},
        ),
        migrations.RunSQL(MAY_GO, NOTHING_GOES),
        migrations.RunSQL(asking(REHEARSALS, ALL), asking(ALL, REHEARSALS)),
        migrations.RunSQL(ORIGINS_GO, ORIGINS_STAY.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")),
        migrations.RunSQL(WHOLE, IN_PARTS),
        migrations.RunSQL(
            STAYS_AT_ITS_STORE, REHEARSAL_STAYS_ONE.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
        ),
    ]
