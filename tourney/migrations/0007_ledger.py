"""The ledger of the commendation token: nobody changes or deletes a line, from SQL either.

As in the journal, one change is let through: the name of somebody who is forgotten becomes the mark, where putting it
back gives exactly the old line.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

FORBID = """
CREATE FUNCTION token_ledger_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    name text := to_jsonb(current_setting('flagship.forgotten_name', true))::text;
    mark text := current_setting('flagship.forgotten_mark', true);
BEGIN
    IF TG_OP = 'UPDATE' AND length(name) > 2 AND mark <> '' THEN
        name := substr(name, 2, length(name) - 2);
        IF replace(to_jsonb(NEW)::text, mark, name) = replace(to_jsonb(OLD)::text, mark, name) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The ledger cannot be changed: lines are only added.' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER token_ledger_is_forever BEFORE UPDATE OR DELETE ON tourney_tokenline
    FOR EACH ROW EXECUTE FUNCTION token_ledger_is_forever();
"""

ALLOW = """
DROP TRIGGER token_ledger_is_forever ON tourney_tokenline;
DROP FUNCTION token_ledger_is_forever();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0006_played_sheets"),
    ]

    operations = [
        migrations.CreateModel(
            name="TokenLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("granted", "Granted"),
                            ("passed on", "Passed on"),
                            ("declined", "Declined"),
                            ("taken back", "Taken back"),
                            ("spent", "Spent"),
                            ("unspent", "Unspent"),
                            ("lost", "Lost"),
                            ("returned", "Returned"),
                            ("corrected", "Corrected"),
                        ],
                        max_length=10,
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(null=True)),
                (
                    "here",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list
                    ),
                ),
                ("reason", models.TextField(blank=True)),
                ("by_name", models.CharField(max_length=150)),
                ("at", models.DateTimeField()),
                (
                    "entrant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="token_lines",
                        to="tourney.entrant",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="token_lines", to="tourney.event"
                    ),
                ),
            ],
            options={
                "ordering": ["event", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "number"), name="one_token_line_per_number_and_event"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "granted",
                                    "passed on",
                                    "declined",
                                    "taken back",
                                    "spent",
                                    "unspent",
                                    "lost",
                                    "returned",
                                    "corrected",
                                ],
                            )
                        ),
                        name="token_line_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("entrant__isnull", False), ("kind", "corrected"), _connector="OR"),
                        name="a_token_is_somebodys",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind__in", ["spent", "unspent"]), ("round__isnull", False)),
                            models.Q(
                                models.Q(("kind__in", ["spent", "unspent"]), _negated=True), ("round__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="a_token_is_spent_in_a_round",
                    ),
                ],
            },
        ),
        migrations.RunSQL(FORBID, ALLOW),
    ]
