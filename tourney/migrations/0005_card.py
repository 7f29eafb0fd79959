"""Cards that move, players who are one, players who are forgotten, and tries that are counted.

The journal's trigger lets one change through: where the journal of the store says that somebody was forgotten, that
name may become the mark of that entry. Putting the name back into the new row must give the old one, in every field.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

FORGETS = """
CREATE OR REPLACE FUNCTION journal_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    name text := to_jsonb(current_setting('flagship.forgotten_name', true))::text;
    mark text := current_setting('flagship.forgotten_mark', true);
BEGIN
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

FORGETS_NOTHING = """
CREATE OR REPLACE FUNCTION journal_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The journal cannot be changed: entries are only added.' USING ERRCODE = 'restrict_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0004_reports"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="forgotten_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="player",
            name="merged_into",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="older_names", to="tourney.player"
            ),
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("who", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["who", "at"], name="attempts_of_somebody")],
            },
        ),
        migrations.CreateModel(
            name="PlayerMerge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "entries",
                    django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list),
                ),
                (
                    "fleets",
                    django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list),
                ),
                (
                    "older_names",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(),
                        default=list,
                        help_text="players merged into `other` before",
                    ),
                ),
                ("at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="merges", to="tourney.player"
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tourney.player"
                    ),
                ),
                (
                    "store",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="merges", to="tourney.store"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at", None)), fields=("other",), name="a_player_is_merged_into_one"
                    )
                ],
            },
        ),
        migrations.RunSQL("ALTER TABLE tourney_attempt SET UNLOGGED", migrations.RunSQL.noop),
        migrations.RunSQL(FORGETS, FORGETS_NOTHING),
    ]
