"""Standard names in Python; tables and columns keep theirs, since history, triggers and the journal's chain know those."""

from django.db import migrations, models

CLOCK = "a_clock_runs_or_is_paused"

STATE = [
    migrations.AlterModelTable("report", "tourney_report"),
    migrations.RenameModel("Report", "PlayerReport"),
    migrations.AlterModelTable("receipt", "tourney_receipt"),
    migrations.RenameModel("Receipt", "IdempotencyKey"),
    migrations.AlterModelTable("change", "tourney_change"),
    migrations.RenameModel("Change", "RowChange"),
    migrations.RenameField("event", "numbers_given", "last_entrant_number"),
    migrations.AlterField(
        "event",
        "last_entrant_number",
        models.PositiveSmallIntegerField(
            db_column="numbers_given", default=0, help_text="entrant numbers; none is given twice"
        ),
    ),
    migrations.RemoveConstraint("round", CLOCK),
    migrations.RenameField("round", "relaxed", "relaxed_rules"),
    migrations.AlterField(
        "round",
        "relaxed_rules",
        models.JSONField(db_column="relaxed", default=list),
    ),
    migrations.RenameField("round", "by_hand", "manual_reason"),
    migrations.AlterField(
        "round",
        "manual_reason",
        models.CharField(
            blank=True, db_column="by_hand", help_text="why this draft was last changed by hand", max_length=200
        ),
    ),
    migrations.RenameField("round", "paused_left", "paused_seconds_left"),
    migrations.AlterField(
        "round",
        "paused_seconds_left",
        models.PositiveIntegerField(
            db_column="paused_left", help_text="seconds left while the clock is paused", null=True
        ),
    ),
    migrations.AddConstraint(
        "round",
        models.CheckConstraint(
            condition=models.Q(ends_at__isnull=True) | models.Q(paused_seconds_left__isnull=True), name=CLOCK
        ),
    ),
    migrations.RenameField("match", "by_hand", "manual_reason"),
    migrations.AlterField("match", "manual_reason", models.CharField(blank=True, db_column="by_hand", max_length=200)),
    migrations.RenameField("match", "savings", "result_save_count"),
    migrations.AlterField(
        "match",
        "result_save_count",
        models.PositiveIntegerField(
            db_column="savings", default=0, help_text="of results: none has the version of another"
        ),
    ),
]


class Migration(migrations.Migration):
    dependencies = [("tourney", "0021_journal_chain")]

    operations = [migrations.SeparateDatabaseAndState(state_operations=STATE)]
