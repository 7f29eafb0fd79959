"""What each card did lately, counted by all processes together; and the keys by which similar names are found.

The first is not logged, as the wrong keys and passwords.
"""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tourney.domain.naming import keys_kept


def make_keys(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Player, NameKeys = (apps.get_model("tourney", name) for name in ("Player", "NameKeys"))
    players = Player.objects.filter(forgotten_at=None).values_list("pk", "store", "name").iterator()
    rows = (NameKeys(player_id=pk, keys=keys_kept(name, store)) for pk, store, name in players)
    NameKeys.objects.bulk_create(rows, batch_size=1000)


class Migration(migrations.Migration):
    dependencies = [("tourney", "0047_push_session")]

    operations = [
        migrations.CreateModel(
            name="CardSteps",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="tourney.player",
                    ),
                ),
                ("since", models.DateTimeField()),
                ("done", models.PositiveIntegerField()),
            ],
        ),
        migrations.RunSQL("ALTER TABLE tourney_cardsteps SET UNLOGGED", migrations.RunSQL.noop),
        migrations.CreateModel(
            name="NameKeys",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="name_keys",
                        serialize=False,
                        to="tourney.player",
                    ),
                ),
                ("keys", django.contrib.postgres.fields.ArrayField(models.BigIntegerField())),
            ],
        ),
        migrations.RunPython(make_keys, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="namekeys",
            index=django.contrib.postgres.indexes.GinIndex(fields=["keys"], name="players_by_similar_names"),
        ),
    ]
