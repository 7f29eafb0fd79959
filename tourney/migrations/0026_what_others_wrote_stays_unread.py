"""A sign-in is found by its name without reading every user, and what a store did itself without all its events' entries.

Nobody asks for entries by who signed in, and no user is ever deleted: that index only cost every entry its time.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Upper


class Migration(migrations.Migration):
    dependencies = [("tourney", "0025_changed_columns")]

    operations = [
        migrations.AddIndex("user", models.Index(Upper("username"), name="users_by_name_in_capitals")),
        migrations.AddIndex(
            "journalentry",
            models.Index(condition=models.Q(event=None), fields=["store", "id"], name="journal_of_a_store_itself"),
        ),
        migrations.AlterField(
            "journalentry",
            "by",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
