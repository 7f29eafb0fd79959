"""The deliveries of an entry have an index: when entries go, with a rehearsal or a store, the database asks for them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tourney", "0058_sessions_on_the_list"),
    ]

    operations = [
        migrations.AlterField(
            model_name="delivery",
            name="entry",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tourney.journalentry"
            ),
        ),
    ]
