"""A throw is called a roll, as people call it; its table and all that is stored keep their names."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tourney", "0055_packed_history")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelTable(name="throw", table="tourney_throw"),
                migrations.RenameModel(old_name="Throw", new_name="Roll"),
                migrations.AlterField(
                    model_name="roll",
                    name="roll_off",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rolls",
                        to="tourney.rolloff",
                    ),
                ),
            ]
        )
    ]
