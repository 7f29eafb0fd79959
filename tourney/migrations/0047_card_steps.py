"""What each card did lately, counted by all processes together; not logged, as the wrong keys and passwords."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0046_push")]

    operations = [
        migrations.CreateModel(
            name="CardSteps",
            fields=[
                ("player", models.BigIntegerField(primary_key=True, serialize=False)),
                ("since", models.DateTimeField()),
                ("done", models.PositiveIntegerField()),
            ],
        ),
        migrations.RunSQL("ALTER TABLE tourney_cardsteps SET UNLOGGED", migrations.RunSQL.noop),
    ]
