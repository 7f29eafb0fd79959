"""Indexes go whose columns another index begins with: each one costs every write (tests/test_indexes.py)."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0022_standard_names"),
    ]

    operations = [
        migrations.AlterField(
            model_name="campaign",
            name="slug",
            field=models.SlugField(db_index=False, max_length=80),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="store",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="campaigns",
                to="tourney.store",
            ),
        ),
        migrations.AlterField(
            model_name="entrant",
            name="event",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="entrants", to="tourney.event"
            ),
        ),
        migrations.AlterField(
            model_name="fleetstep",
            name="fleet",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="steps", to="tourney.fleet"
            ),
        ),
        migrations.AlterField(
            model_name="houseruling",
            name="store",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="house_rulings",
                to="tourney.store",
            ),
        ),
        migrations.AlterField(
            model_name="idempotencykey",
            name="entrant",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="receipts",
                to="tourney.entrant",
            ),
        ),
        migrations.AlterField(
            model_name="journalentry",
            name="event",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="journal",
                to="tourney.event",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="round",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="matches", to="tourney.round"
            ),
        ),
        migrations.AlterField(
            model_name="membership",
            name="user",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="memberships",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="packversion",
            name="own",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="versions",
                to="tourney.ownpack",
            ),
        ),
        migrations.AlterField(
            model_name="penalty",
            name="round",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="penalties",
                to="tourney.round",
            ),
        ),
        migrations.AlterField(
            model_name="rolloff",
            name="round",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="roll_offs",
                to="tourney.round",
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="event",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tourney.event"
            ),
        ),
        migrations.AlterField(
            model_name="rowchange",
            name="event",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="changes", to="tourney.event"
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="match",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="tourney.match"
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="round",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="tourney.round"
            ),
        ),
        migrations.AlterField(
            model_name="signinattempt",
            name="store",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="sign_in_attempts",
                to="tourney.store",
            ),
        ),
        migrations.AlterField(
            model_name="talonclass",
            name="store",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="talon_classes",
                to="tourney.store",
            ),
        ),
        migrations.AlterField(
            model_name="throw",
            name="roll_off",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="throws", to="tourney.rolloff"
            ),
        ),
        migrations.AlterField(
            model_name="tokenline",
            name="event",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="token_lines",
                to="tourney.event",
            ),
        ),
        migrations.AlterField(
            model_name="wish",
            name="seat",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="wishes", to="tourney.seat"
            ),
        ),
    ]
