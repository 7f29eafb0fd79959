"""How a store writes days and times: by its country, as far as the time zone tells."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tourney.runtime.locales import USUAL, locale_in


def by_time_zone(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    stores = apps.get_model("tourney", "Store").objects
    for time_zone in stores.order_by().values_list("time_zone", flat=True).distinct():
        stores.filter(time_zone=time_zone).update(locale=locale_in(time_zone))


class Migration(migrations.Migration):
    dependencies = [("tourney", "0027_fleet_share_key")]

    operations = [
        migrations.AddField(
            model_name="store",
            name="locale",
            field=models.CharField(default=USUAL, help_text="by CLDR: en_US", max_length=12),
        ),
        migrations.RunPython(by_time_zone, migrations.RunPython.noop, elidable=True),
    ]
