import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0001_initial"),
        ("tourney", "0003_fleets"),
    ]

    operations = [
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "ending",
                    models.CharField(
                        choices=[
                            ("elimination", "elimination"),
                            ("both_eliminated", "both eliminated"),
                            ("time", "time"),
                            ("scenario", "scenario"),
                            ("concession", "concession"),
                            ("no_show", "no show"),
                            ("neither_came", "neither came"),
                            ("double_loss", "double loss"),
                        ],
                        max_length=20,
                    ),
                ),
                ("out", models.CharField(blank=True, choices=[("a", "a"), ("b", "b")], max_length=1)),
                ("condition", models.PositiveSmallIntegerField(null=True)),
                ("condition_side", models.CharField(blank=True, choices=[("a", "a"), ("b", "b")], max_length=1)),
                ("sp_left_a", models.PositiveSmallIntegerField(default=0)),
                ("sp_left_b", models.PositiveSmallIntegerField(default=0)),
                ("tallies_a", models.JSONField(default=dict)),
                ("tallies_b", models.JSONField(default=dict)),
                (
                    "words",
                    models.CharField(blank=True, help_text="for the opponent and the desk", max_length=200),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Wish",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("concede", "Concede"), ("drop", "Leave after this round")], max_length=10
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "answer",
                    models.CharField(
                        blank=True, choices=[("granted", "Granted"), ("declined", "Declined")], max_length=10
                    ),
                ),
                ("words", models.CharField(blank=True, help_text="why it was declined", max_length=200)),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="event",
            name="accept_after",
            field=models.PositiveSmallIntegerField(
                default=5, help_text="minutes after which the desk may accept one side's word"
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="reported_by",
            field=models.CharField(
                choices=[("players", "Players by phone, and the desk"), ("desk", "Only the desk")],
                default="players",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="entered_by",
            field=models.CharField(help_text="the sign-in name of whoever saved it last", max_length=150),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("reported_by__in", ["players", "desk"])), name="event_reported_by_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("accept_after__lte", 600)), name="event_accept_after_to_600"
            ),
        ),
        migrations.AddField(
            model_name="receipt",
            name="entrant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="receipts", to="tourney.entrant"
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="seat",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="report", to="tourney.seat"
            ),
        ),
        migrations.AddField(
            model_name="wish",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="wishes", to="tourney.seat"
            ),
        ),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(fields=("entrant", "key"), name="each_key_counts_once"),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "ending__in",
                        [
                            "elimination",
                            "both_eliminated",
                            "time",
                            "scenario",
                            "concession",
                            "no_show",
                            "neither_came",
                            "double_loss",
                        ],
                    )
                ),
                name="report_ending_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(("out__in", ("", "a", "b"))), name="report_out_is_a_side"
            ),
        ),
        migrations.AddConstraint(
            model_name="wish",
            constraint=models.UniqueConstraint(fields=("seat", "kind"), name="one_wish_per_kind_and_seat"),
        ),
        migrations.AddConstraint(
            model_name="wish",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["concede", "drop"])), name="wish_kind_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="wish",
            constraint=models.CheckConstraint(
                condition=models.Q(("answer__in", ["", "granted", "declined"])), name="wish_answer_is_known"
            ),
        ),
    ]
