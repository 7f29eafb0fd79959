"""What a device is told for a role ends with the session in which it asked; those that asked before ask again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sessions", "0001_initial"), ("tourney", "0046_push")]

    operations = [
        migrations.RunSQL(
            "DELETE FROM tourney_push_subscription WHERE membership_id IS NOT NULL", migrations.RunSQL.noop
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="session",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="push_subscriptions",
                to="sessions.session",
            ),
        ),
        migrations.AddIndex(
            model_name="pushsubscription", index=models.Index(fields=["session"], name="push_of_session")
        ),
    ]
