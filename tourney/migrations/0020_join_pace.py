"""Registration by phone has a pace, and may ask for a word; the history knows the word too."""

import django.db.models.deletion
from django.db import migrations, models

EVENT = """
UPDATE tourney_change SET before = before || {new}, after = after || {new} WHERE "table" = 'tourney_event'
""".format(new="""'{"join_word": ""}'::jsonb""")


class Migration(migrations.Migration):
    dependencies = [("tourney", "0019_sign_ins")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="join_word",
            field=models.CharField(
                blank=True, help_text="asked of who registers by phone; empty: none is", max_length=20
            ),
        ),
        migrations.CreateModel(
            name="Joining",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("network", models.CharField(max_length=32)),
                ("device", models.CharField(max_length=32)),
                ("key_hash", models.CharField(blank=True, max_length=64)),
                (
                    "entrant",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="joining",
                        to="tourney.entrant",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="joinings", to="tourney.event"
                    ),
                ),
            ],
        ),
        migrations.RunSQL(EVENT, migrations.RunSQL.noop),
    ]
