"""Rehearsals, and what only they allow: to be deleted, with journal, ledger and history.

That a store is a rehearsal is said when it is made and never changes, and no event goes from one to the other: so
nothing real can be made a rehearsal in order to be deleted.
"""

import django.db.models.deletion
from django.db import migrations, models

IS_REHEARSAL = """
CREATE FUNCTION is_rehearsal(the_store bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM tourney_store WHERE id = the_store AND rehearsal_id IS NOT NULL)
$$;
CREATE FUNCTION is_at_a_rehearsal(the_event bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM tourney_event e JOIN tourney_campaign c ON c.id = e.campaign_id
        WHERE e.id = the_event AND is_rehearsal(c.store_id)
    )
$$;
"""
IS_NOTHING = """
DROP FUNCTION is_at_a_rehearsal(bigint);
DROP FUNCTION is_rehearsal(bigint);
"""

FORGETS = """
CREATE OR REPLACE FUNCTION journal_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    name text := to_jsonb(current_setting('flagship.forgotten_name', true))::text;
    mark text := current_setting('flagship.forgotten_mark', true);
BEGIN
    {rehearsal}
    IF TG_OP = 'UPDATE' AND length(name) > 2 AND mark <> '' THEN
        name := substr(name, 2, length(name) - 2);
        IF replace(to_jsonb(NEW)::text, mark, name) = replace(to_jsonb(OLD)::text, mark, name) AND EXISTS (
            SELECT FROM tourney_journalentry
            WHERE store_id = OLD.store_id AND did = 'forget' AND after ->> 'mark' = mark
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The journal cannot be changed: entries are only added.' USING ERRCODE = 'restrict_violation';
END $$;
"""
LEDGER = """
CREATE OR REPLACE FUNCTION token_ledger_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    name text := to_jsonb(current_setting('flagship.forgotten_name', true))::text;
    mark text := current_setting('flagship.forgotten_mark', true);
BEGIN
    {rehearsal}
    IF TG_OP = 'UPDATE' AND length(name) > 2 AND mark <> '' THEN
        name := substr(name, 2, length(name) - 2);
        IF replace(to_jsonb(NEW)::text, mark, name) = replace(to_jsonb(OLD)::text, mark, name) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The ledger cannot be changed: lines are only added.' USING ERRCODE = 'restrict_violation';
END $$;
"""
MAY_GO = """IF TG_OP = 'DELETE' THEN
        IF {is_one} THEN
            RETURN OLD;
        END IF;
    END IF;"""
AT_STORE, AT_EVENT = "is_rehearsal(OLD.store_id)", "is_at_a_rehearsal(OLD.event_id)"

KEPT = """
CREATE FUNCTION history_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM tourney_event WHERE id = OLD.event_id) OR is_at_a_rehearsal(OLD.event_id) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'The history of an event is kept: nothing of it is deleted.' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER history_is_kept BEFORE DELETE ON tourney_change FOR EACH ROW EXECUTE FUNCTION history_is_kept();
CREATE TRIGGER history_is_kept_truncate BEFORE TRUNCATE ON tourney_change
    FOR EACH STATEMENT EXECUTE FUNCTION history_is_kept();

CREATE FUNCTION event_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF is_at_a_rehearsal(OLD.id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'An event is kept, once it is made.' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER event_is_kept BEFORE DELETE ON tourney_event FOR EACH ROW EXECUTE FUNCTION event_is_kept();
"""
NOT_KEPT = """
DROP TRIGGER event_is_kept ON tourney_event;
DROP FUNCTION event_is_kept();
DROP TRIGGER history_is_kept ON tourney_change;
DROP TRIGGER history_is_kept_truncate ON tourney_change;
DROP FUNCTION history_is_kept();
"""

STAYS = """
CREATE FUNCTION rehearsal_stays_one() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stays boolean := CASE TG_TABLE_NAME
        WHEN 'tourney_store' THEN
            (to_jsonb(OLD) -> 'rehearsal_id') = (to_jsonb(NEW) -> 'rehearsal_id')
        WHEN 'tourney_campaign' THEN
            is_rehearsal((to_jsonb(OLD) ->> 'store_id')::bigint) = is_rehearsal((to_jsonb(NEW) ->> 'store_id')::bigint)
        ELSE (
            SELECT is_rehearsal(was.store_id) = is_rehearsal(now.store_id)
            FROM tourney_campaign was, tourney_campaign now
            WHERE was.id = (to_jsonb(OLD) ->> 'campaign_id')::bigint
                AND now.id = (to_jsonb(NEW) ->> 'campaign_id')::bigint
        )
    END;
BEGIN
    IF stays THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'What is real never becomes a rehearsal, nor a rehearsal real.'
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER rehearsal_stays_one BEFORE UPDATE OF rehearsal_id ON tourney_store
    FOR EACH ROW EXECUTE FUNCTION rehearsal_stays_one();
CREATE TRIGGER rehearsal_stays_one BEFORE UPDATE OF store_id ON tourney_campaign
    FOR EACH ROW EXECUTE FUNCTION rehearsal_stays_one();
CREATE TRIGGER rehearsal_stays_one BEFORE UPDATE OF campaign_id ON tourney_event
    FOR EACH ROW WHEN (OLD.campaign_id <> NEW.campaign_id) EXECUTE FUNCTION rehearsal_stays_one();
"""
GOES = """
DROP TRIGGER rehearsal_stays_one ON tourney_event;
DROP TRIGGER rehearsal_stays_one ON tourney_campaign;
DROP TRIGGER rehearsal_stays_one ON tourney_store;
DROP FUNCTION rehearsal_stays_one();
"""


def forever(function: str, is_one: str) -> migrations.RunSQL:
    with_rehearsals = function.replace("{rehearsal}", MAY_GO.format(is_one=is_one))
    return migrations.RunSQL(with_rehearsals, function.replace("{rehearsal}", ""))


class Migration(migrations.Migration):
    dependencies = [("tourney", "0012_history")]

    operations = [
        migrations.CreateModel(
            name="Rehearsal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "pace",
                    models.CharField(
                        choices=[
                            ("step", "Step by step"),
                            ("minute", "A round in one minute"),
                            ("fast", "As fast as it goes"),
                        ],
                        max_length=10,
                    ),
                ),
                ("seed", models.BigIntegerField()),
                ("registered", models.PositiveSmallIntegerField()),
                ("made_up", models.PositiveSmallIntegerField()),
                ("held", models.PositiveSmallIntegerField(default=0)),
                ("by_name", models.CharField(max_length=150)),
                ("begun_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(help_text="from then on nobody sees it, and it is thrown away")),
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="rehearsal", to="tourney.event"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="store",
            name="rehearsal",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="store",
                to="tourney.rehearsal",
            ),
        ),
        migrations.AddConstraint(
            model_name="rehearsal",
            constraint=models.CheckConstraint(
                condition=models.Q(("pace__in", ["step", "minute", "fast"])), name="rehearsal_pace_is_known"
            ),
        ),
        migrations.RunSQL(IS_REHEARSAL, IS_NOTHING),
        forever(FORGETS, AT_STORE),
        forever(LEDGER, AT_EVENT),
        migrations.RunSQL(KEPT, NOT_KEPT),
        migrations.RunSQL(STAYS, GOES),
    ]
